"""Series in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import contacts, series, topics
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import project_settings as settings
from shapes import series as types
from shapes import series_plans as plans
from shapes.series import (
    NewSeries,
    SeriesEntryWhere,
    SeriesPatch,
    SeriesStepInput,
    SeriesWhere,
    StartSeries,
)
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.contacts import Contact
    from schema.topics import Topic

for part in (SeriesStepInput, NewSeries, SeriesPatch, StartSeries, SeriesWhere, SeriesEntryWhere):
    graphql.input(part, description=part.__doc__)
graphql.type(types.SeriesStepFields, name="SeriesStep", description=types.SeriesStepFields.__doc__)
for kind in (
    plans.SeriesPlanStep,
    plans.SeriesPlan,
    plans.StopCount,
    plans.SeriesStepStatistics,
    plans.SeriesStatistics,
):
    graphql.type(kind, description=kind.__doc__)
Person = Annotated["Contact", strawberry.lazy("schema.contacts")]
OfTopic = Annotated["Topic", strawberry.lazy("schema.topics")]
Parent = Annotated[ID, graphql.argument("id of the series")]


@graphql.node("Series", row=models.Series, read=series.get, description=types.Series.__doc__)
class Series(types.SeriesFields):
    @graphql.computed("its steps, in their order", "steps", name="steps", cost=Cost(most=types.MOST_STEPS))
    def typed_steps(self: Any) -> list[types.SeriesStepFields]:
        return [types.SeriesStepFields.model_validate(each) for each in self.steps]

    @graphql.computed("when messages may be sent; null: at any time", "window", name="window")
    def typed_window(self: Any) -> settings.Window | None:
        return settings.Window.model_validate(self.window) if self.window else None

    @relation("the topic whose new subscribers enter; null: none", "topic_id")
    async def topic(rows: Any, info: Info) -> list[OfTopic | None]:
        return as_type(await topics.by_ids(info.context, [row.topic_id for row in rows], info.columns))


@graphql.node("SeriesEntry", row=models.SeriesEntry, read=series.entry, description=types.SeriesEntry.__doc__)
class SeriesEntry(types.SeriesEntry):
    @relation("the contact", "contact_id")
    async def contact(rows: Any, info: Info) -> list[Person | None]:
        return as_type(await contacts.by_ids(info.context, [row.contact_id for row in rows], info.columns))

    @relation("the series", "series_id")
    async def series(rows: Any, info: Info) -> list[Series | None]:
        return as_type(await series.by_ids(info.context, [row.series_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=SeriesWhere)
    async def series_list(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Series] | None:
        return as_type(await series.page(info.context, page_args, where))

    @graphql.query()
    async def series(self, info: Info, id: ID) -> Series | None:
        return Series.of(await series.get(info.context, local_id(id, "Series")))

    @graphql.query(cost=Cost(work=20))
    async def series_statistics(self, info: Info, id: ID) -> plans.SeriesStatistics | None:
        return await series.statistics(info.context, local_id(id, "Series"))

    @graphql.query(cost=Cost(work=50))
    async def series_plan(self, info: Info, id: ID) -> plans.SeriesPlan | None:
        return await series.plan(info.context, local_id(id, "Series"))

    @connection(where=SeriesEntryWhere)
    async def series_entries(
        self, info: Info, series_id: Parent, page_args: PageArgs, where: Conditions
    ) -> Connection[SeriesEntry] | None:
        return as_type(await series.entries(info.context, local_id(series_id, "Series"), page_args, where))

    @graphql.query()
    async def series_entry(self, info: Info, id: ID) -> SeriesEntry | None:
        return SeriesEntry.of(await series.entry(info.context, local_id(id, "SeriesEntry")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_series(self, info: Info, input: NewSeries) -> Series | None:
        return Series.of(await series.create(info.context, input))

    @graphql.mutation()
    async def update_series(self, info: Info, id: ID, input: SeriesPatch) -> Series | None:
        return Series.of(await series.update(info.context, local_id(id, "Series"), input))

    @graphql.mutation()
    async def start_series(self, info: Info, id: ID, input: StartSeries) -> Series | None:
        return Series.of(await series.start(info.context, local_id(id, "Series"), input))

    @graphql.mutation()
    async def pause_series(self, info: Info, id: ID) -> Series | None:
        return Series.of(await series.pause(info.context, local_id(id, "Series")))

    @graphql.mutation()
    async def archive_series(self, info: Info, id: ID) -> Series | None:
        return Series.of(await series.archive(info.context, local_id(id, "Series")))
