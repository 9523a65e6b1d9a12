"""Recipients of Sending Projects in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import message_records, recipients, sending_projects
from resolvers.audiences import message_id
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import recipients as types
from shapes.recipients import (
    AddedRecipients,
    AddRecipients,
    NewRecipient,
    RecipientWhere,
    RemovedRecipients,
    RemoveRecipients,
)

if TYPE_CHECKING:
    from schema.message_records import MessageRecord
    from schema.sending_projects import SendingProject

ProjectId = Annotated[ID, graphql.argument("id or uuid of the project")]

graphql.input(NewRecipient, description=NewRecipient.__doc__)
graphql.input(AddRecipients, description=AddRecipients.__doc__)
graphql.input(RemoveRecipients, description=RemoveRecipients.__doc__)
graphql.type(RemovedRecipients, description=RemovedRecipients.__doc__)
graphql.input(RecipientWhere, description=RecipientWhere.__doc__)
graphql.type(types.InvalidRecipient, description=types.InvalidRecipient.__doc__)
graphql.type(AddedRecipients, description=AddedRecipients.__doc__)

Message = Annotated["MessageRecord", strawberry.lazy("schema.message_records")]
Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]


@graphql.node("Recipient", row=models.Recipient, read=recipients.get, description=types.Recipient.__doc__)
class Recipient(types.RecipientFields):
    @graphql.computed(types.PHONE, "address")
    def phone(self: Any) -> str | None:
        return types.phone_of(self.address)

    @relation("the project of the recipient", "project_id")
    async def sending_project(rows: Any, info: Info) -> list[Project | None]:
        return as_type(
            await sending_projects.by_ids(info.context, [row.project_id for row in rows], info.columns)
        )

    @relation("the message to the recipient; null until the project is started", "id", "project_id")
    async def message(rows: Any, info: Info) -> list[Message | None]:
        ids = [message_id(row.project_id, row.id) for row in rows]
        return as_type(await message_records.by_ids(info.context, ids, info.columns))


def _project(id: str) -> UUID:
    return local_id(id, "SendingProject")


@strawberry.type
class Query:
    @graphql.query()
    async def recipient(self, info: Info, id: ID) -> Recipient | None:
        return Recipient.of(await recipients.get(info.context, local_id(id, "Recipient")))

    @connection(where=RecipientWhere)
    async def recipients(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        sending_project_id: ProjectId,
    ) -> Connection[Recipient] | None:
        return as_type(await recipients.page(info.context, _project(sending_project_id), page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def add_recipients(
        self, info: Info, sending_project_id: ProjectId, input: AddRecipients
    ) -> AddedRecipients | None:
        return await recipients.add(info.context, _project(sending_project_id), input)

    @graphql.mutation()
    async def remove_recipient(self, info: Info, id: ID) -> bool | None:
        await recipients.remove(info.context, local_id(id, "Recipient"))
        return True

    @graphql.mutation()
    async def remove_recipients(
        self, info: Info, sending_project_id: ProjectId, input: RemoveRecipients
    ) -> RemovedRecipients | None:
        return await recipients.remove_some(info.context, _project(sending_project_id), input)
