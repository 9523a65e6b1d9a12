"""Messages that were deleted at the messenger: told, and left as tombstones."""

from datetime import timedelta

import pytest

from messengers.port import Deletion
from tests.chats.conftest import ANNA, T0, came, kinds, smile, step, went
from tests.support.messengers import ok

SUPERGROUP = "-1001234567890"
APART = r"^-\d{13,}$"


async def left(services):
    """Texts by thread and id; None: a tombstone."""
    rows = await services.db.fetch("SELECT * FROM messenger_messages")
    assert all(not (row.text or row.content or row.reactions) for row in rows if row.deleted_at)
    return {(row.thread, row.provider_id): None if row.deleted_at else row.text for row in rows}


async def test_a_deletion_is_told_once_and_keeps_the_row(services, account, apply, outbox):
    await apply(came("1", "a secret"), smile("1", "👍"))
    del outbox[:]
    (announced,) = await apply(Deletion("1", "t1"))
    assert await apply(Deletion("1", "t1"), Deletion("1"), Deletion("2", "t1"), Deletion("1", "t2")) == []
    (event,) = outbox
    row = await services.db.fetchrow("SELECT * FROM messenger_messages")
    assert (event.type, event.thread, event.body["item"], event.body["text"], event.body["content"]) == (
        "message_deleted", "t1", str(row.id), "", [],
    )  # fmt: skip
    assert (announced["kind"], announced["item"]) == ("deletion", str(row.id))
    assert await left(services) == {("t1", "1"): None}


async def test_nobody_deletes_or_edits_the_message_of_somebody_else(services, account, apply, outbox):
    """A messenger that encrypts between people leaves that check to the receiver."""
    await apply(went("1", "ours"), came("2", "Anna's", sender=ANNA))
    theirs = Deletion("1", "t1", outgoing=False), Deletion("2", "t1", outgoing=False, sender="+14155550177")
    assert await apply(*theirs) == []
    assert await apply(came("1", "forged", edited_at=T0 + timedelta(seconds=5))) == []
    later = T0 + timedelta(seconds=5)
    hers = came("2", "Anna's edit", edited_at=later, edited_by=ANNA)
    forged = came(
        "2", "forged", sender="+14155550177", edited_at=later + timedelta(seconds=5), edited_by="+14155550177"
    )
    assert await apply(forged) == []
    assert await left(services) == {("t1", "1"): "ours", ("t1", "2"): "Anna's"}
    await apply(hers, forged)
    assert await left(services) == {("t1", "1"): "ours", ("t1", "2"): "Anna's edit"}
    await apply(Deletion("1", "t1", outgoing=True), Deletion("2", "t1", outgoing=False, sender=ANNA))
    assert await left(services) == {("t1", "1"): None, ("t1", "2"): None}


async def test_without_a_thread_the_id_is_enough_but_in_channels(services, account, apply, outbox):
    rows = [
        came("7", "chat", thread="55"),
        came("7", "channel", thread=SUPERGROUP),
        came("8", "kept", thread="55"),
    ]
    await apply(*rows)
    await apply(Deletion("7", apart=APART))
    assert await left(services) == {("55", "7"): None, (SUPERGROUP, "7"): "channel", ("55", "8"): "kept"}
    await apply(Deletion("7", SUPERGROUP))
    assert (await left(services))[SUPERGROUP, "7"] is None


async def test_other_accounts_have_the_same_ids(services, account, apply, outbox, ada):
    from tests.chats.conftest import make_account

    other = await make_account(services, ada, "14155550199")
    await apply(came("7", "mine"))
    await apply(came("7", "theirs"), account=other)
    await apply(Deletion("7"))
    texts = await services.db.fetch("SELECT text FROM messenger_messages ORDER BY text")
    assert [row.text for row in texts] == ["", "theirs"]


async def test_what_came_and_went_at_once_is_told_in_that_order(services, account, apply, outbox):
    await apply(Deletion("9", "t1"), came("1", "quick"), Deletion("1", "t1"), went("2", "slow"))
    assert [event.type for event in outbox if event.body["outgoing"] is False] == [
        "message",
        "message_deleted",
    ]
    assert kinds(outbox)[0] == ("message", "quick")
    assert await left(services) == {("t1", "1"): None, ("t1", "2"): "slow"}


async def test_a_tombstone_is_not_filled_again(services, account, apply, outbox):
    from datetime import timedelta

    from tests.chats.conftest import T0

    await apply(went("1", "first"), Deletion("1", "t1"))
    await apply(
        went("1", "second", edited_at=T0 + timedelta(seconds=5)),
        went("1", "first", past=True),
        went("1", "first"),
    )
    await apply(step("1", "has_seen"))
    assert await left(services) == {("t1", "1"): None}
    assert await services.db.fetchval("SELECT status FROM messenger_messages") == "has_seen"


@pytest.mark.parametrize("kind", ["group", "channel"])
async def test_who_wants_no_groups_hears_of_no_deletion_in_them(services, account, apply, outbox, ada, kind):
    quiet = {"quiet": {f"ignore{kind.capitalize()}s": True}}
    await ok(ada, "setConfig", "14155550100", name="default", config=quiet)
    await apply(came("1", chat_kind=kind), Deletion("1", "t1"))
    assert outbox == []
    assert await left(services) == {("t1", "1"): None}


async def test_both_doors_show_a_tombstone(services, account, apply, outbox, ada):
    await apply(came("1", "a secret", at=1), came("2", "kept", at=2), Deletion("1", "t1"))
    page = await ok(ada, "getChatMessages", "14155550100", thread="t1")
    gone, left = page["messages"]
    assert (gone["text"], gone["deletedAt"] is not None, left["deletedAt"]) == ("", True, None)
    answer = await ok(ada, "getChatMessageByItem", "14155550100", item=gone["item"])
    assert answer["message"] == gone
    data = await ada.data(
        'query($id: ID!) { messengerMessages(accountId: $id, thread: "t1") { nodes { uuid text deletedAt } } }',
        {"id": str(account)},
    )
    assert data["messengerMessages"]["nodes"] == [
        {"uuid": each["item"], "text": each["text"], "deletedAt": each["deletedAt"]} for each in (left, gone)
    ]
