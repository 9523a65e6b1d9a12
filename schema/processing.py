"""The queue, and the processing of projects, in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers import processing
from schema.frame import graphql
from schema.frame.graphql import Info
from schema.frame.loaders import relation
from schema.statistics import projects_of
from shapes import statistics as types
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.sending_projects import SendingProject

for shape in (types.QueueWorker, types.Route, types.BackgroundWork):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]


@graphql.type(name="QueuedProject", description=types.QueuedProject.__doc__)
class QueuedProject(types.QueuedProject):
    @relation("the project")
    async def project(rows: Any, info: Info) -> list[Project | None]:
        return await projects_of(rows, info)


@graphql.type(name="QueueStatistics", description=types.QueueStatistics.__doc__)
class QueueStatistics(types.QueueStatistics):
    # The same fields, but with relations in the items.
    projects: Annotated[  # type: ignore[assignment]
        list[QueuedProject], strawberry.field(description="the newest 100 projects"), Cost(most=100)
    ]


@graphql.type(name="ProcessedProject", description=types.ProcessedProject.__doc__)
class ProcessedProject(types.ProcessedProject):
    @relation("the project")
    async def project(rows: Any, info: Info) -> list[Project | None]:
        return await projects_of(rows, info)


@graphql.type(name="ProcessingHealth", description=types.ProcessingHealth.__doc__)
class ProcessingHealth(types.ProcessingHealth):
    projects: Annotated[  # type: ignore[assignment]
        list[ProcessedProject],
        strawberry.field(description="at most 100 projects: stuck ones first, then the newest"),
        Cost(most=100),
    ]


@strawberry.type
class Query:
    @graphql.query()
    async def queue_statistics(self, info: Info) -> QueueStatistics | None:
        return QueueStatistics.of(await processing.queue(info.context))

    @graphql.query()
    async def processing_health(self, info: Info) -> ProcessingHealth | None:
        return ProcessingHealth.of(await processing.health(info.context))
