"""Routes /topic-subscriptions and /consents. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import topic_subscriptions
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.consents import ConsentEntry, ConsentEntryWhere
from shapes.page import PageByCursor
from shapes.topic_subscriptions import (
    SubscribeContacts,
    SubscribedContacts,
    TopicSubscription,
    TopicSubscriptionWhere,
    UnsubscribeContacts,
    UnsubscribedContacts,
)

api = router("topics", prefix="/topic-subscriptions", extension=True)
consents = router("topics", prefix="/consents", extension=True)
SubscriptionId = Annotated[UUID, Path(alias="subscriptionId", description="id of the subscription")]
EntryId = Annotated[UUID, Path(alias="consentId", description="id of the entry")]


@api.get(
    "",
    response_model=PageByCursor[TopicSubscription],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(TopicSubscriptionWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await topic_subscriptions.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    response_model=SubscribedContacts,
    responses=errors(400, 401, 402, 403, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def subscribe(ctx: Ctx, body: SubscribeContacts) -> Any:
    return await topic_subscriptions.subscribe(ctx, body)


@api.post(
    "/withdraw",
    response_model=UnsubscribedContacts,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def unsubscribe(ctx: Ctx, body: UnsubscribeContacts) -> Any:
    return await topic_subscriptions.unsubscribe(ctx, body)


@api.get(
    "/{subscriptionId}",
    response_model=TopicSubscription,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: SubscriptionId) -> Any:
    return await topic_subscriptions.get(ctx, id)


@consents.get(
    "", response_model=PageByCursor[ConsentEntry], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def entries(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(ConsentEntryWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await topic_subscriptions.entries(ctx, PageArgs(first=limit, after=after), where)


@consents.get(
    "/{consentId}",
    response_model=ConsentEntry,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def entry(ctx: Ctx, id: EntryId) -> Any:
    return await topic_subscriptions.entry(ctx, id)
