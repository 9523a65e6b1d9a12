"""Idempotency-Key: one effect a key, its first answer again, through either door."""

import asyncio
from datetime import timedelta

import asyncpg
import pytest

from tests.support.waits import WAITING, until

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
NEW = {"name": "Marketing", "currency": "EUR"}
CREATE = "mutation($input: NewAccount!) { createAccount(input: $input) { uuid name plan currency balance createdAt } }"
CREDIT = "mutation($input: Credit!) { creditAccount(input: $input) { balance } }"


def _key(key):
    return {"Idempotency-Key": key}


async def _accounts(person):
    return (await person.rest("GET", "/accounts")).json()["meta"]["total"]


async def test_the_first_answer_is_given_again_through_either_door(ada, services):
    first = await ada.rest("POST", "/accounts", json=NEW, headers=_key("k"))
    assert "idempotent-replayed" not in first.headers
    await ada.rest("PATCH", f"/accounts/{first.json()['id']}", json={"name": "since renamed"})
    for _ in range(2):
        again = await ada.rest("POST", "/accounts", json=NEW, headers=_key("k"))
        assert (again.status_code, again.json()) == (201, first.json())
        assert again.headers["idempotent-replayed"] == "true"
        body = await ada.graphql(CREATE, {"input": NEW}, **_key("k"))
        shown = body["data"]["createAccount"]
        assert {name: first.json()["id" if name == "uuid" else name] for name in shown} == shown
    # Defaults that are written out, another order, quotes around the key (a structured field): all the same.
    same = {"plan": "free", "currency": "EUR", "name": "Marketing"}
    assert (await ada.rest("POST", "/accounts", json=same, headers=_key('"k"'))).json() == first.json()
    assert await _accounts(ada) == 2
    # The other way round, relations included.
    query = (
        "mutation($input: NewAccount!) { createAccount(input: $input) { uuid owner { email } "
        "ledger { totalCount } } }"
    )
    bodies = [await ada.graphql(query, {"input": NEW}, **_key("g")) for _ in range(2)]
    assert bodies[0] == bodies[1]
    assert bodies[0]["data"]["createAccount"]["owner"] == {"email": ada.email}
    replay = await ada.rest("POST", "/accounts", json=NEW, headers=_key("g"))
    assert replay.json()["id"] == bodies[0]["data"]["createAccount"]["uuid"]
    assert await _accounts(ada) == 3


async def test_a_key_is_its_callers_own_and_for_one_request(ada, bob):
    first = await ada.rest("POST", "/accounts", json=NEW, headers=_key("k"))
    other = await bob.rest("POST", "/accounts", json=NEW, headers=_key("k"))
    assert other.status_code == 201
    assert other.json()["id"] != first.json()["id"]
    assert other.json()["ownerId"] == str(bob.id)
    different = {**NEW, "name": "Else"}
    refused = await ada.rest("POST", "/accounts", json=different, headers=_key("k"))
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    body = await ada.graphql(CREATE, {"input": different}, **_key("k"))
    assert body["errors"][0]["extensions"]["code"] == "idempotency_key_reused"
    # Even of somebody else's request, the key tells nothing.
    assert (await bob.rest("POST", "/accounts", json=different, headers=_key("j"))).status_code == 201
    # Another operation is another request.
    assert (await ada.rest("POST", "/messages", json=SMS, headers=_key("k"))).status_code == 202
    assert await _accounts(ada) == 2


async def test_while_the_first_is_at_work_the_others_are_told_so(ada, services, database):
    blocker = await asyncpg.connect(database)
    async with blocker.transaction():
        await blocker.execute("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", ada.id)
        first = asyncio.create_task(ada.rest("POST", "/accounts", json=NEW, headers=_key("k")))
        await until(lambda: services.db.fetchval(WAITING))
        for input in (NEW, {**NEW, "name": "Else"}):
            waiting = await ada.rest("POST", "/accounts", json=input, headers=_key("k"))
            assert (waiting.status_code, waiting.json()["code"]) == (409, "idempotency_in_flight")
        body = await ada.graphql(CREATE, {"input": NEW}, **_key("k"))
        assert body["errors"][0]["extensions"]["code"] == "idempotency_in_flight"
        assert (await ada.rest("GET", "/accounts")).status_code == 200
    await blocker.close()
    made = await first
    assert made.status_code == 201
    again = await ada.rest("POST", "/accounts", json=NEW, headers=_key("k"))
    assert (again.json(), again.headers["idempotent-replayed"]) == (made.json(), "true")


async def test_thirty_at_once_make_one(ada):
    answers = await asyncio.gather(
        *(ada.rest("POST", "/accounts", json=NEW, headers=_key("k")) for _ in range(30))
    )
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 201}) == 1
    assert await _accounts(ada) == 2


@pytest.mark.settings(limit_messages="2/3600")
async def test_a_refusal_is_not_kept(ada, people, admin, services):
    poor = await people.make()
    assert (await poor.rest("POST", "/messages", json=SMS, headers=_key("k"))).status_code == 402
    assert await services.db.fetchval("SELECT count(*) FROM idempotency_keys") == 0
    await admin.data(CREDIT, {"input": {"accountId": str(poor.account_id), "amount": 1}})
    sent = await poor.rest("POST", "/messages", json=SMS, headers=_key("k"))
    assert sent.status_code == 202
    # Neither are these; a replay is no new message, so the limit doesn't count it.
    assert (
        await poor.rest("POST", "/messages", json={**SMS, "body": "2"}, headers=_key("l"))
    ).status_code == 429
    assert (await poor.rest("POST", "/messages", json=SMS, headers=_key("k"))).json() == sent.json()
    for body, status in (
        ({**SMS, "to": "x"}, 400),
        ({}, 400),
        ({**SMS, "accountId": str(admin.account_id)}, 404),
    ):
        assert (await ada.rest("POST", "/messages", json=body, headers=_key("m"))).status_code == status
    assert (await ada.client.post("/messages", json=SMS, headers=_key("m"))).status_code == 401
    refused = await ada.graphql(
        CREDIT, {"input": {"accountId": str(ada.account_id), "amount": 1}}, **_key("m")
    )
    assert refused["errors"][0]["extensions"]["code"] == "forbidden"
    assert (await ada.rest("POST", "/messages", json=SMS, headers=_key("m"))).status_code == 202
    assert await services.db.fetchval("SELECT count(*) FROM idempotency_keys") == 2


async def test_a_key_is_kept_for_a_day_and_then_free(ada, services):
    begun = await services.db.fetchval("SELECT now()")
    first = await ada.rest("POST", "/accounts", json=NEW, headers=_key("k"))
    ends, now = await services.db.fetchrow("SELECT expires_at, now() FROM idempotency_keys")
    assert begun <= ends - timedelta(days=1) <= now
    await services.db.fetch("UPDATE idempotency_keys SET expires_at = now() - interval '1 second'")
    second = await ada.rest("POST", "/accounts", json={**NEW, "name": "Else"}, headers=_key("k"))
    assert second.status_code == 201
    assert second.json()["id"] != first.json()["id"]
    again = await ada.rest("POST", "/accounts", json={**NEW, "name": "Else"}, headers=_key("k"))
    assert again.json() == second.json()
    assert await services.db.fetchval("SELECT count(*) FROM idempotency_keys") == 1


BAD_KEYS = [b"", b" ", b'""', b"x" * 256, b"a\tb", b"\xc3\xa9", b"\xff", b"a\x7f", b"a\x01b"]
GOOD_KEYS = [
    b"x",
    b"x" * 255,
    b'"quoted"',
    b"018f3c9e-0000-7000-8000-000000000000",
    b"a b",
    b"' OR 1=1 --",
    b"%00",
]


async def test_which_keys_are_keys(ada):
    for key in BAD_KEYS:
        headers = {b"Idempotency-Key": key, b"Authorization": f"Bearer {ada.token}".encode()}
        answer = await ada.client.post("/accounts", json=NEW, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_idempotency_key"), key
        body = (
            await ada.client.post(
                "/graphql", json={"query": CREATE, "variables": {"input": NEW}}, headers=headers
            )
        ).json()
        assert body["errors"][0]["extensions"]["code"] == "bad_idempotency_key", key
    assert await _accounts(ada) == 1
    for number, key in enumerate(GOOD_KEYS, start=2):
        for _ in range(2):
            answer = await ada.rest("POST", "/accounts", json=NEW, headers=_key(key.decode()))
            assert answer.status_code == 201, key
        assert await _accounts(ada) == number


async def test_what_issues_credentials_keeps_no_answer(auth, ada, services):
    first = await auth.login(ada.email, **_key("k"))
    second = await auth.login(ada.email, **_key("k"))
    assert first.data["refreshToken"] != second.data["refreshToken"]
    for _ in range(2):
        done = await auth.call("graphql", "createApiToken", {"name": "x"}, token=ada.token, headers=_key("k"))
        assert done.code is None
    assert await services.db.fetchval("SELECT count(*) FROM api_tokens") == 2
    assert await services.db.fetchval("SELECT count(*) FROM idempotency_keys") == 0
