"""A failure that a late report takes back: no document is final before, and what the account owes is no difference."""

from typing import Any
from uuid import UUID

import pytest

from channels.port import Receipt, Result
from engine.worker import receive_events
from tests.reconciliations.conftest import files, finished
from tests.reconciliations.test_sums import run_round
from tests.support.people import Person


async def _documents(projects: Any, project: UUID) -> list[tuple[str, bool]]:
    """The documents of a project, after all rounds: state, and whether it is settled."""
    for name in ("settle", "wake_make"):
        await run_round(projects.services, name)
    await projects.work()
    rows = await projects.services.db.fetch(
        "SELECT state, settled FROM reconciliations WHERE project_id = $1 AND made_at IS NOT NULL ORDER BY number",
        project,
    )
    return [(row["state"], row["settled"]) for row in rows]


@pytest.fixture
async def reported(projects: Any, ada: Person) -> Any:
    """A finished project of one message, and what its provider reports of it."""
    project = await finished(projects, ada, ["sent.1@example.com"])
    (row,) = await projects.records(project)

    async def report(result: Result) -> list[tuple[str, bool]]:
        receipt = Receipt(row["provider_message_id"], result, code="mailbox_full")
        await receive_events(projects.services, projects.services.routes.of("email")[0], [receipt])
        return await _documents(projects, project)

    return project, report


async def test_nothing_is_final_while_a_failure_may_be_taken_back(projects: Any, reported: Any):
    project, report = reported
    assert await report(Result.refused) == [("balanced", False)]
    assert await report(Result.delivered) == [("balanced", False), ("balanced", True)]
    document = (await files(projects, project)).contents
    assert (document["counts"]["sent"]["delivered"], document["money"]["net"] != "0") == (1, True)


async def test_a_failure_that_stays_is_final_when_its_time_is_over(projects: Any, reported: Any):
    project, report = reported
    await report(Result.refused)
    await projects.services.db.fetch("UPDATE reconciliations SET settles_at = now() RETURNING id")
    assert await _documents(projects, project) == [("balanced", False), ("balanced", True)]
    assert (await files(projects, project)).contents["counts"]["sent"]["undelivered"] == 1


async def test_what_the_account_owes_is_no_difference(projects: Any, reported: Any, ada: Person):
    project, report = reported
    await report(Result.refused)
    empty = "UPDATE accounts SET balance = 0 WHERE id = $1 RETURNING id"
    await projects.services.db.fetch(empty, ada.account_id)
    assert (await report(Result.delivered))[-1] == ("balanced", True)
    money = (await files(projects, project)).contents["money"]
    assert (money["net"], money["owed"]) == ("0", money["prices"])
