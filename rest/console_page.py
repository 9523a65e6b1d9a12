"""The files of the web console at /console, an extension (docs/console.md).

All files come from this service, and the page may connect only to it. Its one inline script, which says why nothing is
shown if no other file came, is allowed by its hash. The styles that its component library makes in the browser carry a
nonce, which is another one for each response (CSP 3 §7.1).
"""

import re
import secrets
import time
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fastapi import Depends, Request, Response

from core.assets import CONSOLE
from core.errors import NotFound
from core.http.html import POLICY, page, prose, tag
from rest.console import is_on
from rest.frame.asset_pages import IMMUTABLE, ISOLATED, KINDS, Asset, asset_answer
from rest.frame.routing import router

_AGAIN = 5.0  # seconds until a console that is not built is looked for again
_NONCE = b"__NONCE__"
_CSP = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; media-src 'self' blob:; frame-src 'self' blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default"
)

_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

api = router("console", any_query=True, dependencies=[Depends(is_on)], extension=True)


@dataclass(frozen=True, slots=True)
class _Site:
    """The built console: its page, and all files by their path."""

    html: bytes
    files: dict[str, Asset]
    scripts: str
    """The inline scripts of the page, as the policy names them."""


@api.get("/console", include_in_schema=False)
async def index(request: Request) -> Response:
    """Returns the page, or one that says how to build the console."""
    return _page(request)


@api.get("/console/{path:path}", include_in_schema=False)
async def file(request: Request, path: str) -> Response:
    """Returns a file of the console; for every other path the page, which shows the view of this address."""
    site = _built(request)
    asset = site.files.get(path) if site else None
    if asset is not None:
        hashed = path.startswith("assets/")
        return await asset_answer(
            request, asset, {**ISOLATED, "Cache-Control": IMMUTABLE if hashed else "no-cache"}
        )
    if path.startswith("assets/"):
        raise NotFound("The console has no such file; it may have been updated. Reload the page.")
    return _page(request)


def _page(request: Request) -> Response:
    site = _built(request)
    if site is None:
        return Response(_NOT_BUILT, headers={"Content-Security-Policy": POLICY}, media_type="text/html")
    nonce = secrets.token_urlsafe(16)
    headers = {**ISOLATED, "Content-Security-Policy": _CSP.format(nonce=nonce, scripts=site.scripts)}
    return Response(site.html.replace(_NONCE, nonce.encode()), headers=headers, media_type="text/html")


def _built(request: Request) -> _Site | None:
    """Returns the console, which the application reads once it is built; until then None."""
    state = request.app.state
    site: _Site | None
    site, again = getattr(state, "console", (None, 0.0))
    now = time.monotonic()
    if site is None and now >= again:
        site = read(CONSOLE)
        state.console = site, now + _AGAIN
    return site


def read(folder: Path) -> _Site | None:
    """Returns the console that this folder has, or None if it has none."""
    try:
        html = (folder / "index.html").read_bytes()
    except OSError:
        return None
    files = {
        str(path.relative_to(folder)): _asset(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in KINDS
    }
    return _Site(html, files, "".join(f" '{_hash(script)}'" for script in _INLINE.findall(html)))


def _hash(script: bytes) -> str:
    """Returns the source expression of an inline script (CSP 3 §2.3.1)."""
    return f"sha256-{b64encode(sha256(script).digest()).decode()}"


def _asset(path: Path) -> Asset:
    """Returns a file, with what the build has compressed beside it."""
    asset = Asset.of(path.name, path.read_bytes())
    compressed = path.with_name(f"{path.name}.br")
    if compressed.is_file():
        asset.brotli = compressed.read_bytes()
    return asset


_NOT_BUILT = page(
    "Postern: console",
    tag("h1", "Console"),
    tag(
        "p",
        prose(
            "The web console would be here, but it is not built. With a network, `make setup` builds it (or "
            "`postern assets`); then load this page again. Nothing else needs it."
        ),
    ),
    tag("p", "Meanwhile: ", tag("a", "GraphQL", href="graphql"), ", ", tag("a", "REST", href="docs"), "."),
)
