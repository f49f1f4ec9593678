"""The page about the HTTP API: every address, made from its OpenAPI description."""

from __future__ import annotations

from html import escape
from typing import Any

from litestar import Request, Response, get

from pleasance.server.page.responses import HTML, reply

_METHODS = ("get", "post", "put", "patch", "delete")


@get("/api/docs", include_in_schema=False, sync_to_thread=False)
def read_reference(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show the reference of the API: each endpoint with its parameters, responses and errors."""
    schema = request.app.openapi_schema.to_schema()
    return reply(_write(schema), HTML)


def _write(schema: dict[str, Any]) -> str:
    groups: dict[str, list[str]] = {}
    for path, item in sorted(schema["paths"].items()):
        for method in _METHODS:
            if method in item:
                tag = (item[method].get("tags") or ["more"])[0]
                groups.setdefault(tag, []).append(_write_address(method, path, item[method]))
    parts = [f"<h2>{escape(tag)}</h2>{''.join(lines)}" for tag, lines in sorted(groups.items())]
    title = f"{schema['info']['title']} {schema['info']['version']}: HTTP API"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/page/reference.css"></head><body><main>'
        f'<h1>{escape(title)}</h1><p>Machines read <a href="/schema/openapi.json">the OpenAPI '
        f"description</a>.</p>{''.join(parts)}</main></body></html>"
    )


def _write_address(method: str, path: str, operation: dict[str, Any]) -> str:
    """Write one address: what it does, what it takes, how it answers."""
    told = operation.get("description") or operation.get("summary") or ""
    takes = [
        f"<li><code>{escape(one['name'])}</code> ({escape(one['in'])}"
        f"{', needed' if one.get('required') else ''})</li>"
        for one in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {})
    takes += [
        f"<li>body: <code>{escape(_name(content.get('schema', {})))}</code></li>"
        for content in body.values()
    ]
    answers = [
        f"<li>{escape(status)}: {escape(answer.get('description', ''))}</li>"
        for status, answer in operation.get("responses", {}).items()
    ]
    return (
        f"<details><summary><code>{method.upper()} {escape(path)}</code></summary>"
        f"<p>{escape(told)}</p><ul>{''.join(takes)}</ul><ul>{''.join(answers)}</ul></details>"
    )


def _name(schema: dict[str, Any]) -> str:
    """Name the shape of a body."""
    return str(schema.get("$ref", "").rsplit("/", 1)[-1] or schema.get("type", "JSON"))


ROUTES = [read_reference]
