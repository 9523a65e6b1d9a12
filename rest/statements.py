"""Routes /accounts/{id}/statements. They are Postern's own."""

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Header, Path, Query, Response

from resolvers import statements
from rest.frame import statement_page
from rest.frame.errors import errors
from rest.frame.printed import HTML, Expires, MadeBy, Signature
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.statements import MONTH, AccountStatement, SignedStatement

api = router("accounts", prefix="/accounts", extension=True)

Id = Annotated[UUID, Path(description="uuid of the account")]
Month = Annotated[str, Path(pattern=MONTH, description="the month, in UTC", examples=["2026-10"])]
Format = Annotated[
    Literal["json", "csv", "html"] | None,
    Query(
        description="csv: the lines, between the opening and the closing balance; html: a page to print, as also with"
        " `Accept: text/html`; none: JSON"
    ),
]
PrintedFormat = Annotated[
    Literal["csv", "html"], Query(description="csv: the lines, between the opening and the closing balance")
]

_CONTENT: dict[str, Any] = {**HTML, "text/csv": HTML["text/html"]}
_OTHERS: dict[str, Any] = {
    "description": "the document; with `format=html` a page to print, with `format=csv` its lines",
    "content": _CONTENT,
}
_PRINTED: dict[str, Any] = {
    "description": "the page, to print; with `format=csv` its lines",
    "content": _CONTENT,
}


@api.get(
    "/{id}/statements",
    response_model=list[AccountStatement],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def of_account(ctx: Ctx, id: Id) -> Any:
    return await statements.of_account(ctx, id)


@api.get(
    "/{id}/statements/{month}",
    response_model=SignedStatement,
    responses={200: _OTHERS, **errors(400, 401, 403, 404, 503)},
    openapi_extra={**BEARER},
)
async def get(
    ctx: Ctx,
    id: Id,
    month: Month,
    format: Format = None,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Any:
    return statement_page.answer(await statements.get(ctx, id, month), format, accept)


@api.get(
    "/{id}/statements/{month}/page",
    response_class=Response,
    responses={200: _PRINTED, **errors(400, 403, 503)},
)
async def printed(
    ctx: Ctx,
    id: Id,
    month: Month,
    expires: Expires,
    signature: Signature,
    made_by: MadeBy = None,
    format: PrintedFormat = "html",
) -> Any:
    signed = await statements.printed(ctx, id, month, expires, signature, made_by)
    return statement_page.answer(signed, format, "")
