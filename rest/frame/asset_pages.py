"""Serves a page that consists of files of ours and of pinned third-party files (core/assets.py).

The URL of a file contains the hash of its content, so browsers may cache it for ever. Only names in a table are served;
no path is built from a name.
"""

import asyncio
import gzip
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from fastapi import Request, Response

from core.assets import STATIC, VENDOR, pinned_files
from core.errors import NotFound
from rest.frame.caching import matches

_AGAIN = 5.0  # seconds until missing files are looked up again
KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
IMMUTABLE = "public, max-age=31536000, immutable"
"""The `Cache-Control` of a file whose address contains the hash of its content."""
ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"}


@dataclass(slots=True)
class Asset:
    """A file that the page loads. `zipped` is computed for the first client that accepts gzip; `brotli` is made by who
    builds the file, if at all.
    """

    body: bytes
    kind: str
    etag: str
    zipped: bytes | None = field(default=None, repr=False)
    brotli: bytes | None = field(default=None, repr=False)

    @classmethod
    def of(cls, name: str, body: bytes) -> "Asset":
        """Returns the asset of a file with this name. Raises KeyError for an unknown extension."""
        return cls(body, KINDS[Path(name).suffix], f'"{sha256(body).hexdigest()[:32]}"')


async def asset_answer(request: Request, asset: Asset, headers: dict[str, str]) -> Response:
    """Returns a file with these headers, compressed if the client accepts it; or 304."""
    headers = {**headers, "ETag": asset.etag, "Vary": "Accept-Encoding"}
    if matches(request.headers.getlist("if-none-match"), asset.etag):
        return Response(status_code=304, headers=headers)
    body = asset.body
    accepted = _encodings(request)
    if asset.brotli is not None and "br" in accepted:
        body, headers["Content-Encoding"] = asset.brotli, "br"
    elif "gzip" in accepted:
        if asset.zipped is None:
            asset.zipped = await asyncio.to_thread(gzip.compress, body, 9, mtime=0)
        body, headers["Content-Encoding"] = asset.zipped, "gzip"
    return Response(body, headers=headers, media_type=asset.kind)


def _encodings(request: Request) -> set[str]:
    """Returns the encodings that a client accepts, which are those with a weight above zero (RFC 9110 §12.5.3)."""
    accepted = set()
    for item in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, parameters = item.partition(";")
        if not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", parameters):
            accepted.add(name.strip())
    return accepted


@dataclass(frozen=True, slots=True)
class BuiltPage:
    """The document, and its files by the names under which it loads them."""

    html: bytes
    etag: str
    assets: dict[str, Asset]


@dataclass(frozen=True, slots=True)
class AssetPage:
    """A page: its folder in `static/` with `index.html` and `vendor.json`, the address of its files relative to the
    page's, further files of ours (relative to `static/`), files that are generated, and its Content-Security-Policy.
    """

    folder: Path
    address: str
    ours: tuple[str, ...]
    policy: str
    generated: Callable[[], dict[str, bytes]] = dict

    def answer(self, request: Request, *, vary: str | None = None) -> Response | None:
        """Returns the document, 304 if the browser has it, or None if third-party files are not installed."""
        if (built := self._built(request)) is None:
            return None
        headers = {**self._headers, "ETag": built.etag, "Cache-Control": "no-cache"}
        if vary is not None:
            headers["Vary"] = vary
        if matches(request.headers.getlist("if-none-match"), built.etag):
            return Response(status_code=304, headers=headers)
        return Response(built.html, headers=headers, media_type="text/html")

    async def asset(self, request: Request, name: str) -> Response:
        """Returns one file of the page, or 304. Raises NotFound."""
        asset = built.assets.get(name) if (built := self._built(request)) else None
        if asset is None:
            raise NotFound("This page has no such file. Reload the page.")
        return await asset_answer(request, asset, {**self._headers, "Cache-Control": IMMUTABLE})

    @property
    def _headers(self) -> dict[str, str]:
        return {"Content-Security-Policy": self.policy, **ISOLATED}

    def _built(self, request: Request) -> BuiltPage | None:
        """Returns the page, which the application caches once its files exist.

        Until then they are looked up every few seconds at most, because the check reads megabytes.
        """
        state = request.app.state
        if not hasattr(state, "asset_pages"):
            state.asset_pages = {}
        built: BuiltPage | None
        built, again = state.asset_pages.get(self.address, (None, 0.0))
        now = time.monotonic()
        if built is None and now >= again:
            built = self.build(VENDOR)
            state.asset_pages[self.address] = built, now + _AGAIN
        return built

    def build(self, vendor: Path) -> BuiltPage | None:
        """Returns the page, or None if a third-party file is missing or differs from the pinned one."""
        bodies: dict[str, bytes] = {}
        for file in pinned_files(self.folder):
            try:
                bodies[file.name] = (vendor / file.name).read_bytes()
            except OSError:
                return None
            if not file.right(bodies[file.name]):
                return None
        bodies |= {(path := STATIC / name).name: path.read_bytes() for name in self.ours}
        bodies |= self.generated()
        assets: dict[str, Asset] = {}
        hashed: dict[str, str] = {}
        for name, body in bodies.items():
            digest = sha256(body).hexdigest()
            stem, _, kind = name.rpartition(".")
            hashed[name] = f"{stem}.{digest[:16]}.{kind}"
            assets[hashed[name]] = Asset.of(name, body)
        html = re.sub(
            rf'"{self.address}/([^"]+)"',
            lambda match: f'"{self.address}/{hashed[match[1]]}"',
            (self.folder / "index.html").read_text(encoding="utf-8"),
        ).encode()
        return BuiltPage(html, f'"{sha256(html).hexdigest()[:32]}"', assets)
