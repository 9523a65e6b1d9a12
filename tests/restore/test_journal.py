"""Erasures and withdrawals since the backup are done again: a backup is a copy of the database, taken before them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest

from core.errors import Unavailable
from engine import blocks
from engine.address_hashes import AddressHasher
from engine.restore import fence, journal, resume
from engine.restore.fence import fence_of
from engine.restore.segments import segments
from runtime.services import Services
from shapes.blocks import BlockReason
from shapes.restores import ResumePolicy
from tests.consent import made
from tests.restore.conftest import Opened
from tests.support import servers
from tests.support.gateway import Gateway
from tests.support.people import Person

pytestmark = pytest.mark.servers

ANNA, OTTO, WITHOUT = "anna@example.com", "otto@example.com", "+14155550177"


@asynccontextmanager
async def backup(services: Services, opened: Opened) -> AsyncIterator[Any]:
    """Copies the database, and yields what opens the services of the copy."""
    name = f"backup_{uuid4().hex}"
    url = services.settings.db_string.get_secret_value()
    await services.db.close()  # nobody may be connected to a template
    copy = await servers.create(name, url.rpartition("/")[2])
    try:
        yield lambda url=copy: opened(url)
    finally:
        await servers.drop(name)


async def of(services: Services) -> list[dict[str, Any]]:
    status = await fence.status(services.db)
    assert status is not None
    return [entry async for _, entries in segments(services, status.id, 0) for entry in entries]


async def test_what_happened_since_the_backup_is_done_again(
    beating: Services, opened: Opened, gateway: Gateway, ada: Person
) -> None:
    anna, otto = await made.contact(ada), await made.contact(ada, OTTO)
    news = await made.topic(ada)
    await made.subscribe(ada, [anna, otto], [news])
    await gateway.send(ada, WITHOUT)  # an address that no contact has
    async with backup(beating, opened) as copy:
        await made.withdraw(ada, [anna], [news])
        async with beating.db.reading() as db:
            await blocks.block(db, ada.id, WITHOUT, BlockReason.optOut)
            await blocks.block(db, ada.id, "never.seen@example.com", BlockReason.unsubscribed)
        erased = await ada.rest("POST", "/persons/erase", json={"contactUuid": otto})
        assert erased.status_code == 202, erased.text
        await journal.write(beating)
        assert await beating.db.fetchval("SELECT count(*) FROM journal_entries") == 0

        async with copy() as restored:
            done = await resume.resume(restored, ResumePolicy.unknown)
            assert (done.replayed.withdrawals, done.replayed.blocks, done.replayed.erasures) == (1, 2, 1)
            rows = await restored.db.fetch("SELECT contact_id::text, state FROM topic_subscriptions")
            assert {row["contact_id"]: row["state"] for row in rows} == {anna: "withdrawn", otto: "active"}
            found = await restored.db.fetch("SELECT phone, reason FROM blocked_phones ORDER BY reason")
            # The address that the database has is named; the other one is known by its hash alone, and blocked as well.
            assert [(row["phone"][:7], row["reason"]) for row in found] == [
                (WITHOUT[:7], "optOut"),
                ("erased:", "unsubscribed"),
            ]
            running = await restored.db.fetchrow("SELECT contact_id::text, state FROM erasures")
            assert (running["contact_id"], running["state"]) == (otto, "running")


async def test_an_erased_address_without_a_contact_is_found_by_its_hash(
    beating: Services, opened: Opened, gateway: Gateway, ada: Person
) -> None:
    await gateway.send(ada, WITHOUT)
    async with backup(beating, opened) as copy:
        answer = await ada.rest("POST", "/persons/erase", json={"channel": "sms", "address": WITHOUT})
        assert answer.status_code == 202, answer.text
        await journal.write(beating)
        async with copy() as restored:
            done = await resume.resume(restored, ResumePolicy.unknown)
            assert (done.replayed.erasures, done.replayed.not_found) == (1, 0)
            assert await restored.db.fetchval("SELECT address FROM erasure_addresses") == WITHOUT


async def test_the_journal_names_nobody(beating: Services, ada: Person) -> None:
    anna = await made.contact(ada)
    news = await made.topic(ada)
    await made.subscribe(ada, [anna], [news])
    await made.withdraw(ada, [anna], [news])
    async with beating.db.reading() as db:
        await blocks.block(db, ada.id, ANNA, BlockReason.complaint)
    await ada.rest("POST", "/persons/erase", json={"contactUuid": anna})
    rows = await beating.db.fetch("SELECT * FROM journal_entries")
    assert rows
    assert "@" not in str([dict(row) for row in rows])
    await journal.write(beating)
    entries = await of(beating)
    assert {entry["kind"] for entry in entries} == {"withdrawal", "block", "erasure", "erased_address"}
    assert "@" not in str(entries)


async def test_blocks_of_the_owner_and_of_bounces_are_not_noted(beating: Services, ada: Person) -> None:
    async with beating.db.reading() as db:
        for number, reason in enumerate(BlockReason):
            await blocks.block(db, ada.id, f"+1415555010{number}", reason)
    rows = await beating.db.fetch(
        "SELECT b.reason FROM journal_entries AS j JOIN blocked_phones AS b ON b.id = j.row_id"
    )
    assert sorted(row["reason"] for row in rows) == ["complaint", "optOut", "unsubscribed"]


async def test_a_segment_that_the_database_does_not_know_is_never_replaced(
    beating: Services, opened: Opened, ada: Person
) -> None:
    """As after a failover that has lost the last seconds: the journal has a withdrawal that the database has not."""
    anna = await made.contact(ada)
    news = await made.topic(ada)
    await made.subscribe(ada, [anna], [news])
    async with backup(beating, opened) as copy:
        await made.withdraw(ada, [anna], [news])
        await journal.write(beating)
        async with copy() as failed_over:
            await failed_over.db.fetch(
                "UPDATE installation SET journal_behind = true,"
                " database_oid = (SELECT oid FROM pg_database WHERE datname = current_database()),"
                " written_by = pg_current_xact_id()::xid::text"
            )
            await journal.write(failed_over)
            assert await failed_over.db.fetchval("SELECT state FROM topic_subscriptions") == "withdrawn"
            await journal.write(failed_over)
            entries = [entry for entry in await of(failed_over) if entry["kind"] == "withdrawal"]
            assert len(entries) == 2  # the one that was lost, and the one that was done again
            row = await failed_over.db.fetchrow("SELECT journal_position, journal_behind FROM installation")
            assert (row["journal_position"], row["journal_behind"]) == (2, False)


async def test_a_second_restore_of_the_same_backup_finds_what_happened_after_the_first(
    beating: Services, opened: Opened, ada: Person
) -> None:
    anna, otto = await made.contact(ada), await made.contact(ada, OTTO)
    news = await made.topic(ada)
    await made.subscribe(ada, [anna, otto], [news])
    async with backup(beating, opened) as copy:
        await made.withdraw(ada, [anna], [news])
        await journal.write(beating)
        async with backup_of(copy) as second:
            async with copy() as restored:
                await resume.resume(restored, ResumePolicy.unknown)
                await restored.db.fetch(
                    "INSERT INTO consent_entries (id, owner_id, contact_id, topic_id, channel, action, source)"
                    " SELECT postern_uuid7(), owner_id, contact_id, topic_id, channel, 'withdrawn', 'page'"
                    " FROM topic_subscriptions WHERE contact_id::text = $1",
                    otto,
                )
                await journal.write(restored)
            async with second() as restored:
                done = await resume.resume(restored, ResumePolicy.unknown)
                assert done.replayed.withdrawals == 2
                states = await restored.db.fetch("SELECT state FROM topic_subscriptions")
                assert {row["state"] for row in states} == {"withdrawn"}


@asynccontextmanager
async def backup_of(copy: Any) -> AsyncIterator[Any]:
    """Copies a copy."""
    async with copy() as services:
        url = services.settings.db_string.get_secret_value()
    name = f"backup_{uuid4().hex}"
    second = await servers.create(name, url.rpartition("/")[2])
    try:
        yield lambda: copy(second)
    finally:
        await servers.drop(name)


async def test_a_file_store_that_is_away_keeps_what_is_noted(
    beating: Services, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await made.contact(ada)
    news = await made.topic(ada)
    await made.subscribe(ada, [anna], [news])
    await made.withdraw(ada, [anna], [news])

    async def away(*_: Any) -> None:
        raise OSError("the disk is away")

    with monkeypatch.context() as patch:
        patch.setattr(beating.files, "put", away)
        with pytest.raises(OSError, match="away"):
            await journal.write(beating)
    assert await beating.db.fetchval("SELECT count(*) FROM journal_entries") == 1
    await journal.write(beating)
    assert len(await of(beating)) == 1


async def test_a_person_who_is_gone_from_the_backup_is_left_out(
    beating: Services, opened: Opened, ada: Person
) -> None:
    async with backup(beating, opened) as copy:
        anna = await made.contact(ada)
        news = await made.topic(ada)
        await made.subscribe(ada, [anna], [news])
        await made.withdraw(ada, [anna], [news])
        await ada.rest("POST", "/persons/erase", json={"contactUuid": anna})
        await journal.write(beating)
        async with copy() as restored:
            done = await resume.resume(restored, ResumePolicy.unknown)
            assert (done.replayed.withdrawals, done.replayed.erasures) == (0, 0)
            assert done.replayed.not_found == 1


async def test_a_key_that_can_t_be_opened_keeps_entries_and_the_fence(
    beating: Services, opened: Opened, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with backup(beating, opened) as copy:
        async with beating.db.reading() as db:
            await blocks.block(db, ada.id, WITHOUT, BlockReason.optOut)
        with monkeypatch.context() as patch:
            patch.setattr(AddressHasher, "is_open", False)
            await journal.write(beating)
            assert await beating.db.fetchval("SELECT count(*) FROM journal_entries") == 1
        await journal.write(beating)
        async with copy() as restored:
            with monkeypatch.context() as patch:
                patch.setattr(AddressHasher, "is_open", False)
                with pytest.raises(Unavailable, match="POSTERN_SECRET_KEY_OLD"):
                    await resume.resume(restored, ResumePolicy.unknown)
            assert not await fence_of(restored).look()
            done = await resume.resume(restored, ResumePolicy.unknown)
            assert done.replayed.blocks == 1


async def test_a_segment_ends_with_what_fits(
    beating: Services, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_MOST", 2)
    async with beating.db.reading() as db:
        await blocks.block_each(db, [(ada.id, f"+1415555010{n}", BlockReason.optOut) for n in range(5)])
    await journal.write(beating)
    assert len(await of(beating)) == 5
    assert await beating.db.fetchval("SELECT journal_position FROM installation") == 3
