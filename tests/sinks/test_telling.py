"""Operators and owners are told of sinks: by the metrics, the doctor, and what an erasure leaves."""

from datetime import timedelta

import pytest

from core.settings import Settings
from engine.feed import event_feed
from engine.sinks import cursors
from postern.doctor import sinks as doctor
from postern.doctor.findings import Findings
from runtime.leases import leased
from runtime.services import Services
from tests.conftest import MakeSettings
from tests.sinks import made
from tests.support.people import Person

pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def settings(make_settings: MakeSettings) -> Settings:
    return make_settings(metrics_token="metrics")


async def metrics(ada: Person) -> dict[str, float]:
    """Returns the metrics of sinks by their names."""
    answer = await ada.client.get("/metrics", headers={"Authorization": "Bearer metrics"})
    assert answer.status_code == 200
    lines = [
        line.rsplit(" ", 1) for line in answer.text.splitlines() if line.startswith("postern_event_sink")
    ]
    return {name: float(value) for name, value in lines}


async def findings(services: Services) -> list[str]:
    looked = Findings()
    await doctor.look(looked, services.db)
    return [f"{entry.severity.value} {entry.text}" for entry in looked.entries]


async def test_metrics_know_sinks_by_kind(services: Services, ada: Person):
    await event_feed.newest(services.db, ada.id)
    sink = await made.failing(services, ada.id, recovered=False)
    await made.add(services, ada.id, "nats://nats.example.com")
    await services.db.fetch(
        "UPDATE event_sink_cursors SET published = 7, missed = 2 WHERE sink_id = $1", sink
    )
    await services.db.fetch("UPDATE event_feeds SET last_position = last_position + 100")
    assert await metrics(ada) == {
        'postern_event_sinks{kind="nats"}': 2,
        'postern_event_sinks_failing{kind="nats"}': 1,
        'postern_event_sink_lag{kind="nats"}': 200,
        'postern_event_sink_published{kind="nats"}': 7,
        'postern_event_sink_missed{kind="nats"}': 2,
    }


async def test_the_doctor_reports_sinks_that_fail_or_are_behind(services: Services, ada: Person, bob: Person):
    assert await findings(services) == []
    for person in (ada, bob):
        await event_feed.newest(services.db, person.id)
    await made.add(services, bob.id, "nats://nats.example.com", name="Archive")
    assert await findings(services) == ["ok 1 publish, by the workers"]
    async with leased(services.db, cursors.APART, 60):
        assert await findings(services) == ["ok 1 publish, by `postern sinks`"]
    await services.db.fetch(
        "UPDATE event_feeds SET last_position = $2 WHERE owner_id = $1", bob.id, doctor.LATE
    )
    await made.failing(services, ada.id, recovered=False)
    failing, late = await findings(services)
    assert "Warehouse fails since" in failing
    assert "The broker is away." in failing
    assert late.endswith("Archive is 100,000 events behind")


async def test_an_erasure_names_the_sinks_that_have_published(services: Services, ada: Person):
    await event_feed.newest(services.db, ada.id)
    used = await made.add(services, ada.id, "nats://nats.example.com", name="Archive")
    await made.add(services, ada.id, "nats://nats.example.com", name="Unused")
    await services.db.fetch("UPDATE event_sink_cursors SET published = 1 WHERE sink_id = $1", used)
    answer = await ada.rest("POST", "/persons/erase", json={"channel": "email", "address": "x@example.com"})
    assert answer.status_code < 300, answer.text
    (entry,) = [each for each in answer.json()["notErased"] if each["kind"] == "eventSinks"]
    assert "Archive" in entry["reason"]
    assert "Unused" not in entry["reason"]


async def test_a_feed_with_a_sink_counts_as_read(services: Services, ada: Person, bob: Person):
    from engine.feed import rounds

    for person in (ada, bob):
        await event_feed.newest(services.db, person.id)
    await made.add(services, ada.id, "nats://nats.example.com")
    await services.db.fetch(
        "UPDATE event_feeds SET used_at = now() - $1::interval", rounds.UNUSED + timedelta(hours=1)
    )
    await rounds.maintain(services)
    rows = await services.db.fetch("SELECT owner_id FROM event_feeds WHERE recording")
    assert [row["owner_id"] for row in rows] == [ada.id]
