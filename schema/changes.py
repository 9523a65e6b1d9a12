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
    @graphql.subscription()
    async def sending_project_progress(
        self, info: Info, id: ID | None = None
    ) -> AsyncIterator[SendingProject]:
        projects = await changes.projects(info.context, local_id(id, "SendingProject") if id else None)
        return (SendingProject.of(row) async for row in projects)

    @graphql.subscription()
    async def message_status_changed(
        self, info: Info, id: ID | None = None, account_id: ID | None = None
    ) -> AsyncIterator[Message]:
        messages = await changes.messages(
            info.context,
            local_id(id, "Message") if id else None,
            local_id(account_id, "Account") if account_id else None,
        )
        return (Message.of(row) async for row in messages)

    @graphql.subscription()
    async def queue_statistics_changed(self, info: Info) -> AsyncIterator[QueueStatistics]:
        statistics = await changes.queue(info.context)
        return (QueueStatistics.of(row) async for row in statistics)
