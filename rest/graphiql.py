"""GraphiQL at /graphql, an extension, for browsers if the schema may be explored.

All files come from this service, and the policy allows nothing else: the page has no inline script and may connect
only to this service (`connect-src 'self'` covers its WebSocket, CSP 3 §6.7.2.8). The URL of a file contains the hash
of its content, so browsers may cache it for ever. Only names in the table are served; no path is built from a name.
"""

import asyncio
import gzip
import hashlib
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from fastapi import Request, Response

from core.assets import PROJECT, VENDOR, pinned_files
from core.errors import NotFound
from rest import docs
from rest.frame.caching import matches
from rest.frame.routing import router

api = router("docs", any_query=True)

# GraphiQL's dialogs insert one style element, which stops the page behind them from scrolling.
_SCROLL_LOCK = "'sha256-Y/huXlwoYkVyQlxwSVcCi1RCDGDCSVBzDt0hYP9qlTc='"
_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {_SCROLL_LOCK}; connect-src 'self'; "
    "img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_AGAIN = 5.0  # seconds until missing files are looked up again
_KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".txt": "text/plain",
}
_OURS = ("page.css", "session.js", "fetcher.js", "examples.js", "page.js", "icon.svg")
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(slots=True)
class Asset:
    """A file that the page loads. `zipped` is computed for the first client that accepts gzip."""

    body: bytes
    kind: str
    etag: str
    zipped: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Explorer:
    """The page, and its files by the names under which the page loads them."""

    page: bytes
    etag: str
    assets: dict[str, Asset]


@api.get("/graphql/assets/{name}", include_in_schema=False)
async def asset(request: Request, name: str) -> Response:
    """Returns one file of the page."""
    file = explorer.assets.get(name) if (explorer := _explorer(request)) else None
    if file is None:
        raise NotFound("GraphiQL has no such file. Reload /graphql.")
    headers = {
        **_HEADERS,
        "ETag": file.etag,
        "Cache-Control": "public, max-age=31536000, immutable",
        "Vary": "Accept-Encoding",
    }
    if matches(request.headers.getlist("if-none-match"), file.etag):
        return Response(status_code=304, headers=headers)
    body = file.body
    if "gzip" in request.headers.get("accept-encoding", ""):
        if file.zipped is None:
            file.zipped = await asyncio.to_thread(gzip.compress, body, 6, mtime=0)
        body, headers["Content-Encoding"] = file.zipped, "gzip"
    return Response(body, headers=headers, media_type=file.kind)


def page(request: Request) -> Response:
    """Returns the page that a browser gets at `/graphql`: GraphiQL, or a page on how to call GraphQL without it."""
    if (explorer := _explorer(request)) is None:
        return docs.graphql_page(request)
    headers = {**_HEADERS, "ETag": explorer.etag, "Cache-Control": "no-cache", "Vary": "Accept"}
    if matches(request.headers.getlist("if-none-match"), explorer.etag):
        return Response(status_code=304, headers=headers)
    return Response(explorer.page, headers=headers, media_type="text/html")


def _explorer(request: Request) -> Explorer | None:
    """Returns None if the schema may not be explored or files are missing.

    The result is cached once the files exist. Until then they are looked up every few seconds at most, because the
    check reads megabytes.
    """
    state = request.app.state
    if not state.services.settings.explorable:
        return None
    explorer: Explorer | None = getattr(state, "explorer", None)
    now = time.monotonic()
    if explorer is None and now >= getattr(state, "explorer_again", 0.0):
        explorer = state.explorer = build(PROJECT, VENDOR)
        state.explorer_again = now + _AGAIN
    return explorer


def build(project: Path, vendor: Path) -> Explorer | None:
    """Returns the page with its files, or None if a third-party file is missing or differs from the pinned one."""
    bodies: dict[str, bytes] = {}
    for file in pinned_files(project):
        try:
            bodies[file.name] = (vendor / file.name).read_bytes()
        except OSError:
            return None
        if not file.right(bodies[file.name]):
            return None
    bodies |= {name: (project / name).read_bytes() for name in _OURS}
    bodies["examples.json"] = orjson.dumps(examples(project / "examples"))
    assets: dict[str, Asset] = {}
    hashed_names: dict[str, str] = {}
    for name, body in bodies.items():
        digest = hashlib.sha256(body).hexdigest()
        stem, _, kind = name.rpartition(".")
        hashed_names[name] = f"{stem}.{digest[:16]}.{kind}"
        assets[hashed_names[name]] = Asset(body, _KINDS[f".{kind}"], f'"{digest[:32]}"')
    html = re.sub(
        r'"graphql/assets/([^"]+)"',
        lambda match: f'"graphql/assets/{hashed_names[match[1]]}"',
        (project / "index.html").read_text(),
    ).encode()
    return Explorer(html, f'"{hashlib.sha256(html).hexdigest()[:32]}"', assets)


def examples(folder: Path) -> list[dict[str, str]]:
    """Returns `{area, title, query, variables}` for each `.graphql` file, in order.

    The first line of a file is `# Area: title`. A `.json` file of the same name contains the initial variables.
    """
    entries = []
    for path in sorted(folder.glob("*.graphql")):
        query = path.read_text()
        area, _, title = query.partition("\n")[0].removeprefix("#").partition(":")
        beside = path.with_suffix(".json")
        entries.append(
            {
                "area": area.strip(),
                "title": title.strip(),
                "query": query.strip(),
                "variables": beside.read_text().strip() if beside.exists() else "",
            }
        )
    return entries
