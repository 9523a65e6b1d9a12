"""A rate that is changed while a project runs counts at once, in all workers."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from engine.projects import scheduler
from engine.projects.cycle import runner_of
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until

_WAITS = """
SELECT count(*) FROM pgqueuer WHERE entrypoint = 'projects.visit' AND convert_from(payload, 'UTF8') = $1
  AND execute_after > now() + interval '5 seconds'
"""
_SENDER = """
INSERT INTO source_accounts (id, owner_id, source, login, name, token_hash, token_encrypted, token_hint, status)
VALUES (gen_random_uuid(), $1, 'sms', 'sender', 'sender', '', '', '', 'connected') RETURNING id
"""


def addresses(count: int) -> list[str]:
    return [f"u{n}@example.com" for n in range(count)]


async def slow(projects: Projects, ada: Person, speed: dict[str, Any], **fields: Any) -> UUID:
    """Returns a project that has sent what its rate allows and waits for nearly a minute."""
    project = await projects.make(ada, addresses(40), speed=speed, **fields)
    await projects.work()
    assert await projects.states(project) == {"sent": 1, "queued": 39}
    assert await projects.db.fetchval(_WAITS, str(project)) == 1
    return project


async def sent(projects: Projects, project: UUID, count: int) -> bool:
    await projects.work()
    return (await projects.states(project))["sent"] == count


@pytest.mark.parametrize("name", ["perMinute", "perAccountPerMinute"])
async def test_a_raised_rate_counts_at_once(name: str, projects: Projects, ada: Person):
    fields = {}
    if name == "perAccountPerMinute":
        fields["account_uuids"] = [await projects.db.fetchval(_SENDER, ada.id)]
    project = await slow(projects, ada, {name: 1}, **fields)
    answer = await ada.rest("PATCH", f"/sending-project/{project}", json={"speed": {name: 6000}})
    assert answer.status_code == 200
    # No job of the old rate is left: any worker may help.
    assert await projects.db.fetchval(_WAITS, str(project)) == 0
    await until(lambda: sent(projects, project, 40))  # within 1.2 s; it was a minute


async def test_a_lowered_rate_counts_at_once(projects: Projects, ada: Person):
    project = await projects.make(ada, addresses(400), speed={"perMinute": 6000})
    await projects.work()
    before = (await projects.states(project))["sent"]
    assert before >= 120
    await ada.rest("PATCH", f"/sending-project/{project}", json={"speed": {"perMinute": 1}})
    await projects.work()
    assert (await projects.states(project))["sent"] <= before + 1


async def test_a_worker_that_waits_by_the_old_rate_asks_again(
    projects: Projects, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    """The rate is raised after the worker has read the project, and before it stores how long it waits."""
    project = await projects.make(ada, addresses(40), speed={"perMinute": 1})
    rates, taken = runner_of(projects.services).send_rate, []
    take = rates.take

    async def take_and_raise(*args: Any) -> Any:
        result = await take(*args)
        taken.append(result)
        if len(taken) == 2:
            await ada.rest("PATCH", f"/sending-project/{project}", json={"speed": {"perMinute": 6000}})
        return result

    monkeypatch.setattr(rates, "take", take_and_raise)
    await until(lambda: sent(projects, project, 40))
    assert await projects.db.fetchval(_WAITS, str(project)) == 0


@pytest.mark.parametrize("way", ["another tariff", "changed tariff"])
async def test_a_raised_rate_of_the_tariff_counts_at_once(
    way: str, projects: Projects, ada: Person, admin: Person
):
    await projects.db.fetchval("UPDATE tariffs SET messages_per_minute = 1")
    project = await slow(projects, ada, {})
    prices = {"USD": {"email": 0.001}}
    if way == "another tariff":
        fast = {
            "code": "fast",
            "messagesPerMinute": 6000,
            "prices": prices,
            "channels": ["email"],
            "public": True,
        }
        assert (await admin.rest("POST", "/user/tariff", json=fast)).status_code == 200
        answer = await ada.rest("POST", "/user/tariff", json={"code": "fast"})
    else:
        answer = await admin.rest("POST", "/user/tariff", json={"code": "default", "messagesPerMinute": 6000})
    assert answer.status_code == 200, answer.text
    assert await projects.db.fetchval(_WAITS, str(project)) == 0

    async def helped() -> bool:
        await scheduler.help_projects(projects.services)  # as every worker does each second
        await asyncio.gather(*runner_of(projects.services).tasks)
        return await sent(projects, project, 40)

    await until(helped)
