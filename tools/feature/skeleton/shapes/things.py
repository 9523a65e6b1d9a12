"""Things, as REST and GraphQL show them."""

from typing import Annotated, ClassVar

from pydantic import Field

from shapes.shape import Created, Line, Shape, Uuid
from shapes.where import Ids, TimeSpan, Where

Name = Annotated[Line, Field(min_length=1, max_length=100, description="the name", examples=["First"])]


class Thing(Shape):
    """One of the caller's things."""

    id: Uuid
    name: Name
    created_at: Created


class NewThing(Shape):
    """The values of a new thing."""

    name: Name


class ThingWhere(Where):
    """Filter for things."""

    kinds: ClassVar = {"id": "Thing"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of creation")] = None
