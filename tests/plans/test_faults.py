"""Rows that are not what their types say: the fast path answers them as graphql-core does, place by place."""

import asyncio
from collections import defaultdict
from random import Random
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from graphql import experimental_execute_incrementally, specified_rules
from hypothesis import HealthCheck, Phase, given, seed, settings, strategies

from schema.frame.documents import preparer
from schema.plans import ready
from tests.plans.documents import Document, documents
from tests.plans.faulty import SCHEMA, row
from tests.support.examples import examples

pytestmark = pytest.mark.rotating

CORE = SCHEMA._schema
PREPARE = preparer(tuple(specified_rules))


async def _both(document: Document, root: Any) -> tuple[Any, Any]:
    prepared = PREPARE(CORE, document.text)
    operation = prepared.operation(document.operation_name)
    plan, _ = ready(SCHEMA, prepared, operation, document.variables)
    assert plan is not None
    core: Any = experimental_execute_incrementally(
        CORE, prepared.document, None, SimpleNamespace(root=root, loaders={}), document.variables,
        document.operation_name,
    )  # fmt: skip
    core = await core if asyncio.iscoroutine(core) else core
    return core, await plan.run(SimpleNamespace(root=root, loaders={}))  # type: ignore[arg-type]


def _where_null(data: Any, path: Any) -> tuple[Any, ...]:
    """The place at which an error's null ended up."""
    for number, part in enumerate(path):
        if data is None:
            return tuple(path[:number])
        data = data[part]
    return tuple(path)


def _errors_by_place(data: Any, errors: Any) -> dict[Any, list[Any]]:
    """The errors by the place that became null. (§6.4.4) Below such a place they may be told or not."""
    places: dict[Any, list[Any]] = defaultdict(list)
    for error in errors or ():
        places[_where_null(data, error.path)].append(error.formatted)
    above = [
        place for place in places if any(place != other and place[: len(other)] == other for other in places)
    ]
    return {place: errors for place, errors in places.items() if place not in above}


def _same(core: Any, ours: Any, document: Document) -> None:
    expected = orjson.dumps(core.data)
    assert orjson.dumps(ours.data, option=orjson.OPT_UTC_Z) == expected, document
    theirs, mine = _errors_by_place(core.data, core.errors), _errors_by_place(ours.data, ours.errors)
    assert set(theirs) == set(mine), document
    for place, messages in theirs.items():
        if len(messages) == len(mine[place]) == 1 and tuple(messages[0]["path"]) == place:
            assert mine[place] == messages, document


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_whatever_is_wrong(number: int) -> None:
    loop = asyncio.get_running_loop()
    wrong = 0

    @settings(
        max_examples=examples(25), database=None, deadline=None, phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[*HealthCheck],
    )  # fmt: skip
    @seed(number)
    @given(documents(CORE, {}, introspection=False), strategies.integers(0, 2**32))
    def check(document: Document, chance: int) -> None:
        nonlocal wrong
        core, ours = asyncio.run_coroutine_threadsafe(_both(document, row(Random(chance))), loop).result(60)
        _same(core, ours, document)
        wrong += bool(core.errors)

    await asyncio.to_thread(check)
    assert wrong > examples(3)  # else it says little
