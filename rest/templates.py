"""Routes /templates. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import templates
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.templates import NewTemplate, Template, TemplatePatch, TemplateUses, TemplateWhere

api = router(
    "templates",
    "Texts with a key, in versions and languages, which messages and projects are made from.",
    prefix="/templates",
    extension=True,
)
TemplateId = Annotated[UUID, Path(alias="templateId", description="id of the template")]


@api.get("", response_model=PageByCursor[Template], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(TemplateWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await templates.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=Template,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewTemplate) -> Any:
    return await templates.create(ctx, body)


@api.get(
    "/{templateId}", response_model=Template, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: TemplateId) -> Any:
    return await templates.get(ctx, id)


@api.patch(
    "/{templateId}", response_model=Template, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: TemplateId, body: TemplatePatch) -> Any:
    return await templates.update(ctx, id, body)


@api.delete(
    "/{templateId}", status_code=204, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: TemplateId) -> None:
    return await templates.delete(ctx, id)


@api.post(
    "/{templateId}/archive",
    response_model=Template,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def archive(ctx: Ctx, id: TemplateId) -> Any:
    return await templates.archive(ctx, id)


@api.post(
    "/{templateId}/unarchive",
    response_model=Template,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def unarchive(ctx: Ctx, id: TemplateId) -> Any:
    return await templates.unarchive(ctx, id)


@api.get(
    "/{templateId}/used-by",
    response_model=TemplateUses,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def used_by(ctx: Ctx, id: TemplateId) -> Any:
    return await templates.used_by(ctx, id)
