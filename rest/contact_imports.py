"""Routes /contacts/imports. They are Postern's own."""

from typing import Any

from resolvers import contact_imports
from rest.frame.errors import errors, refused
from rest.frame.routing import BEARER, IDEMPOTENT, router
from runtime.context import Ctx
from shapes.contact_imports import ContactImportPreview, NewContactImport, SubscribeSegment
from shapes.imports import RecipientImport

api = router(
    "contact-imports",
    "Imports of contacts from files. The routes of /recipient-import show and delete them, too.",
    prefix="/contacts/imports",
    extension=True,
)


@api.post(
    "",
    status_code=202,
    response_model=RecipientImport,
    responses=errors(400, 401, 404, 409, 413, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewContactImport) -> Any:
    """Accepts a list of contacts, and adds and changes them in the background as `POST /contacts` does. The routes of
    /recipient-import show its progress, and the rows that were left out with the reason.
    """
    return await contact_imports.create(ctx, body)


@api.post(
    "/preview",
    response_model=ContactImportPreview,
    responses={
        **errors(400, 401, 404, 429, 503),
        **refused(422, "The list can't be read", "unreadable_list"),
    },
    openapi_extra={**BEARER},
)
async def preview(ctx: Ctx, body: NewContactImport) -> Any:
    return await contact_imports.preview(ctx, body)


@api.post(
    "/segment",
    status_code=202,
    response_model=RecipientImport,
    responses=errors(400, 401, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def subscribe_segment(ctx: Ctx, body: SubscribeSegment) -> Any:
    return await contact_imports.subscribe_segment(ctx, body)
