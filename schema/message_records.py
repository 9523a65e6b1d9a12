"""The messages of Sending Projects in GraphQL."""

from datetime import datetime
from uuid import UUID

import strawberry

from resolvers import message_records
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.types import message_records as types
from schema.types.message_records import RecordStatus
from schema.types.page import Meta
from schema.types.sending_projects import ProjectChannel


@graphql.type(name="MessageRecord", description=types.MessageRecord.__doc__)
class MessageRecord(types.MessageRecord):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("MessageRecord", self.id)


@strawberry.type(description="A page of messages of projects.")
class MessageRecordPage:
    items: list[MessageRecord] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


def _ids(project: ID | None, account: ID | None) -> tuple[UUID | None, UUID | None]:
    return (
        local_id(project, "SendingProject") if project else None,
        local_id(account, "SourceAccount") if account else None,
    )


@strawberry.type
class Query:
    @graphql.query("One message of a project.")
    async def message_record(self, info: Info, id: ID) -> MessageRecord | None:
        return MessageRecord.of(await message_records.get(info.context, local_id(id, "MessageRecord")))

    @graphql.query("The messages of your projects and the replies to them, newest first.")
    async def message_records(
        self,
        info: Info,
        page: int = 1,
        limit: int = 20,
        sending_project_uuid: ID | None = None,
        account_uuid: ID | None = None,
        channel: ProjectChannel | None = None,
        status: RecordStatus | None = None,
        phone: str | None = None,
        date_from: datetime | None = None,
        date_to: datetime | None = None,
    ) -> MessageRecordPage | None:
        project, account = _ids(sending_project_uuid, account_uuid)
        return graphql.page(
            MessageRecordPage,
            await message_records.list(
                info.context, page, limit, project, account, channel, status, phone, date_from, date_to
            ),
        )

    @graphql.query(
        "How many messages of your projects there are; with a filter by account, phone or date at most 100,000."
    )
    async def message_record_count(
        self,
        info: Info,
        sending_project_uuid: ID | None = None,
        account_uuid: ID | None = None,
        channel: ProjectChannel | None = None,
        status: RecordStatus | None = None,
        phone: str | None = None,
        date_from: datetime | None = None,
        date_to: datetime | None = None,
    ) -> int | None:
        project, account = _ids(sending_project_uuid, account_uuid)
        return (
            await message_records.count(
                info.context, project, account, channel, status, phone, date_from, date_to
            )
        ).count
