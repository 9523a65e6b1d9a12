"""An erased person leaves the hash of a line: the root stays, and the proof says so."""

from collections import Counter
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from typer.testing import CliRunner

import engine.persons.erasing  # noqa: F401  registers the job
from core.errors import Unavailable
from core.vault import Vault
from engine.jobs.fair_queue import KINDS, JobName
from engine.reconciliations import chunks, making, proofs
from engine.reconciliations.erasing import erase_lines, is_busy
from engine.reconciliations.owner_keys import OwnerKeys
from engine.reconciliations.proofs import index_of
from engine.reconciliations.verifying import read_lines, verify_lines, verify_proof
from postern.cli import app
from tests.reconciliations.conftest import all_words, files, finished
from tests.reconciliations.test_sums import again
from tests.support.people import People, Person
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
    assert (erased.json()["state"], erased.json()["line"], erased.json()["salt"]) == ("unknown", None, None)
    assert erased.json()["leaf"] == shown.json()["leaf"]
    assert verify_proof(erased.content, before.contents) == "unknown"
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
    assert (await proof(ada, project, ERASED, number=1)).json()["state"] == "unknown"


async def test_who_never_was_a_recipient_is_not_called_erased(
    projects: Projects, ada: Person, tmp_path: Path
):
    project = await finished(projects, ada, [ERASED])
    assert (await proof(ada, project, "never@example.com")).status_code == 404
    await erase(projects, ada, ERASED)
    never = await proof(ada, project, "never@example.com")
    assert never.json() == (await proof(ada, project, ERASED)).json()
    assert (never.status_code, never.json()["state"]) == (200, "unknown")
    document = await ada.rest("GET", f"/sending-project/{project}/reconciliation")
    (tmp_path / "document").write_bytes(document.content)
    (tmp_path / "proof").write_bytes(never.content)
    words = ["verify", str(tmp_path / "document"), "--proof", str(tmp_path / "proof")]
    answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, answer.output
    assert "nobody can tell" in answer.output


@pytest.mark.parametrize("size", [1, 2])
async def test_lines_of_a_person_in_several_chunks_go(
    projects: Projects, ada: Person, monkeypatch: Any, size: int
):
    """Chunks of one or two lines, and three lines of one person."""
    for module in (chunks, proofs):
        monkeypatch.setattr(module, "CHUNK", size)
    project = await finished(projects, ada, all_words(3))
    async with projects.db.reading() as db:
        await db.execute(
            'UPDATE message_records SET "to" = $1, address_key = NULL WHERE "to" = ANY($2)',
            ERASED, ["sent.0@example.com", "sent.2@example.com"],
        )  # fmt: skip
    await again(projects, project)
    before = await files(projects, project)
    (person,) = [
        one for one, lines in Counter(line["person"] for line in before.people).items() if lines == 3
    ]
    index = [line["person"] for line in before.people].index(person)
    shown = await proof(ada, project, ERASED)
    assert (shown.json()["line"]["person"], shown.json()["index"]) == (person, index)
    assert verify_proof(shown.content, before.contents) == "present"
    await erase(projects, ada, ERASED)
    after = await files(projects, project)
    assert len([line for line in after.lines if b'"leaf"' in line]) == 3
    assert person.encode() not in b"".join(after.lines)
    left = await proof(ada, project, ERASED)
    assert (left.json()["state"], left.json()["index"]) == ("unknown", index)
    assert verify_proof(left.content, before.contents) == "unknown"


async def _lose(projects: Projects, table: str, column: str) -> None:
    """Leaves a secret that no key of the vault opens."""
    async with projects.db.reading() as db:
        await db.execute(f"UPDATE {table} SET {column} = $1", Vault(b"n" * 32).seal("x", "x"))
    projects.services._singles.pop(OwnerKeys, None)


async def test_a_lost_key_blocks_no_erasure_of_an_owner_without_reconciliations(
    projects: Projects, ada: Person, people: People
):
    project = await finished(projects, ada, all_words(1))
    bob = await people.make()
    await _lose(projects, "audit_keys", "secret_encrypted")
    assert await erase_lines(projects.services, bob.id, [ERASED]) == 0
    await erase(projects, bob, ERASED)
    assert len((await files(projects, project)).people) == 4


async def test_without_the_key_all_lines_of_the_owner_go(projects: Projects, ada: Person, people: People):
    project = await finished(projects, ada, all_words(1))
    bob = await people.make(credit="10")
    other = await finished(projects, bob, all_words(1))
    before = (await files(projects, project)).contents
    await _lose(projects, "audit_keys", "secret_encrypted")
    await erase(projects, ada, ERASED)
    stored = await projects.db.fetchrow(
        "SELECT salts, body FROM reconciliation_chunks JOIN reconciliations AS r ON r.id = reconciliation_id"
        " WHERE r.project_id = $1",
        project,
    )
    assert tuple(stored.values()) == (None, None)
    lines = (await ada.rest("GET", f"/sending-project/{project}/reconciliation/lines")).content
    checked = read_lines(lines.splitlines(keepends=True))
    assert (checked.count, checked.erased) == (4, 4)
    verify_lines(before, checked)
    assert len((await files(projects, other)).people) == 4


class _Lease:
    valid = True
    pause: Any = None


@pytest.mark.parametrize("cause", ["the signer's key", "the lines' key", "anything else"])
async def test_a_reconciliation_that_fails_holds_up_no_erasure(
    projects: Projects, ada: Person, monkeypatch: Any, cause: str
):
    await finished(projects, ada, all_words(1))
    async with projects.db.reading() as db:
        await db.execute(
            "INSERT INTO reconciliations (id, owner_id, project_id, kind, project_finished_at)"
            " SELECT postern_uuid7(), owner_id, id, 'settled', finished_at FROM sending_projects"
        )
    if cause == "anything else":
        monkeypatch.setattr(making, "_store", _broken)
    else:
        lost = ("signing_keys", "key_encrypted") if "signer" in cause else ("audit_keys", "secret_encrypted")
        await _lose(projects, *lost)
    waiting = await projects.db.fetchval("SELECT id FROM reconciliations WHERE made_at IS NULL")
    with pytest.raises((Unavailable, RuntimeError)):
        await KINDS[JobName.reconcile].work(projects.services, waiting, _Lease())  # type: ignore[arg-type]
    row = await projects.db.fetchrow("SELECT begun_at, seed FROM reconciliations WHERE made_at IS NULL")
    assert tuple(row.values()) == (None, None)
    assert await is_busy(projects.services, ada.id) is None


async def _broken(*arguments: Any) -> None:
    raise RuntimeError("a disk is full")


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
