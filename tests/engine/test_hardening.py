"""Some faults must not stop or delay others: outcomes that can't be written, providers that hang, senders that
freeze.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from channels.port import Outcome, Receipt, Result
from channels.sandbox import Effect, box
from core.ids import uuid7
from engine import worker as module
from engine.direct import dispatch, outcomes
from engine.direct.dispatch import _BARRIER
from engine.reports import report_writer
from engine.sending.groups import UNWRITABLE
from engine.worker import Worker
from shapes.messages import DeliveryState
from tests.engine.test_dispatch import MAGIC
from tests.engine.test_worker import STOPPED, never, working
from tests.support.early import retry_early
from tests.support.gateway import Gateway
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.rotating

SILENT = MAGIC["email"][Effect.silent]


# Outcomes that can't be written


@pytest.fixture
def answered(gateway: Gateway, monkeypatch: Any) -> dict[UUID, Outcome]:
    """Returns the outcomes that the SMS provider answers, by message; every other message is sent."""
    outcomes: dict[UUID, Outcome] = {}
    (route,) = gateway.services.routes.of("sms")

    async def send(batch: Any) -> list[Outcome]:
        return [outcomes.get(message.id, Outcome(Result.sent, f"p-{message.id}")) for message in batch]

    monkeypatch.setattr(route, "send", send)
    return outcomes


@pytest.mark.parametrize("reason", ["no\x00such number", "no such number", "no\ud800such number"])
async def test_a_reason_that_is_no_text_is_no_obstacle(
    reason: str, gateway: Gateway, ada: Any, drain: Any, answered: dict[UUID, Outcome]
) -> None:
    ids = [await gateway.send(ada) for _ in range(3)]
    answered[ids[1]] = Outcome(Result.refused, code="invalid_recipient", reason=reason)
    assert await asyncio.wait_for(drain("sms"), PATIENCE) == 3
    assert [await gateway.state(id) for id in ids] == ["sent", "failed", "sent"]
    row = await gateway.row(ids[1])
    assert row["failure_code"] == "invalid_recipient"
    assert row["failure_reason"].startswith("no")
    assert row["failure_reason"].endswith("such number")
    assert await gateway.refunds(ids[1]) == 1


async def test_a_reason_of_a_report_is_cleaned_too(gateway: Gateway, ada: Any) -> None:
    id = await gateway.reached(ada)
    await gateway.set("provider = 'smpp', provider_message_id = '7'", id)
    for number in ("7", "8"):  # known, and not yet known
        report = Receipt(number, Result.refused, "undelivered", "no\x00body", datetime.now(UTC))
        async with gateway.db.reading() as db:
            assert (await report_writer.receive_receipts(db, "smpp", [report])).changed == int(number == "7")
    assert (await gateway.row(id))["failure_reason"] == "nobody"
    assert await gateway.count("early_reports WHERE event ->> 'reason' = 'nobody'") == 1


async def test_an_outcome_that_the_database_never_takes_is_isolated(
    gateway: Gateway, ada: Any, drain: Any, answered: dict[UUID, Outcome], capsys: Any
) -> None:
    ids = [await gateway.send(ada) for _ in range(40)]
    answered[ids[20]] = Outcome(Result.sent, "a\x00b")
    answered[ids[30]] = Outcome(Result.refused, code="invalid_recipient")
    assert await asyncio.wait_for(drain("sms"), PATIENCE) == 40
    assert await gateway.states() == {"sent": 38, "unknown": 1, "failed": 1}
    row = await gateway.row(ids[20])
    assert (row["state"], row["failure_code"], row["provider_message_id"]) == ("unknown", UNWRITABLE, None)
    assert row["handed_at"] is not None
    assert await gateway.count("claims") == 0
    assert "an outcome can't be written" in capsys.readouterr().err


async def test_a_refund_that_does_not_fit_is_isolated(
    gateway: Gateway, ada: Any, drain: Any, answered: dict[UUID, Outcome]
) -> None:
    bad, good = await gateway.send(ada), await gateway.send(ada)
    answered[bad] = Outcome(Result.refused, code="invalid_recipient")
    await gateway.db.fetch(
        "WITH full_up AS (UPDATE accounts SET balance = 999999999999.999999 WHERE id = $1 RETURNING balance)"
        " INSERT INTO ledger_entries (id, account_id, kind, amount, reference)"
        " SELECT $2, $1, 'credit', balance - (SELECT sum(amount) FROM ledger_entries WHERE account_id = $1), $2"
        " FROM full_up",
        ada.account_id, uuid7(),
    )  # fmt: skip
    assert await asyncio.wait_for(drain("sms"), PATIENCE) == 2
    assert await gateway.state(good) == "sent"
    row = await gateway.row(bad)
    assert (row["state"], row["failure_code"]) == ("unknown", UNWRITABLE)


async def test_when_not_even_that_can_be_written_the_claim_expires(
    gateway: Gateway, ada: Any, drain: Any, answered: dict[UUID, Outcome]
) -> None:
    bad, good = await gateway.send(ada), await gateway.send(ada)
    await gateway.db.fetch(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'never'; END $$"
    )
    await gateway.db.fetch(
        "CREATE TRIGGER refuse BEFORE UPDATE ON messages FOR EACH ROW"
        f" WHEN (NEW.id = '{bad}' AND NEW.state IN ('sent', 'unknown')) EXECUTE FUNCTION refuse()"
    )
    assert await asyncio.wait_for(drain("sms"), PATIENCE) == 2
    assert [await gateway.state(id) for id in (bad, good)] == ["sending", "sent"]
    assert await gateway.count("claims") == 1
    await gateway.db.fetch("DROP TRIGGER refuse ON messages")
    await gateway.db.fetch("UPDATE claims SET expires_at = now() - interval '1 second'")
    assert await drain("sms") == 1  # the sandbox knows keys, so it is asked again
    assert await gateway.state(bad) == "sent"


# Providers that hang


@pytest.fixture
async def hanging(gateway: Gateway, ada: Any, monkeypatch: Any) -> AsyncIterator[Worker]:
    """A worker whose mail provider answers nothing, with as many drains of it as there may be, each with one claim."""
    never(monkeypatch)
    monkeypatch.setattr(dispatch, "_LOOK_SECONDS", 3600.0)
    async with working(gateway.services) as worker:
        while worker._running["email"] < module._DRAINS:
            await gateway.until({await gateway.send(ada, SILENT, "email"): "sending"})
        yield worker


HANGS = pytest.mark.settings(channel_email="sandbox://hangs?timeout=600&deliver=0", shutdown_seconds=0.6)


@HANGS
@pytest.mark.alone  # as every test that stops a worker: see `working`
async def test_a_provider_that_hangs_starves_no_other(gateway: Gateway, ada: Any, hanging: Worker) -> None:

    async def nothing_queued() -> bool:
        return not await gateway.count("pgqueuer WHERE status = 'queued'")

    async def the_drains_alone() -> bool:
        return await gateway.count("pgqueuer") == module._DRAINS

    for _ in range(20):  # each leaves a job of its own
        await gateway.send(ada, SILENT, "email")
        await until(nothing_queued)
    # The slots of the job engine are free, but for those of the drains.
    await until(the_drains_alone)
    assert hanging._again == {"email"}
    quick = [await gateway.send(ada), await gateway.send(ada, channel="push")]
    await gateway.until(dict.fromkeys(quick, "sent"))  # the mail provider hangs for ten minutes
    assert (await gateway.states())["unknown"] == 0


@pytest.fixture
def answers(gateway: Gateway, monkeypatch: Any) -> asyncio.Event:
    """Returns an event: until it is set, the mail provider does not answer."""
    (route,) = gateway.services.routes.of("email")
    real, answers = route.send, asyncio.Event()

    async def send(batch: Any) -> list[Outcome]:
        await answers.wait()
        outcomes: list[Outcome] = await real(batch)
        return outcomes

    monkeypatch.setattr(route, "send", send)
    return answers


@pytest.mark.settings(channel_email="sandbox://hangs?timeout=0&deliver=0", shutdown_seconds=0.6)
@pytest.mark.alone
async def test_what_came_while_all_drains_were_busy_is_sent_when_one_is_free(
    gateway: Gateway, ada: Any, answers: asyncio.Event, hanging: Worker
) -> None:
    """The message's job is gone and the upkeep sleeps: only the drains' own next round finds it."""
    late = await gateway.send(ada, channel="email")
    await until(lambda: hanging._again == {"email"})
    answers.set()
    await gateway.until({late: "sent"})
    await until(lambda: not hanging._running["email"])
    assert hanging._again == set()
    assert await gateway.states() == {"unknown": module._DRAINS, "sent": 1}


@pytest.mark.alone
async def test_many_senders_against_drains_that_are_often_busy_leave_nothing_behind(
    gateway: Gateway, ada: Any, monkeypatch: Any
) -> None:
    never(monkeypatch)
    monkeypatch.setattr(module, "_DRAINS", 1)
    async with working(gateway.services) as worker:
        drain = worker.dispatcher.drain

        async def slow(channel: str, **options: Any) -> int:
            sent = await drain(channel, **options)
            await asyncio.sleep(
                0.005
            )  # after the last look, before the drain has ended: here a wake-up could be lost
            return sent

        monkeypatch.setattr(worker.dispatcher, "drain", slow)
        for _ in range(40):
            await asyncio.gather(*(gateway.send(ada) for _ in range(2)))
            await asyncio.sleep(0.003)

        async def all_sent() -> bool:
            return (await gateway.states())["sent"] == 80

        async def no_job_left() -> bool:
            return not await gateway.count("pgqueuer")

        await until(all_sent)
        await until(no_job_left)  # a job whose message another drain has sent is worked a moment later


# A quarter of it is for giving back what was not handed over.
@pytest.mark.settings(channel_email="sandbox://hangs?timeout=600&deliver=0", shutdown_seconds=3)
@pytest.mark.alone
async def test_a_stop_does_not_wait_for_a_provider_that_hangs(
    gateway: Gateway, ada: Any, monkeypatch: Any
) -> None:
    never(monkeypatch)
    (route,) = gateway.services.routes.of("email")
    monkeypatch.setattr(route, "batch", 10)
    await gateway.queue(ada, 100, "email")
    await gateway.set(f"\"to\" = '{SILENT}'")
    async with working(gateway.services) as worker:
        await gateway.send(ada, SILENT, "email")
        await until(lambda: gateway.count("messages WHERE handed_at IS NOT NULL"))
        begun = time.monotonic()
    assert time.monotonic() - begun < STOPPED  # the provider hangs for ten minutes
    assert not worker._drains
    # What was in the provider's hands keeps its claim; the rest another worker may send at once.
    states = await gateway.states()
    assert states["sending"] == await gateway.count("messages WHERE handed_at IS NOT NULL")
    assert states["queued"] == 101 - states["sending"] > 0
    assert await gateway.count("messages WHERE state = 'queued' AND claim_id IS NOT NULL") == 0


# Senders that freeze


@pytest.fixture
async def frozen(gateway: Gateway, ada: Any, database: str) -> AsyncIterator[Any]:
    """A process that has frozen between waking a channel and its commit; `commit` is its going on."""
    connection = await asyncpg.connect(database)
    transaction = connection.transaction()
    await transaction.start()
    await connection.execute("SELECT postern_wake('messages.drain.email')")
    yield transaction
    await connection.close()


@pytest.mark.settings(channel_email="sandbox://frozen?deliver=0")
@pytest.mark.alone
async def test_a_frozen_sender_delays_a_drain_and_other_senders_a_little(
    gateway: Gateway, ada: Any, drain: Any, frozen: Any
) -> None:
    """The delay is bounded by `_BARRIER`. Without it they would wait for `lock_timeout`, 5 s."""
    assert timedelta(milliseconds=200) >= _BARRIER
    assert gateway.services.settings.database.lock_timeout == 5
    first = await gateway.send(ada, channel="email")
    begun = time.monotonic()
    draining = asyncio.create_task(drain("email"))
    took = []
    while await gateway.state(first) != "sent":  # a sender that never pauses keeps the drain busy as long
        at = time.monotonic()
        await gateway.send(ada, channel="email")
        took.append(time.monotonic() - at)
    assert time.monotonic() - begun < 4
    assert took
    assert max(took) < 4
    await asyncio.wait_for(draining, PATIENCE)


@pytest.mark.settings(channel_email="sandbox://frozen?deliver=0")
@pytest.mark.alone
async def test_what_a_frozen_sender_commits_after_all_is_sent(
    gateway: Gateway, ada: Any, database: str, monkeypatch: Any
) -> None:
    """The sender found a job and left none, and that job ran before the sender committed."""
    never(monkeypatch)
    await gateway.send(ada, channel="email")
    connection = await asyncpg.connect(database)
    transaction = connection.transaction()
    await transaction.start()
    await connection.execute("SELECT postern_wake('messages.drain.email')")
    assert await connection.fetchval("SELECT count(*) FROM pgqueuer") == 1
    async with working(gateway.services):
        await until(lambda: gateway.count("messages WHERE state = 'sent'"))
        late = uuid7()
        await connection.execute(
            'INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body, price)'
            " VALUES ($1, $2, $3, 'outbound', 'email', 'late@example.com', 'late', 0)",
            late, ada.id, ada.account_id,
        )  # fmt: skip
        await transaction.commit()
        await connection.close()
        await gateway.until({late: "sent"})


# Reports about somebody else's message


async def test_an_early_report_from_before_the_hand_over_is_an_older_messages(
    gateway: Gateway, ada: Any
) -> None:
    """The SMSC has begun its numbers anew; what it said about the old 7 must not fail and refund the new one."""
    ids = {}
    for number, age in (("7", timedelta(hours=40)), ("8", timedelta(minutes=2))):
        report = Receipt(number, Result.refused, "undelivered", "x", datetime.now(UTC) - age)
        async with gateway.db.reading() as db:
            assert (await report_writer.receive_receipts(db, "smpp", [report])).changed == 0
            ids[number] = await gateway.send(ada)
            claim = uuid7()
            await gateway.set(f"state = 'sending', claim_id = '{claim}', handed_at = now()", ids[number])
            sent = outcomes.DirectState(ids[number], DeliveryState.sent, 0, "smpp", number)
            await outcomes.record(db, claim, [sent])
            await retry_early(db, "smpp", [number])
    assert await gateway.state(ids["7"]) == "sent"
    assert (
        await gateway.state(ids["8"]) == "failed"
    )  # clocks differ a little, and a report may overtake the mark
    assert await gateway.count("early_reports") == 0


# What a driver is told of the metadata


@pytest.mark.settings(
    channel_email="sandbox://told?deliver=0",
    channel_sms="sandbox://told?deliver=0",
    channel_push="sandbox://told?deliver=0",
)
@pytest.mark.parametrize("odd", [["x"], 5, {"a": 1}, "a\r\nBcc: v@example.com"])
async def test_only_what_was_checked_for_its_channel_reaches_a_driver(
    odd: Any, gateway: Gateway, ada: Any, drain: Any
) -> None:
    ids = {
        await gateway.send(ada, channel="email", title=odd): None,
        await gateway.send(ada, channel="email", title=odd, subject="S"): "S",
        await gateway.send(ada, channel="push", subject=odd, html=odd, replyTo=odd): None,
        await gateway.send(ada, channel="push", subject=odd, title="T"): "T",
        await gateway.send(ada, channel="sms", subject=odd, title=odd, html=odd, replyTo=odd): None,
    }
    for channel in ("email", "push", "sms"):
        await drain(channel)
    assert await gateway.states() == {"sent": 5}
    seen = {
        accepted.message.id: accepted.message for accepted in box("told").outbox if accepted.message.id in ids
    }
    assert {id: message.subject for id, message in seen.items()} == ids
    assert {(message.html, message.reply_to) for message in seen.values()} == {(None, None)}


async def test_a_price_of_more_decimals_than_money_has_keeps_the_books(gateway: Gateway, ada: Any) -> None:
    await gateway.db.fetch("UPDATE tariffs SET prices = jsonb_set(prices, '{USD,sms}', '0.0000015')")
    for _ in range(3):
        await gateway.send(ada, body="x" * 200)  # two parts each
    await gateway.books()
    balance = await gateway.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert balance == Decimal(100) - 3 * 2 * Decimal("0.000002")
