"""Routes /template-versions, and the one that saves a version of a template. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import template_versions
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.template_versions import (
    PreviewTemplate,
    PreviewTemplateVersion,
    SaveTemplateVersion,
    TemplateDiff,
    TemplatePreview,
    TemplateVersion,
    TemplateVersionRow,
    TemplateVersionWhere,
)

api = router("templates", extension=True)
TemplateId = Annotated[UUID, Path(alias="templateId", description="id of the template")]
VersionId = Annotated[UUID, Path(alias="versionId", description="id of the version")]
Against = Annotated[UUID, Query(description="id of the version that it is compared with")]


@api.get(
    "/template-versions",
    response_model=PageByCursor[TemplateVersionRow],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(TemplateVersionWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await template_versions.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "/templates/{templateId}/versions",
    status_code=201,
    response_model=TemplateVersionRow,
    responses=errors(400, 401, 404, 409, 413, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def save(ctx: Ctx, id: TemplateId, body: SaveTemplateVersion) -> Any:
    return await template_versions.save(ctx, id, body)


@api.get(
    "/template-versions/{versionId}",
    response_model=TemplateVersion,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: VersionId) -> Any:
    return await template_versions.with_texts(ctx, id)


@api.put(
    "/template-versions/{versionId}",
    response_model=TemplateVersionRow,
    responses=errors(400, 401, 404, 409, 413, 503),
    openapi_extra={**BEARER},
)
async def change(ctx: Ctx, id: VersionId, body: SaveTemplateVersion) -> Any:
    return await template_versions.change(ctx, id, body)


@api.delete(
    "/template-versions/{versionId}",
    status_code=204,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def delete(ctx: Ctx, id: VersionId) -> None:
    return await template_versions.delete(ctx, id)


@api.post(
    "/template-versions/{versionId}/publish",
    response_model=TemplateVersionRow,
    responses=errors(400, 401, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def publish(ctx: Ctx, id: VersionId) -> Any:
    return await template_versions.publish(ctx, id)


@api.post(
    "/template-versions/{versionId}/preview",
    response_model=TemplatePreview,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def preview(ctx: Ctx, id: VersionId, body: PreviewTemplateVersion) -> Any:
    return await template_versions.preview(ctx, id, body)


@api.post(
    "/templates/{templateId}/preview",
    response_model=TemplatePreview,
    responses=errors(400, 401, 404, 413, 429, 503),
    openapi_extra={**BEARER},
)
async def preview_unsaved(ctx: Ctx, id: TemplateId, body: PreviewTemplate) -> Any:
    return await template_versions.preview_unsaved(ctx, id, body)


@api.get(
    "/template-versions/{versionId}/diff",
    response_model=TemplateDiff,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def diff(ctx: Ctx, id: VersionId, against: Against) -> Any:
    return await template_versions.diff(ctx, id, against)
