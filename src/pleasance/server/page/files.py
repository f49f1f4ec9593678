"""Files of the page: scripts, style, icon; named by what is in them, so that they are kept."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from litestar import Response, get
from litestar.params import FromPath

from pleasance import __version__
from pleasance.server.errors import UnknownError
from pleasance.server.page.replies import FOREVER, NEVER, SVG, reply

_KINDS = {"css": "text/css", "js": "text/javascript", "svg": SVG}


@cache
def read_files() -> dict[str, bytes]:
    """Read all files there are, by name."""
    found = (file for file in (files(__package__) / "static").iterdir() if file.is_file())
    return {file.name: file.read_bytes() for file in found if _kind(file.name) in _KINDS}


@cache
def make_stamp() -> str:
    """Name this version of the files: another one has another name, and is fetched anew."""
    digest = hashlib.sha256(__version__.encode())
    for name, content in sorted(read_files().items()):
        digest.update(f"{name}:{len(content)}:".encode() + content)
    return digest.hexdigest()[:12]


def _kind(name: str) -> str:
    return name.rpartition(".")[2]


@get("/page/{stamp:str}/{name:str}", include_in_schema=False, sync_to_thread=False)
def read_file(stamp: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """Give a file of the page; one of another version is not to be kept."""
    content = read_files().get(name)
    if content is None:
        raise UnknownError("no_page")
    return reply(content, _KINDS[_kind(name)], cache=FOREVER if stamp == make_stamp() else NEVER)


ROUTES = [read_file]
