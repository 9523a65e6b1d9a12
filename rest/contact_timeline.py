"""Route /contacts/{contactId}/timeline. It is Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import contact_timeline
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.contact_timeline import TimelineEntry, TimelineWhere
from shapes.page import PageByCursor

api = router("contacts", extension=True)
ContactId = Annotated[UUID, Path(alias="contactId", description="id of the contact")]


@api.get(
    "/contacts/{contactId}/timeline",
    response_model=PageByCursor[TimelineEntry],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx,
    id: ContactId,
    where: Annotated[Conditions, filters_of(TimelineWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    """Lists single messages to a contact, messages of projects, replies to these, and chats, newest first, found by the
    contact's addresses. Kinds that your token may not read are left out.
    """
    return await contact_timeline.page(ctx, id, PageArgs(first=limit, after=after), where)
