"""The fast path answers what graphql-core answers: the same bytes of `data`, the same errors."""

import asyncio
import re
from contextlib import suppress
from typing import Any
from uuid import UUID

import orjson
import pytest
from graphql import experimental_execute_incrementally, parse, validate
from hypothesis import HealthCheck, Phase, given, seed, settings
from starlette.requests import HTTPConnection

from core.errors import AppError
from runtime.context import Context
from runtime.services import Services
from schema import root
from schema.frame.errors import render
from schema.frame.graphql import NODES, global_id
from schema.plans import ready
from tests.doors.test_matrix import make_world
from tests.plans.documents import Document, documents
from tests.support.examples import examples
from tests.support.people import People, Person

SCHEMA = root.build(explorable=True)
CORE = SCHEMA._schema
AVOID = frozenset(("Query.readiness", "Query.agentReview", "VerificationReport.since"))
"""Fields that answer differently each time: the state of a moment, a count of requests, and the time of a request."""


def _context(services: Services, token: str) -> Context:
    scope = {
        "type": "http",
        "headers": [(b"authorization", f"Bearer {token}".encode())],
        "client": ("127.0.0.1", 1),
        "postern": {"request_id": "r", "headers": {}},
    }
    return Context(services, HTTPConnection(scope))


def _rendered(errors: Any) -> list[Any]:
    """Errors as a caller sees them, in one order. Below a place that became null, not all need be told (§6.4.4)."""
    shown = [render(error, "r").formatted for error in errors or ()]
    return sorted(orjson.dumps(error) for error in shown)


_LINK = re.compile(
    rb"expires=[0-9]+&signature=[A-Za-z0-9_=-]+"
)  # the second may change between the two answers


class Both:
    """Answers one document by graphql-core and by its plan."""

    def __init__(self, services: Services, token: str) -> None:
        self.services, self.token = services, token
        self.planned = 0

    async def same(self, document: Document) -> None:
        prepared = SCHEMA.prepare(CORE, document.text)
        parsed = prepared.document
        operation = prepared.operation(document.operation_name)
        plan, _ = ready(SCHEMA, prepared, operation, document.variables)
        if plan is None:
            return
        self.planned += 1
        core: Any = experimental_execute_incrementally(
            CORE,
            parsed,
            None,
            _context(self.services, self.token),
            document.variables,
            document.operation_name,
        )
        core = await core if asyncio.iscoroutine(core) else core
        ours = await plan.run(_context(self.services, self.token))
        expected, answered = orjson.dumps(core.data), orjson.dumps(ours.data, option=orjson.OPT_UTC_Z)
        assert _LINK.sub(b"", answered) == _LINK.sub(b"", expected), document
        assert _rendered(ours.errors) == _rendered(core.errors), document
        assert ours.objects <= _objects(core.data), document  # which counts the objects in JSON too


def _objects(value: Any, *, top: bool = True) -> int:
    if isinstance(value, dict):
        return (not top) + sum(_objects(item, top=False) for item in value.values())
    return sum(_objects(item, top=False) for item in value) if isinstance(value, list) else 0


@pytest.fixture
async def both(services: Services, ada: Person) -> Both:
    return Both(services, ada.token)


@pytest.mark.parametrize(
    "text",
    [
        "{me{id uuid email accounts{nodes{id balance currency createdAt plan}}}}",
        "{a:accounts(first:2){n:nodes{x:name owner{email accounts{totalCount nodes{__typename}}}}}}",
        "{accounts(first:200){nodes{id}} me{id}}",
        '{account(id:"x"){id} message(id:"00000000-0000-7000-8000-000000000000"){id}}',
        "{accounts{edges{cursor node{id}} pageInfo{hasNextPage endCursor}} ...A} fragment A on Query{me{roles}}",
        "{settings countries{code name} timezones health{status}}",
        "query A($y:Boolean!){me{id @skip(if:$y) email @include(if:$y)}}",
    ],
    ids=["me", "aliases", "wrong", "errors", "edges", "leaves", "choices"],
)
async def test_by_hand(both: Both, text: str) -> None:
    assert not validate(CORE, parse(text))
    await both.same(Document(text, {"y": True}, None))
    assert both.planned == 1


@pytest.mark.parametrize("number", [1, 2, 3, 4])
async def test_whatever_is_asked(services: Services, people: People, admin: Person, number: int) -> None:
    world = await make_world(people, admin)
    both = Both(services, world.ada.token)
    pool = await _pool(both, world.rows)
    loop = asyncio.get_running_loop()

    @settings(
        max_examples=examples(40),
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[*HealthCheck],
    )
    @seed(number)
    @given(documents(CORE, pool, avoid=AVOID, introspection=False))
    def check(document: Document) -> None:
        asyncio.run_coroutine_threadsafe(both.same(document), loop).result(60)

    await asyncio.to_thread(check)
    assert both.planned > examples(19)


async def _pool(both: Both, rows: dict[str, str]) -> dict[str, list[Any]]:
    """Ids in both spellings, under the types whose they are."""
    ids = [UUID(value) for value in rows.values() if _is_uuid(value)]
    ctx = _context(both.services, both.token)
    pool: dict[str, list[Any]] = {"ID": [str(id) for id in ids], "UUID": [str(id) for id in ids]}
    for kind, node in NODES.items():
        for id in ids:
            with suppress(AppError):
                await node.read(ctx, id)
                pool.setdefault(kind, []).extend((str(id), global_id(kind, id)))
    assert len(pool) > 12
    return pool


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
