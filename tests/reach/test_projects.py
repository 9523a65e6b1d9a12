"""Projects, repeatable ones and chats of credentials with `approvalAbove`: many small ones are no crowd."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from engine import reach
from runtime.services import Services
from tests.approvals.made import ask, decide, plan, rule
from tests.members.made import joined
from tests.reach.limited import REFUSED, SENT, counted, hours_pass, limited, phone, send
from tests.repeatable.schedules import PATH, Schedules
from tests.sending_projects.conftest import Projects
from tests.support.people import Person

START = "mutation($id:ID!){startSendingProject(id:$id){uuid}}"


async def _made(projects: Projects, ada: Person, *numbers: int, **fields: Any) -> str:
    project = await projects.make(ada, **fields)
    for number in numbers:
        await projects.recipient(project, phone(number))
    return project


async def _start(person: Person, project: str) -> tuple[int, str | None]:
    answer = await person.rest("POST", f"/sending-project/start/{project}")
    return answer.status_code, answer.json().get("code")


STARTED = (200, None)


async def test_many_small_projects_are_no_crowd(ada: Person, services: Services, projects: Projects):
    token, id = await limited(ada, 3)
    small = [await _made(projects, ada, number) for number in range(6)]
    answers = [await _start(token, project) for project in small]
    assert answers == [STARTED] * 3 + [REFUSED] * 3
    assert [(await projects.row(project))["status"] for project in small[3:]] == ["draft"] * 3
    same = await _made(projects, ada, 0, 1, 2)
    assert await _start(token, same) == STARTED  # the three again
    assert [await send(token, phone(1)), await send(token, phone(9))] == [SENT, REFUSED]
    large = await _made(projects, ada, *range(20))
    answer = await token.rest("POST", f"/sending-project/start/{large}")
    assert (answer.status_code, answer.json()["details"]) == (409, {"limit": 3, "used": 3, "asked": 20})
    assert await token.code(START, {"id": large}) == "approval_required"
    assert await counted(services, id) == 3
    assert await _start(ada, large) == STARTED


async def test_projects_and_messages_at_once(ada: Person, services: Services, projects: Projects):
    token, id = await limited(ada, 8)
    some = [await _made(projects, ada, 3 * number, 3 * number + 1, 3 * number + 2) for number in range(6)]
    await asyncio.gather(
        *(_start(token, project) for project in some), *(send(token, phone(100 + each)) for each in range(10))
    )
    running = [project for project in some if (await projects.row(project))["status"] == "running"]
    direct = await services.db.fetchval('SELECT count(DISTINCT "to") FROM messages')
    assert 3 * len(running) + direct == await counted(services, id)
    assert 6 <= await counted(services, id) <= 8


async def test_one_that_waits_counts_until_it_has_sent(ada: Person, services: Services, projects: Projects):
    """Else a credential could gather a crowd for one moment: a few people a day, all of them for the same morning."""
    token, id = await limited(ada, 2)
    later = (datetime.now(UTC) + timedelta(days=20)).isoformat()
    first = await _made(projects, ada, 0, 1, startAt=later)
    assert await _start(token, first) == STARTED
    assert (await projects.row(first))["status"] == "scheduled"
    for _ in range(3):
        await hours_pass(services, 30)
        await reach.forget(services)
        second = await _made(projects, ada, 2, 3, startAt=later)
        assert await _start(token, second) == REFUSED
    assert await counted(services, id) in (0, 2)
    assert (await token.rest("POST", f"/sending-project/stop/{first}")).status_code == 200
    await services.db.fetch("UPDATE sending_projects SET updated_at = now() - interval '26 hours'")
    await hours_pass(services, 30)
    await reach.forget(services)
    assert await services.db.fetchval("SELECT count(*) FROM reach_counters") == 0
    assert await _start(token, second) == STARTED


async def test_a_scheduled_project_of_others_is_not_changed_into_ones_own(
    ada: Person, services: Services, projects: Projects
):
    token, _ = await limited(ada, 2, preset="campaigns")
    later = (datetime.now(UTC) + timedelta(days=20)).isoformat()
    project = await _made(projects, ada, *range(5), startAt=later)
    assert await _start(ada, project) == STARTED
    answer = await token.rest("PATCH", f"/sending-project/{project}", json={"text": "Another text"})
    assert (answer.status_code, answer.json()["code"]) == REFUSED
    assert (await projects.row(project))["text"] == "Hi {{ name }}"
    answer = await token.rest("PATCH", f"/sending-project/{project}", json={"name": "Another name"})
    assert answer.status_code == 200, answer.text
    added = {"recipients": [{"phone": phone(number)} for number in (7, 8)]}
    assert (await token.rest("POST", f"/recipient/{project}", json=added)).status_code == 200
    added = {"recipients": [{"phone": phone(9)}]}
    answer = await token.rest("POST", f"/recipient/{project}", json=added)
    assert (answer.status_code, answer.json()["code"]) == REFUSED
    draft = await _made(projects, ada, 0)
    assert (await token.rest("POST", f"/recipient/{draft}", json=added)).status_code == 200


async def test_what_is_added_to_a_scheduled_project_counts_until_it_has_sent(
    ada: Person, services: Services, projects: Projects
):
    """Else a credential could gather a crowd in the project of somebody else, two people a day."""
    token, id = await limited(ada, 2)
    later = (datetime.now(UTC) + timedelta(days=20)).isoformat()
    project = await _made(projects, ada, *range(5), startAt=later)
    assert await _start(ada, project) == STARTED

    async def add(*numbers: int) -> tuple[int, str | None]:
        added = {"recipients": [{"phone": phone(number)} for number in numbers]}
        answer = await token.rest("POST", f"/recipient/{project}", json=added)
        return answer.status_code, answer.json().get("code")

    assert [await add(7), await add(8)] == [STARTED, STARTED]
    for day in range(3):
        await hours_pass(services, 30)
        await reach.forget(services)
        assert [await add(10 + day), await add(7, 8)] == [REFUSED, STARTED]
        assert await send(token, phone(100 + day)) == REFUSED
        assert await counted(services, id) == 2  # the five of the others are not this credential's
    assert (await ada.rest("POST", f"/sending-project/stop/{project}")).status_code == 200
    await services.db.fetch("UPDATE sending_projects SET updated_at = now() - interval '26 hours'")
    await hours_pass(services, 30)
    await reach.forget(services)
    assert await services.db.fetchval("SELECT count(*) FROM reach_additions") == 0
    assert await send(token, phone(100)) == SENT


async def test_who_starts_a_project_counts_all_of_it_from_then_on(
    ada: Person, services: Services, projects: Projects
):
    token, id = await limited(ada, 6)
    later = (datetime.now(UTC) + timedelta(days=20)).isoformat()
    project = await _made(projects, ada, *range(5), startAt=later)
    assert await _start(ada, project) == STARTED
    added = {"recipients": [{"phone": phone(7)}]}
    assert (await token.rest("POST", f"/recipient/{project}", json=added)).status_code == 200
    assert await counted(services, id) == 1
    answer = await token.rest("PATCH", f"/sending-project/{project}", json={"text": "Another text"})
    assert answer.status_code == 200, answer.text
    await hours_pass(services, 30)
    await reach.forget(services)
    assert await send(token, phone(100)) == REFUSED
    assert await send(token, phone(7)) == SENT
    assert await counted(services, id) == 6


async def test_nobody_is_added_to_what_repeats(ada: Person, services: Services, projects: Projects):
    token, _ = await limited(ada, 2, preset="campaigns")
    source = await _made(projects, ada, 0)
    repeating = await Schedules(services).make(ada, source={"sendingProjectUuid": source})
    added = {"recipients": [{"phone": phone(1)}]}
    answer = await token.rest("POST", f"/recipient/{source}", json=added)
    assert (answer.status_code, answer.json()["code"]) == REFUSED
    assert answer.json()["details"]["asked"] is None
    assert (await ada.rest("POST", f"/recipient/{source}", json=added)).status_code == 200
    assert (await ada.rest("POST", f"{PATH}/{repeating}/stop")).status_code == 200
    added = {"recipients": [{"phone": phone(2)}]}
    assert (await token.rest("POST", f"/recipient/{source}", json=added)).status_code == 200


async def test_a_start_waits_until_all_recipients_are_in(ada: Person, services: Services, projects: Projects):
    token, _ = await limited(ada, 2)
    project = await _made(projects, ada, 0)
    await services.db.fetch("UPDATE sending_projects SET recipients_pending = 9 WHERE id = $1", UUID(project))
    assert await _start(token, project) == (409, "still_copying")


async def test_a_retry_counts_those_that_get_it_again(ada: Person, services: Services, projects: Projects):
    token, id = await limited(ada, 2)
    project = await _made(projects, ada, *range(5), status="finished")
    await projects.messages(project, "failed", "delivered", "delivered", "unknown", "failed")
    retry = {"unknown": True}
    answer = await token.rest("POST", f"/sending-project/retry/{project}", json=retry)
    assert (answer.status_code, answer.json()["details"]) == (409, {"limit": 2, "used": 0, "asked": 3})
    several = {"uuids": [project], "unknown": True}
    body = (await token.rest("POST", "/sending-project/multiple/retry", json=several)).json()
    assert [failure["code"] for failure in body["failed"]] == ["approval_required"]
    assert (await token.rest("POST", f"/sending-project/retry/{project}", json={})).status_code == 200
    assert await counted(services, id) == 2
    # A stopped one goes on to everybody.
    stopped = await _made(projects, ada, *range(5), status="stopped")
    await projects.messages(stopped, "failed")
    answer = await token.rest("POST", f"/sending-project/retry/{stopped}", json={})
    assert (answer.status_code, answer.json()["details"]["asked"]) == (409, 5)


async def test_an_approved_plan_is_free(ada: Person, services: Services, projects: Projects):
    token, id = await limited(ada, 1)
    project = await _made(projects, ada, *range(5))
    await rule(ada, mode="off", selfApproval=True)
    made = await plan(ada, project)
    assert await _start(token, project) == REFUSED
    await decide(ada, await ask(ada, project, made["hash"]), made["hash"])
    assert await _start(token, project) == STARTED
    assert str((await projects.row(project))["plan_id"]) == made["uuid"]
    assert await counted(services, id) == 0
    assert [await send(token, phone(0)), await send(token, phone(1))] == [SENT, REFUSED]


async def test_names_of_a_messenger_may_be_crowds(ada: Person, services: Services, projects: Projects):
    token, _ = await limited(ada, 5)
    project = await projects.make(ada, channel="telegram")
    await projects.recipient(project, "@everybody")
    answer = await token.rest("POST", f"/sending-project/start/{project}")
    assert (answer.status_code, answer.json()["code"]) == REFUSED, answer.text
    assert "by phone" in answer.json()["message"]


async def test_a_million_is_refused_at_once(ada: Person, services: Services, projects: Projects):
    token, id = await limited(ada, 1000)
    project = await projects.make(ada)
    await services.db.fetch(
        "INSERT INTO recipients (id, project_id, address) SELECT gen_random_uuid(), $1, '+1415' || (1000000 + n)"
        " FROM generate_series(1, 20000) AS n",
        UUID(project),
    )
    answer = await token.rest("POST", f"/sending-project/start/{project}")
    assert answer.json()["details"] == {"limit": 1000, "used": 0, "asked": 20_000}
    await services.db.fetch("UPDATE api_tokens SET approval_above = 20000 WHERE id = $1", UUID(id))
    assert await _start(token, project) == STARTED
    assert await counted(services, id) == 20_000
    # The hash of PostgreSQL is that of this process: one of them by a message is no other person.
    assert [await send(token, "+14151000001"), await send(token, phone(1))] == [SENT, REFUSED]


async def test_a_sender_who_acts_for_the_owner(
    ada: Person, bob: Person, services: Services, projects: Projects
):
    member, membership = await joined(ada, bob, "sender", approvalAbove=2)
    first, second = await _made(projects, ada, 0, 1), await _made(projects, ada, 1, 2)
    assert [await _start(member, first), await _start(member, second)] == [STARTED, REFUSED]
    assert await counted(services, membership) == 2
