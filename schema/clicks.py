"""The links of projects' emails, and who has clicked on them, in GraphQL."""

import strawberry

from resolvers import clicks
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from shapes.clicks import MOST_TARGETS, ClickedLink
from shapes.shape import Cost


@strawberry.type
class Query:
    @graphql.query(cost=Cost(most=MOST_TARGETS))
    async def clicked_links(self, info: Info, id: ID) -> list[ClickedLink] | None:
        return [*await clicks.of_project(info.context, local_id(id, "SendingProject"))]
