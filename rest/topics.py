"""Routes /topics. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import topics
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.topics import NewTopic, PreferencesPreview, Topic, TopicPatch, TopicWhere

api = router(
    "topics", "Topics that contacts subscribe to, and the proof of consent.", prefix="/topics", extension=True
)
PreviewLocale = Annotated[
    str | None, Query(max_length=64, description="language tag of the person; none: English", examples=["de"])
]
TopicId = Annotated[UUID, Path(alias="topicId", description="id of the topic")]


@api.get("", response_model=PageByCursor[Topic], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(TopicWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await topics.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=Topic,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewTopic) -> Any:
    return await topics.create(ctx, body)


@api.get(
    "/preferences/preview",
    response_model=PreferencesPreview,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def preview_preferences(ctx: Ctx, locale: PreviewLocale = None) -> Any:
    return await topics.preview_preferences(ctx, locale)


@api.get("/{topicId}", response_model=Topic, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: TopicId) -> Any:
    return await topics.get(ctx, id)


@api.patch(
    "/{topicId}", response_model=Topic, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: TopicId, body: TopicPatch) -> Any:
    return await topics.update(ctx, id, body)


@api.delete(
    "/{topicId}", status_code=204, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: TopicId) -> None:
    return await topics.delete(ctx, id)
