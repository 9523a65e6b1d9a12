"""The guide at /docs/guide and its summary for programs at /llms.txt, both extensions: the pages of `docs/`, which
tools/guide builds with Sphinx.

All files come from this service. The inline script, the style element and the style attributes that each page has are
allowed by their hashes. Its search reads an index in the browser.
"""

import asyncio
import re
import time
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from core.assets import GUIDE
from core.errors import NotFound
from core.http.html import POLICY, page, prose, tag
from rest.frame.asset_pages import ISOLATED, KINDS, Asset, asset_answer
from rest.frame.routing import router

api = router("docs", any_query=True, extension=True)

_AGAIN = 5.0  # seconds until the folder is listed again
_KINDS = {
    **KINDS, ".html": "text/html", ".png": "image/png", ".md": "text/markdown",
    ".py": "text/plain", ".mjs": "text/plain",
}  # fmt: skip
_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_STYLE = re.compile(rb'<style>(.*?)</style>|<[^>]* style="([^"]*)"', re.DOTALL)


@api.get("/docs/guide", include_in_schema=False)
async def start() -> Response:
    """Leads to the first page; the addresses of its links are relative to this one."""
    return RedirectResponse("guide/")


@api.get("/docs/guide/{path:path}", include_in_schema=False)
async def file(request: Request, path: str) -> Response:
    """Returns a page or a file of the guide, or 304. Raises NotFound."""
    files = _files(request)
    if not files and not path:
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}
        return Response(_NOT_BUILT, headers=headers, media_type="text/html")
    return await _answer(request, files, path or "index.html")


@api.get("/llms.txt", include_in_schema=False)
async def llms(request: Request) -> Response:
    """Returns the list of pages for programs that read Markdown (llmstxt.org), or 304. Raises NotFound."""
    return await _answer(request, _files(request), "llms.txt")


async def _answer(request: Request, files: dict[str, Path], path: str) -> Response:
    try:
        body = await asyncio.to_thread(files[path].read_bytes)
    except (KeyError, OSError) as error:
        raise NotFound("The guide has no such page." if files else "The guide is not built.") from error
    asset = Asset(body, _KINDS[files[path].suffix], f'"{sha256(body).hexdigest()[:32]}"')
    headers = {**ISOLATED, "Content-Security-Policy": policy(body), "Cache-Control": "no-cache"}
    return await asset_answer(request, asset, headers)


def _files(request: Request) -> dict[str, Path]:
    """Returns the files of the guide by their addresses. They are listed anew every few seconds at most."""
    state = request.app.state
    files: dict[str, Path]
    files, again = getattr(state, "guide", ({}, 0.0))
    if (now := time.monotonic()) >= again:
        files = {
            path.relative_to(GUIDE).as_posix(): path
            for path in GUIDE.rglob("*")
            if path.is_file() and path.suffix in _KINDS
        }
        state.guide = files, now + _AGAIN
    return files


def policy(body: bytes) -> str:
    """Returns the Content-Security-Policy of a file, which allows what stands in it."""
    scripts = {_hash(script) for script in _SCRIPT.findall(body)}
    styles = {_hash(element or attribute) for element, attribute in _STYLE.findall(body)}
    script_src = " ".join(["'self'", *sorted(scripts)])
    style_src = " ".join(
        ["'self'", "'unsafe-hashes'", *sorted(styles)]
    )  # unsafe-hashes: those of attributes count
    return (
        f"default-src 'none'; script-src {script_src}; style-src {style_src}; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def _hash(text: bytes) -> str:
    """Returns the source expression of an inline script or style (CSP 3 §2.3.1)."""
    return f"'sha256-{b64encode(sha256(text).digest()).decode()}'"


_NOT_BUILT = page(
    "Postern: guide",
    tag("h1", "Guide"),
    tag(
        "p",
        prose(
            "The pages of docs/ would be here, but they are not built. In a checkout, with a network, `make guide` "
            "builds them; then load this page again. Nothing else needs them."
        ),
    ),
)
