"""Sending while somebody holds a snapshot: no statement of every message passes what was replaced since."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import asyncpg
import pytest

from core.ids import uuid7
from db import ledger
from engine import upkeep
from engine.direct import claims, dispatch, due_floor
from engine.direct.dispatch import Dispatcher
from engine.direct.due_floor import ALWAYS, DueFloor
from engine.direct.new_messages import PAYER
from tests.support.gateway import Gateway
from tests.support.waits import until

pytestmark = pytest.mark.settings(channel_sms="sandbox://?timeout=0.05&deliver=0")

MANY = 300
LEASE = timedelta(seconds=30)
_BALANCE = "SELECT balance FROM accounts WHERE id = $1"
_READ = """
SELECT COALESCE(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0)::int FROM pg_index WHERE indrelid = $1::regclass
"""
_DUE_READ = "SELECT pg_stat_get_xact_tuples_returned('ix_messages_due'::regclass)"
_CHARGE = """
SELECT decision FROM postern_admit_messages(true, ARRAY[$1::uuid], ARRAY[0.01], ARRAY[false], ARRAY[$2::uuid],
  ARRAY['send'], ARRAY[NULL::text], ARRAY[NULL::bigint], ARRAY[NULL::bytea],
  ARRAY[NULL::uuid], ARRAY[NULL::numeric], ARRAY['USD'])
"""


@pytest.fixture
async def snapshot(database: str) -> AsyncIterator[None]:
    """Holds a snapshot, as a backup does."""
    connection = await asyncpg.connect(database)
    await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    await connection.fetchval("SELECT count(*) FROM users")
    yield
    await connection.close()


async def claimed(db: asyncpg.Connection, since: datetime) -> tuple[int, int]:
    """Claims what is due. Returns how many messages, and how many entries of their index were read."""
    before = await db.fetchval(_DUE_READ)
    rows = await claims.claim_due(db, uuid7(), "w", "sms", limit=10, lease=LEASE, since=since)
    return len(rows), await db.fetchval(_DUE_READ) - before


async def test_a_claim_does_not_pass_what_was_sent_before(
    gateway: Gateway, ada: Any, drain: Any, snapshot: None
) -> None:
    await gateway.queue(ada, MANY)
    assert await drain("sms") == MANY
    since = await gateway.db.fetchval("SELECT now()")
    await gateway.send(ada)
    async with gateway.db.transaction() as db:
        messages, entries = await claimed(db, since)
        assert messages == 1
        assert entries < 20
    async with gateway.db.transaction() as db:
        _, entries = await claimed(db, ALWAYS)
        assert entries >= MANY  # else this test shows nothing


CHARGED = {"charge": Decimal("0.01"), "move": Decimal("0.02"), "payer": Decimal()}


@pytest.mark.parametrize("statement", CHARGED)
async def test_a_charge_does_not_pass_the_balances_of_before(
    statement: str, gateway: Gateway, ada: Any, snapshot: None
) -> None:
    for _ in range(MANY):  # each as two seconds after the last one
        await gateway.db.fetch("UPDATE accounts SET period = period + 1 WHERE id = $1", ada.account_id)
    balance = await gateway.db.fetchval(_BALANCE, ada.account_id)
    async with gateway.db.reading() as db:
        transaction = db.transaction()
        await transaction.start()
        before = await db.fetchval(_READ, "accounts")
        if statement == "charge":
            assert await db.fetchval(_CHARGE, ada.account_id, ada.id) == "admitted"
        elif statement == "move":
            charge = (ada.account_id, CHARGED[statement], uuid7(), uuid7(), None)
            assert await db.fetchval(ledger.CHARGE, *charge) == 1
        else:
            assert (await db.fetchrow(PAYER, ada.account_id))["owner_id"] == ada.id
        assert await db.fetchval(_READ, "accounts") - before < 10
        assert await db.fetchval(_BALANCE, ada.account_id) == balance - CHARGED[statement]
        assert (
            await db.fetchval(_READ, "accounts") - before >= MANY
        )  # by the primary key; else this test shows nothing
        await transaction.rollback()


async def test_an_account_with_messages_is_not_deleted(gateway: Gateway, ada: Any) -> None:
    await gateway.send(ada)
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await gateway.db.fetch("DELETE FROM accounts WHERE id = $1", ada.account_id)


def test_a_look_begins_where_the_last_one_began(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 100.0
    monkeypatch.setattr(due_floor.time, "monotonic", lambda: clock)
    now = datetime(2026, 11, 26, 12, tzinfo=UTC)
    floor = DueFloor()
    assert floor.since() == ALWAYS
    # All that is due: nothing from before is due, but for what is committed late.
    floor.looked(ALWAYS, [], is_all=True, now=now, took=0.001)
    assert floor.since() == now - timedelta(seconds=0.5)
    # Not all: what comes after the first row may wait.
    late = now + timedelta(seconds=10)
    floor.looked(floor.since(), [late, now], is_all=False, now=late, took=0.001)
    assert floor.since() == now
    floor.looked(now, [now + timedelta(seconds=3)], is_all=True, now=now + timedelta(seconds=3.5), took=0.001)
    assert floor.since() == now + timedelta(seconds=3)
    # A look never goes back, and everything is looked at after half a second.
    floor.looked(floor.since(), [], is_all=True, now=now, took=0.001)
    assert floor.since() == now + timedelta(seconds=3)
    clock += 0.5
    assert floor.since() == ALWAYS
    # A look at everything that takes long is rare.
    floor.looked(ALWAYS, [], is_all=True, now=late, took=0.25)
    clock += 4.9
    assert floor.since() == late - timedelta(seconds=0.5)
    clock += 0.1
    assert floor.since() == ALWAYS


async def test_a_message_that_is_given_back_is_found_soon(
    gateway: Gateway, ada: Any, dispatcher: Dispatcher
) -> None:
    """It became due long before the last look of this worker."""
    await gateway.queue(ada, 1)
    await gateway.set("due_at = now() - interval '1 hour'")
    claim = uuid7()
    async with gateway.db.reading() as db:
        assert await claims.claim_due(db, claim, "other", "sms", limit=1, lease=LEASE)
        assert await dispatcher.drain("sms") == 0
        await claims.release(db, claim)

    async def sent() -> bool:
        return await dispatcher.drain("sms") == 1

    await until(sent)


async def test_a_drain_that_lingers_sends_what_comes_soon(
    gateway: Gateway, ada: Any, dispatcher: Dispatcher
) -> None:
    """One that finds nothing ends at once."""
    begun = time.monotonic()
    assert await dispatcher.drain("sms", lingers=True) == 0
    looked = time.monotonic() - begun
    await gateway.send(ada)
    draining = asyncio.create_task(dispatcher.drain("sms", lingers=True))
    await until(lambda: gateway.count("messages WHERE state = 'sent'"), 0.001)
    await gateway.queue(ada, 1)  # without a job
    assert await draining == 2
    assert looked < sum(dispatch._LINGER)


async def test_the_frequent_upkeep_does_not_pass_what_was_sent_before(
    gateway: Gateway, ada: Any, drain: Any, snapshot: None
) -> None:
    await gateway.queue(ada, MANY)
    assert await drain("sms") == MANY
    for within, least, most in ((timedelta(), 0, 10), (upkeep.EVER, MANY, 10 * MANY)):
        async with gateway.db.transaction() as db:
            before = await db.fetchval(_DUE_READ)
            assert not await db.fetchval(f"SELECT {upkeep.is_due(LEASE, within)}")
            await upkeep.wake_channels(db, within)
            assert least <= await db.fetchval(_DUE_READ) - before <= most


async def test_a_message_wakes_its_channel_without_a_look_at_former_jobs(
    gateway: Gateway, snapshot: None
) -> None:
    await gateway.db.fetch("DELETE FROM pgqueuer")
    async with gateway.db.transaction() as db:
        await db.execute(
            "INSERT INTO pgqueuer (priority, entrypoint, status, execute_after)"
            " SELECT 0, 'messages.drain.sms', 'queued', now() - interval '2 minutes' FROM generate_series(1, $1)",
            MANY,
        )
    await gateway.db.fetch("DELETE FROM pgqueuer")
    async with gateway.db.transaction() as db:
        await db.execute("SET LOCAL enable_seqscan = off")
        for _ in range(2):
            before = await db.fetchval(_READ, "pgqueuer")
            await db.execute("SELECT postern_wake('messages.drain.sms')")
            assert await db.fetchval(_READ, "pgqueuer") - before < 10
        before = await db.fetchval(_READ, "pgqueuer")
        assert await db.fetchval("SELECT count(*) FROM pgqueuer WHERE status = 'queued'") == 1
        assert await db.fetchval(_READ, "pgqueuer") - before >= MANY  # else this test shows nothing


@pytest.mark.parametrize(("old", "milliseconds"), [(0, 250), (1, 1000)])
async def test_there_are_fewer_jobs_while_a_snapshot_is_old(
    old: int, milliseconds: int, gateway: Gateway
) -> None:
    await gateway.db.fetch("DELETE FROM pgqueuer")
    async with gateway.db.transaction() as db:
        await db.execute("SELECT setval('old_snapshot', $1)", old)
        await db.execute(
            "INSERT INTO pgqueuer (priority, entrypoint, status, heartbeat)"
            " VALUES (0, 'messages.drain.sms', 'picked', now())"
        )
        for _ in range(2):
            await db.execute("SELECT postern_wake('messages.drain.sms')")
        waits = "SELECT execute_after - now() AS wait FROM pgqueuer WHERE status = 'queued'"
        assert [row["wait"] for row in await db.fetch(waits)] == [timedelta(milliseconds=milliseconds)]


async def test_a_job_that_waits_for_a_minute_gets_another_beside_it(gateway: Gateway) -> None:
    await gateway.db.fetch("DELETE FROM pgqueuer")
    for seconds, jobs in ((0, 1), (50, 1), (61, 2), (0, 2)):
        await gateway.db.fetch(
            "UPDATE pgqueuer SET execute_after = now() - make_interval(secs => $1) WHERE execute_after < now()",
            seconds,
        )
        await gateway.db.fetch("SELECT postern_wake('messages.drain.sms')")
        assert await gateway.db.fetchval("SELECT count(*) FROM pgqueuer") == jobs


@pytest.mark.parametrize(
    ("old", "time", "is_due"), [(0, "12:03", True), (1, "12:03", False), (1, "12:10", True)]
)
async def test_upkeep_looks_at_everything_rarely_while_a_snapshot_is_old(
    old: int, time: str, is_due: bool, gateway: Gateway, ada: Any
) -> None:
    await gateway.queue(ada, 1)
    await gateway.set("due_at = '2026-01-01 11:00Z'")
    await gateway.db.fetch("SELECT setval('old_snapshot', $1)", old)
    condition = upkeep.is_due(LEASE).replace("now()", f"timestamptz '2026-01-01 {time}Z'")
    assert await gateway.db.fetchval(f"SELECT {condition}") is is_due
