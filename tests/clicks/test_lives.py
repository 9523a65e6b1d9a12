"""Clicks end with their messages and with the person; the links go on. What a killed process had is not counted."""

import asyncio
import signal
from datetime import timedelta

import asyncpg
import httpx
import pytest

from core.ids import uuid7
from core.metrics import CLICKS
from engine import unsubscribe
from engine.clicks.links import LINK_KEY, MESSAGE_KEY, link_id
from engine.clicks.recorder import ClickRecorder, Request
from engine.faultpoints import CLICK_POINTS
from engine.upkeep import retention
from runtime.services import Services, derived_keys
from tests.clicks.made import BROWSER, SALE, click, counted, links, mailed
from tests.conftest import MakeSettings
from tests.persons.test_erasing import dump, erase
from tests.support.live import serving
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import PATIENCE, until

ANNA, BEN = "anna@example.com", "ben@example.com"
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, track_clicks)
  VALUES ($1, $2, $3, 'p', 'email', 'running', true)
"""
_LINK = "INSERT INTO click_links (id, project_id, url) VALUES ($1, $2, $3)"
_RECORD = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, sent_at)
  VALUES ($1, $2, $3, 'email', 'anna@example.com', 'sent', now() - interval '1 minute')
"""


@pytest.mark.settings(record_retention_days=30)
async def test_the_retention_deletes_clicks_and_leaves_links_and_counts(
    projects: Projects, services: Services, ada: Person, client: httpx.AsyncClient
):
    project, sent = await mailed(projects, ada, [ANNA, BEN])
    await click(client, sent[ANNA][0])
    await counted(ada, project, SALE, 1, 0, 0)
    await services.db.fetch(
        "UPDATE sending_projects SET finished_at = now() - $2::interval, updated_at = now() - $2::interval"
        " WHERE id = $1", project, timedelta(days=31),
    )  # fmt: skip
    await retention.retire_projects(services)
    assert (
        await services.db.fetchval("SELECT count(*) FROM message_records WHERE project_id = $1", project) == 0
    )
    assert await services.db.fetch("SELECT * FROM clicks") == []
    assert (await click(client, sent[BEN][0])).headers["location"] == SALE
    assert await links(ada, project) == {SALE: (1, 0, 0), "http://example.org/": (0, 0, 0)}


async def test_an_erasure_leaves_nothing(
    projects: Projects, services: Services, ada: Person, client: httpx.AsyncClient
):
    project, sent = await mailed(projects, ada, [ANNA, BEN])
    for to in (ANNA, BEN):
        await click(client, sent[to][0])
    await counted(ada, project, SALE, 2, 0, 0)
    anna, ben = [row["id"] for row in await projects.records(project)]
    done = await erase(services, ada, channel="email", address=ANNA)
    assert done["counts"]["clicks"] == 1
    rows = await services.db.fetch("SELECT message_id FROM clicks")
    assert [row["message_id"] for row in rows] == [ben]
    assert set(await dump(services, (ANNA,))) <= {"users", "audit_entries"}
    # What comes after it is led on, and is not recorded.
    assert (await click(client, sent[ANNA][1])).headers["location"] == "http://example.org/"
    await click(client, sent[BEN][1])
    await counted(ada, project, "http://example.org/", 1, 0, 0)
    assert anna not in {row["message_id"] for row in await services.db.fetch("SELECT message_id FROM clicks")}


async def test_a_click_that_is_stored_while_the_person_is_erased_goes_with_the_message(
    projects: Projects, services: Services, ada: Person
):
    project, _ = await mailed(projects, ada, [ANNA])
    (record,) = await projects.records(project)
    link = link_id(project, SALE)
    async with services.db.transaction() as db:
        await db.execute("SELECT FROM message_records WHERE id = $1 FOR SHARE", record["id"])
        emptying = asyncio.create_task(
            services.db.fetch("UPDATE message_records SET \"to\" = 'erased' WHERE id = $1", record["id"])
        )
        await asyncio.wait({emptying}, timeout=0.2)
        assert not emptying.done()
        await db.execute(
            "INSERT INTO clicks (message_id, link_id, project_id, owner_id, at) VALUES ($1, $2, $3, $4, now())",
            record["id"], link, project, ada.id,
        )  # fmt: skip
    await emptying
    assert await services.db.fetch("SELECT * FROM clicks") == []


async def test_a_database_that_is_away_delays_no_link_and_what_waits_is_bounded(
    projects: Projects,
    services: Services,
    ada: Person,
    client: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
):
    project, sent = await mailed(projects, ada, [ANNA])
    await click(client, sent[ANNA][1])
    await counted(ada, project, "http://example.org/", 1, 0, 0)
    recorder = ClickRecorder.of(services)
    monkeypatch.setattr("engine.clicks.recorder.MOST_WAITING", 5)
    before = CLICKS.labels("dropped")._value.get()
    async with services.db.transaction() as db:  # nothing can be counted meanwhile
        await db.execute("LOCK TABLE click_links IN ACCESS EXCLUSIVE MODE")
        now, agent = services.db.now(), BROWSER
        for _ in range(20):
            recorder.record(Request(uuid7().bytes * 2, now, False, False, agent, "192.0.2.1"))
        assert (await click(client, sent[ANNA][1])).status_code == 302
        assert len(recorder._queue) <= 5
        assert CLICKS.labels("dropped")._value.get() - before == 15

    await until(lambda: recorder._task is None)
    await click(client, sent[ANNA][0])
    await counted(ada, project, SALE, 1, 0, 0)


async def _value(database: str, sql: str, *arguments: object) -> object:
    connection = await asyncpg.connect(database)
    try:
        return await connection.fetchval(sql, *arguments)
    finally:
        await connection.close()


@pytest.mark.servers
@pytest.mark.parametrize("point", CLICK_POINTS)
def test_a_process_that_dies_after_the_redirect_loses_the_click_alone(
    point: str, make_settings: MakeSettings
) -> None:
    keys = [derived_keys(make_settings(), purpose)[0] for purpose in (MESSAGE_KEY, LINK_KEY)]
    with serving(FAULT_AT=point) as live:
        ada, project, message = live.ada, uuid7(), uuid7()
        link = link_id(project, SALE)
        for sql, arguments in (
            (_PROJECT, (project, ada.id, ada.account_id)),
            (_LINK, (link, project, SALE)),
            (_RECORD, (message, project, ada.id)),
        ):
            asyncio.run(_value(live.database, sql, *arguments))
        url = f"/l/{unsubscribe.token(keys[0], message)}{unsubscribe.token(keys[1], link)}"
        answer = live.client.get(url, headers={"User-Agent": BROWSER}, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (302, SALE)  # before it died
        assert live.process.wait(PATIENCE) == -signal.SIGKILL
        assert asyncio.run(_value(live.database, "SELECT humans FROM click_links WHERE id = $1", link)) == 0
        assert asyncio.run(_value(live.database, "SELECT count(*) FROM clicks")) == 0
