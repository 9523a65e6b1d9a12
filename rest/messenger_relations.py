"""Route /messenger-accounts/{id}/state-changes: what has become of a messenger account. It is Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import messenger_relations
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.messenger_accounts import MessengerStateChange

api = router("messenger accounts", prefix="/messenger-accounts", extension=True)


@api.get(
    "/{accountUuid}/state-changes",
    response_model=list[MessengerStateChange],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list_state_changes(ctx: Ctx, id: Annotated[UUID, Path(alias="accountUuid")]) -> Any:
    return await messenger_relations.state_changes_of(ctx, id)
