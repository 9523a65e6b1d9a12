"""The work that a document or its variables can cause before anything runs, counted in lines of Python, not in time."""

import sys
from collections.abc import AsyncIterator, Callable
from types import FrameType
from typing import Any

import pytest
from graphql import GraphQLError, GraphQLInputObjectType

from core.rate_limits import WIDER, Limit
from core.settings import Settings
from schema import root
from schema.frame.documents import copies, unread
from schema.frame.errors import render
from schema.frame.input_limits import FIELDS, VALUES, count_values
from schema.router import GRAPHQL_JSON
from tests.support.documents import put_away
from tests.support.people import Person
from tests.support.worst_documents import WORST_DOCUMENTS, WORST_VARIABLES

SCHEMA = root.build(explorable=False)
CORE = SCHEMA._schema
MOST = 1_700_000  # lines for one document; 7,100,000 for the errors below many lines, when each counted them
MOST_OF_A_POINT = 50_000  # 680,000 for a long string, when only tokens were paid for


def lines_run(work: Callable[[], Any], most: int) -> int:
    """Returns how many lines of Python run, or `most` as soon as there are so many."""
    ran = 0

    def local(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal ran
        ran += 1
        if ran >= most:
            raise _Enough
        return local

    earlier = sys.gettrace()
    sys.settrace(local)
    try:
        work()
    except _Enough:
        pass
    finally:
        sys.settrace(earlier)
    return ran


class _Enough(BaseException):
    pass


def read(text: str) -> int:
    """Reads a document and renders its errors, as the door does. Returns its cost."""
    try:
        prepared = SCHEMA.prepare(CORE, text)
        errors, points = prepared.errors, prepared.points
    except GraphQLError as error:
        errors, points = (error,), unread(text)
    for error in copies(errors):
        assert render(error, "", explorable=False).formatted
    return points


@pytest.mark.parametrize("name", WORST_DOCUMENTS)
def test_no_document_causes_much_work_or_more_than_it_costs(name: str):
    put_away()
    points = read(WORST_DOCUMENTS[name])
    put_away()
    ran = lines_run(lambda: read(WORST_DOCUMENTS[name]), MOST)
    assert ran < min(MOST, points * MOST_OF_A_POINT), (ran, points)


@pytest.mark.parametrize("name", WORST_VARIABLES)
def test_many_values_are_refused_before_they_are_coerced(name: str):
    text, variables = WORST_VARIABLES[name]
    operation = SCHEMA.prepare(CORE, text).operation(None)

    def count() -> None:
        with pytest.raises(GraphQLError, match=r"more than 100,000 values|at most 100 fields"):
            count_values(operation.inputs, variables)

    assert lines_run(count, 100_000) < 10_000


def test_values_are_counted_by_their_types():
    text = "mutation($id:ID!,$i:AddRecipients!){addRecipients(sendingProjectId:$id input:$i){added}}"
    operation = SCHEMA.prepare(CORE, text).operation(None)
    assert [name for name, _ in operation.inputs] == ["i"]
    recipient = {"phone": "+1", "variables": {f"v{i}": i for i in range(500)}}  # a JSON scalar is one value
    assert count_values(operation.inputs, {"i": {"recipients": [recipient] * 10_000}}) == 30_001
    assert count_values(operation.inputs, {"i": None}) == 0
    assert count_values(operation.inputs, {"i": {"recipients": "x"}}) == 2
    assert 10_000 * len(CORE.type_map["NewRecipient"].fields) < VALUES


def test_no_input_type_has_more_fields_than_are_allowed():
    types = [kind for kind in CORE.type_map.values() if isinstance(kind, GraphQLInputObjectType)]
    assert 10 < max(len(kind.fields) for kind in types) <= FIELDS


def test_the_first_error_of_each_value_is_shown():
    errors = SCHEMA.prepare(
        CORE, "{messages(first:[1,2] where:{a:1,b:2}){nodes{uuid}} x:messages(where:{c:1 d:2}){nodes{uuid}}}"
    ).errors
    assert [error.message.partition(", found")[0] for error in errors] == [
        "Int cannot represent non-integer value: [1, 2]",
        "Expected value of type 'MessageWhere' not to include unknown field 'a'",
        "Expected value of type 'MessageWhere' not to include unknown field 'c'",
    ]
    assert [location.column for error in copies(errors) for location in error.locations or ()] == [
        30,
        71,
    ]


# Callers without a login

NOBODY = {"x-real-ip": "203.0.113.77"}


@pytest.fixture
async def buckets(services) -> AsyncIterator[None]:
    """Empties the buckets afterwards: all tests share one Redis, and other tests send documents, too."""
    yield

    async def delete(redis: Any) -> None:
        patterns = ("limit:anonymous-*", "limit:graphql:address:203.*")
        keys = [key for pattern in patterns async for key in redis.scan_iter(pattern)]
        if keys:
            await redis.delete(*keys)

    await services.store.attempt(delete, None)


def new(n: int, fields: int = 2) -> dict[str, str]:
    return {"query": "{" + " ".join(f"f{n}x{i}" for i in range(fields)) + "}"}


async def ask(client: Any, body: dict[str, Any], **headers: str) -> Any:
    return await client.post("/graphql", json=body, headers={"accept": GRAPHQL_JSON, **NOBODY, **headers})


@pytest.mark.settings(
    limit_documents="100/100000", limit_documents_global="150/100000", trusted_proxies=["127.0.0.1/32"]
)
async def test_without_a_login_new_documents_have_buckets_of_their_own(client, ada: Person, buckets):
    put_away()
    codes = []

    async def statuses(*bodies: dict[str, Any], **headers: str) -> list[int]:
        return [(await ask(client, body, **headers)).status_code for body in bodies]

    one, two, three = ({"x-real-ip": f"203.0.113.{n}"} for n in (1, 2, 3))
    known = {"query": "{ health { status } }"}
    codes += await statuses(known, new(1, 900), new(2, 900), new(3), **one)
    assert codes == [200, 400, 400, 429]  # the second one left a debt
    # What is known already is answered, and so is who has a login.
    assert await statuses(known, **one) == [200]
    assert await statuses(new(4, 900), {"query": "{ me { uuid email } }"}, **one, **ada.headers) == [400, 200]
    # All networks together have spent 181 of 150 points: only small documents are read.
    assert await statuses(
        new(5, 900), new(6), {"query": "{ health { status } a: health { status } }"}, **two
    ) == [
        429,
        400,
        200,
    ]
    answer = await ask(client, new(7, 900), **three)
    (error,) = answer.json()["errors"]
    assert error["extensions"]["code"] == "rate_limited"
    assert error["message"].startswith("Too many new GraphQL documents or variables without a login. Log in,")
    assert int(answer.headers["retry-after"]) == error["extensions"]["details"]["retryAfter"] > 0


@pytest.mark.settings(limit_documents="100/100000", trusted_proxies=["127.0.0.1/32"])
async def test_networks_of_one_customer_share_a_bucket(client, buckets):
    put_away()
    statuses = []
    for n in range(8):  # eight /64 of one /56, which has four times the points of each
        answer = await ask(client, new(n, 900), **{"x-real-ip": f"2001:db8:0:{n:x}::1"})
        statuses.append(answer.status_code)
    assert statuses == [400] * 5 + [429] * 3


@pytest.mark.settings(
    limit_documents="100/100000", limit_graphql="1000/100000000", trusted_proxies=["127.0.0.1/32"]
)
async def test_values_of_variables_are_paid_for(client, ada: Person, services, buckets):
    text = "query($v:[String!]){messages(where:{to:{in:$v}}){nodes{uuid}}}"
    await ask(client, {"query": text, "variables": {"v": []}}, **ada.headers)

    def sent(count: int) -> dict[str, Any]:
        return {"query": text, "variables": {"v": ["a"] * count}}

    assert (await ask(client, sent(49))).status_code == 200
    assert [(await ask(client, sent(4000))).status_code for _ in range(2)] == [200, 429]
    refused = (await ask(client, sent(6000))).json()["errors"][0]
    assert refused["extensions"]["code"] == "query_too_complex"
    assert refused["message"].startswith(
        "To read this query costs 120 points, more than the 100 that are allowed"
    )
    before = services.budget.remaining(f"user:{ada.id}")
    answer = await ask(client, sent(6000), **ada.headers)
    assert (
        before - services.budget.remaining(f"user:{ada.id}")
        == 120 + answer.json()["extensions"]["cost"]["actual"]
    )
    refused = (await ask(client, sent(VALUES + 1), **ada.headers)).json()["errors"][0]
    assert refused["extensions"]["code"] == "query_too_complex"


@pytest.mark.settings(trusted_proxies=["127.0.0.1/32"])
async def test_strangers_evict_neither_documents_nor_plans_of_users(client, ada: Person, buckets):
    put_away()
    mine = {
        "query": "query($all:Boolean!){ me { uuid email @include(if:$all) } }",
        "variables": {"all": True},
    }
    await ask(client, mine, **ada.headers)
    for n in range(5):
        long = f'{{ health {{ status }} c{n}: node(id: "{"x" * 60_000}") {{ id }} }}'
        assert (await ask(client, {"query": long})).status_code == 200
    prepared = SCHEMA.prepare.cached(CORE, mine["query"]) or root.build(explorable=True).prepare.cached(
        root.build(explorable=True)._schema, mine["query"]
    )
    assert prepared is not None
    (operation,) = prepared.compiled.values()
    assert list(operation.plans) == [(True,)]
    await ask(client, {**mine, "variables": {"all": False}})
    assert list(operation.plans) == [(True,)]
    await ask(client, {**mine, "variables": {"all": False}}, **ada.headers)
    assert list(operation.plans) == [(True,), (False,)]


async def test_a_large_body_needs_a_login(client, ada: Person, buckets):
    body = {"query": "query($v: JSON){ health { status } }", "variables": {"v": "x" * 300_000}}
    refused = await ask(client, body)
    assert refused.status_code == 413
    assert refused.json()["errors"][0]["message"].startswith(
        "Without a login a request has at most 262144 bytes."
    )
    assert (await ask(client, body, authorization="Bearer nonsense")).status_code == 413
    assert (await ask(client, body, **ada.headers)).status_code == 400  # the variable is not used


def test_no_single_network_can_use_up_what_all_share():
    defaults = (Settings.model_fields[name].default for name in ("limit_documents", "limit_documents_global"))
    network, everybody = (Limit.parse("any", default) for default in defaults)
    assert network.count * max(WIDER) / network.seconds * 3 < everybody.count / everybody.seconds
