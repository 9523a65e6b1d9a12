"""Tests what GraphQL costs callers: `extensions.cost`, and which callers must wait."""

import asyncio
from typing import Any

import httpx
import pytest

from postern.app import make_app
from schema import root
from schema.frame.requests import JSON
from schema.plans import cache
from schema.router import GRAPHQL_JSON
from tests.support.documents import at_hand, put_away
from tests.support.people import Person

ACCOUNTS = "{ me { accounts(first: 50) { nodes { uuid } pageInfo { endCursor } } } }"


async def ask(person: Person, query: str, accept: str = GRAPHQL_JSON, **body: Any) -> httpx.Response:
    at_hand(query)
    return await person.client.post(
        "/graphql", json={"query": query, **body}, headers={**person.headers, "accept": accept}
    )


def cost(answer: httpx.Response) -> dict[str, int]:
    costs: dict[str, int] = answer.json()["extensions"]["cost"]
    assert list(costs) == ["requested", "actual", "limit", "remaining"]
    return costs


async def test_every_answer_says_what_it_cost(ada, client):
    costs = cost(await ask(ada, ACCOUNTS))
    assert (costs["requested"], costs["actual"], costs["limit"]) == (1 + 1 + 50 + 1, 1 + 1 + 1 + 1, 200_000)
    assert costs["remaining"] <= 200_000
    costs = cost(await client.get("/graphql", params={"query": "{ health { status } }"}))
    assert (costs["requested"], costs["actual"]) == (1, 1)
    # An error of a field is an answer all the same.
    failed = await client.post("/graphql", json={"query": "{ me { uuid } }"})
    assert failed.json()["data"] == {"me": None}
    assert cost(failed)["actual"] == 1


async def test_what_never_ran_says_nothing_of_it(client):
    for body in (
        {"query": "{"},
        {"query": "{ nowhere }"},
        {"query": 1},
        {"query": "query($n: Int!) { me { accounts(first: $n) { totalCount } } }"},
    ):
        assert "extensions" not in (await client.post("/graphql", json=body)).json()


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_what_was_not_there_is_given_back(ada):
    for turn in range(1, 31):
        costs = cost(await ask(ada, ACCOUNTS))
        assert costs["remaining"] == 1000 - 4 * turn
    assert costs["requested"] * 30 > 1000


@pytest.mark.settings(limit_graphql="100/100000")
async def test_who_has_spent_his_points_is_told_when_to_come_back(ada, bob, client):
    await ask(ada, "{ " + " ".join(f"a{i}: me {{ uuid }}" for i in range(30)) + " }")
    await ask(ada, "{ " + " ".join(f"a{i}: me {{ uuid }}" for i in range(30)) + " }")
    refused = await ask(ada, ACCOUNTS)
    assert refused.status_code == 429
    assert refused.headers["content-type"] == GRAPHQL_JSON
    assert set(refused.json()) == {"errors", "extensions"}
    (error,) = refused.json()["errors"]
    seconds = int(refused.headers["retry-after"])
    assert 0 < seconds <= 13_000  # 13 points at a point a thousand seconds
    assert error["message"] == (
        f"The query may cost 53 points, and you have 40 left. Try again in {seconds} s, or ask for shorter lists."
    )
    assert error["extensions"]["code"] == "rate_limited"
    assert error["extensions"]["details"] == {"retryAfter": seconds, "limit": 100, "seconds": 100_000.0}
    assert cost(refused) == {"requested": 53, "actual": 0, "limit": 100, "remaining": 40}
    assert refused.headers["ratelimit-limit"] == "100"
    assert refused.headers["ratelimit-remaining"] == "40"
    assert 0 < int(refused.headers["ratelimit-reset"]) <= 60_000
    # Clients of the old media type read a body from a 200 alone; the headers are the same.
    old = await ask(ada, ACCOUNTS, JSON)
    assert (old.status_code, old.json()["errors"][0]["extensions"]["code"]) == (200, "rate_limited")
    assert old.headers["retry-after"]
    # What is cheap enough still runs; what is refused costs nothing; nobody else pays.
    assert cost(await ask(ada, "{ me { uuid } }"))["remaining"] == 39
    assert (await ask(bob, ACCOUNTS)).status_code == 200
    assert (await client.post("/graphql", json={"query": "{ health { status } }"})).json()["data"]


@pytest.mark.settings(limit_graphql="100/100000")
async def test_a_bucket_belongs_to_the_user_whatever_he_shows(ada, people):
    made = await ada.data('mutation { createApiToken(input: {name: "x"}) { token } }')
    left = cost(await ask(ada, "{ me { uuid } }"))["remaining"]
    script = Person(ada.id, ada.email, ada.account_id, made["createApiToken"]["token"], ada.client)
    assert cost(await ask(script, "{ me { uuid } }"))["remaining"] == left - 1


@pytest.mark.settings(limit_graphql="40/100000", trusted_proxies=["127.0.0.1/32"])
async def test_without_a_login_the_address_pays(client, ada):
    async def asks(address: str, **headers: str) -> int:
        query = "{ " + " ".join(f"a{i}: health {{ status }}" for i in range(30)) + " }"
        answer = await client.post(
            "/graphql",
            json={"query": query},
            headers={"x-real-ip": address, "accept": GRAPHQL_JSON, **headers},
        )
        return answer.status_code

    assert [await asks("203.0.113.1"), await asks("203.0.113.1"), await asks("203.0.113.2")] == [
        200,
        429,
        200,
    ]
    # A credential that is none makes the caller nobody else.
    assert await asks("203.0.113.1", authorization="Bearer nonsense") == 429
    assert await asks("203.0.113.1", **ada.headers) == 200


@pytest.mark.settings(limit_graphql="2000/100000000")
async def test_aliases_are_paid_one_by_one(ada):
    document = (
        "{ " + " ".join(f"a{i}: me {{ accounts(first: 3) {{ nodes {{ uuid }} }} }}" for i in range(29)) + " }"
    )
    costs = cost(await ask(ada, document))
    assert (costs["requested"], costs["actual"]) == (29 * 5, 29 * 3)
    schema = "{ " + " ".join(f"a{i}: __schema {{ queryType {{ name }} }}" for i in range(18)) + " }"
    assert cost(await ask(ada, schema))["actual"] == 1800
    assert (await ask(ada, schema)).status_code == 429


@pytest.mark.settings(limit_graphql="100/100000")
async def test_mutations_cost_ten(ada):
    field = 'setSetting(input: {key: "k", value: "v"}) { key }'
    costs = cost(await ask(ada, f"mutation {{ a: {field} b: {field} }}"))
    assert (costs["requested"], costs["actual"], costs["remaining"]) == (22, 22, 78)


@pytest.mark.settings(limit_graphql="30/100000")
async def test_an_operation_that_is_dearer_than_a_bucket_is_too_complex(ada):
    (error,) = (await ask(ada, ACCOUNTS)).json()["errors"]
    assert error["extensions"]["code"] == "query_too_complex"
    assert "more than the 30 allowed" in error["message"]


async def test_two_services_share_a_bucket(ada, make_settings, settings):
    limited = make_settings(
        limit_graphql="100/100000", db_string=settings.db_string, data_dir=settings.data_dir
    )
    taken, apps = 0, [make_app(limited), make_app(limited)]
    try:
        clients = [
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://postern.test")
            for app in apps
        ]
        for turn in range(70):
            person = Person(ada.id, ada.email, ada.account_id, ada.token, clients[turn % 2])
            answer = await ask(person, "{ a: me { uuid } b: me { uuid } }")
            taken += 2 * (answer.status_code == 200)
        for client in clients:
            await client.aclose()
    finally:
        for app in apps:
            await app.services.close()
    assert 90 <= taken <= 100  # a slice of each, five points, may lie in the other's lease


async def test_two_at_once_are_both_paid(ada):
    answers = await asyncio.gather(*(ask(ada, ACCOUNTS) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert ada.client is not None


# What nobody has read yet

FIELDS = 2 * "__typename id uuid email displayName status roles createdAt updatedAt "
WIDE = "{ " + " ".join(f"a{n}: me {{ {FIELDS} }}" for n in range(15)) + " }"  # 15 times 19 fields


async def left(person: Person, services: Any) -> int:
    remaining: int = services.budget.remaining(f"user:{person.id}")
    return remaining


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_a_document_is_paid_for_when_it_is_read(ada, bob, services):
    put_away()
    body = {"query": WIDE}
    for person, spent in ((ada, 15 + 28), (ada, 15), (bob, 15)):
        before = await left(person, services)
        answer = await person.client.post("/graphql", json=body, headers=person.headers)
        assert cost(answer)["actual"] == cost(answer)["requested"] == 15
        assert cost(answer)["remaining"] == before - spent == await left(person, services)


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_another_plan_of_a_document_is_paid_for_once(ada, services):
    query = (
        f"query($all: Boolean!) {{ who: me {{ id }} me @include(if: $all) {{ {FIELDS} {FIELDS} }} {WIDE[1:]}"
    )
    at_hand(query)

    async def spent(everything: bool) -> int:
        before = await left(ada, services)
        answer = await ada.client.post(
            "/graphql", json={"query": query, "variables": {"all": everything}}, headers=ada.headers
        )
        return before - await left(ada, services) - cost(answer)["actual"]

    assert await spent(True) == 0  # the first is in the price of the document
    document = await spent(False)
    assert document > 25
    assert [await spent(True), await spent(False)] == [0, 0]
    while cache._plans:  # as if many others had been asked for meanwhile
        cache._plans.popitem()
    assert [await spent(True), await spent(False), await spent(True)] == [document, document, 0]


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_a_plan_that_there_is_none_of_is_paid_for_too(ada, services):
    query = f'query($all: Boolean!) {{ me @include(if: $all) {{ id }} {WIDE[1:-1]} node(id: "x") {{ id }} }}'
    at_hand(query)
    spent = []
    for everything in (True, False, True):
        before = await left(ada, services)
        answer = await ada.client.post(
            "/graphql", json={"query": query, "variables": {"all": everything}}, headers=ada.headers
        )
        spent.append(before - await left(ada, services) - cost(answer)["actual"])
    assert spent == [0, spent[1], 0]
    assert spent[1] > 25


@pytest.mark.settings(limit_graphql="1000/100000000")
@pytest.mark.parametrize(
    ("query", "points"),
    [
        ("{ nowhere }", 1),
        ("{" + " ".join(f"f{n}" for n in range(900)) + "}", 90),
        ("query(" + " ".join(f"$v{n}: String" for n in range(400)) + ") { me { uuid } }", 80),
        ("{ me {", 1),
        ("{" + " ".join(f"f{n}" for n in range(1001)) + "}", 100),
        ("#" + "x" * 70_000, 100),
    ],
    ids=["small", "wide", "variables", "broken", "too much", "too long"],
)
async def test_what_is_wrong_is_paid_for_each_time(ada, client, services, query, points):
    for turn in (1, 2):
        answer = await ada.client.post("/graphql", json={"query": query}, headers=ada.headers)
        assert set(answer.json()) == {"errors"}
        assert len(answer.json()["errors"]) <= 11
        assert await left(ada, services) == 1000 - points * turn
    await client.post("/graphql", json={"query": query})
    assert services.budget.remaining("address:127.0.0.1") == 1000 - points


@pytest.mark.settings(limit_graphql="150/100000000")
async def test_who_has_nothing_left_has_nothing_read(client):
    wide = "{" + " ".join(f"f{n}" for n in range(900)) + "}"
    codes = []
    for _ in range(4):
        answer = await client.post("/graphql", json={"query": wide}, headers={"accept": GRAPHQL_JSON})
        codes.append(answer.status_code)
    assert codes == [400, 400, 429, 429]  # the second one left a debt
    refused = await client.post("/graphql", json={"query": "{ nobody_has_read_this }"})
    assert refused.json()["errors"][0]["extensions"]["code"] == "rate_limited"
    assert refused.headers["retry-after"]


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_nothing_of_it_comes_back_when_nothing_is_answered(client, services):
    put_away()
    answer = await client.post("/graphql", json={"query": WIDE})
    assert answer.json()["data"] == {f"a{n}": None for n in range(15)}
    assert services.budget.remaining("address:127.0.0.1") == 1000 - 28 - 1


def test_nobody_looks_for_what_a_name_is_like_where_nobody_may_explore():
    for explorable in (True, False):
        schema = root.build(explorable=explorable)
        prepared = schema.prepare(schema._schema, "{ healt { status } }")
        assert ("Did you mean" in prepared.errors[0].message) is explorable
