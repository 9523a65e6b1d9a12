"""A small graph whose rows are wrong in every way that a row can be: missing, of another type, an exception."""

import enum
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from random import Random
from types import SimpleNamespace
from typing import Annotated, Any
from uuid import UUID

import strawberry
from strawberry.scalars import JSON
from strawberry.schema.config import StrawberryConfig

from schema.frame import graphql
from schema.frame.graphql import Info
from schema.frame.loaders import relation
from shapes.shape import Shape


@strawberry.enum
class Colour(enum.StrEnum):
    red = "red"
    blue = "blue"


class Broken(Exception):
    pass


Another = Annotated["Thing", strawberry.lazy("tests.plans.faulty")]


@graphql.type(description="anything")
class Thing(Shape):
    text: str
    word: str | None
    number: int
    count: int | None
    share: float
    yes: bool | None
    colour: Colour
    shade: Colour | None
    at: datetime
    since: datetime | None
    key: UUID
    price: Decimal | None
    words: list[str]
    numbers: list[int | None] | None
    child: "Thing | None"
    must: "Thing"
    things: list["Thing"]
    maybe: list["Thing | None"] | None

    @graphql.field(description="of its own")
    def shout(self, times: int = 1) -> str | None:
        return _taken(self.word) * min(times, 3)

    @graphql.field(description="of its own, later")
    async def later(self) -> int:
        return _taken(self.number)

    @graphql.field(description="anything at all")
    def extra(self) -> JSON | None:
        return self.json

    @relation("another", "child")
    async def other(rows: Any, info: Info) -> list[Another | None]:
        return [row.child for row in rows]

    @relation("others, all at once", "things")
    async def others(rows: Any, info: Info, failing: bool = False) -> list[list[Another]]:
        if failing:
            raise Broken("all of them")
        return [row.things for row in rows]

    @relation("a number each")
    async def counted(rows: Any, info: Info) -> list[int]:
        return [row.count for row in rows]


def _taken(value: Any) -> Any:
    if isinstance(value, Exception):
        raise value
    return value


@strawberry.type
class Query:
    @strawberry.field
    async def thing(self, info: Info) -> Thing | None:
        return _taken(info.context.root)

    @strawberry.field
    def things(self, info: Info) -> list[Thing]:
        return [info.context.root, info.context.root.child, info.context.root]

    @strawberry.field
    def must(self, info: Info) -> Thing:
        return info.context.root


SCHEMA = strawberry.Schema(
    query=Query, config=StrawberryConfig(scalar_map=graphql.SCALARS, info_class=graphql.Info)
)

_DAY = datetime(2026, 11, 20, 13, 5, 7, 120, UTC)
_WRONG: tuple[Any, ...] = (None, None, Broken("broken"), object(), [], {"a": 1})
_GOOD: dict[str, tuple[Any, ...]] = {
    "text": ("", "é", "a"), "word": (None, "w"), "number": (0, -(2**31), 2**31 - 1, True, 7.0), "count": (None, 3),
    "share": (0.5, 3, -0.0), "yes": (True, False, None, 1), "colour": ("red", Colour.blue), "shade": (None, "blue"),
    "at": (_DAY, _DAY.replace(microsecond=0), _DAY.astimezone(timezone(timedelta(hours=5)))), "since": (None, _DAY),
    "key": (UUID(int=7),), "price": (None, Decimal("2.50")), "words": ([], ["a", "b"]),
    "numbers": (None, [1, None, 2]), "json": (None, {"a": [1, None]}, "x", 0),
}  # fmt: skip
_BAD: dict[str, tuple[Any, ...]] = {
    "number": (2**31, "x", 1.5), "share": (float("nan"), "x"), "colour": ("green", 3),
    "words": ([None], ["a", None, 3], "a"),
    "numbers": ([2**40], [1, Broken("in it")], 5), "text": (5, 1.5), "json": (Broken("json"),),
}  # fmt: skip


def row(chance: Random, depth: int = 3) -> Any:
    """A row, with others inside; one value in eight is wrong."""
    made = SimpleNamespace()
    for name, good in _GOOD.items():
        wrong = chance.randrange(8) == 0
        bad = () if name == "json" else _WRONG  # anything is JSON
        setattr(made, name, chance.choice((*bad, *_BAD.get(name, ())) if wrong else good))

    def one(rarely: int) -> Any:
        if depth == 0 or chance.randrange(rarely) == 0:
            return chance.choice(_WRONG)
        return row(chance, depth - 1)

    made.child, made.must = one(4), one(9)
    made.things = [one(9) for _ in range(chance.randrange(3))]
    made.maybe = [one(4) for _ in range(chance.randrange(3))]
    if chance.randrange(9) == 0:
        made.things, made.maybe = chance.choice(_WRONG), chance.choice((None, 5, "text"))
    return made
