"""Changes of projects, direct messages and the queue, as GraphQL subscriptions."""

from collections.abc import AsyncIterator

import strawberry

from resolvers import changes
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from schema.messages import Message
from schema.processing import QueueStatistics
from schema.sending_projects import SendingProject


@strawberry.type
class Subscription:
    @graphql.subscription(
        "Emits the project now and whenever its state or counts change, at most four times a second. "
        "Without `id`: your projects that are scheduled, running or paused, and from then on every "
        "project of yours that changes."
    )
    async def sending_project_progress(
        self, info: Info, id: ID | None = None
    ) -> AsyncIterator[SendingProject]:
        projects = await changes.projects(info.context, local_id(id, "SendingProject") if id else None)
        return (SendingProject.of(row) async for row in projects)

    @graphql.subscription(
        "Emits the direct message now and whenever its state changes, until the state is final. "
        "Without `id`: your messages (or those of an account) whose state changes from now on."
    )
    async def message_status_changed(
        self, info: Info, id: ID | None = None, account_id: ID | None = None
    ) -> AsyncIterator[Message]:
        messages = await changes.messages(
            info.context,
            local_id(id, "Message") if id else None,
            local_id(account_id, "Account") if account_id else None,
        )
        return (Message.of(row) async for row in messages)

    @graphql.subscription(
        "Emits your queue statistics now and when they change, at most once a second and at least "
        "every ten seconds."
    )
    async def queue_statistics_changed(self, info: Info) -> AsyncIterator[QueueStatistics]:
        statistics = await changes.queue(info.context)
        return (QueueStatistics.of(row) async for row in statistics)
