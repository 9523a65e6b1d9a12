"""Circuit breakers of routes: a provider that hangs costs few messages, and the others wait for it."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from channels.port import Outcome, Outgoing, Result
from core.errors import Unavailable
from engine.direct import attachments
from engine.messengers.outcomes import outcome_of
from runtime import breakers
from runtime.breakers import THRESHOLD, Breakers, name_of
from tests.support.fake_channels import Fake, use
from tests.support.gateway import Gateway

SILENT = Outcome(Result.unknown, code="timeout", reason="no answer within 3 s")


class Item:
    probe = None


async def hear(breakers: Breakers, name: str, *outcomes: Outcome) -> None:
    await breakers.record_outcomes((name, Item(), outcome) for outcome in outcomes)


async def due(services: Any) -> None:
    """The pause before the next probe is over."""
    await services.db.fetchval("UPDATE route_breakers SET probe_at = now()")


@pytest.fixture
def other(services: Any) -> Breakers:
    """Another worker's."""
    return Breakers(services.db)


async def test_it_opens_after_a_few_silences_in_a_row_and_for_every_worker(services, other):
    breakers = services.breakers
    await hear(breakers, "sms-1", SILENT, SILENT, Outcome(Result.refused), SILENT, SILENT)
    assert breakers.closed("sms-1")  # an answer in between, whatever it said
    await hear(breakers, "sms-1", SILENT)
    assert not breakers.closed("sms-1") and breakers.closed("sms-2")
    assert other.closed("sms-1")
    await other.refresh()
    assert 0 < other.wait("sms-1") <= 5


async def test_one_probe_at_a_time_in_the_whole_installation(services, other):
    breakers = services.breakers
    await hear(breakers, "sms-1", *[SILENT] * THRESHOLD)
    assert await breakers.sift([Item()], lambda _: "sms-1") != ([], [])
    going, waiting = await breakers.sift([Item(), Item()], lambda _: "sms-1")
    assert (len(going), len(waiting)) == (0, 2)
    await due(services)
    for each in (breakers, other):
        await each.refresh()
    going, waiting = await breakers.sift([Item(), Item(), Item()], lambda _: "sms-1")
    assert (len(going), len(waiting)) == (1, 2)
    nobody, _ = await other.sift([Item()], lambda _: "sms-1")
    assert not nobody

    await breakers.record_outcomes([("sms-1", going[0], SILENT)])  # silent again: the pause is twice as long
    pause = await services.db.fetchval("SELECT pause FROM route_breakers")
    assert pause == timedelta(seconds=20)
    await due(services)
    await other.refresh()
    (probe,), _ = await other.sift([Item()], lambda _: "sms-1")
    await other.record_outcomes([("sms-1", probe, Outcome(Result.sent))])
    await breakers.refresh()
    assert breakers.all_closed and other.all_closed


async def test_the_probe_of_a_worker_that_died_is_followed_by_another(services, other):
    await hear(services.breakers, "sms-1", *[SILENT] * THRESHOLD)
    await due(services)
    await services.breakers.refresh()
    await services.breakers.sift([Item()], lambda _: "sms-1")
    await services.db.fetchval("UPDATE route_breakers SET expires_at = now() - interval '1 second'")
    await other.refresh()
    going, _ = await other.sift([Item()], lambda _: "sms-1")
    assert len(going) == 1


async def test_a_probe_that_was_not_handed_over_is_given_back(services, other):
    await hear(services.breakers, "sms-1", *[SILENT] * THRESHOLD)
    await due(services)
    await services.breakers.refresh()
    going, _ = await services.breakers.sift([Item()], lambda _: "sms-1")
    await services.breakers.give_back(going)
    await other.refresh()
    going, _ = await other.sift([Item()], lambda _: "sms-1")
    assert len(going) == 1


async def test_while_the_database_is_away_it_opens_here_and_is_written_later(services, other, monkeypatch):
    async def away(*_: Any) -> None:
        raise OSError("away")

    fetchval = services.db.fetchval
    monkeypatch.setattr(services.db, "fetchval", away)
    await hear(services.breakers, "sms-1", *[SILENT] * THRESHOLD)
    assert not services.breakers.closed("sms-1")
    monkeypatch.setattr(services.db, "fetchval", fetchval)
    await services.breakers.refresh()
    assert not services.breakers.closed("sms-1")
    await other.refresh()
    assert not other.closed("sms-1")


def test_whose_breaker_it_is(services):
    class Named(Fake):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def outgoing(to: str, **metadata: Any) -> Outgoing:
        return Outgoing(UUID(int=0), "", to, "", metadata=metadata)

    pushes, messenger = Named("webpush"), Named("messenger")
    use(services, Fake(), pushes, Named("sandbox"), kind="push")
    first, _, sandbox = services.routes.of("push")
    assert name_of(services.routes, first, outgoing("x")) == "push-1"
    assert name_of(services.routes, sandbox, outgoing("x")) is None
    mozilla = outgoing('{"endpoint": "https://Updates.push.example/abc"}')
    assert name_of(services.routes, pushes, mozilla) == "push-2@updates.push.example"
    assert name_of(services.routes, pushes, outgoing("nonsense")) == "push-2@"
    of_account = outgoing("+1", messenger_account="b7")
    assert name_of(services.routes, messenger, of_account) == "account@b7"
    assert breakers.public_name("push-2@updates.push.example") == "push-2"


@pytest.mark.parametrize(
    ("outcome", "silent"),
    [
        (SILENT, True),
        (Outcome(Result.unknown, code="server_error"), True),
        (Outcome(Result.unknown, code="channel_broke"), None),  # a fault of ours
        (Outcome(Result.transient, code="connect_failed"), True),
        (Outcome(Result.transient, code="bind_timeout"), True),
        (Outcome(Result.transient, code="unavailable"), False),
        (Outcome(Result.throttled), False),
        (Outcome(Result.misconfigured), False),
        (Outcome(Result.refused), False),
    ],
    ids=str,
)
def test_what_is_an_answer(outcome, silent):
    assert breakers._is_silent(outcome) is silent


# direct messages


async def test_messages_wait_for_a_provider_that_hangs_and_go_on_by_themselves(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    up = False
    fake = Fake(lambda _: Result.sent if up else SILENT, batch=2)
    use(gateway.services, fake, breakers=True)
    ids = [await gateway.send(ada, f"u{n}@example.com", channel="email") for n in range(20)]
    await drain("email")
    states = await gateway.states()
    assert states["unknown"] <= THRESHOLD + 2
    assert states["queued"] == 20 - states["unknown"]
    assert len(fake.took) == states["unknown"]
    await drain("email")
    assert len(fake.took) == states["unknown"]  # not even claimed before the pause is over

    await due(gateway.services)
    await gateway.services.breakers.refresh()
    await gateway.hasten()
    await drain("email")
    assert len(fake.took) == states["unknown"] + 1  # one probe
    up = True
    await due(gateway.services)
    await gateway.services.breakers.refresh()
    await gateway.db.fetchval("UPDATE messages SET due_at = now()")
    await drain("email")
    states = await gateway.states()
    assert (states["sent"], states["queued"]) == (20 - states["unknown"], 0)
    assert len({message.id for message in fake.took}) == len(ids)


async def test_another_route_takes_them_meanwhile(gateway: Gateway, ada: Any, drain: Any) -> None:
    hanging, spare = Fake(lambda _: SILENT, batch=1), Fake()
    use(gateway.services, hanging, spare, breakers=True)
    for n in range(10):
        await gateway.send(ada, f"u{n}@example.com", channel="email")
    await drain("email")
    assert await gateway.states() == {"unknown": THRESHOLD, "sent": 10 - THRESHOLD}


# how long a message may wait


async def test_both_doors_and_the_metrics_show_administrators_the_routes(
    gateway: Gateway, ada: Any, admin: Any, drain: Any
) -> None:
    use(gateway.services, Fake(lambda _: SILENT, batch=1), Fake(), breakers=True)
    for n in range(THRESHOLD):
        await gateway.send(ada, f"u{n}@example.com", channel="email")
    await drain("email")
    for path in ("/queue/statistics", "/sending-project-processing/health-check"):
        assert (await ada.rest("GET", path)).json()["routes"] == []
        first, second = (await admin.rest("GET", path)).json()["routes"]
        assert (first["name"], first["state"]) == ("email-1", "open")
        assert first["since"] < first["probeAt"]
        assert (second["name"], second["state"]) == ("email-2", "closed")
        assert (second["since"], second["probeAt"], second["waitingSince"]) == (None, None, None)
    graph = await admin.data(
        "{ queueStatistics { routes { name state } } processingHealth { routes { name state } } }"
    )
    wanted = [{"name": "email-1", "state": "open"}, {"name": "email-2", "state": "closed"}]
    assert graph["queueStatistics"]["routes"] == graph["processingHealth"]["routes"] == wanted
    metrics = (await ada.rest("GET", "/metrics")).text
    assert 'postern_route_open{route="email-1"} 1.0' in metrics
    assert 'postern_route_open{route="email-2"} 0.0' in metrics


async def test_two_drains_of_one_channel_share_the_breaker(gateway: Gateway, ada: Any, drain: Any) -> None:
    fake = Fake(lambda _: SILENT, batch=1)
    use(gateway.services, fake, breakers=True)
    for n in range(30):
        await gateway.send(ada, f"u{n}@example.com", channel="email")
    await asyncio.gather(drain("email"), drain("email"))
    assert len(fake.took) <= THRESHOLD + 2


# what is no answer, and probes that end otherwise


async def test_what_a_driver_refuses_itself_is_no_answer(gateway, ada, drain):
    """every third recipient is refused by the driver itself, which asks no server."""

    def answer(m):
        return (
            Outcome(Result.refused, code="invalid_recipient", asked=False)
            if m.to.startswith("bad")
            else SILENT
        )

    fake = Fake(answer, batch=1)
    use(gateway.services, fake, breakers=True)
    for n in range(30):
        await gateway.send(ada, f"{'bad' if n % 3 == 2 else 'u'}{n}@example.com", channel="email")
    await drain("email")
    states = await gateway.states()
    assert states["unknown"] <= THRESHOLD + 2


async def test_a_probe_that_the_driver_refuses_itself_closes_nothing(gateway, ada, drain):
    fake = Fake(
        lambda m: (
            Outcome(Result.refused, code="invalid_recipient", asked=False)
            if m.to.startswith("bad")
            else SILENT
        ),
        batch=1,
    )
    use(gateway.services, fake, breakers=True)
    for n in range(THRESHOLD):
        await gateway.send(ada, f"u{n}@example.com", channel="email")
    await drain("email")
    await gateway.send(ada, "bad@example.com", channel="email")
    await due(gateway.services)
    await gateway.services.breakers.refresh()
    await drain("email")
    assert not gateway.services.breakers.all_closed


async def test_probe_without_its_file_is_given_back(gateway, ada, drain, dispatcher, monkeypatch):
    fake = Fake(lambda m: SILENT, batch=1)
    use(gateway.services, fake, breakers=True)
    for n in range(THRESHOLD):
        await gateway.send(ada, f"u{n}@example.com", channel="email")
    await drain("email")
    await gateway.send(ada, "files@example.com", channel="email")

    async def not_ready(self, item):
        item.outcome = Outcome(Result.refused, code="attachment_missing")
        return False

    monkeypatch.setattr(type(dispatcher), "load", not_ready)
    monkeypatch.setattr(attachments, "attachment_ids", lambda row: [1])
    await due(gateway.services)
    await gateway.services.breakers.refresh()
    await drain("email")
    row = await gateway.services.db.fetchrow("SELECT holder, expires_at - now() AS left FROM route_breakers")
    assert row["holder"] is None


async def _probing(services):
    """An open breaker, and the message that goes as its probe."""
    breakers = services.breakers
    await hear(breakers, "sms-1", SILENT, SILENT, SILENT)
    await due(services)
    await breakers.refresh()
    (probe,), _ = await breakers.sift([Item()], lambda _: "sms-1")
    return breakers, probe


async def test_a_probe_that_breaks_our_driver_is_given_back(services):
    breakers, probe = await _probing(services)
    await breakers.record_outcomes([("sms-1", probe, Outcome(Result.unknown, code="channel_broke"))])
    row = await services.db.fetchrow("SELECT holder, expires_at - now() AS left FROM route_breakers")
    assert row["holder"] is None


async def test_a_probe_that_was_answered_is_forgotten(services):
    breakers, probe = await _probing(services)
    await breakers.record_outcomes([("sms-1", probe, Outcome(Result.sent))])
    assert not breakers._probes


async def test_a_lost_connection_is_no_answer(services):
    assert breakers._is_silent(Outcome(Result.transient, code="disconnected")) is True


async def test_an_account_that_nobody_asked_has_not_answered(services):
    assert (
        breakers._is_silent(outcome_of(Unavailable("Redis is away.", code="store_unavailable"))) is not False
    )


async def test_a_probe_lasts_as_long_as_its_process_lives(services, other):
    """Some providers may take minutes to answer."""
    breakers = services.breakers
    await hear(breakers, "sms-1", *[SILENT] * THRESHOLD)
    await due(services)
    await breakers.refresh()
    (probe,), _ = await breakers.sift([Item()], lambda _: "sms-1")
    await services.db.fetchval("UPDATE route_breakers SET expires_at = now() + interval '1 second'")
    await breakers.refresh()
    left = "SELECT expires_at - now() FROM route_breakers"
    assert await services.db.fetchval(left) > timedelta(seconds=20)
    await other.refresh()
    assert (await other.sift([Item()], lambda _: "sms-1"))[0] == []

    # Its lease ended all the same, and nobody else probes: what it learns still counts.
    await services.db.fetchval("UPDATE route_breakers SET expires_at = now() - interval '1 second'")
    await breakers.record_outcomes([("sms-1", probe, SILENT)])
    assert await services.db.fetchval("SELECT pause FROM route_breakers") == timedelta(seconds=20)


async def test_an_answer_while_the_database_is_away_closes_it_later(services, monkeypatch):
    breakers = services.breakers
    await hear(breakers, "sms-1", SILENT, SILENT, SILENT)
    await due(services)
    await breakers.refresh()
    (p,), _ = await breakers.sift([Item()], lambda _: "sms-1")
    fetchval = services.db.fetchval

    async def away(*_: Any) -> None:
        raise OSError("away")

    monkeypatch.setattr(services.db, "fetchval", away)
    await breakers.record_outcomes([("sms-1", p, Outcome(Result.sent))])
    monkeypatch.setattr(services.db, "fetchval", fetchval)
    await breakers.refresh()
    assert breakers.all_closed
