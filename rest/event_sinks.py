"""Routes /event-sinks: brokers that the events of a feed are published to. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import event_sinks
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.event_sinks import (
    EventSink,
    EventSinkPatch,
    EventSinkReplay,
    EventSinkReplayed,
    EventSinkStatus,
    EventSinkTested,
    EventSinkWhere,
    NewEventSink,
)
from shapes.page import PageByCursor

api = router(
    "event-sinks",
    "Brokers that the events of a feed are published to.",
    prefix="/event-sinks",
    extension=True,
)
SinkId = Annotated[UUID, Path(alias="sinkId", description="id of the sink")]


@api.get(
    "", response_model=PageByCursor[EventSink], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(EventSinkWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await event_sinks.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=EventSink,
    responses=errors(400, 401, 403, 409, 429, 503),
    openapi_extra={**BEARER},
)
async def create(ctx: Ctx, body: NewEventSink) -> Any:
    return await event_sinks.create(ctx, body)


@api.get(
    "/{sinkId}", response_model=EventSink, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: SinkId) -> Any:
    return await event_sinks.get(ctx, id)


@api.get(
    "/{sinkId}/status",
    response_model=EventSinkStatus,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def status(ctx: Ctx, id: SinkId) -> Any:
    return await event_sinks.status(ctx, id)


@api.patch(
    "/{sinkId}",
    response_model=EventSink,
    responses=errors(400, 401, 404, 409, 429, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: SinkId, body: EventSinkPatch) -> Any:
    return await event_sinks.update(ctx, id, body)


@api.delete("/{sinkId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, id: SinkId) -> None:
    return await event_sinks.delete(ctx, id)


@api.post(
    "/{sinkId}/test",
    response_model=EventSinkTested,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def test(ctx: Ctx, id: SinkId) -> Any:
    return await event_sinks.test(ctx, id)


@api.post(
    "/{sinkId}/replay",
    response_model=EventSinkReplayed,
    responses=errors(400, 401, 404, 409, 410, 503),
    openapi_extra={**BEARER},
)
async def replay(ctx: Ctx, id: SinkId, body: EventSinkReplay) -> Any:
    return EventSinkReplayed(count=await event_sinks.replay(ctx, id, body))
