"""Messages that are joined in one statement: the same result as one after the other, whatever is among them."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import AppError
from core.ids import uuid7
from db import models
from resolvers.messages import message_queue
from resolvers.messages.message_queue import ChargedMessage, MessageQueue, NewMessage
from runtime.database_errors import sqlstate, translate
from runtime.group_commit import GroupCommit
from runtime.idempotency import Attempt, stored_model
from runtime.services import Services
from shapes.messages import MessageCategory
from tests.support.people import People, Person

BLOCKED, PROMOTIONAL, FREE = "+14155550101", "+14155550102", "+14155550103"
STORED = stored_model(models.Message)


@dataclass(frozen=True)
class Request:
    """A message by what decides about it. `fault` is what PostgreSQL, or asyncpg before it, refuses."""

    price: Decimal
    to: str
    category: str
    key: str | None
    body: str
    fault: str | None


_PRICES = st.sampled_from(["0", "0.000001", "0.01", "0.02", "0.5", "1", "3"]).map(Decimal)
_FAULTS = st.one_of(
    st.none(),
    st.none(),
    st.none(),
    st.sampled_from(
        ["nul", "surrogate", "metadata nul", "metadata surrogate", "channel", "owner", "overflow"]
    ),
)
A_REQUEST = st.builds(
    Request,
    _PRICES,
    st.sampled_from([BLOCKED, PROMOTIONAL, FREE, FREE]),
    st.sampled_from(["transactional", "promotional"]),
    st.sampled_from([None, None, "a", "b", "c"]),
    st.sampled_from(["x", "y"]),
    _FAULTS,
)
REQUESTS = st.lists(A_REQUEST, max_size=14)


@dataclass
class Account:
    """An account of its own, and the numbers by which its messages are called."""

    owner: Person
    numbers: dict[UUID, int]

    def new(self, request: Request) -> ChargedMessage:
        attempt = (
            Attempt(STORED, self.owner.id, "messages.send", request.key, {"body": request.body})
            if request.key
            else None
        )
        id = uuid7()
        self.numbers[id] = len(self.numbers)
        body, metadata = request.body, {"subject": "é", "number": 1.5, "of": {"any": [None, True]}}
        message = NewMessage(
            "fax" if request.fault == "channel" else "sms",
            request.to,
            {"nul": "\0", "surrogate": "\ud800"}.get(request.fault or "", body),
            {"metadata nul": {"x": "\0"}, "metadata surrogate": {"x": "\ud800"}}.get(
                request.fault or "", metadata
            ),
            category=MessageCategory(request.category),
        )
        return ChargedMessage(
            message,
            self.owner.account_id,
            uuid7() if request.fault == "owner" else self.owner.id,
            attempt,
            id,
            uuid7(),
            None,
            Decimal(10) ** 14 if request.fault == "overflow" else request.price,
            None,
            None,
            1,
            f"messages.drain.{self.owner.id}",
            None,
        )

    def shown(self, new: ChargedMessage, result: Any) -> Any:
        """A result without ids: of an error its code, of a replay the number of the message that it repeats."""
        if isinstance(result, Exception):
            assert not isinstance(result, AppError)
            translated = translate(result)
            return ("error", translated.code if translated else sqlstate(result))
        if result.decision != "replayed":
            assert (result.row is not None) == (result.decision == "admitted")
            if result.row is not None:
                assert result.row.id == new.id
            return (result.decision,)
        repeated = new.attempt.replay(result.answer).value if result.answer else result.repeated
        return ("replayed", self.numbers[repeated.id])


def noted(statements: list[Sequence[ChargedMessage]]) -> Any:
    """Makes a `message_queue.write` that keeps the messages of each statement."""
    write = message_queue.write

    async def noting(db: Any, messages: Sequence[ChargedMessage], **more: Any) -> Any:
        statements.append(messages)
        return await write(db, messages, **more)

    return noting


_STATE = {
    "balance": "SELECT balance FROM accounts WHERE id = $1",
    "messages": """SELECT id, owner_id = (SELECT owner_id FROM accounts WHERE id = $1) AS own, channel, "to", body,
        metadata::text, price, segments, category, state, direction FROM messages WHERE account_id = $1 ORDER BY id""",
    "ledger": """SELECT reference AS id, kind, amount, attempt FROM ledger_entries WHERE account_id = $1
        AND kind <> 'credit' ORDER BY id""",
    "jobs": """SELECT entrypoint LIKE 'messages.drain.%' AS drain FROM pgqueuer
        WHERE entrypoint LIKE '%' || (SELECT owner_id FROM accounts WHERE id = $1)""",
    "keys": """SELECT (answer->>'id')::uuid AS id, operation, key, fingerprint,
        round(extract(epoch FROM expires_at - now()) / 3600) AS hours FROM idempotency_keys
        WHERE user_id = (SELECT owner_id FROM accounts WHERE id = $1) ORDER BY key""",
    "counted": """SELECT sum(stored) AS stored, sum(counted) AS counted FROM message_counters
        WHERE account_id = $1""",
}


async def state_of(db: Any, account: Account) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that was written for an account, with numbers instead of ids."""
    state = {}
    for name, sql in _STATE.items():
        rows = [dict(row) for row in await db.fetch(sql, account.owner.account_id)]
        for row in rows:
            if "id" in row:
                row["id"] = account.numbers[row["id"]]
        state[name] = [tuple(row.values()) for row in rows]
    return state


async def account_with(people: People, balance: Decimal) -> Account:
    owner = await people.make(credit=str(balance))
    db = people.services.db
    await db.fetch(
        "INSERT INTO blocked_phones (id, owner_id, phone, scope) VALUES ($1, $3, $4, 'all'), "
            "($2, $3, $5, 'promotional')",
        uuid7(), uuid7(), owner.id, BLOCKED, PROMOTIONAL,
    )  # fmt: skip
    return Account(owner, {})


async def one_by_one(db: Any, account: Account, requests: list[Request]) -> list[Any]:
    results = []
    for request in requests:
        new = account.new(request)
        try:
            (result,) = await message_queue.write(db, [new])
        except Exception as error:
            result = error
        results.append(account.shown(new, result))
    return results


async def _joined(db: Any, account: Account, requests: list[Request], together: int) -> list[Any]:
    groups = []

    async def write(messages: Any) -> Any:
        groups.append(len(messages))
        return await message_queue.write(db, messages)

    group_commit: GroupCommit[ChargedMessage, Any] = GroupCommit(write, together=together)
    new = [account.new(request) for request in requests]
    results = await asyncio.gather(
        *(group_commit.join("", message) for message in new), return_exceptions=True
    )
    assert not requests or groups[0] == min(together, len(requests)), "they were joined"
    return [account.shown(message, result) for message, result in zip(new, results, strict=True)]


@given(
    balance=st.sampled_from(["0", "0.01", "0.03", "0.5", "2", "100"]).map(Decimal),
    earlier=REQUESTS,
    expired=st.sets(st.sampled_from("abc")),
    requests=REQUESTS,
    together=st.integers(1, 14),
)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_what_is_joined_has_the_result_of_one_after_the_other(
    people, balance, earlier, expired, requests, together
):
    db = people.services.db
    first, second = await account_with(people, balance), await account_with(people, balance)
    for account in (first, second):
        await one_by_one(db, account, earlier)
        await db.fetch(
            "UPDATE idempotency_keys SET expires_at = now() - interval '1 second'"
            " WHERE user_id = $1 AND key = ANY($2)",
            account.owner.id,
            [*expired],
        )
    wanted = await one_by_one(db, first, requests)
    assert await _joined(db, second, requests, together) == wanted
    states = [await state_of(db, account) for account in (first, second)]
    assert comparable(states[1]) == comparable(states[0])
    entries = sum(amount for *_, amount, _ in states[1]["ledger"])
    assert states[1]["balance"] == [(balance + entries,)]
    await answers_are_rows(db, second)


def comparable(state: dict[str, list[tuple[Any, ...]]]) -> dict[str, Any]:
    """The fingerprint and all else is compared; ids of the two accounts are not in it."""
    return {name: sorted(rows, key=repr) for name, rows in state.items()}


async def answers_are_rows(db: Any, account: Account) -> None:
    """SQL stores for a key what `StoredAnswer.dump` would store of the row."""
    rows = await db.fetch(
        "SELECT m.*, metadata AS meta, k.answer::text AS answer FROM messages AS m JOIN idempotency_keys AS k"
        " ON k.answer->>'id' = m.id::text WHERE account_id = $1",
        account.owner.account_id,
    )
    for row in rows:
        loaded = STORED.load(row["answer"])
        for name in STORED._adapters:
            assert getattr(loaded, name) == row[name], name
        assert set(STORED._adapters) == set(orjson.loads(row["answer"]))
        again = STORED.load(STORED.dump(row).decode())
        assert {name: getattr(again, name) for name in STORED._adapters} == {
            name: getattr(loaded, name) for name in STORED._adapters
        }


SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
PUSH = {"to": "device-token", "channel": "push", "body": "hi"}
MUTATION = "mutation($input: SendMessage!) { sendMessage(input: $input) { uuid } }"


async def test_both_doors_join_and_a_bad_request_harms_nobody(ada, services, monkeypatch):
    """A recipient that only PostgreSQL refuses: no check of ours is before it."""
    groups: list[Sequence[ChargedMessage]] = []
    monkeypatch.setattr(message_queue, "write", noted(groups))
    async with services.db.reading() as db:
        await db.execute("ALTER TABLE messages ADD CONSTRAINT refused CHECK (body <> 'refused')")
    rest = [ada.rest("POST", "/messages", json=SMS) for _ in range(10)]
    bad = ada.rest("POST", "/messages", json={**SMS, "body": "refused"})
    graph = [ada.graphql(MUTATION, {"input": SMS}) for _ in range(10)]
    answers = await asyncio.gather(*rest, bad, *graph)
    assert [answer.status_code for answer in answers[:11]] == [202] * 10 + [500]
    assert [body["errors"] for body in answers[11:] if "errors" in body] == []
    assert max(map(len, groups)) > 1
    assert len(groups) < 21
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 20
    assert await services.db.fetchval(
        "SELECT balance FROM accounts WHERE id = $1", ada.account_id
    ) == Decimal("99.8")


async def test_the_same_key_at_once_makes_one_message(ada, services):
    headers = {"Idempotency-Key": "k"}
    same = [ada.rest("POST", "/messages", json=SMS, headers=headers) for _ in range(8)]
    other = [ada.rest("POST", "/messages", json={**SMS, "body": "else"}, headers=headers) for _ in range(4)]
    answers = await asyncio.gather(*same, *other)
    sent = [answer for answer in answers if answer.status_code == 202]
    assert len({answer.json()["id"] for answer in sent}) == 1
    assert {answer.status_code for answer in answers} <= {202, 409, 422}
    assert sum("idempotent-replayed" not in answer.headers for answer in sent) == 1
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 1


async def test_what_is_free_does_not_wait_for_the_account(ada, services):
    async with services.db.reading() as db, db.transaction():
        await db.execute("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", ada.account_id)
        paid, free = await asyncio.gather(
            ada.rest("POST", "/messages", json=SMS), ada.rest("POST", "/messages", json=PUSH)
        )
    assert (paid.status_code, paid.json()["code"], paid.headers["retry-after"]) == (429, "account_busy", "1")
    assert free.status_code == 202, free.text


async def test_more_than_may_wait_are_told_so_at_once(ada, services):
    class Small(MessageQueue):
        def __init__(self, db):
            super().__init__(db)
            self._waiting = 5

    services.single(MessageQueue, lambda: Small(services.db), MessageQueue.close)
    async with services.db.reading() as db, db.transaction():
        await db.execute("SELECT FROM accounts WHERE id = $1 FOR UPDATE", ada.account_id)
        answers = await asyncio.gather(*(ada.rest("POST", "/messages", json=SMS) for _ in range(30)))
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(429, "account_busy")}
    assert {answer.headers["retry-after"] for answer in answers} == {"1"}
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 0
    assert (await ada.rest("POST", "/messages", json=SMS)).status_code == 202


@pytest.mark.parametrize("code", [404, 403, 400])
async def test_what_is_refused_before_it_joins_costs_nobody_anything(ada, bob, services, code):
    """An account of somebody else, a channel without a tariff, a recipient that is none."""
    if code == 403:
        await services.db.fetch("UPDATE tariffs SET channels = ARRAY['email']")
    wrong = {
        404: {**SMS, "accountId": str(bob.account_id)},
        403: SMS,
        400: {**SMS, "to": "x"},
    }[code]
    fine = {"to": "a@example.com", "channel": "email", "body": "hi"}
    answers = await asyncio.gather(
        *(ada.rest("POST", "/messages", json=body) for body in [fine, wrong, fine, wrong, fine])
    )
    assert [answer.status_code for answer in answers] == [202, code, 202, code, 202]


@pytest.mark.parametrize("at_once", [40, 160])
async def test_a_burst_sends_what_there_is_money_for_and_nothing_else(
    people: People, services: Services, at_once: int
) -> None:
    ada = await people.make("ada@example.com", credit="1")
    some = asyncio.Semaphore(at_once)

    async def send() -> int:
        async with some:
            return (await ada.rest("POST", "/messages", json=SMS)).status_code

    answers = Counter(await asyncio.gather(*(send() for _ in range(200))))
    assert answers == {202: 100, 402: 100}
    assert await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id) == 0


@pytest.mark.settings(limit_messages="7/70000")
async def test_messages_that_come_together_are_counted_one_by_one(ada: Person, services: Services):
    answers = await asyncio.gather(*(ada.rest("POST", "/messages", json=SMS) for _ in range(30)))
    assert Counter(answer.status_code for answer in answers) == {202: 7, 429: 23}
    left = sorted(
        int(answer.headers["ratelimit-remaining"]) for answer in answers if answer.status_code == 202
    )
    assert left == [*range(7)]
    waits = {answer.headers["retry-after"] for answer in answers if answer.status_code == 429}
    assert all(9_900 <= int(wait) <= 10_000 for wait in waits), waits
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 7


async def test_requests_of_a_token_share_a_read_and_none_uses_it_after_it_was_revoked(
    ada: Person, services: Services
):
    token = (await ada.rest("POST", "/api-tokens", json={"name": "burst"})).json()
    headers = {"Authorization": f"Bearer {token['token']}"}

    async def ask() -> int:
        return (await ada.client.get("/messages", headers=headers)).status_code

    before = [asyncio.create_task(ask()) for _ in range(40)]
    await asyncio.sleep(0)  # they have begun
    await services.db.fetch("UPDATE api_tokens SET revoked_at = now()")
    after = await asyncio.gather(*(ask() for _ in range(40)))
    assert set(await asyncio.gather(*before)) <= {200, 401}
    assert set(after) == {401}
