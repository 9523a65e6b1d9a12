"""Relations, as graphql-core runs them."""

from types import SimpleNamespace
from typing import Any

import strawberry
from strawberry.schema.config import StrawberryConfig

from schema.frame import graphql
from schema.frame.graphql import Info
from schema.frame.loaders import relation
from shapes.shape import Shape


@graphql.type(description="made by a mutation")
class Made(Shape):
    number: int

    @relation("its number", "number")
    async def own(rows: Any, info: Info) -> list[int]:
        return [row.number for row in rows]


@strawberry.type
class Query:
    @strawberry.field
    def none(self) -> int:
        return 0


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def make(self, number: int) -> Made:
        return SimpleNamespace(number=number)  # type: ignore[return-value]


async def test_rows_of_one_mutation_after_another_are_told_apart() -> None:
    """The first row is gone when the second is made, which may lie where that lay."""
    schema = strawberry.Schema(Query, Mutation, config=StrawberryConfig(info_class=graphql.Info))
    made = " ".join(f"m{number}:make(number:{number}){{...F}}" for number in range(20))
    answer: Any = await schema.execute(
        f"mutation{{{made}}} fragment F on Made{{own}}", context_value=SimpleNamespace(loaders={})
    )
    assert answer.errors is None
    assert [answer.data[f"m{number}"]["own"] for number in range(20)] == [*range(20)]
