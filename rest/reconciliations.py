"""Routes /sending-project/{id}/reconciliation… and the public keys. They are Postern's own."""

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Header, Path, Query, Response
from fastapi.responses import JSONResponse, StreamingResponse

from resolvers import reconciliations
from rest.frame import reconciliation_page
from rest.frame.errors import errors
from rest.frame.printed import HTML, Expires, MadeBy, Signature
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.reconciliations import Reconciliation, ReconciliationProof, SignedReconciliation

api = router("projects", prefix="/sending-project", extension=True)
keys = router("projects", any_query=True, extension=True)

Id = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]
Number = Annotated[
    int | None, Query(ge=1, le=2**31 - 1, description="number of the reconciliation; none: the newest one")
]
Address = Annotated[
    str,
    Query(
        min_length=1,
        max_length=4096,
        description="the recipient's address, in any common notation",
        examples=["+14155550100"],
    ),
]
Format = Annotated[
    Literal["json", "html"] | None,
    Query(description="html: a page to print, as also with `Accept: text/html`; none: JSON"),
]
LinkNumber = Annotated[int, Query(ge=1, le=2**31 - 1, description="part of the signed link")]

_PRINTED: dict[str, Any] = {"description": "the page, to print", "content": HTML}
_PAGE: dict[str, Any] = {"description": "the document; with `format=html` a page to print", "content": HTML}
_LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "NDJSON",
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
}
_KEYS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "set of keys (RFC 7517)",
        "content": {"application/jwk-set+json": {"schema": {"type": "object"}}},
    }
}
_PRIVATE = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}


@api.get(
    "/{sendingProjectUuid}/reconciliations",
    response_model=list[Reconciliation],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def chain(ctx: Ctx, id: Id) -> Any:
    return await reconciliations.chain(ctx, id)


@api.get(
    "/{sendingProjectUuid}/reconciliation",
    response_model=SignedReconciliation,
    responses={200: _PAGE, **errors(400, 401, 403, 404, 503)},
    openapi_extra={**BEARER},
)
async def get(
    ctx: Ctx,
    id: Id,
    number: Number = None,
    format: Format = None,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Any:
    return reconciliation_page.answer(await reconciliations.get(ctx, id, number), format, accept)


@api.get(
    "/{sendingProjectUuid}/reconciliation/page",
    response_class=Response,
    responses={200: _PRINTED, **errors(400, 403, 503)},
)
async def printed(
    ctx: Ctx, id: Id, number: LinkNumber, expires: Expires, signature: Signature, made_by: MadeBy = None
) -> Any:
    signed = await reconciliations.printed(ctx, id, number, expires, signature, made_by)
    return reconciliation_page.answer(signed, "html", "")


@api.get(
    "/{sendingProjectUuid}/reconciliation/lines",
    response_class=Response,
    responses={**_LINES, **errors(400, 401, 403, 404, 503)},
    openapi_extra={**BEARER},
)
async def lines(ctx: Ctx, id: Id, number: Number = None) -> Response:
    pieces = await reconciliations.lines(ctx, id, number)
    return StreamingResponse(pieces, headers=_PRIVATE, media_type="application/x-ndjson")


@api.get(
    "/{sendingProjectUuid}/reconciliation/proof",
    response_model=ReconciliationProof,
    responses=errors(400, 401, 403, 404, 410, 503),
    openapi_extra={**BEARER},
)
async def proof(ctx: Ctx, id: Id, address: Address, number: Number = None) -> Any:
    return await reconciliations.proof(ctx, id, address, number)


@keys.get("/.well-known/jwks.json", response_class=Response, responses={**_KEYS, **errors(503)})
async def jwks(ctx: Ctx) -> Response:
    headers = {"Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*"}
    return JSONResponse(
        await reconciliations.keys(ctx), headers=headers, media_type="application/jwk-set+json"
    )
