"""A message of a project keeps the attempts that failed: on another route, before a try that succeeded."""

from typing import Any
from uuid import UUID

from channels.port import Result
from tests.support.fake_channels import failing, use
from tests.support.people import Person
from tests.support.projects import Projects


async def attempts(projects: Projects, project: UUID) -> Any:
    (row,) = await projects.records(project)
    return row["status"], [(each["code"], each["provider"]) for each in row["failed_attempts"] or ()]


async def test_what_failed_on_one_route_and_was_sent_on_another(projects: Projects, ada: Person) -> None:
    use(projects.services, failing("down"), failing(None))
    project = await projects.make(ada, ["ada@example.com"])
    await projects.work()
    assert await attempts(projects, project) == ("sent", [("down", "fake")])


async def test_what_failed_twice_and_was_sent_then(projects: Projects, ada: Person) -> None:
    use(projects.services, failing("down", "busy", None))
    project = await projects.make(ada, ["ada@example.com"], retry={"maxAttempts": 3, "backoffSeconds": 1})
    for _ in range(3):
        await projects.hurry()
        await projects.work()
    assert await attempts(projects, project) == ("sent", [("down", "fake"), ("busy", "fake")])


async def test_an_outcome_that_is_asked_about_again_is_no_failed_attempt(
    projects: Projects, ada: Person
) -> None:
    use(projects.services, failing("timeout", None, result=Result.unknown, idempotent=True))
    project = await projects.make(ada, ["ada@example.com"])
    for _ in range(3):
        await projects.hurry()
        await projects.work()
    assert await attempts(projects, project) == ("sent", [])
