"""Static files of the app; those named by a content hash are cached for good (cache busting)."""

from __future__ import annotations

import gzip
import mimetypes
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from pleasance.server.base.errors import NotFoundError
from pleasance.server.page.responses import FOREVER, NEVER, reply

_SOON = "public, max-age=3600"
_PACKED = {".woff2", ".png"}
"""Kinds of files that are already compressed."""

_TYPES = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}


def dist_folder() -> Traversable:
    """Return the folder with the built app."""
    return files("pleasance.server.page") / "dist"


def read_asset(folder: str, name: str) -> bytes | None:
    """Read a built file; any other name gives `None`, against path traversal."""
    return _read(folder, name) if name in _list_names(folder) else None


@cache
def _list_names(folder: str) -> frozenset[str]:
    """List the files of a folder; no other name that a client sends is ever cached."""
    found = dist_folder() / folder if folder else dist_folder()
    plain = (file for file in (found.iterdir() if found.is_dir() else ()) if file.is_file())
    return frozenset(file.name for file in plain if not file.name.startswith("."))


@cache
def _read(folder: str, name: str) -> bytes:
    return (dist_folder() / folder / name if folder else dist_folder() / name).read_bytes()


@cache
def _gzip(folder: str, name: str) -> bytes:
    return gzip.compress(_read(folder, name), 9, mtime=0)


def serve_file(
    request: Request[Any, Any, Any], folder: str, name: str, cache: str
) -> Response[bytes]:
    """Serve a file, compressed for clients that accept it."""
    content = read_asset(folder, name)
    if content is None:
        raise NotFoundError("no_page")
    end = f".{name.rpartition('.')[2]}"
    kind = _TYPES.get(end) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    if end in _PACKED or "gzip" not in request.headers.get("accept-encoding", ""):
        return reply(content, kind, cache=cache)
    answer = reply(_gzip(folder, name), kind, cache=cache)
    answer.headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return answer


@get("/page/assets/{name:str}", include_in_schema=False, sync_to_thread=False)
def read_built(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Serve a script, style or font."""
    return serve_file(request, "assets", name, FOREVER)


@get("/page/{name:str}", include_in_schema=False, sync_to_thread=False)
def read_fixed(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Serve a file that has the same name in every version."""
    return serve_file(request, "", name, _SOON)


@get("/worker.js", include_in_schema=False, sync_to_thread=False)
def read_worker(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Serve the service worker; it must lie at the root of the site."""
    return serve_file(request, "", "worker.js", NEVER)


ROUTES = [read_built, read_fixed, read_worker]
