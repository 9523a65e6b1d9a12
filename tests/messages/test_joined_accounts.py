"""Messages of several accounts that are joined in one statement."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.ids import uuid7
from resolvers.messages import message_queue
from resolvers.messages.message_queue import ChargedMessage, MessageQueue, Queued
from tests.messages.test_joined import (
    A_REQUEST,
    FREE,
    SMS,
    Account,
    Request,
    account_with,
    answers_are_rows,
    comparable,
    noted,
    one_by_one,
    state_of,
)
from tests.support.people import People

PAID = Request(Decimal("0.1"), FREE, "transactional", None, "x", None)
GRATIS = replace(PAID, price=Decimal(0))


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[ChargedMessage]]:
    """Returns the list of the statements, as lists of their messages."""
    made: list[Sequence[ChargedMessage]] = []
    monkeypatch.setattr(message_queue, "write", noted(made))
    return made


async def of_each(people: People, count: int) -> list[Account]:
    return [await account_with(people, Decimal(1)) for _ in range(count)]


def adding(queue: MessageQueue, messages: Sequence[ChargedMessage]) -> list[asyncio.Task[Queued]]:
    return [asyncio.create_task(queue.add(message)) for message in messages]


def sizes(statements: Sequence[Sequence[ChargedMessage]]) -> list[int]:
    return [len(statement) for statement in statements]


@given(
    balances=st.lists(st.sampled_from(["0", "0.03", "2", "100"]).map(Decimal), min_size=2, max_size=4),
    requests=st.lists(st.tuples(st.integers(0, 3), st.lists(A_REQUEST, max_size=4)), max_size=6),
    faults=st.booleans(),
)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_what_is_joined_of_several_accounts_has_the_result_of_one_after_the_other(
    people, balances, requests, faults
):
    db = people.services.db
    firsts, seconds = [[await account_with(people, balance) for balance in balances] for _ in range(2)]
    of_accounts: list[list[Request]] = [[] for _ in balances]
    for number, some in requests:
        of_accounts[number % len(balances)] += [
            request if faults else replace(request, fault=None) for request in some
        ]
    wanted = [await one_by_one(db, account, some) for account, some in zip(firsts, of_accounts, strict=True)]
    queue, statements = MessageQueue(db), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(message_queue, "write", noted(statements))
        new = [
            [account.new(request) for request in some]
            for account, some in zip(seconds, of_accounts, strict=True)
        ]
        results = iter(
            await asyncio.gather(
                *(queue.join(message.payer_id, message) for some in new for message in some),
                return_exceptions=True,
            )
        )
        await queue.close()
    assert wanted == [
        [account.shown(message, next(results)) for message in some]
        for account, some in zip(seconds, new, strict=True)
    ]
    if any(new):
        assert len({message.payer_id for message in statements[0]}) == sum(map(bool, new))
        assert faults or len(statements) == 1
    for first, second in zip(firsts, seconds, strict=True):
        assert comparable(await state_of(db, second)) == comparable(await state_of(db, first))
        await answers_are_rows(db, second)


LOCKS = {
    "account": "SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
    "counters": "SELECT FROM message_counters WHERE account_id = $1 FOR UPDATE",
    "owner of free messages": """
SELECT FROM users WHERE id = (SELECT owner_id FROM accounts WHERE id = $1) FOR UPDATE
""",
}


@pytest.mark.parametrize("locked", LOCKS)
async def test_an_account_that_is_locked_does_not_hold_up_the_others(people, services, statements, locked):
    """Another transaction has locked the account, what is counted of its owner, or what a foreign key refers to."""
    db, request = services.db, GRATIS if "free" in locked else PAID
    accounts = await of_each(people, 4)
    busy = accounts[0].owner.account_id
    await message_queue.write(db, [accounts[0].new(request)])
    # Each session counts in one of sixteen shards.
    await db.fetch(
        "INSERT INTO message_counters (owner_id, account_id, channel, kind, state, shard, stored, counted)"
        " SELECT owner_id, account_id, channel, kind, state, n, 0, 0 FROM message_counters, generate_series(0, 15) AS n"
        " WHERE account_id = $1 ON CONFLICT DO NOTHING",
        busy,
    )
    queue = MessageQueue(db)
    new = [account.new(request) for account in accounts for _ in range(3)]
    async with db.transaction() as transaction:
        await transaction.execute(LOCKS[locked], busy)
        tasks = adding(queue, new)
        assert {queued.decision for queued in await asyncio.gather(*tasks[3:])} == {"admitted"}
        late = await asyncio.gather(*tasks[:3], return_exceptions=True)
    assert {type(error) for error in late} == {asyncpg.LockNotAvailableError}
    # A statement of all accounts leaves out an account that is locked. Another lock ends it, and each group is written
    # alone. The group of the account waits three times.
    assert sizes(statements[1:]) == ([12, 3, 3, 3] if locked == "account" else [12, 3, 3, 3, 3, 3, 3])
    again = [account.new(request) for account in accounts for _ in range(2)]
    assert {queued.decision for queued in await asyncio.gather(*adding(queue, again))} == {"admitted"}
    # The account has failed, so it is written alone for a while.
    last = statements[5 if locked == "account" else 8 :]
    assert sorted(sizes(last)) == [2, 6]
    assert {message.payer_id for message in min(last, key=len)} == {busy}
    await queue.close()
    for account, count in zip(accounts, (3, 5, 5, 5), strict=True):
        state = await state_of(db, account)
        assert len(state["messages"]) == count
        assert state["balance"] == [(1 - request.price * count,)]


async def test_what_postgresql_refuses_fails_one_statement_of_the_others(people, services, statements):
    """PostgreSQL refuses the owner of a message."""
    first, *others = await of_each(people, 4)
    queue, refused = MessageQueue(services.db), replace(PAID, fault="owner")
    for statement in ([12, 3, 3, 3, 3, 1, 2, 1, 1], [9, 3, 1, 2, 1, 1]):
        statements.clear()
        new = [first.new(refused) for _ in range(3)] + [other.new(PAID) for other in others for _ in range(3)]
        results = await asyncio.gather(*adding(queue, new), return_exceptions=True)
        assert {type(error) for error in results[:3]} == {asyncpg.ForeignKeyViolationError}
        assert {queued.decision for queued in results[3:]} == {"admitted"}
        assert sorted(sizes(statements)) == sorted(statement)
    await queue.close()


@pytest.mark.parametrize("lost", ["before", "after"])
async def test_a_lost_connection_is_the_answer_of_all_and_nothing_is_repeated(
    people, services, monkeypatch, lost
):
    written, write = [], message_queue.write

    async def losing(db: Any, messages: Sequence[ChargedMessage], **more: Any) -> Any:
        written.append(len(messages))
        if lost == "after":
            await write(db, messages, **more)
        raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    monkeypatch.setattr(message_queue, "write", losing)
    accounts, queue = await of_each(people, 3), MessageQueue(services.db)
    results = await asyncio.gather(
        *adding(queue, [account.new(PAID) for account in accounts for _ in range(2)]), return_exceptions=True
    )
    await queue.close()
    assert {type(error) for error in results} == {asyncpg.ConnectionDoesNotExistError}
    assert written == [6]
    count = await services.db.fetchval("SELECT count(*) FROM messages")
    assert count == (6 if lost == "after" else 0)


async def test_a_group_that_waits_too_long_for_the_others_is_written_alone(people, services, monkeypatch):
    begun, gate, write = asyncio.Event(), asyncio.Event(), message_queue.write

    async def slow(db: Any, messages: Sequence[ChargedMessage], *, waits: bool = True) -> Any:
        if not waits:
            begun.set()
            await gate.wait()
        return await write(db, messages, waits=waits)

    monkeypatch.setattr(message_queue, "write", slow)
    monkeypatch.setattr(message_queue, "_GROUP_SECONDS", 0.05)
    first, second, third = await of_each(people, 3)
    queue = MessageQueue(services.db)
    together = adding(queue, [first.new(PAID), second.new(PAID)])
    await begun.wait()
    alone = await queue.add(third.new(PAID))
    assert alone.decision == "admitted"
    assert not any(task.done() for task in together)
    gate.set()
    assert {queued.decision for queued in await asyncio.gather(*together)} == {"admitted"}
    await queue.close()


@pytest.mark.parametrize("locked", [False, True])
async def test_a_key_of_two_accounts_makes_one_message(people, services, statements, locked):
    """An owner's key is for one request, whichever account pays; also if one of them is locked and comes later."""
    db, (first, other) = services.db, await of_each(people, 2)
    second = uuid7()
    await db.fetch(
        "INSERT INTO accounts (id, owner_id, name, currency, balance)"
        " SELECT $1, owner_id, 'second', currency, 1 FROM accounts WHERE id = $2",
        second, first.owner.account_id,
    )  # fmt: skip
    one = first.new(replace(PAID, key="k"))
    two = replace(first.new(replace(PAID, key="k", body="y")), payer_id=second)
    queue = MessageQueue(db)
    async with db.transaction() as transaction:
        if locked:
            await transaction.execute("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", one.payer_id)
        tasks = adding(queue, [one, two, other.new(PAID)])
        results = [await task for task in tasks[1:]]
    results.insert(0, await tasks[0])
    await queue.close()
    winner = ["key_reused", "admitted"] if locked else ["admitted", "key_reused"]
    assert [result.decision for result in results] == [*winner, "admitted"]
    assert sizes(statements) == ([3, 1] if locked else [3])
    assert await db.fetchval("SELECT count(*) FROM messages") == 2


async def test_the_same_key_for_two_accounts_at_once_makes_one_message(ada, services):
    """A user's key is for one request, whichever account pays."""
    second = uuid7()
    await services.db.fetch(
        "INSERT INTO accounts (id, owner_id, name, currency, balance)"
        " SELECT $1, owner_id, 'second', currency, 1 FROM accounts WHERE id = $2",
        second, ada.account_id,
    )  # fmt: skip
    headers = {"Idempotency-Key": "k"}
    answers = await asyncio.gather(
        *(
            ada.rest("POST", "/messages", json={**SMS, "accountId": str(account)}, headers=headers)
            for account in (ada.account_id, second) * 4
        )
    )
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 202}) == 1
    assert {answer.status_code for answer in answers} <= {202, 409, 422}
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 1
