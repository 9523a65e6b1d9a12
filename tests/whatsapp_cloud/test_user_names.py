"""A user name that went from one person to another joins nobody: blocks, stop words and erasures stay with each."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from core.ids import uuid7
from engine import blocks
from engine.messengers import event_writer
from engine.persons.finding import marks_of
from messengers.port import Message
from runtime.services import Services
from shapes.blocks import BlockReason
from tests.persons.test_erasing import finished
from tests.support.people import Person
from tests.whatsapp_cloud.hook import Hook
from tests.whatsapp_cloud.test_one_person import NAME, PHONE, USER, blocked, named

A, B, BOB = "+4915100000001", "+4915100000002", "@bobby"
_CHAT = """
INSERT INTO messenger_chats (id, account_id, thread, kind, phone, username) VALUES ($1, $2, $3, 'user', $4, $5)
"""
_MESSAGE = """
INSERT INTO messenger_messages (id, account_id, chat_id, thread, provider_id, outgoing, sender, text, status, at)
SELECT gen_random_uuid(), account_id, id, thread, thread, false, phone, 'words', 'server', now()
FROM messenger_chats WHERE account_id = $1
"""


async def chat(hook: Hook, thread: str, phone: str | None, name: str | None = "bobby") -> None:
    async with hook.services.db.transaction() as db:
        await db.execute(_CHAT, uuid7(), hook.id, thread, phone, name)


async def stop(services: Services, owner: Person, address: str) -> None:
    async with services.db.transaction() as db:
        await blocks.block(db, owner.id, address, BlockReason.optOut, by_stop_word=True)


async def start(services: Services, owner: Person, keys: Sequence[str]) -> None:
    async with services.db.transaction() as db:
        await blocks.undo_stop_word(db, owner.id, keys)


async def write(hook: Hook, thread: str, *aliases: str) -> None:
    """A live message of a person, with the ids that the messenger names."""
    at = datetime.now(UTC)
    message = Message(f"{uuid7()}", thread, False, at, sender=aliases[0], text="hello", aliases=aliases)
    async with hook.services.db.transaction() as db:
        await event_writer.record(hook.services, db, hook.id, [message])


async def test_an_erasure_leaves_who_had_the_name_before(hook: Hook, ada: Person, services: Services) -> None:
    await chat(hook, "100", A)
    await chat(hook, "200", B)
    async with services.db.transaction() as db:
        await db.execute(_MESSAGE, hook.id)
        assert {mark.address for mark in await marks_of(db, ada.id, None, BOB)} == {BOB}
        assert {mark.address for mark in await marks_of(db, ada.id, None, A)} == {A, "100"}
    answer = await ada.rest("POST", "/persons/erase", json={"channel": "telegram", "address": B})
    assert answer.status_code == 202, answer.text
    assert (await finished(services, ada, answer.json()["id"]))["state"] == "done"
    chats = await services.db.fetch("SELECT thread FROM messenger_chats WHERE account_id = $1", hook.id)
    assert [row["thread"] for row in chats] == ["100"]
    assert [row.thread for row in await hook.rows()] == ["100"]


async def test_an_erasure_of_a_contact_with_the_name_leaves_the_other(
    hook: Hook, ada: Person, services: Services
) -> None:
    """The first chat is gone, and the name is then in one chat alone."""
    await chat(hook, "100", A)
    await chat(hook, "200", B)
    addresses = [{"channel": "sms", "address": A}, {"channel": "telegram", "address": BOB}]
    contact = await ada.rest("POST", "/contacts", json={"name": "A", "addresses": addresses})
    assert contact.status_code < 300, contact.text
    answer = await ada.rest("POST", "/persons/erase", json={"channel": "sms", "address": A})
    assert (await finished(services, ada, answer.json()["id"]))["state"] == "done"
    chats = await services.db.fetch("SELECT thread FROM messenger_chats WHERE account_id = $1", hook.id)
    assert [row["thread"] for row in chats] == ["200"]


async def test_a_stop_and_a_start_stay_with_their_person(hook: Hook, ada: Person, services: Services) -> None:
    await chat(hook, "100", A)
    await stop(services, ada, A)
    assert (await blocked(ada)).keys() == {A, BOB}
    await chat(hook, "200", B)
    assert (await blocked(ada)).keys() == {A, BOB}
    await start(services, ada, [BOB, B])
    assert (await blocked(ada)).keys() == {A}
    await start(services, ada, [A])
    assert await blocked(ada) == {}


async def test_a_start_undoes_the_own_stop_at_a_name_that_is_shared_now(
    hook: Hook, ada: Person, services: Services
) -> None:
    await chat(hook, "100", A)
    await stop(services, ada, A)
    await chat(hook, "200", B)
    await start(services, ada, [A])
    assert await blocked(ada) == {}


async def test_a_start_leaves_the_stop_of_who_has_the_name_now(
    hook: Hook, ada: Person, services: Services
) -> None:
    await chat(hook, "100", A)
    await stop(services, ada, A)
    await chat(hook, "200", B)
    await stop(services, ada, B)
    await start(services, ada, [A])
    assert (await blocked(ada)).keys() == {BOB, B}


@pytest.mark.parametrize("rows", [[("100", A), ("100", None)], [("100", A), ("101", A)]])
async def test_one_person_in_several_chats_stays_joined(
    hook: Hook, ada: Person, services: Services, rows: list[tuple[str, str | None]], account: object
) -> None:
    second = await account(ada, hook.number)  # type: ignore[operator]
    for id, (thread, phone) in zip((hook.id, second), rows, strict=True):
        async with services.db.transaction() as db:
            await db.execute(_CHAT, uuid7(), id, thread, phone, "bobby")
    await stop(services, ada, BOB)
    assert (await blocked(ada)).keys() == {A, BOB}


async def test_a_live_message_takes_the_name_from_the_former_person(
    hook: Hook, ada: Person, services: Services
) -> None:
    await write(hook, "100", A, BOB)
    await stop(services, ada, A)
    assert (await blocked(ada)).keys() == {A, BOB}
    await write(hook, "200", B, BOB)
    # The name is of B now, who has not said stop.
    assert (await blocked(ada)).keys() == {A}
    rows = await services.db.fetch("SELECT thread, username FROM messenger_chats ORDER BY thread")
    assert [(row["thread"], row["username"]) for row in rows] == [("100", None), ("200", "bobby")]
    await stop(services, ada, B)
    assert (await blocked(ada)).keys() == {A, B, BOB}
    await start(services, ada, [A])
    assert (await blocked(ada)).keys() == {B, BOB}


async def test_a_block_comes_to_a_name_that_its_person_takes(
    hook: Hook, ada: Person, services: Services
) -> None:
    await write(hook, "100", A, BOB)
    await stop(services, ada, B)
    await write(hook, "200", B, BOB)
    assert (await blocked(ada)).keys() == {B, BOB}


async def test_an_unblocked_id_stays_unblocked(hook: Hook, ada: Person) -> None:
    await hook.tell(named(hook, "hello"))
    assert (await ada.rest("POST", f"/block/{PHONE}", json={})).status_code < 300
    assert (await ada.rest("POST", f"/block/unblock/{PHONE}")).status_code < 300
    assert (await blocked(ada)).keys() == {USER, NAME}
    await hook.tell(named(hook, "hello again"))
    await hook.tell(named(hook, "from a new chat", phone=False))
    assert (await blocked(ada)).keys() == {USER, NAME}


async def test_blocks_of_two_ids_of_one_person_wait_for_each_other(
    hook: Hook, ada: Person, services: Services
) -> None:
    await chat(hook, "100", A)

    async def one(address: str, *, many: bool) -> None:
        async with services.db.transaction() as db:
            if many:
                await blocks.block_many(db, ada.id, [blocks.NewBlock(address, None, "all")])
            else:
                await blocks.block(db, ada.id, address, BlockReason.optOut)

    for round in range(60):
        async with services.db.transaction() as db:
            await db.execute("DELETE FROM blocked_phones WHERE owner_id = $1", ada.id)
        await asyncio.gather(one(A, many=False), one(BOB, many=round % 2 == 1))
    assert (await blocked(ada)).keys() == {A, BOB}
    for _ in range(30):
        await asyncio.gather(stop(services, ada, A), start(services, ada, [BOB]), stop(services, ada, BOB))


async def test_many_blocks_that_become_wider_are_spread_at_once(
    hook: Hook, ada: Person, services: Services
) -> None:
    await chat(hook, "100", A)
    stranger = "+4915100000009"
    async with services.db.transaction() as db:
        for scope in ("promotional", "all"):
            new = [blocks.NewBlock(address, None, scope) for address in (A, stranger)]
            await blocks.block_many(db, ada.id, new)
        for_rows = await db.fetchval(
            "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'blocked_phones'::regclass AND tgname LIKE 'person_%'"
            " AND tgtype & 1 = 1"
        )
    assert await blocked(ada) == {A: "all", BOB: "all", stranger: "all"}
    assert for_rows == 0
