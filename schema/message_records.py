"""The messages of Sending Projects in GraphQL."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import (
    accounts,
    clicks,
    mail_reports,
    message_records,
    recipients,
    sending_projects,
    source_accounts,
    webhook_deliveries,
)
from schema.accounts import Account
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from schema.mail_reports import MailReport
from schema.webhook_deliveries import WebhookDelivery
from shapes import message_records as types
from shapes.clicks import Click
from shapes.event_webhooks import WebhookDeliveryWhere
from shapes.mail_reports import MailReportWhere
from shapes.message_records import ListedRecordFilters, MessageRecordWhere, RecordStatus
from shapes.messages import FAILED_ATTEMPTS, FailedAttempt
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost
from shapes.waiting import WAITING_FOR, WaitingFor

if TYPE_CHECKING:
    from schema.recipients import Recipient
    from schema.sending_projects import SendingProject
    from schema.source_accounts import SourceAccount

graphql.type(Click, description=Click.__doc__)
graphql.input(MessageRecordWhere, description=MessageRecordWhere.__doc__)

Addressee = Annotated["Recipient", strawberry.lazy("schema.recipients")]
Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]
Sender = Annotated["SourceAccount", strawberry.lazy("schema.source_accounts")]


@graphql.node(
    "MessageRecord",
    row=models.MessageRecord,
    read=message_records.get,
    description=types.MessageRecord.__doc__,
)
class MessageRecord(types.RecordFields):
    project_id: Annotated[UUID, strawberry.field(name="sendingProjectUuid", description=types.PROJECT)]
    recipient_id: Annotated[UUID | None, strawberry.field(name="recipientUuid", description=types.RECIPIENT)]
    provider: Annotated[
        str | None,
        strawberry.field(
            description="the route that the message was given to, such as `smpp` or `sandbox`; null until then"
        ),
    ]

    @relation(
        types.BODY,
        *("id", "project_id", "recipient_id", "direction", "channel", "to", "body", "content", "variant"),
        name="body",
    )
    async def texts(rows: Any, info: Info) -> list[str | None]:
        return as_type(await message_records.texts(info.context, rows))

    @relation(types.LOCALE, "project_id", "content", "variant", name="locale")
    async def languages(rows: Any, info: Info) -> list[str | None]:
        return as_type(await message_records.locales(info.context, rows))

    @relation(WAITING_FOR, "id", "status", name="waitingFor")
    async def waits(rows: Any, info: Info) -> list[WaitingFor | None]:
        return as_type(await message_records.waiting_for(info.context, rows))

    @graphql.computed(FAILED_ATTEMPTS, "failed_attempts", name="failedAttempts", cost=Cost(most=20))
    def typed_failed_attempts(self: Any) -> list[FailedAttempt]:
        return [FailedAttempt.model_validate(attempt) for attempt in self.failed_attempts or ()]

    @relation(
        "deliveries of its events to webhooks, newest event first; delivered ones only while they are kept",
        where=WebhookDeliveryWhere,
    )
    async def webhook_deliveries(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[WebhookDelivery] | None]:
        return as_type(
            await webhook_deliveries.of_subjects(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("the clicks on its links, the first one first; at most 100", cost=Cost(most=clicks.MOST_CLICKS))
    async def clicks(rows: Any, info: Info) -> list[list[Click] | None]:
        return as_type(await clicks.of_messages(info.context, [row.id for row in rows]))

    @relation("reports about it that came back as mail, newest first", where=MailReportWhere)
    async def mail_reports(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[MailReport] | None]:
        return as_type(
            await mail_reports.of_messages(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("the project of the message; null if the project is deleted", "project_id")
    async def sending_project(rows: Any, info: Info) -> list[Project | None]:
        return as_type(
            await sending_projects.by_ids(info.context, [row.project_id for row in rows], info.columns)
        )

    @relation(types.RECIPIENT, "recipient_id")
    async def recipient(rows: Any, info: Info) -> list[Addressee | None]:
        return as_type(
            await recipients.by_ids(info.context, [row.recipient_id for row in rows], info.columns)
        )

    @relation(
        "the source account that sent the message, or received the reply; null if there is none",
        "account_uuid",
    )
    async def source_account(rows: Any, info: Info) -> list[Sender | None]:
        return as_type(
            await source_accounts.by_ids(info.context, [row.account_uuid for row in rows], info.columns)
        )

    @relation("the account that pays", "project_id")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        projects = await sending_projects.by_ids(
            info.context, [row.project_id for row in rows], frozenset({"account_id"})
        )
        payers = [project.account_id if project is not None else None for project in projects]
        return as_type(await accounts.by_ids(info.context, payers, info.columns))


@dataclass(frozen=True, slots=True)
class CountFilters:
    """The arguments of `messageRecordCount`."""

    sending_project_uuid: Annotated[
        ID | None, graphql.argument("only messages of this project: its id or uuid")
    ] = None
    account_uuid: Annotated[
        ID | None, graphql.argument("only messages through this source account: its id or uuid")
    ] = None
    channel: Annotated[ProjectChannel | None, graphql.argument("only messages on this channel")] = None
    status: Annotated[RecordStatus | None, graphql.argument("only messages in this state")] = None
    phone: Annotated[
        str | None, graphql.argument("phone in any notation of the caller's region, or another address")
    ] = None
    date_from: Annotated[datetime | None, graphql.argument("start of the time range, inclusive")] = None
    date_to: Annotated[datetime | None, graphql.argument("end of the time range, exclusive")] = None
    updated_since: Annotated[
        datetime | None, graphql.argument("only messages changed at or after this time")
    ] = None

    def conditions(self) -> Conditions:
        """Returns the conditions of the list. Raises BadRequest for an invalid id."""
        project, account = self.sending_project_uuid, self.account_uuid
        return ListedRecordFilters.model_construct(
            sending_project_uuid=local_id(project, "SendingProject") if project else None,
            account_uuid=local_id(account, "SourceAccount") if account else None,
            channel=self.channel,
            status=self.status,
            phone=self.phone,
            date_from=self.date_from,
            date_to=self.date_to,
            updated_since=self.updated_since,
        ).conditions()


@strawberry.type
class Query:
    @graphql.query()
    async def message_record(self, info: Info, id: ID) -> MessageRecord | None:
        return MessageRecord.of(await message_records.get(info.context, local_id(id, "MessageRecord")))

    @connection(where=MessageRecordWhere)
    async def message_records(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[MessageRecord] | None:
        return as_type(await message_records.page(info.context, page_args, where))

    @graphql.query(arguments=CountFilters, cost=Cost(counted=True))
    async def message_record_count(self, info: Info, arguments: CountFilters) -> int | None:
        return (await message_records.count(info.context, arguments.conditions())).count
