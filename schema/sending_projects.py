"""Sending Projects in GraphQL."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, cast

import strawberry

from db import models
from resolvers import message_records, sending_projects
from schema import graphql, loaders
from schema.accounts import Account
from schema.graphql import ID, Info, local_id
from schema.source_accounts import SourceAccount
from schema.types import sending_projects as types
from schema.types.message_records import RecordStatus
from schema.types.page import Meta
from schema.types.sending_projects import (
    MessagePreview,
    NewSendingProject,
    PreviewMessage,
    ProjectChannel,
    ProjectStatus,
    RetryProject,
    SendingProjectPatch,
    StoppedProjects,
    StopProjects,
)
from schema.types.source_accounts import SenderStatus

if TYPE_CHECKING:
    from schema.message_records import MessageRecordPage
    from schema.users import User

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
for shown in (types.NotStopped, StoppedProjects, MessagePreview, types.WhatsAppTemplate, types.ProjectCounts):
    graphql.type(shown, description=shown.__doc__)
graphql.type(types.Window, name="SendingWindow", description=types.Window.__doc__)
graphql.type(types.Speed, name="SendingSpeed", description=types.Speed.__doc__)
graphql.type(types.Retry, name="SendingRetry", description=types.Retry.__doc__)
graphql.type(types.Variant, name="TextVariant", description=types.Variant.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
Messages = Annotated["MessageRecordPage", strawberry.lazy("schema.message_records")]


@graphql.type(name="SendingProject", description=types.SendingProject.__doc__)
class SendingProject(types.ProjectFields):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("SendingProject", self.id)

    @graphql.field(name="variants", description="in place of `text`, by weight")
    def shown_variants(self) -> list[types.Variant]:
        return [types.Variant.model_validate(one) for one in _row(self).variants]

    @graphql.field(name="template", description="of WhatsApp Cloud")
    def shown_template(self) -> types.WhatsAppTemplate | None:
        template = _row(self).template
        return types.WhatsAppTemplate.model_validate(template) if template else None

    @graphql.field(name="window", description="when messages may leave; null: always")
    def shown_window(self) -> types.Window | None:
        window = _row(self).window
        return types.Window.model_validate(window) if window else None

    @graphql.field(name="speed", description="how fast they leave")
    def shown_speed(self) -> types.Speed:
        return types.Speed.model_validate(_row(self).speed)

    @graphql.field(name="retry", description="how often a message is tried")
    def shown_retry(self) -> types.Retry:
        return types.Retry.model_validate(_row(self).retry)

    @graphql.field(name="counts", description="its messages by state")
    def shown_counts(self) -> types.ProjectCounts:
        return types.ProjectCounts.model_validate(_row(self).counts)

    @graphql.field(description="who pays")
    async def account(self, info: Info) -> Account | None:
        account = await loaders.by_id(info.context, models.Account).load(self.account_id)
        viewer = await info.context.viewer()
        # An account may have passed to somebody else since.
        seen = account is not None and (viewer.admin or account.owner_id == viewer.id)
        return Account.of(account) if seen else None

    @graphql.field(description="those of `accountUuids` that are not deleted")
    async def source_accounts(self, info: Info) -> list[SourceAccount]:
        found = await loaders.by_id(info.context, models.SourceAccount).load_many(self.account_uuids)
        living = [row for row in found if row is not None and row.status != SenderStatus.deleted]
        return [SourceAccount.of(row) for row in living]

    @graphql.field(description="its messages and the replies to them, newest first")
    async def messages(
        self, info: Info, page: int = 1, limit: int = 20, status: RecordStatus | None = None
    ) -> Messages | None:
        rows = await message_records.list(info.context, page, limit, self.id, status=status)
        return cast("Messages", rows)

    @graphql.field(description="whose it is")
    async def owner(self, info: Info) -> Owner | None:
        owner = _row(self).owner_id
        return cast("Owner", await loaders.by_id(info.context, models.User).load(owner))


def _row(project: types.ProjectFields) -> models.SendingProject:
    """What it really is; what stands in its JSON columns becomes objects field by field."""
    return cast(models.SendingProject, project)


@strawberry.type(description="A page of projects.")
class SendingProjectPage:
    items: list[SendingProject] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("One project.")
    async def sending_project(self, info: Info, id: ID) -> SendingProject | None:
        return SendingProject.of(await sending_projects.get(info.context, local_id(id, "SendingProject")))

    @graphql.query("Your projects, newest first; all, for administrators.")
    async def sending_projects(self, info: Info, page: int = 1, limit: int = 20) -> SendingProjectPage | None:
        return graphql.page(SendingProjectPage, await sending_projects.list(info.context, page, limit))

    @graphql.query("Your projects by a part of the name, state, channel and age.")
    async def search_sending_projects(
        self,
        info: Info,
        page: int = 1,
        limit: int = 20,
        q: str | None = None,
        status: ProjectStatus | None = None,
        channel: ProjectChannel | None = None,
        date_from: datetime | None = None,
        date_to: datetime | None = None,
    ) -> SendingProjectPage | None:
        return graphql.page(
            SendingProjectPage,
            await sending_projects.search(info.context, page, limit, q, status, channel, date_from, date_to),
        )

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

    @graphql.mutation("Sends again what failed; with `unknown` also what may have been taken.")
    async def retry_sending_project(
        self, info: Info, id: ID, input: RetryProject | None = None
    ) -> SendingProject | None:
        return SendingProject.of(
            await sending_projects.retry(
                info.context, local_id(id, "SendingProject"), input or RetryProject()
            )
        )
