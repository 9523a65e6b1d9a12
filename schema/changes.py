"""What goes on, as GraphQL subscriptions: projects, direct messages and the queue."""

from collections.abc import AsyncIterator

import strawberry

from resolvers import changes
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.messages import Message
from schema.sending_projects import SendingProject
from schema.statistics import QueueStatistics


@strawberry.type
class Subscription:
    @graphql.subscription(
        "A project as it is now, and again whenever its state or counts change, at most four times a second; without"
        " `id`, those of yours that are scheduled, running or paused, and then all that change."
    )
    async def sending_project_progress(
        self, info: Info, id: ID | None = None
    ) -> AsyncIterator[SendingProject]:
        found = await changes.projects(info.context, local_id(id, "SendingProject") if id else None)
        return (SendingProject.of(row) async for row in found)

    @graphql.subscription(
        "A direct message as it is now, and whenever its state changes, until nothing can follow; without `id`, yours"
        " (of an account) whose state changes from now on."
    )
    async def message_status_changed(
        self, info: Info, id: ID | None = None, account_id: ID | None = None
    ) -> AsyncIterator[Message]:
        found = await changes.messages(
            info.context,
            local_id(id, "Message") if id else None,
            local_id(account_id, "Account") if account_id else None,
        )
        return (Message.of(row) async for row in found)

    @graphql.subscription(
        "What of yours waits, now and whenever that changes, at most once a second and after ten at the latest."
    )
    async def queue_statistics_changed(self, info: Info) -> AsyncIterator[QueueStatistics]:
        found = await changes.queue(info.context)
        return (QueueStatistics.of(one) async for one in found)
