"""The reconciliation of a project says by which plan it ran, who approved it, and who was in it."""

from uuid import UUID

import pytest

from runtime.services import Services
from tests.approvals.made import ask, decide, plan, project, start
from tests.approvals.test_approvals import team
from tests.reconciliations.conftest import projects
from tests.support.people import People, Person
from tests.support.projects import Projects
from tests.support.reconciled import files_of, verified

__all__ = ["projects", "team"]


@pytest.fixture
async def ada(people: People) -> Person:
    return await people.make("ada@example.com", credit="10")


async def test_it_shows_the_plan_and_the_approval(
    ada: Person, team: dict[str, Person], projects: Projects, services: Services
):
    uuid = await project(team["editor"], 4)
    made = await plan(team["editor"], uuid)
    await decide(team["approver"], await ask(team["editor"], uuid, made["hash"]), made["hash"])
    assert (await start(team["sender"], uuid, made["hash"])).status_code == 200
    await projects.work()
    files = await files_of(services.db, UUID(uuid))
    assert files is not None
    contents = verified(files).contents
    shown = contents["plan"]
    assert (shown["number"], shown["hash"], shown["recipients"]) == (1, made["hash"], 4)
    assert shown["approval"]["decidedBy"] == str(team["approver"].id)
    assert shown["approval"]["askedBy"] == str(team["editor"].id)
    assert contents["state"] == "balanced"
    assert contents["counts"]["materialised"] == len(files.lines) == 4
    assert not any(line.get("late") for line in files.people)


async def test_one_without_a_plan_says_so(ada: Person, projects: Projects, services: Services):
    uuid = await project(ada, 2)
    assert (await start(ada, uuid)).status_code == 200
    await projects.work()
    files = await files_of(services.db, UUID(uuid))
    assert files is not None
    assert verified(files).contents["plan"] is None
