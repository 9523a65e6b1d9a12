"""`postern resume` makes the rows of a restored database safe."""

from collections import Counter
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from core.errors import Conflict
from core.ids import uuid7
from db import models
from engine.restore import fence, resume
from engine.restore.fence import fence_of
from runtime.services import Services
from shapes.restores import FenceReason, ResumePolicy
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.projects import Projects

pytestmark = pytest.mark.servers

_RESTORED = """
UPDATE installation SET fenced_at = clock_timestamp(), fence_reason = $1, data_at = beat_at,
  written_by = pg_current_xact_id()::xid::text
"""


async def restore(services: Services, reason: FenceReason = FenceReason.restored) -> None:
    """Sets the fence, as `postern restore` does."""
    await services.db.fetch(_RESTORED, reason.value)


async def again(person: Person, services: Services) -> Person:
    """The user, who has logged in again after the restore."""
    async with services.db.session.begin() as session:
        user = await session.get_one(models.User, person.id)
        family = models.Session(id=uuid7(), user_id=user.id)
        session.add(family)
    return replace(person, token=services.tokens.issue(user.id, family.id, user.token_version))


async def under_way(gateway: Gateway, ada: Person) -> tuple[UUID, UUID]:
    """A message that waits, and one that a worker was handing over when the backup was taken."""
    waits, claimed = await gateway.send(ada), await gateway.send(ada)
    claim = await gateway.db.fetchval(
        "INSERT INTO claims (id, worker, expires_at) VALUES (gen_random_uuid(), 'w', now() + interval '1 minute')"
        " RETURNING id"
    )
    await gateway.set(f"state = 'sending', claim_id = '{claim}', handed_at = now()", claimed)
    return waits, claimed


async def test_by_default_what_waited_is_unknown_and_what_came_since_is_sent(
    beating: Services, gateway: Gateway, ada: Person, drain: Any
) -> None:
    waits, claimed = await under_way(gateway, ada)
    sent = await gateway.reached(ada)
    await restore(beating)
    accepted = await gateway.send(ada)  # the API accepts
    done = await resume.resume(beating, ResumePolicy.unknown)
    assert (done.direct, done.records) == (2, 0)
    await drain("sms")
    await gateway.until({waits: "unknown", claimed: "unknown", sent: "sent", accepted: "sent"})
    row = await gateway.row(waits)
    assert row["failure_code"] == "restored"
    assert "restored from a backup" in row["failure_reason"]
    shown = (await (await again(ada, beating)).rest("GET", f"/messages/{waits}")).json()
    assert (shown["status"], shown["deliveryState"], shown["failureCode"]) == (
        "queued",
        "unknown",
        "restored",
    )


async def test_send_sends_what_waited(beating: Services, gateway: Gateway, ada: Person, drain: Any) -> None:
    waits, claimed = await under_way(gateway, ada)
    await restore(beating)
    await resume.resume(beating, ResumePolicy.send)
    await drain("sms")
    await gateway.until({waits: "sent", claimed: "sent"})


async def test_if_nothing_was_sent_what_was_handed_over_is_judged_as_after_a_crash(
    beating: Services, gateway: Gateway, ada: Person, drain: Any, dispatcher: Any
) -> None:
    waits, claimed = await under_way(gateway, ada)
    await restore(beating)
    done = await resume.resume(beating, ResumePolicy.nothing_sent)
    assert done.direct == 0
    await beating.db.fetch("UPDATE claims SET expires_at = now() - interval '1 second'")
    await dispatcher.recover()
    await drain("sms")
    assert await gateway.state(waits) == "sent"
    assert await gateway.state(claimed) in ("unknown", "sent")  # the sandbox asks again under its key


@pytest.mark.parametrize("policy", ResumePolicy)
async def test_the_messages_of_a_project(
    policy: ResumePolicy, beating: Services, projects: Projects, ada: Person
) -> None:
    project = await projects.make(ada, [f"p{n}@example.com" for n in range(700)], category="transactional")
    await projects.step()  # its messages are made, and none is sent
    assert (await projects.states(project)) == Counter(queued=700)
    await restore(beating)
    done = await resume.resume(beating, policy)
    await projects.hurry()
    await projects.work()
    states = await projects.states(project)
    if policy is ResumePolicy.unknown:
        assert done.records == 700
        assert states == Counter(unknown=700)
    else:
        assert states == Counter(sent=700)
    row = await projects.row(project)
    assert (row["status"], row["status_reason"]) == ("finished", None)
    await projects.sound(project)
    assert await projects.db.fetchval("SELECT count(*) FROM sending_units") == 0


@pytest.mark.parametrize(
    ("fields", "stops"),
    [
        ({"category": "promotional"}, True),
        ({"category": "transactional"}, False),
        ({"category": "transactional", "status": "scheduled", "preparation": None}, True),
        ({"category": "transactional", "status": "paused", "status_reason": "balance_used_up"}, False),
        ({"category": "promotional", "status": "paused", "status_reason": "balance_used_up"}, True),
        ({"category": "promotional", "status": "draft", "preparation": None}, False),
    ],
)
async def test_which_projects_a_person_starts_again(
    fields: dict[str, Any], stops: bool, beating: Services, projects: Projects, ada: Person
) -> None:
    project = await projects.make(ada, ["p@example.com"], **fields)
    if fields.get("preparation", True):
        await projects.step()
    await restore(beating)
    done = await resume.resume(beating, ResumePolicy.nothing_sent)
    row = await projects.row(project)
    if stops:
        assert (row["status"], row["status_reason"], done.projects) == ("stopped", "restored", 1)
        ada = await again(ada, beating)
        shown = (await ada.rest("GET", f"/sending-project/{project}")).json()
        assert shown["statusReason"] == "restored"
        started = await ada.rest("POST", f"/sending-project/start/{project}")
        assert started.json()["status"] in ("running", "scheduled"), started.text
    else:
        assert row["status"] == fields.get("status", "running")


async def test_a_project_whose_messages_are_not_all_made_is_stopped(
    beating: Services, projects: Projects, ada: Person
) -> None:
    project = await projects.make(ada, ["p@example.com"], category="transactional")
    await restore(beating)
    await resume.resume(beating, ResumePolicy.unknown)
    assert (await projects.row(project))["status_reason"] == "restored"
    await projects.work()
    assert await projects.records(project) == []


async def test_all_logins_end_and_tokens_are_listed(beating: Services, ada: Person) -> None:
    made = await ada.rest("POST", "/api-tokens", json={"name": "shop"})
    assert made.status_code == 201, made.text
    assert (await ada.rest("GET", "/user")).status_code == 200
    await restore(beating)
    done = await resume.resume(beating, ResumePolicy.unknown)
    assert done.logins == 1
    assert (await ada.rest("GET", "/user")).status_code == 401
    (token,) = [row["name"] for row in done.credentials if row["kind"] == "API token"]
    assert token == f"shop (…{made.json()['token'][-4:]})"


async def test_cursors_of_a_feed_expire_and_a_sink_goes_on(beating: Services, ada: Person) -> None:
    assert (await ada.rest("GET", "/events")).status_code == 200  # which opens the feed
    await restore(beating)
    epoch = await beating.db.fetchval("SELECT epoch FROM event_feeds WHERE owner_id = $1", ada.id)
    await beating.db.fetch(
        "INSERT INTO event_sinks (id, owner_id, name, kind, url_encrypted, url_visible, stream)"
        " VALUES ($1, $1, 'x', 'nats', '', '', 's')",
        ada.id,
    )
    await beating.db.fetch(
        "INSERT INTO event_sink_cursors (sink_id, owner_id, epoch, position) VALUES ($1, $1, $2, 7)",
        ada.id,
        epoch,
    )
    done = await resume.resume(beating, ResumePolicy.unknown)
    assert done.feeds == 1
    rows = await beating.db.fetch(
        "SELECT f.epoch, c.epoch AS followed, c.position FROM event_feeds AS f"
        " JOIN event_sink_cursors AS c USING (owner_id)"
    )
    assert [(row["epoch"] == row["followed"], row["position"]) for row in rows] == [(True, 7)]
    assert rows[0]["epoch"] != epoch


@pytest.mark.parametrize("reason", FenceReason)
async def test_a_copy_gets_an_id_of_its_own(reason: FenceReason, beating: Services) -> None:
    before = await fence.status(beating.db)
    assert before is not None
    await restore(beating, reason)
    assert not await fence_of(beating).look()
    await resume.resume(beating, ResumePolicy.unknown)
    after = await fence.status(beating.db)
    assert after is not None
    assert after.is_open
    assert (after.id == before.id) is (reason is FenceReason.went_back)
    assert await fence_of(beating).look()
    assert not await fence_of(beating).is_raised()


async def test_a_database_that_was_not_restored_is_refused(beating: Services) -> None:
    with pytest.raises(Conflict, match="was not restored"):
        await resume.resume(beating, ResumePolicy.unknown)
