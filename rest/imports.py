"""Routes under /recipient-import (specification §6); reading and previewing an import are extensions."""

from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import Path, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from resolvers import imports
from resolvers.imports.import_forms import Form
from rest.frame.errors import errors, refused
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, Limit, Page, bearer, router
from runtime.context import Ctx, OwnerCtx
from runtime.texts import text
from shapes import page as pages
from shapes.imports import ImportPreview, ImportRow, ImportRows, NewImport, NewTextImport, RecipientImport
from shapes.sending_projects import ProjectChannel

api = router("imports", "Imports of recipients from files and from text.", prefix="/recipient-import")

_FORM = {
    "type": "object",
    "required": ["file"],
    "additionalProperties": False,
    "properties": {
        "file": {
            "type": "string", "format": "binary", "description": "CSV, TXT, JSON, NDJSON, XLSX, XLS or ODS",
            "examples": ["phone;name\n+14155550100;Anna"],
        },
        "mapping": {
            "type": "string", "pattern": r"^\s*\{", "description": "a JSON object: field to column",
            "examples": ['{"phone": "Phone", "name": "Name", "city": "City"}'],
        },
        "channel": {"type": "string", "enum": [*ProjectChannel], "examples": ["sms"]},
        "region": {"type": "string", "pattern": "^[A-Z]{2}$", "examples": ["DE"]},
        "delimiter": {"type": "string", "enum": [",", ";", "|", "tab"], "examples": [";"]},
        "encoding": {"type": "string", "minLength": 1, "maxLength": 32, "examples": ["cp1251"]},
        "header": {"type": "boolean", "examples": [True]},
        "headerRow": {"type": "integer", "minimum": 1, "maximum": 50, "examples": [3]},
    },
}  # fmt: skip
_NEW_IMPORT = NewImport.model_json_schema(ref_template="#/components/schemas/{model}")
del _NEW_IMPORT["$defs"]  # its enumeration is a component of the document
_BODY = {
    "required": True,
    "content": {
        "application/json": {
            "schema": _NEW_IMPORT,
            "example": {"rows": [{"phone": "+14155550100", "name": "Anna", "city": "Berlin"}]},
        },
        "multipart/form-data": {"schema": _FORM},
    },
}
ImportId = Annotated[UUID, Path(alias="importUuid")]
_UNREADABLE = refused(422, "The list can't be read", "unreadable_list")


async def incoming(request: Request) -> NewImport | Form:
    """Returns the list that a request contains: a form with a file, or JSON."""
    kind = request.headers.get("content-type", "")
    if kind.lower().startswith("multipart/form-data"):
        return Form(kind, request.stream())
    body = await request.body()
    if not body:
        raise RequestValidationError([{"type": "missing", "loc": ("body",), "msg": "", "input": None}])
    plain = kind.partition(";")[0].strip().lower()
    is_json = plain == "application/json" or (plain.startswith("application/") and plain.endswith("+json"))
    try:
        return NewImport.model_validate(orjson.loads(body) if is_json else None)
    except orjson.JSONDecodeError as error:
        raise RequestValidationError(
            [{"type": "json_invalid", "loc": ("body", error.pos), "msg": "", "input": None}]
        ) from error
    except ValidationError as error:
        raise RequestValidationError(
            [{**problem, "loc": ("body", *problem["loc"])} for problem in error.errors(include_url=False)]
        ) from error


@api.post(
    "",
    status_code=202,
    response_model=RecipientImport,
    responses=errors(400, 401, 404, 409, 413, 422, 429, 503),
    openapi_extra={**bearer(requestBody=_BODY), **IDEMPOTENT},
)
async def create(ctx: Ctx, request: Request) -> Any:
    return await imports.create(ctx, await incoming(request))


@api.post(
    "/text",
    status_code=202,
    response_model=RecipientImport,
    responses=errors(400, 401, 409, 413, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create_text(ctx: Ctx, body: NewTextImport) -> Any:
    return await imports.create_text(ctx, body)


@api.get(
    "/list/{importUuid}",
    response_model=pages.Page[ImportRow],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list_rows(
    ctx: Ctx,
    id: ImportId,
    valid: Annotated[
        bool | None, Query(description="true: only valid rows; false: only invalid rows")
    ] = None,
    page: Page = 1,
    limit: Limit = 20,
) -> Any:
    return await imports.rows(ctx, id, valid, page, limit)


@api.delete(
    "/{importUuid}",
    status_code=204,
    response_model=None,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def delete(ctx: Ctx, id: ImportId, body: ImportRows | None = None) -> Any:
    return await imports.delete(ctx, id, body.uuids if body else None)


@api.get(
    "",
    description=text(imports.page),
    response_model=pages.Page[RecipientImport],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list(ctx: OwnerCtx, page: Page = 1, limit: Limit = 20) -> Any:
    return await imports.list(ctx, page, limit)


@api.get(
    "/{importUuid}",
    response_model=RecipientImport,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get(ctx: Ctx, id: ImportId) -> Any:
    return await imports.get(ctx, id)


@api.post(
    "/preview",
    response_model=ImportPreview,
    responses={**errors(400, 401, 404, 429, 503), **_UNREADABLE},
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def preview(ctx: Ctx, body: NewImport) -> Any:
    return await imports.preview(ctx, body)
