"""Tests what accounts send, receive and see, as every driver does it."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from messengers.port import (
    Media,
    Message,
    MessengerError,
    Outgoing,
    Reaction,
    Refused,
    Throttled,
    Uncertain,
    Unreachable,
)
from shapes.chats import ChatMessageStatus, ContentKind
from shapes.messenger_accounts import AccountState
from tests.messengers.conftest import MakeLive
from tests.messengers.recorder import Live, needs
from tests.messengers.rig import Can, Peer, Rig, Trouble
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.rotating

ORDER = [status for status in ChatMessageStatus if status is not ChatMessageStatus.errored]
PICTURE = Media(
    ContentKind.image,
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
        "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    ),
    "image/png",
    "dot.png",
)
NOTE = Media(ContentKind.file, b"%PDF-1.4 not really\n" * 10, "application/pdf", "note.pdf")


def text(to: str, words: str, **more: object) -> Outgoing:
    return Outgoing(uuid4(), to, words, **more)  # type: ignore[arg-type]


async def pair(rig: Rig, live: MakeLive) -> tuple[Live, Peer]:
    one = await live()
    return one, await rig.peer(one.account)


async def met(rig: Rig, live: MakeLive) -> tuple[Live, Peer, str]:
    """An account and a peer who has written to it, and the thread of the two."""
    one, peer = await pair(rig, live)
    await peer.write("hello")
    [message] = await until(one.told.came)
    return one, peer, message.thread


# writing


async def test_a_text_arrives(rig: Rig, live: MakeLive):
    one, peer = await pair(rig, live)
    sent = await one.connection.send(text(peer.to, "Grüße 👋🏽, مرحبا"))
    [got] = await until(peer.got)
    assert got.text == "Grüße 👋🏽, مرحبا"
    assert sent.provider_id
    assert sent.thread
    assert sent.status in (ChatMessageStatus.server, ChatMessageStatus.delivered)


async def test_the_thread_that_was_answered_is_a_recipient(rig: Rig, live: MakeLive):
    one, peer = await pair(rig, live)
    first = await one.connection.send(text(peer.to, "by address"))
    second = await one.connection.send(text(first.thread, "by thread"))
    assert second.thread == first.thread
    assert second.provider_id != first.provider_id
    await until(lambda: count(peer, 2))
    assert [got.text for got in await peer.got()] == ["by address", "by thread"]


async def count(peer: Peer, at_least: int) -> bool:
    return len(await peer.got()) >= at_least


async def test_one_item_twice_arrives_once(rig: Rig, live: MakeLive):
    if not rig.driver.idempotent:
        pytest.skip("the driver says that it can't")
    one, peer = await pair(rig, live)
    message = text(peer.to, "only once")
    first, second = await one.connection.send(message), await one.connection.send(message)
    assert (first.provider_id, first.thread) == (second.provider_id, second.thread)
    await one.connection.send(text(peer.to, "the last"))
    await until(lambda: count(peer, 2))
    assert [got.text for got in await peer.got()] == ["only once", "the last"]


async def test_one_item_twice_over_two_connections_arrives_once(rig: Rig, live: MakeLive):
    if not rig.driver.idempotent:
        pytest.skip("the driver says that it can't")
    needs(rig, Can.session)
    one, peer = await pair(rig, live)
    message = text(peer.to, "only once")
    first = await one.connection.send(message)
    await one.close()
    again = await live(again=one)
    await again.at(AccountState.working)
    assert (await again.connection.send(message)).provider_id == first.provider_id
    await again.connection.send(text(peer.to, "the last"))
    await until(lambda: count(peer, 2))
    assert [got.text for got in await peer.got()] == ["only once", "the last"]


async def test_many_at_once_all_arrive(rig: Rig, live: MakeLive):
    one, peer = await pair(rig, live)
    sent = await asyncio.gather(*(one.connection.send(text(peer.to, f"{n}")) for n in range(10)))
    assert len({receipt.provider_id for receipt in sent}) == 10
    await until(lambda: count(peer, 10))
    assert {got.text for got in await peer.got()} == {f"{n}" for n in range(10)}


@pytest.mark.parametrize("media", [PICTURE, NOTE], ids=["image", "file"])
async def test_a_file_goes_out(rig: Rig, live: MakeLive, media: Media):
    needs(rig, Can.media)
    one, peer = await pair(rig, live)
    await one.connection.send(text(peer.to, "look", media=[media]))
    [got] = await until(peer.got)
    assert got.text == "look"
    assert [content.kind for content in got.media] == [media.kind]
    if media.kind is ContentKind.file:  # messengers make their own of pictures
        assert got.media[0].data == media.data


async def test_an_answer_names_what_it_answers(rig: Rig, live: MakeLive):
    needs(rig, Can.replies)
    one, peer, thread = await met(rig, live)
    [question] = one.told.came()
    sent = await one.connection.send(text(thread, "the answer", reply_to=question.provider_id))
    await until(peer.got)
    assert (await peer.got())[-1].reply_to == "hello"
    await peer.write("thanks", reply_to=sent.provider_id)
    await until(lambda: len(one.told.came()) == 2)
    assert one.told.came()[-1].reply_to == sent.provider_id


# getting


async def test_what_comes_in_is_told_whole(rig: Rig, live: MakeLive):
    one, peer = await pair(rig, live)
    await peer.write("hello 👋")
    await peer.write("once more")
    await until(lambda: len(one.told.came()) == 2)
    first, second = one.told.came()
    assert (first.text, second.text) == ("hello 👋", "once more")
    assert first.thread == second.thread
    assert first.provider_id != second.provider_id
    assert first.sender
    assert not first.outgoing
    assert first.item is None


async def test_messages_of_a_thread_come_in_their_order(rig: Rig, live: MakeLive):
    one, peer = await pair(rig, live)
    for number in range(25):
        await peer.write(f"{number}")
    await until(lambda: len(one.told.came()) == 25)
    assert [message.text for message in one.told.came()] == [f"{number}" for number in range(25)]


async def test_two_accounts_have_their_own_conversations(rig: Rig, live: MakeLive):
    one, other = await live(), await live()
    ones, others = await rig.peer(one.account), await rig.peer(other.account)
    await asyncio.gather(ones.write("to one"), others.write("to the other"))
    await until(lambda: one.told.came() and other.told.came())
    assert [message.text for message in one.told.came()] == ["to one"]
    assert [message.text for message in other.told.came()] == ["to the other"]


async def test_a_file_comes_in_and_can_be_fetched(rig: Rig, live: MakeLive):
    needs(rig, Can.media)
    one, peer = await pair(rig, live)
    await peer.write("look", media=NOTE)
    [message] = await until(one.told.came)
    assert message.text == "look"
    [content] = message.content
    assert content.kind is ContentKind.file
    assert content.name == NOTE.name
    media = await one.connection.fetch(message.thread, message.provider_id, 0)
    assert media.data == NOTE.data
    assert media.mime == NOTE.mime


async def test_a_file_that_is_not_there_is_refused(rig: Rig, live: MakeLive):
    needs(rig, Can.media)
    one, _, thread = await met(rig, live)
    [message] = one.told.came()
    for provider_id, index in (
        (message.provider_id, 0),
        (message.provider_id, 99),
        ("4000000", 0),
        ("\0", -1),
    ):
        with pytest.raises(Refused):
            await one.connection.fetch(thread, provider_id, index)


async def test_a_reaction_comes_and_is_taken_back(rig: Rig, live: MakeLive):
    needs(rig, Can.reactions)
    one, peer = await pair(rig, live)
    sent = await one.connection.send(text(peer.to, "like it?"))
    await until(peer.got)
    await peer.react(sent.provider_id, "👍")
    await until(lambda: one.told.of(Reaction))
    await peer.react(sent.provider_id, None)
    await until(lambda: len({reaction.emoji for reaction in one.told.of(Reaction)}) == 2)
    assert one.told.of(Reaction)[0].emoji == "👍"
    assert one.told.of(Reaction)[-1].emoji is None
    assert {(reaction.provider_id, reaction.thread) for reaction in one.told.of(Reaction)} == {
        (sent.provider_id, sent.thread)
    }


async def test_what_was_sent_from_another_device_is_told_as_outgoing(rig: Rig, live: MakeLive):
    needs(rig, Can.elsewhere)
    one, peer = await pair(rig, live)
    await rig.elsewhere(one.account, peer, "from my phone")
    await until(lambda: [message for message in one.told.of(Message) if message.text == "from my phone"])
    [echo] = [message for message in one.told.of(Message) if message.text == "from my phone"]
    assert echo.outgoing
    assert echo.item is None
    sent = await one.connection.send(text(peer.to, "and from here"))
    assert sent.thread == echo.thread


# how far it got


async def test_statuses_move_forward_to_seen(rig: Rig, live: MakeLive):
    needs(rig, Can.seen)
    one, peer = await pair(rig, live)
    first = await one.connection.send(text(peer.to, "first"))
    last = await one.connection.send(text(peer.to, "last"))
    await until(lambda: count(peer, 2))
    await peer.read()
    await until(lambda: ChatMessageStatus.has_seen in one.told.statuses(last.provider_id))
    for sent in (first, last):
        ranks = [ORDER.index(ChatMessageStatus(status)) for status in one.told.statuses(sent.provider_id)]
        assert ranks == sorted(ranks)


async def test_the_other_side_is_told_that_we_read(rig: Rig, live: MakeLive):
    needs(rig, Can.read)
    one, peer, thread = await met(rig, live)
    assert not await peer.saw_read()
    await one.connection.read(thread, one.told.came()[-1].provider_id)
    await until(peer.saw_read)


async def test_typing_is_shown(rig: Rig, live: MakeLive):
    needs(rig, Can.acts)
    one, peer, thread = await met(rig, live)
    actions = ["typing", "recording", "none"] if Can.recording in rig.can else ["typing", "none"]
    for action in actions:
        await one.connection.act(thread, action)  # type: ignore[arg-type]
    await until(lambda: _shown(peer, len(actions)))
    assert list(await peer.acts()) == actions
    assert 1 <= rig.driver.renews <= 30


async def _shown(peer: Peer, at_least: int) -> bool:
    return len(await peer.acts()) >= at_least


# the past


async def test_history_pages_from_the_newest(rig: Rig, live: MakeLive):
    needs(rig, Can.history)
    one, peer, thread = await met(rig, live)
    for number in range(4):
        await one.connection.send(text(thread, f"ours {number}"))
        await peer.write(f"theirs {number}")
    await until(lambda: len(one.told.came()) == 5)
    whole = await one.connection.history(thread, 100)
    assert {message.text for message in whole} == {
        "hello",
        *(f"{whose} {number}" for whose in ("ours", "theirs") for number in range(4)),
    }
    theirs = [message.text for message in whole if not message.outgoing]
    assert theirs == [*(f"theirs {number}" for number in (3, 2, 1, 0)), "hello"]
    assert [message.at for message in whole] == sorted((message.at for message in whole), reverse=True)
    first = await one.connection.history(thread, 3)
    rest = await one.connection.history(thread, 100, before=first[-1].provider_id)
    assert [message.provider_id for message in (*first, *rest)] == [message.provider_id for message in whole]
    assert {message.thread for message in whole} == {thread}
    assert not await one.connection.history(thread, 10, before=whole[-1].provider_id)


@pytest.mark.parametrize("thread", ["", "\0", "no such thread", "999999999999", "9" * 10_000], ids=range(5))
async def test_an_unknown_thread_has_no_past(rig: Rig, live: MakeLive, thread: str):
    one = await live()
    with suppress(Refused):
        assert list(await one.connection.history(thread, 10)) == []
    assert await one.connection.probe()


async def test_what_came_while_it_was_away_is_told_when_it_is_back(rig: Rig, live: MakeLive):
    needs(rig, Can.gap, Can.session)
    one, peer, _ = await met(rig, live)
    await one.close()
    for number in range(5):
        await peer.write(f"missed {number}")
    again = await live(again=one)
    await until(lambda: len([m for m in again.told.came() if m.text.startswith("missed")]) == 5)
    assert [m.text for m in again.told.came() if m.text != "hello"] == [f"missed {n}" for n in range(5)]
    assert again.told.cursor is not None
    await again.close()
    await peer.write("one more")
    third = await live(again=again)
    await until(lambda: [message for message in third.told.came() if message.text == "one more"])


async def test_what_was_not_written_down_is_told_again(rig: Rig, live: MakeLive):
    """After a crash, the cursor is the last one that was stored."""
    needs(rig, Can.gap, Can.session)
    one, peer, _ = await met(rig, live)
    one.told.lost = True
    await peer.write("nobody wrote this down")
    await until(lambda: one.told.told_after_lost)
    await one.connection.close()
    again = await live(again=one)
    await until(lambda: [m for m in again.told.came() if m.text == "nobody wrote this down"])


async def test_what_came_while_the_network_was_away_is_told(rig: Rig, live: MakeLive):
    needs(rig, Can.gap, Can.drop)
    one, peer, _ = await met(rig, live)
    before = len(one.told.changes)
    await rig.drop(one.account)
    await peer.write("in between")
    await until(lambda: [message for message in one.told.came() if message.text == "in between"])
    states = {change.state for change in one.told.changes[before:]}
    assert not states & {AccountState.waitQr, AccountState.waitCode, AccountState.failed}


# what goes wrong


@pytest.mark.parametrize("trouble", list(Trouble), ids=str)
async def test_trouble_has_its_own_name(rig: Rig, live: MakeLive, trouble: Trouble):
    if trouble not in rig.troubles:
        pytest.skip(f"this counterpart can't stage {trouble}")
    one, peer = await pair(rig, live)
    errors: dict[Trouble, type[MessengerError]] = {
        Trouble.refused: Refused,
        Trouble.throttled: Throttled,
        Trouble.unreachable: Unreachable,
        Trouble.uncertain: Uncertain,
    }
    to = await rig.trouble(one.account, trouble)
    before = await rig.taken(one.account, to)
    with pytest.raises(MessengerError) as caught:
        async with asyncio.timeout(PATIENCE):
            await one.connection.send(text(to, "a secret text"))
    assert type(caught.value) is errors[trouble]
    assert caught.value.code
    assert caught.value.reason.strip()
    assert "a secret text" not in str(caught.value)
    if isinstance(caught.value, Throttled):
        assert caught.value.until > datetime.now(UTC).replace(year=2000)
    assert await rig.taken(one.account, to) - before == (trouble is Trouble.uncertain)
    await until(lambda: one.told.state is AccountState.working)
    if trouble is not Trouble.throttled:  # that may hold for everybody
        await one.connection.send(text(peer.to, "afterwards"))
        await until(peer.got)


async def test_people_are_found_or_nobody_is(rig: Rig, live: MakeLive):
    needs(rig, Can.person)
    one, peer, thread = await met(rig, live)
    person = await one.connection.person(peer.to)
    assert person is not None
    assert person.exists
    assert person.id
    assert (await one.connection.person(thread)) is not None
    me = await one.connection.me()
    assert me.id
    assert me.id != person.id


@pytest.mark.parametrize("limit", [0, 1, 10_000])
async def test_history_is_bounded_by_its_limit(rig: Rig, live: MakeLive, limit: int):
    needs(rig, Can.history)
    one, _, thread = await met(rig, live)
    await one.connection.send(text(thread, "two"))
    assert len(await one.connection.history(thread, limit)) == min(limit, 2)
