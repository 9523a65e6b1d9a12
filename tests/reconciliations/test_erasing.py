"""An erased person leaves the hash of a line: the root stays, and the proof says so."""

from typing import Any
from uuid import UUID

import pytest

import engine.persons.erasing  # noqa: F401  registers the job
from engine.reconciliations import chunks
from engine.reconciliations.proofs import index_of
from engine.reconciliations.verifying import read_lines, verify_lines, verify_proof
from tests.reconciliations.conftest import all_words, files, finished
from tests.reconciliations.test_sums import again
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.reconciled import Files
from tests.support.waits import until

ERASED = "sent.1@example.com"


async def erase(projects: Projects, ada: Person, address: str) -> None:
    begun = await ada.rest("POST", "/persons/erase", json={"channel": "email", "address": address})
    assert begun.status_code in (200, 201, 202), begun.text

    async def done() -> bool:
        await projects.hurry()
        await projects.work()
        shown = await ada.rest("GET", f"/persons/erasures/{begun.json()['id']}")
        return bool(shown.json()["state"] == "done")

    await until(done)


async def proof(ada: Person, project: UUID, address: str, **query: int) -> Any:
    path = f"/sending-project/{project}/reconciliation/proof"
    return await ada.rest("GET", path, params={"address": address, **query})


def person_of(made: Files, record: Any) -> Any:
    return next(line for line in made.people if line["message"] == str(record["id"]))


async def test_the_line_goes_and_its_hash_stays(projects: Projects, ada: Person):
    project = await finished(projects, ada, all_words(5))
    before = await files(projects, project)
    (record,) = [row for row in await projects.records(project) if row["to"] == ERASED]
    line = person_of(before, record)
    shown = await proof(ada, project, ERASED.upper())  # two spellings are one person
    assert (shown.json()["state"], shown.json()["line"]) == ("present", line)
    assert verify_proof(shown.content, before.contents) == "present"

    await erase(projects, ada, ERASED)
    answer = await ada.rest("GET", f"/sending-project/{project}/reconciliation/lines")
    left = answer.content.splitlines(keepends=True)
    assert line["person"].encode() not in answer.content
    assert str(record["id"]).encode() not in answer.content
    checked = read_lines(left)
    assert (checked.count, checked.erased) == (20, 1)
    verify_lines(before.contents, checked)
    erased = await proof(ada, project, ERASED)
    assert (erased.json()["state"], erased.json()["line"], erased.json()["salt"]) == ("erased", None, None)
    assert erased.json()["leaf"] == shown.json()["leaf"]
    assert verify_proof(erased.content, before.contents) == "erased"
    stored = await projects.db.fetch("SELECT salts, body FROM reconciliation_chunks")
    assert bytes.fromhex(shown.json()["salt"]) not in b"".join(row["salts"] for row in stored)
    other = await proof(ada, project, "sent.2@example.com")
    assert verify_proof(other.content, before.contents) == "present"


async def test_later_reconciliations_count_the_person_without_naming(projects: Projects, ada: Person):
    project = await finished(projects, ada, all_words(2))
    first = await files(projects, project)
    (record,) = [row for row in await projects.records(project) if row["to"] == ERASED]
    person = person_of(first, record)["person"]
    await erase(projects, ada, ERASED)
    await again(projects, project)
    second = await files(projects, project)
    assert second.contents["state"] == "balanced"
    assert second.contents["counts"] == first.contents["counts"]
    assert person not in {line["person"] for line in second.people}
    assert [line["message"] for line in second.people if line.get("erased")] == [str(record["id"])]
    assert (await proof(ada, project, ERASED)).status_code == 404
    assert (await proof(ada, project, ERASED, number=1)).json()["state"] == "erased"


async def test_an_erasure_waits_for_a_reconciliation_that_has_begun(projects: Projects, ada: Person):
    await finished(projects, ada, all_words(1))
    async with projects.db.reading() as db:
        await db.execute(
            "INSERT INTO reconciliations (id, owner_id, project_id, kind, project_finished_at, begun_at)"
            " SELECT postern_uuid7(), owner_id, id, 'settled', now(), now() FROM sending_projects"
        )
        # A worker has it for as long as the test wants.
        await db.execute(
            "INSERT INTO leases (name, holder, expires_at, owner_id) SELECT 'reconciliations.make:' || id,"
            " postern_uuid7(), now() + interval '1 hour', owner_id FROM reconciliations WHERE made_at IS NULL"
        )
    begun = await ada.rest("POST", "/persons/erase", json={"channel": "email", "address": ERASED})

    async def reason() -> Any:
        await projects.hurry()
        await projects.work()
        return (await ada.rest("GET", f"/persons/erasures/{begun.json()['id']}")).json()["stateReason"]

    assert await until(reason) == "A project is being reconciled."


@pytest.mark.parametrize("gone", [{0}, {7}, {0, 1}, {3, 4, 5}, {7, 6}, set(range(8))])
def test_places_of_the_erased(gone: set[int]):
    """Whichever lines are erased, the person's own place is in the gap where it is looked for."""
    persons = [bytes([n * 20]) * 32 for n in range(8)]
    lines = [b'{"person":"%b"}' % person.hex().encode() for person in persons]
    entries = [
        chunks.Entry(bytes(32), None, None) if n in gone else chunks.Entry(bytes(32), bytes(16), lines[n])
        for n in range(8)
    ]
    for n in range(8):
        found = index_of(entries, persons[n])
        assert found is not None
        assert (found in gone) if n in gone else found == n
