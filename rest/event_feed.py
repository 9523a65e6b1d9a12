"""Routes under /events: the event feed. The routes are Postern's own."""

import builtins
from typing import Annotated, Any

from fastapi import Query

from resolvers import event_feed
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.event_feed import MOST_EVENTS, Cursor, EventFeed, EventPage, EventType

api = router(
    "event feed",
    "What happened to your messages, projects and accounts, in order.",
    prefix="/events",
    extension=True,
)
After = Annotated[
    Cursor | None, Query(description="`next` of the last page, or the cursor of an event; none: the oldest")
]
Types = Annotated[
    str | None,
    Query(
        max_length=4096,
        description="only events of these types, separated by commas; docs/events.md lists them",
        examples=["message.delivered,message.failed"],
    ),
]
First = Annotated[
    int,
    Query(
        description="the most events that are returned",
        # The operation checks it, for both doors with one code.
        json_schema_extra={"minimum": 1, "maximum": MOST_EVENTS},
    ),
]


@api.get("", response_model=EventPage, responses=errors(400, 401, 410, 503), openapi_extra={**BEARER})
async def list(ctx: Ctx, after: After = None, types: Types = None, first: First = 100) -> Any:
    """Returns what happened to your messages, projects and accounts, oldest first. The first call begins the recording:
    earlier events are not known. No event is ever skipped or moved. Store `next`, and pass it as `after`.
    """
    names = None if types is None else [name.strip() for name in types.split(",") if name.strip()]
    return await event_feed.page(ctx, after, names, first)


@api.get("/feed", response_model=EventFeed, responses=errors(401, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx) -> Any:
    return await event_feed.state(ctx)


@api.put("/feed", response_model=EventFeed, responses=errors(401, 503), openapi_extra={**BEARER})
async def enable(ctx: Ctx) -> Any:
    return await event_feed.enable(ctx)


@api.delete("/feed", status_code=204, responses=errors(401, 409, 503), openapi_extra={**BEARER})
async def disable(ctx: Ctx) -> None:
    return await event_feed.disable(ctx)


@api.get("/types", response_model=builtins.list[EventType])
async def list_types(ctx: Ctx) -> Any:
    return await event_feed.types(ctx)
