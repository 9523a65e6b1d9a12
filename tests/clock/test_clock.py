"""A worker or an API process whose wall clock is wrong: what is compared with stored times goes by the database's."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import UUID

import pytest

from core import ids
from core.ids import least_uuid7
from db.clock import REFRESH, DatabaseClock
from db.session import Database
from engine import upkeep
from engine.messengers import call_client
from engine.webhooks.deliverer import Deliverer
from runtime.services import open_services
from tests.auth.doors import Auth
from tests.messenger_hosts.scripted import Scripted, use
from tests.sending_projects.engine.conftest import projects
from tests.sending_projects.engine.test_pauses import ALL_DAYS
from tests.support.hosts import account, becomes
from tests.support.projects import Projects
from tests.support.shifted import shift

__all__ = ["projects"]
WRONG = (25.0, -25.0, 1.0, -1.0)


@pytest.fixture
async def learnt(services):
    """The services of a process that has asked the database for the time, as every process does when it connects."""
    await services.db.fetchval("SELECT 1")
    return services


@pytest.mark.parametrize("hours", WRONG)
async def test_a_fresh_message_does_not_expire(ada, learnt, drain, monkeypatch, hours):
    body = {"channel": "email", "to": "delivered@sandbox.postern.test", "body": "Hello"}
    assert (await ada.rest("POST", "/messages", json=body)).status_code == 202
    shift(monkeypatch, hours)
    await drain("email")
    row = await learnt.db.fetchrow("SELECT state, failure_code FROM messages")
    assert (row["failure_code"], row["state"] in ("sent", "delivered")) == (None, True)


async def test_retention_takes_nothing_that_is_not_old(ada, learnt, drain, monkeypatch):
    body = {"channel": "email", "to": "delivered@sandbox.postern.test", "body": "Hello"}
    await ada.rest("POST", "/messages", json=body)
    await drain("email")
    shift(monkeypatch, 50)
    await upkeep.prune(learnt.db, 1)
    assert await learnt.db.fetchval("SELECT count(*) FROM messages") == 1


@pytest.mark.parametrize("hours", WRONG)
async def test_ids_sort_by_the_database_s_time(ada, learnt, monkeypatch, hours):
    """Messages of a process with a wrong clock stand in the list where they were created."""
    body = {"channel": "email", "to": "delivered@sandbox.postern.test"}

    async def send(text):
        answer = await ada.rest("POST", "/messages", json={**body, "body": text})
        assert answer.status_code == 202
        return UUID(answer.json()["id"])

    first = await send("first")
    shift(monkeypatch, hours)
    second = await send("second")
    monkeypatch.undo()
    third = await send("third")
    assert first < second < third
    made = await learnt.db.fetchval("SELECT created_at FROM messages WHERE id = $1", second)
    assert least_uuid7(made - timedelta(minutes=1)) < second < least_uuid7(made + timedelta(minutes=1))


def test_ids_begin_anew_when_the_clock_is_set_back(monkeypatch):
    at = [2_000_000_000.0]
    monkeypatch.setattr(ids, "_time", lambda: at[0])
    ahead = ids.uuid7()
    at[0] -= 9
    assert ids.uuid7() > ahead  # by so little they go on
    at[0] -= 3600
    back = ids.uuid7()
    assert least_uuid7(datetime.fromtimestamp(at[0], UTC)) < back < ahead
    assert ids.uuid7() > back


@pytest.mark.parametrize("hours", WRONG)
async def test_webhooks_are_tried_by_the_database_s_time(learnt, monkeypatch, hours):
    shift(monkeypatch, hours)
    truth = await learnt.db.fetchval("SELECT now()")
    assert abs(Deliverer(learnt).clock() - truth) < timedelta(minutes=1)


@pytest.mark.parametrize("hours", [1.0, -1.0])
async def test_a_call_from_a_process_with_another_clock_is_taken(
    settings, learnt, ada, host, monkeypatch, hours
):
    use(host, Scripted())
    id = await account(learnt, ada.id)
    await becomes(learnt, id, "working")
    wrong = SimpleNamespace(time=lambda: time.time() + hours * 3600, monotonic=time.monotonic)
    monkeypatch.setattr(call_client, "time", wrong)
    api = open_services(settings)  # another process, as far as calls can tell
    try:
        answer = await call_client.ask(api, id, "me", seconds=5)
    finally:
        await api.close()
    assert answer["phone"] == "+14155550100"


async def test_a_login_does_not_end(client, ada, learnt, monkeypatch):
    auth = Auth(client)
    _, token = await auth.tokens(ada.email)
    shift(monkeypatch, 31 * 24)
    assert (await auth.refresh(token)).code is None


async def test_a_window_opens_by_the_database_s_time(projects: Projects, ada, monkeypatch):
    later = datetime.now(UTC) + timedelta(hours=3)
    window = {
        "timezone": "UTC", "days": ALL_DAYS, "from": f"{later:%H}:00",
        "to": f"{(later + timedelta(hours=2)):%H}:00", "recipientTimezone": False,
    }  # fmt: skip
    project = await projects.make(ada, ["a@example.com"], window=window)
    shift(monkeypatch, 3.5)
    await projects.work()
    assert await projects.states(project) == {"queued": 1}


async def test_the_clock_is_the_database_s_and_goes_on(services):
    clock = DatabaseClock()
    assert clock.stale
    async with services.db.reading() as db:
        await clock.learn(db)
    assert not clock.stale
    truth = await services.db.fetchval("SELECT clock_timestamp()")
    assert abs(clock.now() - truth) < timedelta(seconds=5)
    assert services.db.now().tzinfo is UTC


async def test_the_clock_goes_on_while_the_machine_sleeps(services, monkeypatch):
    """Expired tokens would be good again after a resume, until the clock is looked at."""
    await services.db.fetch("SELECT 1")
    before, real = services.db.now(), time.clock_gettime
    monkeypatch.setattr(
        time, "clock_gettime", lambda which: real(which) + 3600 * (which == time.CLOCK_BOOTTIME)
    )
    assert services.db._clock.now() - before >= timedelta(seconds=3600)
    assert services.db._clock.stale


async def test_a_stale_clock_is_not_asked_for_all_the_time(services, monkeypatch):
    looks = 0

    async def learn(self):
        nonlocal looks
        looks += 1
        raise ConnectionError

    await services.db.fetch("SELECT 1")
    monkeypatch.setattr(Database, "_learn", learn)
    services.db._clock._learnt -= 2 * REFRESH
    for _ in range(10):
        services.db.now()
        await asyncio.sleep(0.01)
    assert looks == 1
    services.db._learning.exception()
