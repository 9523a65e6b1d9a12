"""The timeline of a contact in GraphQL."""

from typing import Annotated

import strawberry

from db.lists import Conditions, PageArgs
from resolvers import contact_timeline
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes.contact_timeline import TimelineEntry, TimelineWhere

graphql.input(TimelineWhere, description=TimelineWhere.__doc__)
graphql.type(TimelineEntry, name="TimelineEntry", description=TimelineEntry.__doc__)


@strawberry.type
class Query:
    @connection(where=TimelineWhere)
    async def contact_timeline(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        contact_id: Annotated[ID, graphql.argument("id or uuid of the contact")],
    ) -> Connection[TimelineEntry] | None:
        contact = local_id(contact_id, "Contact")
        return as_type(await contact_timeline.page(info.context, contact, page_args, where))
