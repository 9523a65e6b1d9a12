"""Blocks that end by themselves: nothing is blocked from then on, whoever asks."""

from datetime import timedelta
from typing import Any

import pytest

from engine import blocks, upkeep
from runtime.services import Services
from shapes.blocks import BlockReason, BlockScope
from tests.support.people import Person
from tests.support.projects import Projects

ADDRESS = "anna@example.com"
_ROW = "SELECT reason, scope, expires_at IS NULL AS stays FROM blocked_phones"
MAIL = {
    "to": ADDRESS,
    "channel": "email",
    "body": "Hello",
    "metadata": {"subject": "News"},
    "category": "promotional",
}


async def soft(services: Services, owner: Person, days: float = 90) -> None:
    async with services.db.transaction() as db:
        until = await db.fetchval("SELECT now()") + timedelta(days=days)
        await blocks.block_until(db, owner.id, ADDRESS, BlockReason.softBounce, until)


async def ended(services: Services) -> None:
    """The time of all blocks passes."""
    await services.db.fetch("UPDATE blocked_phones SET expires_at = now() - interval '1 second'")


async def rows(services: Services) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await services.db.fetch(_ROW)]


async def test_a_block_is_shown_with_its_end(ada: Person, services: Services):
    await soft(services, ada)
    (item,) = (await ada.rest("GET", "/block/list")).json()["items"]
    assert (item["reason"], item["scope"]) == ("softBounce", "promotional")
    assert item["expiresAt"] is not None
    assert (await ada.rest("POST", "/messages", json=MAIL)).status_code == 400


async def test_a_block_that_has_ended_stops_nothing_and_is_not_listed(ada: Person, services: Services):
    await soft(services, ada)
    await ended(services)
    assert (await ada.rest("GET", "/block/list")).json()["items"] == []
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 0}
    assert (await ada.data("{blockedPhoneSummary{items{count}} blockedPhones{nodes{uuid}}}")) == {
        "blockedPhoneSummary": {"items": []},
        "blockedPhones": {"nodes": []},
    }
    assert (await ada.rest("POST", "/messages", json=MAIL)).status_code == 202


@pytest.mark.parametrize("over", [False, True])
async def test_a_project_skips_its_recipient_until_the_end(ada: Person, services: Services, over: bool):
    await soft(services, ada)
    if over:
        await ended(services)
    projects = Projects(services)
    project = await projects.make(ada, [ADDRESS])
    await projects.work()
    (record,) = await projects.records(project)
    assert (record["status"] == "skipped") is not over


async def test_a_direct_message_that_waits_is_sent_after_the_end(ada: Person, services: Services, drain: Any):
    id = (await ada.rest("POST", "/messages", json=MAIL)).json()["id"]
    await soft(services, ada)
    await ended(services)
    await drain("email")
    assert (await ada.rest("GET", f"/messages/{id}")).json()["status"] in ("sent", "delivered")


async def test_upkeep_deletes_what_has_ended(ada: Person, services: Services):
    await soft(services, ada)
    await upkeep.prune(services.db, None)
    assert len(await rows(services)) == 1
    await ended(services)
    await upkeep.prune(services.db, None)
    assert await rows(services) == []


async def test_a_later_end_counts(ada: Person, services: Services):
    await soft(services, ada, 90)
    await soft(services, ada, 10)
    left = await services.db.fetchval("SELECT expires_at - now() FROM blocked_phones")
    assert left > timedelta(days=80)


@pytest.mark.parametrize("way", ["one", "many", "engine"])
@pytest.mark.parametrize("over", [False, True])
async def test_a_block_without_an_end_replaces_it(ada: Person, services: Services, way: str, over: bool):
    await soft(services, ada)
    if over:
        await ended(services)
    if way == "one":
        await ada.rest("POST", f"/block/{ADDRESS}", json={"scope": "promotional"})
    elif way == "many":
        await ada.rest("POST", "/block/add/multiple", json={"phones": [ADDRESS], "scope": "promotional"})
    else:
        async with services.db.transaction() as db:
            await blocks.block(db, ada.id, ADDRESS, BlockReason.unsubscribed, BlockScope.promotional)
    assert await rows(services) == [("unsubscribed" if way == "engine" else "manual", "promotional", True)]


async def test_it_changes_no_block_without_an_end(ada: Person, services: Services):
    await ada.rest("POST", f"/block/{ADDRESS}")
    await soft(services, ada)
    assert await rows(services) == [("manual", "all", True)]


async def test_a_stop_word_and_its_end_leave_no_block(ada: Person, services: Services):
    """The person has answered, so the address works."""
    await soft(services, ada)
    async with services.db.transaction() as db:
        await blocks.block(db, ada.id, ADDRESS, BlockReason.optOut, by_stop_word=True)
    assert await rows(services) == [("optOut", "all", True)]
    async with services.db.transaction() as db:
        await blocks.undo_stop_word(db, ada.id, [ADDRESS])
    assert await rows(services) == []


async def test_a_soft_block_beneath_a_stop_word_is_none(ada: Person, services: Services):
    async with services.db.transaction() as db:
        await blocks.block(db, ada.id, ADDRESS, BlockReason.optOut, by_stop_word=True)
    await soft(services, ada)
    async with services.db.transaction() as db:
        await blocks.undo_stop_word(db, ada.id, [ADDRESS])
    assert await rows(services) == []
