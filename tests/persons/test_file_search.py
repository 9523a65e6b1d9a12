"""Files of lists and exports are looked into in pieces; what can't be looked into is named."""

import asyncio
import io
import threading
import zipfile
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import orjson
import pytest

from core.errors import Unavailable
from engine import files
from engine.persons import erasing
from engine.persons.file_search import Search
from engine.persons.untouched import NOT_ERASED
from runtime.services import Services
from shapes.persons import MOST_REASONS
from tests.exports.conftest import Exports, written
from tests.imports.conftest import Lists, lists
from tests.persons.test_erasing import MAIL, erase, rich
from tests.support.people import Person

__all__ = ["lists", "rich", "written"]


def found(text: str, *keys: str, size: int = 1024, encoding: str = "utf-8") -> bool:
    data, search = text.encode(encoding), Search(keys)
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    return any(map(search.feed, pieces)) or search.feed(b"", last=True)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1024])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x;Ann@Example.com;y", True),
        ("ann@example.com", True),
        ("Write to ann@example.com. Thanks", True),
        ("zoë,ann@example.com\n", True),
        ("ann@example.com.au", False),
        ("ann@example.common", False),
        ("joann@example.com", False),
        ("jo.ann@example.com", False),
        ("ann@example.com-x", False),
        ("ann@example.co", False),
        ("ann@example.com.au;ann@example.com;", True),
    ],
)
def test_an_address_is_found_wherever_pieces_end(text: str, expected: bool, size: int):
    assert found(text, "ann@example.com", "+14155550187", size=size) is expected


def test_a_text_in_utf_16_is_found():
    assert found("a;ann@example.com;b", "ann@example.com", encoding="utf-16")
    assert not found("a;ann@example.com;b", size=3)


def workbook(content: bytes) -> bytes:
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/sharedStrings.xml", content)
    return book.getvalue()


async def _one(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def add_list(services: Services, person: Person, lists: Lists, content: bytes, name: str) -> Any:
    """A list of one row, whose file is another one."""
    made = await lists.upload(person, "phone\n+14155550111\n", name)
    await lists.read(person, made)
    file = await files.save(services, person.id, name, None, _one(content))
    await services.db.fetch(
        "UPDATE recipient_imports SET file_uuid = $2, file_name = $3 WHERE id = $1", UUID(made["uuid"]), file.id, name
    )  # fmt: skip
    return made["uuid"], file.id


async def stays(services: Services, file: UUID) -> bool:
    return bool(await services.db.fetchval("SELECT EXISTS (SELECT FROM files WHERE id = $1)", file))


async def test_workbooks_are_looked_into_and_bombs_are_named(services: Services, rich: Person, lists: Lists):
    _, has = await add_list(services, rich, lists, workbook(f"<t>{MAIL}</t>".encode()), "has.xlsx")
    _, other = await add_list(services, rich, lists, workbook(f"<t>{MAIL}.au</t>".encode()), "other.xlsx")
    bomb, file = await add_list(services, rich, lists, workbook(b" " * 50_000_000), "bomb.xlsx")
    broken, _ = await add_list(services, rich, lists, workbook(b" ")[:40], "broken.xlsx")
    done = await erase(services, rich, channel="email", address=MAIL)
    assert done["state"] == "done"
    assert [each["name"] for each in done["deleted"]] == ["has.xlsx"]
    assert [await stays(services, id) for id in (has, other, file)] == [False, True, True]
    (entry,) = [each for each in done["notErased"] if each["kind"] == "importFiles"]
    assert bomb in entry["reason"] and "bomb.xlsx" in entry["reason"] and broken in entry["reason"]
    assert "other.xlsx" not in entry["reason"]
    assert len(NOT_ERASED) + 3 <= MOST_REASONS  # one for lists, one for exports and one for sinks


_IN_TRANSACTION = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
"""


async def test_files_are_read_in_threads_and_outside_transactions(
    services: Services, rich: Person, lists: Lists, monkeypatch: pytest.MonkeyPatch
):
    await add_list(services, rich, lists, b"x\nbert@example.com\n" * 100, "list.csv")
    await add_list(services, rich, lists, workbook(b"<t>bert@example.com</t>"), "list.xlsx")
    threads, open_transactions = list[int](), list[int]()
    get, feed = services.files.get, Search.feed

    async def reading(id: UUID) -> AsyncIterator[bytes]:
        async for piece in get(id):
            open_transactions.append(await services.db.fetchval(_IN_TRANSACTION))
            yield piece

    def fed(self: Search, piece: bytes, *, last: bool = False) -> bool:
        threads.extend([] if last else [threading.get_ident()])
        return feed(self, piece, last=last)

    with monkeypatch.context() as patch:
        patch.setattr(services.files, "get", reading)
        patch.setattr(Search, "feed", fed)
        await erase(services, rich, channel="email", address=MAIL)
    assert len(threads) >= 3 and threading.get_ident() not in threads
    assert len(open_transactions) >= 2 and not any(open_transactions)


async def test_an_outage_of_the_storage_is_no_file_without_the_address(
    services: Services, rich: Person, lists: Lists, monkeypatch: pytest.MonkeyPatch
):
    await add_list(services, rich, lists, f"x\n{MAIL}\n".encode(), "list.csv")
    answer = await rich.rest("POST", "/persons/erase", json={"channel": "email", "address": MAIL})

    async def broken(*_: Any) -> AsyncIterator[bytes]:
        raise Unavailable("The storage does not answer.")
        yield b""

    with monkeypatch.context() as patch:
        patch.setattr(services.files, "get", broken)
        with pytest.raises(Unavailable):
            for _ in range(200):  # it may wait for transactions of other tests first
                await erasing.erase(services, UUID(answer.json()["id"]))
                await services.db.fetch("DELETE FROM leases WHERE name LIKE 'persons.erase%'")
                await asyncio.sleep(0.05)
    await services.db.fetch("DELETE FROM leases WHERE name LIKE 'persons.erase%'")
    done = await erase(services, rich, channel="email", address=MAIL)
    assert [each["name"] for each in done["deleted"]] == ["list.csv"]


async def test_the_link_of_an_integration_is_not_waited_for(
    services: Services, rich: Person, written: Exports
):
    link = await written.start(rich, "messages", format="csv")
    status = "SELECT status FROM export_links WHERE id = $1"
    await services.db.fetch(
        "UPDATE export_links SET status = 'running', source = 'amocrm' WHERE id = $1", UUID(link["uuid"])
    )
    assert (await erase(services, rich, channel="email", address=MAIL))["state"] == "done"
    assert await services.db.fetchval(status, UUID(link["uuid"])) == "running"


async def test_attachments_that_others_get_stay(services: Services, rich: Person):
    ids = [(await files.save(services, rich.id, f"{n}.txt", None, _one(b"x"))).id for n in range(5)]
    for to, some in (
        (MAIL, [*map(str, ids)]),
        ("bert@example.com", [str(ids[1]).upper()]),
        ("carl@example.com", [f"urn:uuid:{ids[4]}"]),
    ):
        answer = await rich.rest(
            "POST",
            "/messages",
            json={
                "channel": "email",
                "to": to,
                "body": "x",
                "metadata": {"attachmentUuids": some},
            },
        )
        assert answer.status_code == 202, answer.text
    await services.db.fetch(
        "INSERT INTO repeatable_projects (id, owner_id, name, template, schedule, source)"
        " VALUES (gen_random_uuid(), $1, 'r', $2::text::jsonb, '{}', '{}')",
        rich.id, orjson.dumps({"attachmentUuids": [str(ids[2])]}).decode(),
    )  # fmt: skip
    done = await erase(services, rich, channel="email", address=MAIL)
    assert {each["subjectId"] for each in done["deleted"]} == {str(ids[0]), str(ids[3])}
    assert [await stays(services, id) for id in ids] == [False, True, True, False, True]
