"""Actions on several Sending Projects, and the copy of one, in GraphQL."""

import strawberry

from resolvers import project_actions
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from schema.sending_projects import SendingProject
from shapes import project_actions as types
from shapes.project_actions import (
    DeletedProjects,
    DeleteProjects,
    DuplicateProject,
    RetriedProjects,
    RetryProjects,
)

for part in (DeleteProjects, RetryProjects, DuplicateProject):
    graphql.input(part, description=part.__doc__)
for answer in (types.RefusedProject, DeletedProjects, RetriedProjects):
    graphql.type(answer, description=answer.__doc__)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def delete_sending_projects(self, info: Info, input: DeleteProjects) -> DeletedProjects | None:
        return await project_actions.delete_multiple(info.context, input)

    @graphql.mutation()
    async def retry_sending_projects(self, info: Info, input: RetryProjects) -> RetriedProjects | None:
        return await project_actions.retry_multiple(info.context, input)

    @graphql.mutation()
    async def duplicate_sending_project(
        self, info: Info, id: ID, input: DuplicateProject | None = None
    ) -> SendingProject | None:
        return SendingProject.of(
            await project_actions.duplicate(
                info.context, local_id(id, "SendingProject"), input or DuplicateProject()
            )
        )
