"""Many addresses are blocked and unblocked at once: those of a request, and those of an import."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from engine import blocks
from resolvers import blocks as block_operations
from runtime.services import Services
from shapes.blocks import BlockReason
from tests.imports.conftest import Lists
from tests.support.people import Person


async def blocked(person: Person) -> dict[str, tuple[str, str]]:
    """The reason and the scope of each address."""
    items = (await person.rest("GET", "/block/list", params={"limit": 100})).json()["items"]
    return {row["phone"]: (row["reason"], row["scope"]) for row in items}


async def add(person: Person, **body: Any) -> dict[str, Any]:
    answer = await person.rest("POST", "/block/add/multiple", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def imported(person: Person, services: Services, text: str) -> str:
    lists = Lists(services)
    made = await lists.read(person, await lists.upload(person, text))
    assert made["status"] == "ready", made
    return str(made["uuid"])


async def test_many_are_blocked_and_what_can_not_be_read_is_listed(ada: Person, bob: Person):
    await ada.rest("POST", "/block/+14155550100", json={"reason": "complaint", "scope": "promotional"})
    phones = ["+14155550100", "415 555 0101", "Anna@Example.com", "anna@example.com", "nobody"]
    result = await add(ada, phones=phones)
    assert result == {
        "added": 2,
        "changed": 1,
        "unchanged": 1,
        "invalid": [
            {
                "place": 5,
                "code": "invalid_recipient",
                "message": "to must be a phone number, best written like +14155550100.",
            }
        ],
        "nextLine": None,
    }
    assert await blocked(ada) == {
        "+14155550100": ("complaint", "all"),
        "+14155550101": ("manual", "all"),
        "anna@example.com": ("manual", "all"),
    }
    assert await blocked(bob) == {}
    again = await add(ada, phones=phones[:3])
    assert (again["added"], again["changed"], again["unchanged"]) == (0, 0, 3)


async def test_a_reason_is_replaced_and_a_scope_only_widens(ada: Person):
    await add(ada, phones=["+14155550100"], scope="promotional", reason="unsubscribed")
    await add(ada, phones=["+14155550100"], scope="all", reason="complaint")
    result = await add(ada, phones=["+14155550100"], scope="promotional")
    assert (result["changed"], await blocked(ada)) == (0, {"+14155550100": ("complaint", "all")})


async def test_a_start_word_takes_only_the_stop_word_back(ada: Person, services: Services):
    owner, phones = UUID(str(ada.id)), ["+14155550100", "+14155550101"]
    async with services.db.reading() as connection:
        for phone in phones:
            await blocks.block(connection, owner, phone, BlockReason.optOut, by_stop_word=True)
        await add(ada, phones=phones[:1], scope="promotional")
        await blocks.undo_stop_word(connection, owner, phones)
    assert await blocked(ada) == {"+14155550100": ("manual", "promotional")}


async def test_many_are_unblocked(ada: Person, bob: Person):
    for person in (ada, bob):
        await add(person, phones=["+14155550100", "anna@example.com", "+14155550102"])
    body = {"phones": ["ANNA@example.com", "(415) 555-0100", "+14155550199", "?"]}
    answer = await ada.rest("POST", "/block/remove/multiple", json=body)
    assert answer.json()["removed"] == 2
    assert [row["place"] for row in answer.json()["invalid"]] == [4]
    assert [*await blocked(ada)] == ["+14155550102"]
    assert len(await blocked(bob)) == 3


@pytest.mark.parametrize(
    "body",
    [{}, {"phones": []}, {"phones": ["+14155550100"] * 1001}, {"phones": ["+14155550100"], "afterLine": -1},
     {"phones": ["+14155550100"], "importUuid": "01900000-0000-7000-8000-000000000000"}],
    ids=["nothing", "empty", "too many", "before the first line", "both"],
)  # fmt: skip
async def test_a_request_that_says_nothing_clear_is_refused(ada: Person, body: dict[str, Any]):
    answer = await ada.rest("POST", "/block/add/multiple", json=body)
    assert answer.status_code == 400


async def test_concurrent_writers_of_the_same_addresses_all_succeed(ada: Person):
    phones = [f"+1415555{number:04}" for number in range(200)]
    many = [add(ada, phones=phones[shift:] + phones[:shift]) for shift in range(0, 200, 50)]
    single = [ada.rest("POST", f"/block/{phone}") for phone in phones[:20]]
    results = await asyncio.gather(*many, *single)
    assert all(answer.status_code == 200 for answer in results[4:])
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 200}


async def test_a_repeated_key_gives_the_first_answer(ada: Person):
    headers = {"Idempotency-Key": "many-1"}
    body = {"phones": ["+14155550100"]}
    first = await ada.rest("POST", "/block/add/multiple", json=body, headers=headers)
    await ada.rest("POST", "/block/unblock/+14155550100")
    again = await ada.rest("POST", "/block/add/multiple", json=body, headers=headers)
    assert (again.json(), again.headers["idempotent-replayed"]) == (first.json(), "true")
    assert await blocked(ada) == {}


async def test_an_import_is_blocked_part_by_part(
    ada: Person, bob: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(block_operations, "_AT_ONCE", 2)
    text = "phone;reason;scope\n+14155550100;complaint;all\nnobody;;\n+14155550101;;promotional\n+14155550102;rude;x"
    of = await imported(ada, services, text)
    first = await add(ada, importUuid=of, reason="unsubscribed", scope="promotional")
    assert (first["added"], first["nextLine"]) == (2, 4)
    second = await add(ada, importUuid=of, reason="unsubscribed", scope="promotional", afterLine=4)
    assert (second["added"], second["nextLine"]) == (1, None)
    assert await blocked(ada) == {
        "+14155550100": ("complaint", "all"),
        "+14155550101": ("unsubscribed", "promotional"),
        "+14155550102": ("unsubscribed", "promotional"),
    }
    again = await add(ada, importUuid=of, reason="unsubscribed", scope="promotional")
    assert (again["added"], again["changed"], again["unchanged"]) == (0, 0, 2)
    foreign = await bob.rest("POST", "/block/add/multiple", json={"importUuid": of})
    assert (foreign.status_code, foreign.json()["code"]) == (404, "import_not_found")


async def test_an_import_that_is_not_read_yet_blocks_nothing(ada: Person):
    made = (await ada.rest("POST", "/recipient-import/text", json={"text": "+14155550100"})).json()
    answer = await ada.rest("POST", "/block/add/multiple", json={"importUuid": made["uuid"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "import_not_ready")


async def test_an_exported_block_list_can_be_imported_again(ada: Person, bob: Person, services: Services):
    """As it is written for spreadsheets: a phone begins with an apostrophe there, so that it is no formula."""
    text = "uuid,phone,reason,scope,createdAt\n1,'+14155550100,complaint,promotional,2026-11-24T00:00:00Z\n"
    of = await imported(bob, services, text)
    await add(bob, importUuid=of)
    assert await blocked(bob) == {"+14155550100": ("complaint", "promotional")}


async def test_a_long_list_of_emails_is_blocked_without_reading_the_table_for_each(ada, services):
    """A session plans its statements while the table is empty. While that has a few pages, any index looks as good."""
    read = (
        "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'blocked_phones'"
    )
    async with services.db.transaction() as db:
        for part in range(8):
            if part == 2:
                before = await db.fetchval(read)
            mails = [blocks.NewBlock(f"{part}.{number}@example.com", None, "all") for number in range(500)]
            await blocks.block_many(db, ada.id, mails)
        assert before < 500_000
        assert await db.fetchval(read) - before < 20_000
