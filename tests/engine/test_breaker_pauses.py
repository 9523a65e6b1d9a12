"""The pauses of circuit breakers: a provider that hangs is left alone for longer than one whose connection was lost."""

from datetime import timedelta
from typing import Any

import pytest

from channels.port import Outcome, Result
from runtime.breakers import THRESHOLD
from tests.engine.test_breakers import SILENT, Item, due, hear

LOST = Outcome(Result.unknown, code="connection_lost", reason="The connection was lost.")
PAUSES = "SELECT pause, probe_at - opened_at AS first FROM route_breakers"


@pytest.mark.parametrize(("silence", "seconds"), [(SILENT, 10), (LOST, 5)], ids=["hung", "lost"])
async def test_a_provider_that_hangs_is_left_alone_for_longer(services, silence, seconds):
    """A probe of it costs a whole time-out, and a message that becomes unknown."""
    breakers, pauses = services.breakers, []
    await hear(breakers, "sms-1", *[silence] * THRESHOLD)
    row = await services.db.fetchrow(PAUSES)
    assert row["pause"] == row["first"] == timedelta(seconds=seconds)
    for _ in range(4):
        await due(services)
        await breakers.refresh()
        (probe,), _ = await breakers.sift([Item()], lambda _: "sms-1")
        await breakers.record_outcomes([("sms-1", probe, silence)])
        pauses.append((await services.db.fetchval("SELECT pause FROM route_breakers")).total_seconds())
    assert pauses == [2 * seconds, 4 * seconds, 8 * seconds, 16 * seconds]


async def test_a_probe_that_hangs_after_lost_connections_is_followed_by_a_longer_pause(services):
    breakers = services.breakers
    await hear(breakers, "sms-1", *[LOST] * THRESHOLD)
    await services.db.fetchval("UPDATE route_breakers SET pause = '1 second'")  # of the release before
    await due(services)
    await breakers.refresh()
    (probe,), _ = await breakers.sift([Item()], lambda _: "sms-1")
    await breakers.record_outcomes([("sms-1", probe, SILENT)])
    assert (await services.db.fetchrow(PAUSES))["pause"] == timedelta(seconds=10)


async def test_a_hang_that_began_while_the_database_was_away_has_its_pause(services, monkeypatch):
    async def away(*_: Any) -> None:
        raise OSError("away")

    fetchval = services.db.fetchval
    monkeypatch.setattr(services.db, "fetchval", away)
    await hear(services.breakers, "sms-1", *[SILENT] * THRESHOLD)
    monkeypatch.setattr(services.db, "fetchval", fetchval)
    await services.breakers.refresh()
    assert (await services.db.fetchrow(PAUSES))["pause"] == timedelta(seconds=10)
