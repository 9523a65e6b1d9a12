"""The turn of a month under load, with workers that are killed at every point of the statements."""

import asyncio
import signal
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import orjson
import pytest

from core.ids import uuid7
from db import ledger
from engine.faultpoints import STATEMENT_POINTS
from engine.reconciliations import jws
from engine.reconciliations.verifying import verify_chain
from engine.statements.making import make_statement
from engine.statements.months import begin_of, newest_final
from tests.faults.world import World, shared_world
from tests.statements.conftest import SHIFT, Books, total_of, verified
from tests.support.people import Person
from tests.support.waits import until

ACCOUNTS = 3
_TURN = """
CREATE TABLE test_turn (back interval NOT NULL);
CREATE FUNCTION test_turned() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shift interval := (SELECT back FROM test_turn);
BEGIN
  IF shift IS NOT NULL THEN
    NEW.created_at := NEW.created_at - shift;
    NEW.id := test_shifted(NEW.id, shift);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER test_turned BEFORE INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION test_turned();
"""
_MESSAGE = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body, price, segments, provider, state)
SELECT $1, owner_id, id, 'outbound', 'sms', $3, 'x', $4, 2, 'sandbox', 'sent' FROM accounts WHERE id = $2
"""
_PAIRS = """
SELECT s.account_id, s.month, s.document, s.signature, s.begun_at, k.public_key FROM statements AS s
JOIN signing_keys AS k ON k.kid = s.key_id ORDER BY s.account_id, s.month
"""


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


async def _load(url: str, account: UUID, number: int) -> None:
    """Charges and refunds as the dispatcher does it, until it is canceled."""
    db = await asyncpg.connect(url)
    phones = ("+14155550100", "+491512345670", "+447700900123")
    turn = 0
    try:
        while True:
            turn += 1
            message, price = uuid7(), Decimal(f"0.00{number}{turn % 7}1")
            async with db.transaction():
                await db.execute(_MESSAGE, message, account, phones[turn % 3], price)
                assert await db.fetchval(ledger.CHARGE, account, price, uuid7(), message, None)
            if turn % 5 == 0:
                await db.execute(ledger.REFUND, account, price, uuid7(), message, None)
    finally:
        await db.close()


async def _sides(db: asyncpg.Connection, moment: datetime) -> bool:
    """Returns whether each account has moved often enough on both sides of a moment."""
    rows = await db.fetch(
        "SELECT account_id, count(*) FILTER (WHERE created_at < $1) AS old, count(*) FILTER (WHERE created_at >= $1)"
        " AS new FROM ledger_entries WHERE kind <> 'credit' GROUP BY 1", moment,
    )  # fmt: skip
    return len(rows) == ACCOUNTS and all(row["old"] > 50 and row["new"] > 50 for row in rows)


@pytest.mark.rotating
async def test_the_turn_of_a_month_under_load(it: World):
    db = await asyncpg.connect(it.url)
    turn = begin_of(newest_final(await db.fetchval("SELECT now()")))  # two months are final: around it
    before = (turn - timedelta(days=1)).replace(day=1)
    await db.execute(SHIFT)
    for _ in range(ACCOUNTS):
        await it.owner()
    await db.execute(
        "UPDATE ledger_entries SET id = test_shifted(id, now() - $1), created_at = $1",
        turn - timedelta(days=9),
    )
    await db.execute("UPDATE accounts SET created_at = $1", turn - timedelta(days=10))
    await db.execute(_TURN)
    await db.execute(
        "INSERT INTO test_turn SELECT now() + interval '1 second' - $1::timestamptz", turn
    )  # a second from now it is the turn of the month
    accounts = [row["id"] for row in await db.fetch("SELECT id FROM accounts ORDER BY id")]
    load = [asyncio.create_task(_load(it.url, account, at)) for at, account in enumerate(accounts, 1)]
    try:
        await until(lambda: _sides(db, turn), 0.1)
        await db.execute("DELETE FROM test_turn")  # from now on the load is of today
        await db.execute(
            "INSERT INTO statement_months (month) VALUES ($1)",
            (before - timedelta(days=1)).date().replace(day=1),
        )
        for point in STATEMENT_POINTS:
            dying = await it.start_worker("postern", "worker", POSTERN_LEASE_SECONDS="1", FAULT_AT=point)
            assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL, point
        begun = {
            (row["account_id"], row["month"]): row["begun_at"]
            for row in await db.fetch("SELECT * FROM statements WHERE begun_at IS NOT NULL")
        }
        assert begun
        await it.start_worker("postern", "worker", POSTERN_LEASE_SECONDS="1")
        await until(
            lambda: db.fetchval(
                "SELECT count(*) = $1 FROM statements WHERE made_at IS NOT NULL", 2 * ACCOUNTS
            ),
            0.2,
        )
        assert not [task for task in load if task.done()]
    finally:
        for task in load:
            task.cancel()
        await asyncio.gather(*load, return_exceptions=True)
    rows = await db.fetch(_PAIRS)
    assert len(rows) == 2 * ACCOUNTS
    for account, old, new in zip(accounts, rows[::2], rows[1::2], strict=True):
        assert (old["account_id"], new["account_id"]) == (account, account)
        chain = verify_chain([verified(_bundle(row)) for row in (old, new)])
        first, second = (each.document for each in chain)
        sums = await db.fetchrow(
            "SELECT sum(amount) FILTER (WHERE created_at < $2) AS old, sum(amount) FILTER (WHERE created_at >= $2"
            " AND created_at < $3) AS new, sum(amount) FILTER (WHERE created_at >= $3) AS later FROM ledger_entries"
            " WHERE account_id = $1",
            account, turn, turn + timedelta(days=25),
        )  # fmt: skip
        balance = await db.fetchval("SELECT balance FROM accounts WHERE id = $1", account)
        assert (first["state"], second["state"]) == ("balanced", "balanced")
        assert (total_of(first), total_of(second)) == (sums["old"], sums["new"])
        assert first["balance"]["closing"] == second["balance"]["opening"]
        assert sums["later"] < 0
        assert Decimal(second["balance"]["closing"]) == balance - sums["later"]
        assert {line["country"] for line in second["lines"] if line["kind"] == "charge"} == {"US", "DE", "GB"}
        for row in (old, new):
            assert row["begun_at"] == begun.get((account, row["month"]), row["begun_at"])
    await db.close()


def _bundle(row: Any) -> Any:
    return {
        "document": orjson.loads(row["document"]),
        "signature": row["signature"],
        "keys": {"keys": [jws.jwk(row["public_key"])]},
    }


async def test_the_same_records_make_the_same_bytes(books: Books, ada: Person, drain: Any):
    """As a worker finds them that goes on after one that was killed: with its time."""
    for phone in ("+14155550100", "+491512345670"):
        await ada.rest("POST", "/messages", json={"to": phone, "channel": "sms", "body": "x"})
    await drain("sms")
    await books.move(ada, books.begin + timedelta(days=3))
    await books.close()
    stored = "SELECT document, hash, signature, number FROM statements"
    first = tuple((await books.db.fetchrow(stored)).values())
    async with books.db.transaction() as db:
        await db.execute(
            "UPDATE statements SET made_at = NULL, number = NULL, state = NULL, document = NULL, hash = NULL,"
            " signature = NULL, key_id = NULL, opening_balance = NULL, closing_balance = NULL"
        )
    await make_statement(books.services, await books.db.fetchval("SELECT id FROM statements"))
    assert tuple((await books.db.fetchrow(stored)).values()) == first
