"""Ways around an approval that were tried, and changes that must not cost one."""

from typing import Any
from uuid import UUID

import pytest

from runtime.services import Services
from tests.approvals.made import add, ask, decide, plan, project, rule, start
from tests.approvals.test_approvals import approved, team
from tests.approvals.test_limits import readers, rich, row, run, settle
from tests.members.made import joined
from tests.reconciliations.conftest import projects
from tests.support.people import People, Person
from tests.support.projects import Projects

__all__ = ["projects", "rich", "team"]


async def pending(services: Services, uuid: str, rows: int) -> None:
    await services.db.fetch("UPDATE sending_projects SET recipients_pending = $2 WHERE id = $1", uuid, rows)


async def test_nothing_starts_while_an_import_is_added(ada: Person, services: Services):
    await rule(ada, mode="above", aboveRecipients=5)
    uuid = await project(ada)
    await pending(services, uuid, 40)
    assert (await start(ada, uuid)).json()["code"] == "still_copying"
    await pending(services, uuid, 0)
    assert (await start(ada, uuid)).status_code == 200


async def test_who_adds_an_import_has_changed_the_project(
    ada: Person, team: dict[str, Person], people: People, services: Services
):
    uuid = await project(team["editor"])
    manager = (await joined(ada, await people.make(), "manager"))[0]
    approval, _ = await approved(team, uuid)
    imported = await services.db.fetchval(
        "INSERT INTO recipient_imports (id, owner_id, status, region) VALUES (gen_random_uuid(), $1, 'ready', 'US')"
        " RETURNING id",
        ada.id,
    )
    answer = await manager.rest("POST", f"/recipient/{uuid}", json={"importUuid": str(imported)})
    assert (answer.status_code, answer.json()["added"]) == (200, 0), answer.text
    assert (await ada.rest("GET", f"/approvals/{approval['uuid']}")).json()["state"] == "void"
    made = await plan(team["editor"], uuid)
    again = await ask(team["editor"], uuid, made["hash"])
    assert (await decide(manager, again, made["hash"])).json()["code"] == "own_change"


async def test_a_retry_does_not_send_to_contacts_that_were_changed(
    rich: Person, people: People, projects: Projects, services: Services
):
    await rule(rich, selfApproval=True)
    topic = await readers(rich, 2)
    fields = {"channel": "email", "subject": "S", "audience": {"topicUuids": [topic]}}
    uuid = await project(rich, 0, text="Dear {{ name }}", **fields)
    made = await plan(rich, uuid)
    await decide(rich, await ask(rich, uuid, made["hash"]), made["hash"])
    await rich.rest("POST", "/contacts", json={"externalId": "reader1", "name": "Mallory"})
    assert (await start(rich, uuid)).status_code == 200
    assert (await settle(projects, uuid))["status"] == "finished"
    body = {"skipped": ["changed_after_plan"]}
    answer = await rich.rest("POST", f"/sending-project/retry/{uuid}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (409, "approval_required")


async def test_a_rule_by_amount_binds_the_cost(rich: Person, services: Services):
    await rule(rich, mode="above", aboveAmount=1)
    uuid = await project(rich)
    made = await plan(rich, uuid)
    assert (await start(rich, uuid)).status_code == 200
    assert str((await row(services, uuid))["plan_id"]) == made["uuid"]
    other = await project(rich)
    old = await plan(rich, other)
    await services.db.fetch(
        "UPDATE project_plans SET expires_at = now() - interval '1 second' WHERE id = $1", UUID(old["uuid"])
    )
    assert (await start(rich, other)).json()["code"] == "approval_required"


async def test_an_approval_of_one_run_is_none_of_another_s_change(
    ada: Person, team: dict[str, Person], people: People, projects: Projects, services: Services
):
    manager = (await joined(ada, await people.make(), "manager"))[0]
    body = {
        "name": "Weekly", "template": {"channel": "sms", "text": "Hi"},
        "source": {"sendingProjectUuid": await project(ada, 2)}, "schedule": {"cron": "0 5 * * *", "timezone": "UTC"},
    }  # fmt: skip
    repeatable = (await ada.rest("POST", "/repeatable-sending-project", json=body)).json()["uuid"]
    first, second = [await run(projects, services, repeatable, number) for number in (1, 2)]
    await manager.rest("PATCH", f"/sending-project/{first}", json={"text": "EVIL"})
    await approved(team, second)
    made = await plan(team["editor"], first)
    approval = await ask(team["editor"], first, made["hash"])
    assert (await decide(manager, approval, made["hash"])).json()["code"] == "own_change"


@pytest.fixture
async def scheduled(ada: Person, team: dict[str, Person], services: Services) -> tuple[str, dict[str, Any]]:
    """A project that is scheduled by an approved plan."""
    uuid = await project(team["editor"], speed={"perMinute": 10})
    later = "UPDATE sending_projects SET start_at = now() + interval '1 hour' WHERE id = $1 RETURNING 1"
    await services.db.fetchval(later, uuid)
    approval, _ = await approved(team, uuid)
    assert (await start(team["sender"], uuid)).json()["status"] == "scheduled"
    return uuid, approval


async def state(person: Person, approval: dict[str, Any]) -> str:
    return str((await person.rest("GET", f"/approvals/{approval['uuid']}")).json()["state"])


async def test_a_scheduled_project_gets_no_slower_and_no_new_plan(
    ada: Person, team: dict[str, Person], scheduled: tuple[str, dict[str, Any]]
):
    uuid, approval = scheduled
    slower = await team["editor"].rest("PATCH", f"/sending-project/{uuid}", json={"speed": {"perMinute": 5}})
    assert slower.json()["code"] == "approved_content"
    again = await team["editor"].rest("POST", f"/sending-project/{uuid}/plans")
    assert again.json()["code"] == "approved_content"
    assert (
        await team["editor"].rest("PATCH", f"/sending-project/{uuid}", json={"name": "N"})
    ).status_code == 200
    assert await state(ada, approval) == "approved"


async def test_new_prices_void_no_approval(ada: Person, team: dict[str, Person], services: Services):
    uuid = await project(team["editor"])
    approval, plan_hash = await approved(team, uuid)
    await services.db.fetch(
        """UPDATE tariffs SET prices = jsonb_set(prices, '{USD,sms}', '0.5')
        WHERE code = (SELECT tariff_code FROM users WHERE id = $1)""",
        ada.id,
    )
    assert (await plan(team["editor"], uuid))["hash"] == plan_hash
    assert await state(ada, approval) == "approved"


async def test_what_was_approved_stays_so_after_the_start(
    ada: Person, team: dict[str, Person], services: Services
):
    uuid = await project(team["editor"])
    approval, plan_hash = await approved(team, uuid)
    assert (await start(team["sender"], uuid)).status_code == 200
    refused = await decide(team["approver"], approval, plan_hash, "refused")
    assert refused.json()["code"] == "not_asked"


async def test_a_viewer_reads_no_messages_of_a_plan(ada: Person, team: dict[str, Person], people: People):
    viewer = (await joined(ada, await people.make(), "viewer"))[0]
    uuid = await project(team["editor"], text="Hi {{ phone }}")
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    path = f"/approvals/{approval['uuid']}/review"
    assert (await viewer.rest("GET", path)).json()["messages"] == []
    shown = (await team["approver"].rest("GET", path)).json()["messages"]
    assert shown[0]["body"] == "Hi …0000"
    assert (await ada.rest("GET", path)).json()["messages"][0]["body"] == "Hi +14155550000"


async def test_the_same_list_again_changes_nothing(ada: Person, team: dict[str, Person]):
    uuid = await project(team["editor"])
    approval, _ = await approved(team, uuid)
    await add(team["editor"], uuid, range(3))
    assert await state(ada, approval) == "approved"


async def test_a_segment_voids_only_what_has_not_begun(rich: Person, services: Services):
    await rule(rich, mode="off", selfApproval=True)
    topic = await readers(rich, 2)
    condition = {"all": [{"any": [{"contact": {"name": {"contains": "de"}}}]}]}
    made = await rich.rest("POST", "/segments", json={"name": "S", "filter": condition})
    assert made.status_code == 201, made.text
    approvals = []
    for _ in range(2):
        audience = {"topicUuids": [topic], "exceptSegmentUuids": [made.json()["id"]]}
        uuid = await project(rich, 0, channel="email", subject="S", text="News", audience=audience)
        plan_hash = (await plan(rich, uuid))["hash"]
        approval = await ask(rich, uuid, plan_hash)
        assert (await decide(rich, approval, plan_hash)).status_code == 200
        approvals.append((uuid, plan_hash, approval))
    begun, waiting = approvals
    assert (await start(rich, *begun[:2])).status_code == 200
    changed = {"filter": {"all": [{"any": [{"contact": {"name": {"contains": "fr"}}}]}]}}
    assert (await rich.rest("PATCH", f"/segments/{made.json()['id']}", json=changed)).status_code == 200
    assert await state(rich, begun[2]) == "approved"
    assert await state(rich, waiting[2]) == "void"
    assert (await start(rich, *waiting[:2])).json()["code"] == "plan_changed"
