"""Sending Projects in GraphQL."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import (
    accounts,
    clicks,
    deliverability,
    exports,
    files,
    message_records,
    processing,
    project_costs,
    project_results,
    recipients,
    repeatable,
    sending_projects,
    source_accounts,
    statistics,
    users,
)
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, OwnerId, local_id, owned
from schema.frame.loaders import batched, relation, together
from schema.processing import ProcessedProject
from shapes import project_actions
from shapes import project_settings as settings
from shapes import sending_projects as types
from shapes.approvals import StartProject
from shapes.clicks import MOST_LINKS, ClickedLink
from shapes.deliverability import ProviderClass, ProviderReports
from shapes.exports import ExportLinkWhere
from shapes.message_records import MessageRecordWhere
from shapes.project_actions import MessagePreview, PreviewMessage, RetryProject, StoppedProjects, StopProjects
from shapes.project_audiences import (
    FollowedProject,
    FollowedProjectInput,
    ProjectAudience,
    ProjectAudienceInput,
)
from shapes.project_costs import ProjectCost
from shapes.project_counts import ProjectCounts
from shapes.project_languages import LANGUAGES, LanguageText, ProjectLanguages
from shapes.project_lists import ProjectProgress, SendingProjectOrder, SendingProjectWhere
from shapes.project_results import ProjectResult
from shapes.recipients import RecipientWhere
from shapes.sending_projects import NewSendingProject, SendingProjectPatch
from shapes.shape import Cost
from shapes.statistics import FailureReason, Interval, IntervalStatistics, Rates, VariantStatistics

graphql.input(settings.WindowInput, name="SendingWindowInput", description=settings.WindowInput.__doc__)
graphql.input(settings.SpeedInput, name="SendingSpeedInput", description=settings.SpeedInput.__doc__)
graphql.input(settings.RetryInput, name="SendingRetryInput", description=settings.RetryInput.__doc__)
graphql.input(settings.VariantInput, name="TextVariantInput", description=settings.Variant.__doc__)
for part in (
    settings.WhatsAppTemplateInput,
    FollowedProjectInput,
    ProjectAudienceInput,
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
    project_actions.NotStopped,
    StoppedProjects,
    MessagePreview,
    settings.WhatsAppTemplate,
    ProjectCounts,
):
    graphql.type(answer, description=answer.__doc__)
graphql.type(ClickedLink, description=ClickedLink.__doc__)
graphql.type(ProjectProgress, description=ProjectProgress.__doc__)
graphql.type(FollowedProject, description=FollowedProject.__doc__)
graphql.type(ProjectAudience, name="ProjectAudience", description=ProjectAudience.__doc__)
graphql.type(settings.Window, name="SendingWindow", description=settings.Window.__doc__)
graphql.type(settings.Speed, name="SendingSpeed", description=settings.Speed.__doc__)
graphql.type(settings.Retry, name="SendingRetry", description=settings.Retry.__doc__)
graphql.type(settings.Variant, name="TextVariant", description=settings.Variant.__doc__)
graphql.type(LanguageText, description=LanguageText.__doc__)
graphql.type(ProjectLanguages, description=ProjectLanguages.__doc__)

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
Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]
Sender = Annotated["SourceAccount", strawberry.lazy("schema.source_accounts")]
Owner = Annotated["User", strawberry.lazy("schema.users")]
T = TypeVar("T")
SENDERS = 100  # source accounts that a project shows


def _ids(rows: Any) -> list[UUID]:
    return [row.id for row in rows]


def _regroup(lists: Sequence[Sequence[Any]], values: Iterable[T | None]) -> list[list[T]]:
    """Regroups values that were read for all lists at once: returns each list's own part, without nulls."""
    each = iter(values)
    return [[value for value in (next(each) for _ in part) if value is not None] for part in lists]


async def _statistics(
    rows: Any,
    info: Info,
    interval: Interval = Interval.day,
    date_from: datetime | None = None,
    date_to: datetime | None = None,
    timezone: str = "UTC",
) -> list[list[IntervalStatistics] | None]:
    return as_type(
        await statistics.of_projects(info.context, _ids(rows), date_from, date_to, interval, timezone)
    )


@graphql.node(
    "SendingProject",
    row=models.SendingProject,
    read=sending_projects.get,
    description=types.SendingProject.__doc__,
)
class SendingProject(types.ProjectFields):
    @graphql.computed(
        "text variants in place of `text`, chosen by weight", "variants", name="variants", cost=Cost(most=10)
    )
    def typed_variants(self: Any) -> list[settings.Variant]:
        return [settings.Variant.model_validate(variant) for variant in self.variants]

    @graphql.computed(LANGUAGES, "languages", name="languages")
    def typed_languages(self: Any) -> ProjectLanguages | None:
        return ProjectLanguages.model_validate(self.languages) if self.languages else None

    @graphql.computed("message template of WhatsApp Cloud", "template", name="template")
    def typed_template(self: Any) -> settings.WhatsAppTemplate | None:
        return settings.WhatsAppTemplate.model_validate(self.template) if self.template else None

    @graphql.computed("when messages may be sent; null: at any time", "window", name="window")
    def typed_window(self: Any) -> settings.Window | None:
        return settings.Window.model_validate(self.window) if self.window else None

    @graphql.computed(types.AUDIENCE, "audience", name="audience")
    def typed_audience(self: Any) -> ProjectAudience | None:
        return ProjectAudience.model_validate(self.audience) if self.audience else None

    @graphql.computed("sending rate", "speed", name="speed")
    def typed_speed(self: Any) -> settings.Speed:
        return settings.Speed.model_validate(self.speed)

    @graphql.computed("how often a failed message is tried again", "retry", name="retry")
    def typed_retry(self: Any) -> settings.Retry:
        return settings.Retry.model_validate(self.retry)

    @graphql.computed("its messages by state", "counts", name="counts")
    def typed_counts(self: Any) -> ProjectCounts:
        return ProjectCounts.model_validate(self.counts)

    @graphql.computed("delivery rates of its messages", "counts")
    def rates(self: Any) -> Rates:
        return statistics.rates(ProjectCounts.model_validate(self.counts))

    @relation("progress, and the estimated time of completion", "id", "status", "counts", "preparation")
    async def progress(rows: Any, info: Info) -> list[ProjectProgress | None]:
        return as_type(await processing.progress(info.context, rows, info.columns))

    @relation("how it is being processed; null unless it is scheduled, running or paused")
    async def processing(rows: Any, info: Info) -> list[ProcessedProject | None]:
        return as_type(await processing.health_of(info.context, _ids(rows)))

    @batched(
        "message counts by intervals of a time zone: every interval that the time range touches, "
        "each one in full",
        _statistics,
    )
    async def statistics(
        self: Any,
        info: Info,
        interval: Annotated[Interval, graphql.argument("length of each interval")] = Interval.day,
        date_from: Annotated[datetime | None, graphql.argument("start of the time range, inclusive")] = None,
        date_to: Annotated[datetime | None, graphql.argument("end of the time range, exclusive")] = None,
        timezone: Annotated[str, graphql.argument("IANA time zone of the intervals")] = "UTC",
    ) -> list[IntervalStatistics] | None:
        arguments = {"interval": interval, "date_from": date_from, "date_to": date_to, "timezone": timezone}
        return as_type(await together(_statistics, self, info, **arguments))

    @relation(
        "why messages failed or were skipped, the most frequent reasons first, at most 50", cost=Cost(most=50)
    )
    async def failure_reasons(rows: Any, info: Info) -> list[list[FailureReason] | None]:
        return as_type(await statistics.failure_reasons(info.context, _ids(rows), info.columns))

    @relation(
        "emails that came back or were reported as spam, by the provider of the mailbox",
        cost=Cost(most=len(ProviderClass)),
    )
    async def mail_report_counts(rows: Any, info: Info) -> list[list[ProviderReports] | None]:
        return as_type(await deliverability.of_projects(info.context, _ids(rows)))

    @relation("what it came to, with null for what can't be measured")
    async def result(rows: Any, info: Info) -> list[ProjectResult | None]:
        return as_type(await project_results.of_projects(info.context, _ids(rows)))

    @relation(
        "message counts of each variant that was sent, or of each language; at most 20", cost=Cost(most=20)
    )
    async def variant_statistics(rows: Any, info: Info) -> list[list[VariantStatistics] | None]:
        return as_type(await statistics.variants(info.context, _ids(rows)))

    @relation(
        "the links of its emails whose clicks are counted, the most clicked first; at most 100",
        cost=Cost(most=MOST_LINKS),
    )
    async def links(rows: Any, info: Info) -> list[list[ClickedLink] | None]:
        return as_type(await clicks.of_projects(info.context, _ids(rows)))

    @relation("its messages and the replies to them, newest first", where=MessageRecordWhere)
    async def messages(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Messages] | None]:
        return as_type(await message_records.of_projects(info.context, _ids(rows), page_args, where))

    @relation("its recipients, in the order in which they were added", where=RecipientWhere)
    async def recipients(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Audience] | None]:
        return as_type(await recipients.of_projects(info.context, _ids(rows), page_args, where))

    @relation("the account that pays", "account_id")
    async def account(rows: Any, info: Info) -> list[Payer | None]:
        return as_type(await accounts.by_ids(info.context, [row.account_id for row in rows], info.columns))

    @relation("what it has cost; null if nothing was charged yet", "id", "account_id")
    async def cost(rows: Any, info: Info) -> list[ProjectCost | None]:
        return as_type(
            await project_costs.of_projects(info.context, [(row.id, row.account_id) for row in rows])
        )

    @relation(
        f"the source accounts of the first {SENDERS} `accountUuids`, without deleted ones; "
        "`Query.sourceAccounts` finds the others by id",
        "account_uuids",
        cost=Cost(most=SENDERS),
    )
    async def source_accounts(rows: Any, info: Info) -> list[list[Sender] | None]:
        lists = [row.account_uuids[:SENDERS] for row in rows]
        senders = await source_accounts.by_ids(info.context, [*chain(*lists)], info.columns)
        return as_type(_regroup(lists, senders))

    @relation("the attached files", "attachment_uuids", cost=Cost(most=10))
    async def attachments(rows: Any, info: Info) -> list[list[Attachment] | None]:
        lists = [row.attachment_uuids for row in rows]
        return as_type(_regroup(lists, await files.by_ids(info.context, [*chain(*lists)], info.columns)))

    @relation(
        "exports of this project, and integrations that added recipients to it, newest first",
        where=ExportLinkWhere,
    )
    async def export_links(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Export] | None]:
        return as_type(
            await exports.related(info.context, "sending_project_uuid", _ids(rows), page_args, where)
        )

    @relation("the repeatable project that created it; null if none did", "repeatable_uuid")
    async def repeatable(rows: Any, info: Info) -> list[Repeatable | None]:
        return as_type(
            await repeatable.by_ids(info.context, [row.repeatable_uuid for row in rows], info.columns)
        )

    @relation("the project that it follows; null if it follows none", "follows_uuid")
    async def follows(rows: Any, info: Info) -> list[Project | None]:
        ids = [row.follows_uuid for row in rows]
        return as_type(await sending_projects.by_ids(info.context, ids, info.columns))

    @relation(
        "the projects that follow this one, newest first",
        where=SendingProjectWhere,
        order=SendingProjectOrder,
    )
    async def follow_ups(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Project] | None]:
        return as_type(
            await sending_projects.related(info.context, "follows_uuid", _ids(rows), page_args, where)
        )

    @relation("the user who owns this project", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @graphql.query()
    async def sending_project(self, info: Info, id: ID) -> SendingProject | None:
        return SendingProject.of(await sending_projects.get(info.context, local_id(id, "SendingProject")))

    @connection(where=SendingProjectWhere, order=SendingProjectOrder)
    async def sending_projects(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[SendingProject] | None:
        return as_type(await sending_projects.page(info.context, page_args, where))

    @graphql.query(cost=Cost(counted=True))
    async def sending_project_count(self, info: Info, owner_id: OwnerId = None) -> int | None:
        return (await sending_projects.count(await owned(info, owner_id))).count

    @graphql.query(cost=Cost(counted=True))
    async def concurrent_sending_project_count(self, info: Info, owner_id: OwnerId = None) -> int | None:
        return (await sending_projects.count_concurrent(await owned(info, owner_id))).count

    @graphql.query()
    async def preview_message(self, info: Info, input: PreviewMessage) -> MessagePreview | None:
        return await sending_projects.preview(info.context, input)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_sending_project(self, info: Info, input: NewSendingProject) -> SendingProject | None:
        return SendingProject.of(await sending_projects.create(info.context, input))

    @graphql.mutation()
    async def update_sending_project(
        self, info: Info, id: ID, input: SendingProjectPatch
    ) -> SendingProject | None:
        return SendingProject.of(
            await sending_projects.update(info.context, local_id(id, "SendingProject"), input)
        )

    @graphql.mutation()
    async def delete_sending_project(self, info: Info, id: ID) -> bool | None:
        await sending_projects.delete(info.context, local_id(id, "SendingProject"))
        return True

    @graphql.mutation()
    async def start_sending_project(
        self, info: Info, id: ID, input: StartProject | None = None
    ) -> SendingProject | None:
        return SendingProject.of(
            await sending_projects.start(
                info.context, local_id(id, "SendingProject"), input or StartProject()
            )
        )

    @graphql.mutation()
    async def stop_sending_project(self, info: Info, id: ID) -> SendingProject | None:
        return SendingProject.of(await sending_projects.stop(info.context, local_id(id, "SendingProject")))

    @graphql.mutation()
    async def stop_sending_projects(self, info: Info, input: StopProjects) -> StoppedProjects | None:
        return await sending_projects.stop_multiple(info.context, input)

    @graphql.mutation()
    async def retry_sending_project(
        self, info: Info, id: ID, input: RetryProject | None = None
    ) -> SendingProject | None:
        return SendingProject.of(
            await sending_projects.retry(
                info.context, local_id(id, "SendingProject"), input or RetryProject()
            )
        )
