"""Routes /senders. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import senders
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.senders import NewSender, Sender, SenderChoice, SenderDecision, SenderPatch, SenderWhere

api = router(
    "senders",
    "The names, numbers and addresses that messages are sent from.",
    prefix="/senders",
    extension=True,
)
SenderId = Annotated[UUID, Path(alias="senderId", description="id of the sender")]
To = Annotated[
    str,
    Query(min_length=1, max_length=320, description="a phone or an email address", examples=["+14155550100"]),
]
AskedSender = Annotated[
    str | None,
    Query(max_length=320, description="the sender that the message would name; none: it names none"),
]


@api.get("", response_model=PageByCursor[Sender], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(SenderWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await senders.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=Sender,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def request(ctx: Ctx, body: NewSender) -> Any:
    return await senders.request(ctx, body)


@api.get("/choice", response_model=SenderChoice, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def choice(ctx: Ctx, to: To, sender: AskedSender = None) -> Any:
    return await senders.choice(ctx, to, sender)


@api.get("/{senderId}", response_model=Sender, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: SenderId) -> Any:
    return await senders.get(ctx, id)


@api.patch(
    "/{senderId}", response_model=Sender, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: SenderId, body: SenderPatch) -> Any:
    return await senders.update(ctx, id, body)


@api.post(
    "/{senderId}/decide",
    response_model=Sender,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def decide(ctx: Ctx, id: SenderId, body: SenderDecision) -> Any:
    return await senders.decide(ctx, id, body)


@api.delete(
    "/{senderId}", status_code=204, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: SenderId) -> None:
    return await senders.delete(ctx, id)
