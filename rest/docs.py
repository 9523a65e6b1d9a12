"""The OpenAPI document at /openapi.json, and the API reference at /docs, an extension: Scalar, which reads the document
in the browser.

All files come from this service. The page has no inline script and may connect only to this service.
"""

import asyncio

import orjson
from fastapi import FastAPI, Request, Response

from core.assets import DOCS
from core.http.html import POLICY, page, prose, tag
from rest.frame.asset_pages import Asset, AssetPage, asset_answer
from rest.frame.code_samples import with_samples
from rest.frame.routing import router
from rest.frame.visible_openapi import visible
from shapes.purposes import Module

api = router("docs", any_query=True, extension=True)

PAGE = AssetPage(
    DOCS,
    "docs/assets",
    ("docs/session.js", "docs/page.js", "docs/page.css", "icon.svg"),
    # Scalar writes its styles into the document as it is used, so no list of hashes is complete. A style can't send
    # anything to another host: the rest of the policy forbids its images and fonts. Previews of answers are blobs.
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
)


@api.api_route("/openapi.json", methods=["GET", "HEAD"], include_in_schema=False)
async def openapi(request: Request) -> Response:
    """Returns the OpenAPI document of the routes whose modules are on, or 304. Anybody may ask for it as often as they
    like: it is built once, beside the requests of others.
    """
    state = request.app.state
    modules = await state.services.choices.visible()
    built: tuple[frozenset[Module], asyncio.Future[Asset]] | None = getattr(state, "openapi_document", None)
    if built is None or built[0] != modules:
        building = asyncio.ensure_future(asyncio.to_thread(_document, request.app, modules))
        built = state.openapi_document = modules, building
    document: Asset = await asyncio.shield(built[1])
    return await asset_answer(request, document, {"Cache-Control": "no-cache"})


def _document(app: FastAPI, modules: frozenset[Module]) -> Asset:
    """Builds the document, which takes seconds of processor time."""
    return Asset.of("openapi.json", orjson.dumps(with_samples(visible(app, modules))))


@api.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Returns the API reference, or a page with a link to the OpenAPI document if the files are not installed."""
    if (answer := PAGE.answer(request)) is not None:
        return answer
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}
    return Response(_WITHOUT_FILES, headers=headers, media_type="text/html")


@api.get("/docs/assets/{name}", include_in_schema=False)
async def asset(request: Request, name: str) -> Response:
    """Returns one file of the page."""
    return await PAGE.asset(request, name)


_WITHOUT_FILES = page(
    "Postern: REST",
    tag("h1", "REST"),
    tag(
        "p",
        "All operations are described in the OpenAPI document: ",
        tag("a", "/openapi.json", href="openapi.json"),
        ".",
    ),
    tag(
        "p",
        prose(
            "A reference to read and try them would be here, but its files are not installed. With a network, "
            "`make setup` installs them (or `postern assets`); then load this page again. Nothing else needs them."
        ),
    ),
)
