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
    return await contact_timeline.page(ctx, id, PageArgs(first=limit, after=after), where)
