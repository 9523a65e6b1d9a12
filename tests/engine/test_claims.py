"""Claims: who died, who lives after all, and batches that are broken off."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from channels.port import Outcome, Result
from channels.sandbox import Effect, box
from core.ids import uuid7
from engine.direct import claims
from engine.direct.dispatch import Dispatcher
from engine.direct.outcomes import DirectState, record
from shapes.messages import DeliveryState
from tests.support.gateway import MAGIC, Gateway, hand_overs
from tests.support.waits import PATIENCE, WAITING, until

pytestmark = pytest.mark.settings(channel_sms="sandbox://?timeout=0.05&deliver=0")

LEASE = timedelta(seconds=30)


def dispatcher(gateway: Gateway, lease: float = 30.0) -> Dispatcher:
    return Dispatcher(gateway.services, worker="test", lease=lease, attempts=5)


async def take(
    gateway: Gateway, *, lease: timedelta = LEASE, channel: str = "sms"
) -> tuple[UUID, list[UUID]]:
    claim = uuid7()
    async with gateway.db.reading() as db:
        rows = await claims.claim_due(db, claim, "other", channel, limit=500, lease=lease)
    return claim, [row["id"] for row in rows]


async def mark(gateway: Gateway, claim: UUID, *ids: UUID, provider: str = "sandbox") -> set[UUID]:
    async with gateway.db.reading() as db:
        return await claims.record_intents(db, claim, provider, ids, [0] * len(ids))


async def expire(gateway: Gateway) -> None:
    await gateway.db.fetch("UPDATE claims SET expires_at = now() - interval '1 second'")


async def written(gateway: Gateway, claim: UUID, *verdicts: DirectState) -> list[Any]:
    async with gateway.db.reading() as db:
        return await record(db, claim, verdicts)


def sent(id: UUID) -> DirectState:
    return DirectState(id, DeliveryState.sent, 0, "sandbox", f"p-{id}")


async def test_a_dead_claim_that_was_not_marked_is_sent_by_another(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    id = await gateway.send(ada)
    zombie, _ = await take(gateway)
    assert await drain("sms") == 0  # it is held
    await expire(gateway)
    assert await drain("sms") == 1
    assert await gateway.state(id) == "sent"
    # A worker that lost its claim hands over nothing and writes nothing.
    assert await mark(gateway, zombie, id) == set()
    assert await written(gateway, zombie, DirectState(id, DeliveryState.failed, 0)) == []
    async with gateway.db.reading() as db:
        assert not await claims.renew(db, zombie, LEASE)
        await claims.withdraw_intents(db, zombie, [id], [3])
        await claims.release(db, zombie)
    row = await gateway.row(id)
    assert (row["state"], row["attempts"]) == ("sent", 0)
    assert hand_overs(id) == [(f"{id}.0", 1)]


async def test_after_a_death_the_same_key_goes_to_a_provider_that_knows_keys(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    taken, lost = await gateway.send(ada), await gateway.send(ada)
    claim, ids = await take(gateway)
    assert await mark(gateway, claim, *ids) == {taken, lost}
    (route,) = gateway.services.routes.of("sms")
    item: Any = SimpleNamespace(id=taken, key=f"{taken}.0", to="+14155550100", hidden=None)
    await route.send([item])  # and then the worker died
    await expire(gateway)
    assert await drain("sms") == 2
    assert {await gateway.state(taken), await gateway.state(lost)} == {"sent"}
    assert (hand_overs(taken), hand_overs(lost)) == ([(f"{taken}.0", 2)], [(f"{lost}.0", 1)])


@pytest.mark.parametrize("magic", [Effect.flaky, Effect.throttled, Effect.silent])
async def test_come_back_later_does_not_settle_what_became_of_the_first_hand_over(
    magic: Effect, gateway: Gateway, ada: Any, drain: Any
) -> None:
    """The provider might not have looked for the same key yet: counted as a failure, the message might be sent
    twice.
    """
    id = await gateway.send(ada, MAGIC["sms"][magic])
    claim, _ = await take(gateway)
    await mark(gateway, claim, id)
    await expire(gateway)
    await drain("sms")
    row = await gateway.row(id)
    if magic is Effect.silent:
        assert row["state"] == "unknown"
    else:  # asked once more at once, and then it was taken, under the key that it had
        assert row["state"] in ("sent", "delivered") and row["attempts"] == 0
        assert hand_overs(id) == [(f"{id}.0", 1)]


async def test_two_refusals_to_look_leave_it_unknown(
    gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any
) -> None:
    (route,) = gateway.services.routes.of("sms")

    async def busy(batch: Any) -> list[Outcome]:
        return [Outcome(Result.throttled, code="throttled", retry_after=1) for _ in batch]

    monkeypatch.setattr(route, "send", busy)
    id = await gateway.send(ada)
    claim, _ = await take(gateway)
    await mark(gateway, claim, id)
    await expire(gateway)
    await drain("sms")
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"], row["provider"]) == ("unknown", "throttled", "sandbox")


async def test_after_a_death_another_provider_leaves_it_unknown(
    gateway: Gateway, ada: Any, drain: Any, capsys: Any
) -> None:
    id = await gateway.send(ada)
    claim, _ = await take(gateway)
    await mark(gateway, claim, id, provider="twilio")
    await expire(gateway)
    assert await drain("sms") == 0
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"]) == ("unknown", "worker_died")
    assert "took over a dead worker's messages" in capsys.readouterr().err
    # The worker was only frozen: its outcome counts, once.
    assert len(await written(gateway, claim, sent(id))) == 1
    assert await gateway.state(id) == "sent"
    assert await written(gateway, claim, DirectState(id, DeliveryState.failed, 1)) == []
    assert await gateway.refunds(id) == 0


@pytest.mark.parametrize("state", ["failed", "queued"])
async def test_late_truth_that_it_was_not_taken(state: str, gateway: Gateway, ada: Any, drain: Any) -> None:
    id = await gateway.send(ada)
    claim, _ = await take(gateway)
    await mark(gateway, claim, id, provider="twilio")
    await expire(gateway)
    await drain("sms")
    await written(gateway, claim, DirectState(id, DeliveryState(state), 1, "twilio", code="unavailable"))
    assert await gateway.state(id) == state
    await drain("sms")
    assert await gateway.state(id) == ("sent" if state == "queued" else "failed")
    assert await gateway.refunds(id) == (state == "failed")


async def test_a_record_that_is_being_written_wins_over_a_takeover(gateway: Gateway, ada: Any) -> None:
    """The takeover waits for the row and must look at it anew: what it saw before was `sending`."""
    for provider in ("sandbox", "twilio"):
        id = await gateway.send(ada)
        claim, _ = await take(gateway)
        await mark(gateway, claim, id, provider=provider)
        await expire(gateway)
        async with gateway.db.reading() as db:
            transaction = db.transaction()
            await transaction.start()
            assert len(await record(db, claim, [sent(id)])) == 1
            recovering = asyncio.create_task(dispatcher(gateway).recover())
            await waits(gateway)
            await transaction.commit()
        await recovering
        assert await gateway.state(id) == "sent"


async def test_a_mark_that_is_being_written_wins_over_a_takeover(gateway: Gateway, ada: Any) -> None:
    id = await gateway.send(ada)
    claim, _ = await take(gateway)
    async with gateway.db.reading() as db:
        transaction = db.transaction()
        await transaction.start()
        assert await claims.record_intents(db, claim, "twilio", [id], [0]) == {id}
        await expire(gateway)
        recovering = asyncio.create_task(dispatcher(gateway).recover())
        await waits(gateway)
        await transaction.commit()
    await recovering
    assert await gateway.state(id) == "unknown"  # not `queued`: it is in the provider's hands


@pytest.mark.parametrize("backwards", [False, True])
async def test_a_takeover_that_loses_against_a_record_is_tried_again(
    backwards: bool, gateway: Gateway, ada: Any
) -> None:
    """Each has a row that the other one wants: PostgreSQL ends one of the two, the one that has waited for longest.

    A takeover reads the rows in an order that its plan decides: with one of the two orders they meet.
    """
    for _ in range(2):
        await gateway.send(ada)
    claim, ids = await take(gateway)
    assert await mark(gateway, claim, *ids) == set(ids)
    await expire(gateway)
    first, last = sorted(ids, reverse=backwards)
    recovering = None
    async with gateway.db.reading() as db:
        while True:
            try:
                async with db.transaction():
                    assert len(await record(db, claim, [sent(last)])) == 1
                    if recovering is None:
                        recovering = asyncio.create_task(dispatcher(gateway).recover())
                        await waits(gateway)
                    assert len(await record(db, claim, [sent(first)])) == 1
                break
            except asyncpg.DeadlockDetectedError:
                continue  # on a busy machine the record was the one that waited for a whole second
    await recovering
    assert await gateway.states() == {"sent": 2}
    assert await gateway.count("claims") == 0


async def waits(gateway: Gateway) -> None:
    """Waits until a session of this database waits for a lock."""
    await until(lambda: gateway.db.fetchval(WAITING), 0.005)


async def test_a_connection_that_is_stuck_does_not_go_back(gateway: Gateway) -> None:
    """Its server died in the middle of an answer: asyncpg says so by this error, whenever it is used again."""
    with pytest.raises(asyncpg.InternalClientError):
        async with gateway.db.reading() as db:
            stuck = await db.fetchval("SELECT pg_backend_pid()")
            raise asyncpg.InternalClientError(
                "cannot switch to state 15; another operation (2) is in progress"
            )

    async def gone() -> bool:
        return not await gateway.count("pg_stat_activity WHERE pid = $1", stuck)

    await until(gone)


async def test_a_claim_on_a_route_that_is_gone_ends_honestly(gateway: Gateway, ada: Any, drain: Any) -> None:
    """Handed over by a sandbox of another kind of message: nobody here may ask for it again."""
    id = await gateway.send(ada)
    claim, _ = await take(gateway)
    await mark(gateway, claim, id, provider="sandbox-2")
    await expire(gateway)
    assert await drain("sms") == 0
    assert await gateway.state(id) == "unknown"


async def test_what_fits_no_route_keeps_its_claim_until_it_expires(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    """A message that another worker took over for a route which this worker doesn't know."""
    id = await gateway.send(ada)
    await gateway.set("handed_at = now(), provider = 'sandbox-2'", id)
    assert await drain("sms") == 1
    assert await gateway.state(id) == "sending"
    assert hand_overs(id) == []
    await expire(gateway)
    await drain("sms")
    assert await gateway.state(id) == "unknown"


# A batch that is broken off


@pytest.mark.settings(channel_sms="sandbox://broken-off?deliver=0")
class TestBrokenOff:
    """The sandbox takes 500 messages at once; more have to wait."""

    @pytest.fixture
    def answers(self, gateway: Gateway, monkeypatch: Any) -> asyncio.Event:
        """Returns an event: until it is set, the sandbox takes messages and does not answer."""
        (route,) = gateway.services.routes.of("sms")
        real, answers = route.send, asyncio.Event()

        async def send(batch: Any) -> list[Outcome]:
            outcomes: list[Outcome] = await real(batch)
            await answers.wait()
            return outcomes

        monkeypatch.setattr(route, "send", send)
        return answers

    async def test_a_stop_gives_back_what_waits(
        self, gateway: Gateway, ada: Any, drain: Any, answers: asyncio.Event
    ) -> None:
        ids = await gateway.queue(ada, 600)
        draining = asyncio.create_task(drain("sms"))
        await self.in_hand(gateway, 600)
        gateway.services.stopping.set()
        await until(lambda: self.waiting(gateway, 100))
        answers.set()
        assert await asyncio.wait_for(draining, PATIENCE) == 600
        assert await gateway.states() == {"sent": 500, "queued": 100}
        assert await gateway.count("claims") == 0
        gateway.services.stopping.clear()
        assert await drain("sms") == 100
        assert self.taken(ids) == 600

    async def test_a_lost_claim_hands_over_nothing_more(
        self, gateway: Gateway, ada: Any, drain: Any, answers: asyncio.Event
    ) -> None:
        ids = await gateway.queue(ada, 600)
        draining = asyncio.create_task(drain("sms"))
        await self.in_hand(gateway)
        await expire(gateway)
        await dispatcher(gateway).recover()  # all are queued again: the sandbox knows its keys
        answers.set()
        await asyncio.wait_for(draining, PATIENCE)
        await drain("sms")
        assert await gateway.states() == {"sent": 600}
        assert self.taken(ids) == 600

    @pytest.mark.settings(channel_sms="sandbox://broken-off?deliver=0", lease_seconds=2)
    async def test_the_holder_notices_that_its_claim_is_gone(
        self, gateway: Gateway, ada: Any, drain: Any, answers: asyncio.Event, capsys: Any
    ) -> None:
        """No takeover yet, only an expiry: what is under way is written down, what waits is given back."""
        ids = await gateway.queue(ada, 600)
        draining = asyncio.create_task(drain("sms"))
        await self.in_hand(gateway)
        await expire(gateway)
        await until(lambda: "lost a claim" in capsys.readouterr().err)
        answers.set()
        await asyncio.wait_for(draining, PATIENCE)

        async def all_are_sent() -> bool:
            await drain("sms")
            return bool((await gateway.states()) == {"sent": 600})

        # The same drain sends it under a new claim, or the next one does: what was given back is older than where the
        # worker's last look began, and is found by a look at everything, half a second later at most.
        await until(all_are_sent)
        assert self.taken(ids) == 600

    async def test_the_database_hangs_up_while_outcomes_are_written(
        self, gateway: Gateway, ada: Any, drain: Any, answers: asyncio.Event, capsys: Any
    ) -> None:
        ids = await gateway.queue(ada, 100)
        draining = asyncio.create_task(drain("sms"))
        await self.in_hand(gateway, 100)
        async with gateway.db.reading() as db, db.transaction():
            await db.fetch("SELECT FROM messages FOR UPDATE")
            answers.set()
            for _ in range(2):
                await waits(gateway)  # the drain wants to write down what it did, and loses its connection
                await gateway.db.fetch(
                    "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
                )
        assert await asyncio.wait_for(draining, PATIENCE) == 100
        assert "waiting for the database" in capsys.readouterr().err
        assert await gateway.states() == {"sent": 100}
        assert self.taken(ids) == 100

    @staticmethod
    async def waiting(gateway: Gateway, count: int) -> bool:
        """Returns whether exactly `count` messages have no intent."""
        return await gateway.count("messages WHERE handed_at IS NULL") == count

    @staticmethod
    async def in_hand(gateway: Gateway, count: int = 500) -> None:
        async def has_intent() -> bool:
            return await gateway.count("messages WHERE handed_at IS NOT NULL") >= count

        await until(has_intent, 0.005)

    @staticmethod
    def taken(ids: list[UUID]) -> int:
        """Returns how many of the messages the sandbox took, and checks that it took none twice."""
        mine = set(ids)
        keys = [accepted.message.id for accepted in box("broken-off").outbox if accepted.message.id in mine]
        assert len(keys) == len(set(keys))
        return len(keys)
