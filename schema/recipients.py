"""Recipients of Sending Projects in GraphQL."""

import strawberry

from resolvers import recipients
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.types import recipients as types
from schema.types.page import Meta
from schema.types.recipients import AddedRecipients, AddRecipients, NewRecipient

graphql.input(NewRecipient, description=NewRecipient.__doc__)
graphql.input(AddRecipients, description=AddRecipients.__doc__)
graphql.type(types.InvalidRecipient, description=types.InvalidRecipient.__doc__)
graphql.type(AddedRecipients, description=AddedRecipients.__doc__)


@graphql.type(name="Recipient", description=types.Recipient.__doc__)
class Recipient(types.Recipient):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("Recipient", self.id)


@strawberry.type(description="A page of recipients.")
class RecipientPage:
    items: list[Recipient] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("The recipients of a project, in the order in which they were added.")
    async def recipients(
        self, info: Info, sending_project_id: ID, page: int = 1, limit: int = 20
    ) -> RecipientPage | None:
        id = local_id(sending_project_id, "SendingProject")
        return graphql.page(RecipientPage, await recipients.list(info.context, id, page, limit))


@strawberry.type
class Mutation:
    @graphql.mutation("Adds recipients to a project that is draft, scheduled or stopped; all or none.")
    async def add_recipients(
        self, info: Info, sending_project_id: ID, input: AddRecipients
    ) -> AddedRecipients | None:
        id = local_id(sending_project_id, "SendingProject")
        return await recipients.add(info.context, id, input)
