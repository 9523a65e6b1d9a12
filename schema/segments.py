"""Segments in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import segments, users
from schema.contacts import Contact
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import segments as types
from shapes.segments import NewSegment, PreviewSegment, SegmentPatch, SegmentWhere
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.users import User

for part in (
    types.SegmentContact,
    types.SegmentSubscription,
    types.SegmentHistory,
    types.SegmentCondition,
    types.SegmentGroup,
    types.SegmentFilter,
    NewSegment,
    SegmentPatch,
    PreviewSegment,
    SegmentWhere,
):
    graphql.input(part, description=part.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node("Segment", row=models.Segment, read=segments.get, description=types.Segment.__doc__)
class Segment(types.Segment):
    @relation("the user whose segment it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@graphql.type(name="SegmentPreview", description=types.SegmentPreview.__doc__)
class SegmentPreview(types.SegmentSize):
    @graphql.computed(types.NEWEST, "sample", name="sample", cost=Cost(most=types.SAMPLE))
    def typed_sample(self: Any) -> list[Contact]:
        return as_type(self.sample)


@strawberry.type
class Query:
    @connection(where=SegmentWhere)
    async def segments(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Segment] | None:
        return as_type(await segments.page(info.context, page_args, where))

    @graphql.query()
    async def segment(self, info: Info, id: ID) -> Segment | None:
        return Segment.of(await segments.get(info.context, local_id(id, "Segment")))

    @graphql.query()
    async def segment_preview(self, info: Info, input: PreviewSegment) -> SegmentPreview | None:
        return as_type(await segments.preview(info.context, input))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_segment(self, info: Info, input: NewSegment) -> Segment | None:
        return Segment.of(await segments.create(info.context, input))

    @graphql.mutation()
    async def update_segment(self, info: Info, id: ID, input: SegmentPatch) -> Segment | None:
        return Segment.of(await segments.update(info.context, local_id(id, "Segment"), input))

    @graphql.mutation()
    async def count_segment(self, info: Info, id: ID) -> Segment | None:
        return Segment.of(await segments.count(info.context, local_id(id, "Segment")))

    @graphql.mutation()
    async def delete_segment(self, info: Info, id: ID) -> bool | None:
        await segments.delete(info.context, local_id(id, "Segment"))
        return True
