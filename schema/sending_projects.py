"""Sending Projects in GraphQL."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

import strawberry

from db.keyset import Conditions, Cut
from resolvers import (
    accounts,
    exports,
    files,
    message_records,
    recipients,
    repeatable,
    sending_projects,
    source_accounts,
    statistics,
    users,
)
from schema import graphql
from schema.connections import Connection, connection, shown
from schema.graphql import ID, Info, local_id
from schema.loaders import relation
from schema.statistics import ProcessedProject
from schema.types import sending_projects as types
from schema.types.exports import ExportLinkWhere
from schema.types.message_records import MessageRecordWhere
from schema.types.project_counts import ProjectCounts
from schema.types.project_lists import ProjectProgress, SendingProjectOrder, SendingProjectWhere
from schema.types.recipients import RecipientWhere
from schema.types.sending_projects import (
    MessagePreview,
    NewSendingProject,
    PreviewMessage,
    RetryProject,
    SendingProjectPatch,
    StoppedProjects,
    StopProjects,
)
from schema.types.statistics import FailureReason, Interval, IntervalStatistics, Rates, VariantStatistics

graphql.input(types.WindowInput, name="SendingWindowInput", description=types.WindowInput.__doc__)
graphql.input(types.SpeedInput, name="SendingSpeedInput", description=types.SpeedInput.__doc__)
graphql.input(types.RetryInput, name="SendingRetryInput", description=types.RetryInput.__doc__)
graphql.input(types.VariantInput, name="TextVariantInput", description=types.Variant.__doc__)
for part in (
    types.WhatsAppTemplateInput,
    NewSendingProject,
    SendingProjectPatch,
    RetryProject,
    StopProjects,
    PreviewMessage,
):
    graphql.input(part, description=part.__doc__)
graphql.input(SendingProjectWhere, description=SendingProjectWhere.__doc__)
graphql.input(SendingProjectOrder, description=SendingProjectOrder.__doc__)
for answer in (
    types.NotStopped,
    StoppedProjects,
    MessagePreview,
    types.WhatsAppTemplate,
    ProjectCounts,
):
    graphql.type(answer, description=answer.__doc__)
graphql.type(ProjectProgress, description=ProjectProgress.__doc__)
graphql.type(types.Window, name="SendingWindow", description=types.Window.__doc__)
graphql.type(types.Speed, name="SendingSpeed", description=types.Speed.__doc__)
graphql.type(types.Retry, name="SendingRetry", description=types.Retry.__doc__)
graphql.type(types.Variant, name="TextVariant", description=types.Variant.__doc__)

if TYPE_CHECKING:
    from schema.accounts import Account
    from schema.exports import ExportLink
    from schema.files import File
    from schema.message_records import MessageRecord
    from schema.recipients import Recipient
    from schema.repeatable import RepeatableSendingProject
    from schema.source_accounts import SourceAccount
    from schema.users import User

Payer = Annotated["Account", strawberry.lazy("schema.accounts")]
Attachment = Annotated["File", strawberry.lazy("schema.files")]
Export = Annotated["ExportLink", strawberry.lazy("schema.exports")]
Messages = Annotated["MessageRecord", strawberry.lazy("schema.message_records")]
Audience = Annotated["Recipient", strawberry.lazy("schema.recipients")]
Repeatable = Annotated["RepeatableSendingProject", strawberry.lazy("schema.repeatable")]
Sender = Annotated["SourceAccount", strawberry.lazy("schema.source_accounts")]
Owner = Annotated["User", strawberry.lazy("schema.users")]
T = TypeVar("T")
SENDERS = 100  # source accounts that a project shows


def _ids(rows: Any) -> list[UUID]:
    return [row.id for row in rows]


def _dealt(lists: Sequence[Sequence[Any]], found: Iterable[T | None]) -> list[list[T]]:
    """What was found for all of the lists, to each its part."""
    each = iter(found)
    return [[one for one in (next(each) for _ in part) if one is not None] for part in lists]


@graphql.node("SendingProject", description=types.SendingProject.__doc__)
class SendingProject(types.ProjectFields):
    @graphql.computed("in place of `text`, by weight", "variants", name="variants")
    def shown_variants(self: Any) -> list[types.Variant]:
        return [types.Variant.model_validate(one) for one in self.variants]

    @graphql.computed("of WhatsApp Cloud", "template", name="template")
    def shown_template(self: Any) -> types.WhatsAppTemplate | None:
        return types.WhatsAppTemplate.model_validate(self.template) if self.template else None

    @graphql.computed("when messages may leave; null: always", "window", name="window")
    def shown_window(self: Any) -> types.Window | None:
        return types.Window.model_validate(self.window) if self.window else None

    @graphql.computed("how fast they leave", "speed", name="speed")
    def shown_speed(self: Any) -> types.Speed:
        return types.Speed.model_validate(self.speed)

    @graphql.computed("how often a message is tried", "retry", name="retry")
    def shown_retry(self: Any) -> types.Retry:
        return types.Retry.model_validate(self.retry)

    @graphql.computed("its messages by state", "counts", name="counts")
    def shown_counts(self: Any) -> ProjectCounts:
        return ProjectCounts.model_validate(self.counts)

    @graphql.computed("shares of its messages", "counts")
    def rates(self: Any) -> Rates:
        return statistics.rates(ProjectCounts.model_validate(self.counts))

    @relation("how far it is, and when it will be done", "id", "status", "counts", "preparation")
    async def progress(rows: Any, info: Info) -> list[ProjectProgress | None]:
        return shown(await statistics.progress(info.context, rows, info.wanted))

    @relation("how the work on it goes; null unless it is scheduled, running or paused")
    async def processing(rows: Any, info: Info) -> list[ProcessedProject | None]:
        return shown(await statistics.processing_of(info.context, _ids(rows)))

    @relation("what happened, by intervals of a time zone: all that the span touches, each whole")
    async def statistics(
        rows: Any,
        info: Info,
        interval: Interval = Interval.day,
        date_from: datetime | None = None,
        date_to: datetime | None = None,
        timezone: str = "UTC",
    ) -> list[list[IntervalStatistics] | None]:
        return shown(
            await statistics.of_projects(info.context, _ids(rows), date_from, date_to, interval, timezone)
        )

    @relation("why messages failed or were skipped, the most frequent first, 50 at most")
    async def failure_reasons(rows: Any, info: Info) -> list[list[FailureReason] | None]:
        return shown(await statistics.failure_reasons(info.context, _ids(rows)))

    @relation("how each of its variants does, of those that were sent; 10 at most")
    async def variant_statistics(rows: Any, info: Info) -> list[list[VariantStatistics] | None]:
        return shown(await statistics.variants(info.context, _ids(rows)))

    @relation("its messages and the replies to them, newest first", where=MessageRecordWhere)
    async def messages(
        rows: Any, info: Info, cut: Cut, where: Conditions
    ) -> list[Connection[Messages] | None]:
        return shown(await message_records.of_projects(info.context, _ids(rows), cut, where))

    @relation("to whom it is sent, in the order in which they were added", where=RecipientWhere)
    async def recipients(
        rows: Any, info: Info, cut: Cut, where: Conditions
    ) -> list[Connection[Audience] | None]:
        return shown(await recipients.of_projects(info.context, _ids(rows), cut, where))

    @relation("who pays", "account_id")
    async def account(rows: Any, info: Info) -> list[Payer | None]:
        return shown(await accounts.named(info.context, [row.account_id for row in rows], info.wanted))

    @relation(
        f"those of the first {SENDERS} `accountUuids` that are not deleted; "
        "the root's `sourceAccounts` has others by their ids",
        "account_uuids",
    )
    async def source_accounts(rows: Any, info: Info) -> list[list[Sender] | None]:
        lists = [row.account_uuids[:SENDERS] for row in rows]
        found = await source_accounts.named(info.context, [*chain(*lists)], info.wanted)
        return shown(_dealt(lists, found))

    @relation("files that go along", "attachment_uuids")
    async def attachments(rows: Any, info: Info) -> list[list[Attachment] | None]:
        lists = [row.attachment_uuids for row in rows]
        return shown(_dealt(lists, await files.named(info.context, [*chain(*lists)], info.wanted)))

    @relation("what was written of it, and what brought contacts in, newest first", where=ExportLinkWhere)
    async def export_links(
        rows: Any, info: Info, cut: Cut, where: Conditions
    ) -> list[Connection[Export] | None]:
        return shown(await exports.related(info.context, "sending_project_uuid", _ids(rows), cut, where))

    @relation("the repeatable project that made it", "repeatable_uuid")
    async def repeatable(rows: Any, info: Info) -> list[Repeatable | None]:
        return shown(await repeatable.named(info.context, [row.repeatable_uuid for row in rows], info.wanted))

    @relation("whose it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return shown(await users.named(info.context, [row.owner_id for row in rows], info.wanted))


@strawberry.type
class Query:
    @graphql.query("One project.")
    async def sending_project(self, info: Info, id: ID) -> SendingProject | None:
        return SendingProject.of(await sending_projects.get(info.context, local_id(id, "SendingProject")))

    @connection(
        "Your projects, newest first unless `orderBy` says otherwise; all, for administrators.",
        where=SendingProjectWhere,
        order=SendingProjectOrder,
    )
    async def sending_projects(
        self, info: Info, cut: Cut, where: Conditions
    ) -> Connection[SendingProject] | None:
        return shown(await sending_projects.slice(info.context, cut, where))

    @graphql.query("How many projects you have.")
    async def sending_project_count(self, info: Info) -> int | None:
        return (await sending_projects.count(info.context)).count

    @graphql.query("How many of your projects are scheduled, running or paused.")
    async def concurrent_sending_project_count(self, info: Info) -> int | None:
        return (await sending_projects.count_concurrent(info.context)).count

    @graphql.query("How a text looks to a recipient, and as how many SMS it is charged.")
    async def preview_message(self, info: Info, input: PreviewMessage) -> MessagePreview | None:
        return await sending_projects.preview(info.context, input)


@strawberry.type
class Mutation:
    @graphql.mutation("Saves a project, as a draft.")
    async def create_sending_project(self, info: Info, input: NewSendingProject) -> SendingProject | None:
        return SendingProject.of(await sending_projects.create(info.context, input))

    @graphql.mutation("Changes what is given. While it is running or paused: only speed and window.")
    async def update_sending_project(
        self, info: Info, id: ID, input: SendingProjectPatch
    ) -> SendingProject | None:
        return SendingProject.of(
            await sending_projects.update(info.context, local_id(id, "SendingProject"), input)
        )

    @graphql.mutation("Deletes a project and cancels what is queued.")
    async def delete_sending_project(self, info: Info, id: ID) -> bool | None:
        await sending_projects.delete(info.context, local_id(id, "SendingProject"))
        return True

    @graphql.mutation("Starts a project, or schedules it when its `startAt` lies ahead.")
    async def start_sending_project(self, info: Info, id: ID) -> SendingProject | None:
        return SendingProject.of(await sending_projects.start(info.context, local_id(id, "SendingProject")))

    @graphql.mutation("Stops a project; a start goes on where it was.")
    async def stop_sending_project(self, info: Info, id: ID) -> SendingProject | None:
        return SendingProject.of(await sending_projects.stop(info.context, local_id(id, "SendingProject")))

    @graphql.mutation("Stops several projects, each by itself.")
    async def stop_sending_projects(self, info: Info, input: StopProjects) -> StoppedProjects | None:
        return await sending_projects.stop_multiple(info.context, input)

    @graphql.mutation(
        "Sends again what failed; with `unknown` also what may have been taken, and what was `skipped`, by code."
    )
    async def retry_sending_project(
        self, info: Info, id: ID, input: RetryProject | None = None
    ) -> SendingProject | None:
        return SendingProject.of(
            await sending_projects.retry(
                info.context, local_id(id, "SendingProject"), input or RetryProject()
            )
        )
