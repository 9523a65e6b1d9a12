"""Groups and channels, which this server has only as far as a test makes them."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from telethon.tl import functions, types

from messengers.port import Outgoing
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import AccountState
from tests.support.waits import until
from tests.telegram.server.methods import METHODS
from tests.telegram.server.world import now

A = AccountState


def group() -> types.Chat:
    return types.Chat(55, "Friends", types.ChatPhotoEmpty(), 3, now(), 1)


def channel(**more) -> types.Channel:
    return types.Channel(77, "News", types.ChatPhotoEmpty(), now(), access_hash=4242, **more)


def post(number: int, text: str, **more) -> types.Message:
    return types.Message(
        id=number, peer_id=types.PeerChannel(77), date=now(), message=text, post=True, **more
    )


def push(telegram, person, update, *, users=(), chats=()) -> None:
    for link in telegram.of(person):
        link.tell(types.Updates([update], list(users), list(chats), now(), 0))


@pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
async def test_a_message_in_a_group(telegram, enter, ada, bob, short):
    telegram.world.write(bob, ada, "known")
    own, _ = await enter()
    ada.pts += 1
    if short:
        push(
            telegram,
            ada,
            types.UpdateChatUserTyping(55, bob.peer, types.SendMessageTypingAction()),
            chats=[group()],
        )
        update = types.UpdateShortChatMessage(
            id=2, from_id=bob.id, chat_id=55, message="hi all", pts=ada.pts, pts_count=1, date=now()
        )
        for link in telegram.of(ada):
            link.tell(update)
    else:
        message = types.Message(
            id=2, peer_id=types.PeerChat(55), from_id=bob.peer, date=now(), message="hi all"
        )
        update = types.UpdateNewMessage(message, ada.pts, 1)
        push(telegram, ada, update, users=[bob.shown(ada)], chats=[group()])
    (got,) = await until(lambda: own.sink.messages)
    assert (got.thread, got.chat_kind, got.chat_name, got.sender, got.name, got.recipient) == (
        "-55", "group", "Friends", "bobby", "Bob", "-55",
    )  # fmt: skip


async def test_a_post_of_a_channel_and_how_far_it_was_read(telegram, enter, ada):
    own, _ = await enter()
    push(
        telegram, ada, types.UpdateNewChannelMessage(post(900, "news"), 5, 1), chats=[channel(broadcast=True)]
    )
    (got,) = await until(lambda: own.sink.messages)
    assert (got.thread, got.chat_kind, got.chat_name, got.sender, got.name) == (
        "-1000000000077", "channel", "News", "-1000000000077", "News",
    )  # fmt: skip
    assert own.sink.cursor["channels"] == {"77": [5, 4242, 900]}
    assert own.sink.cursor["last"] == 0  # a channel counts for itself
    push(telegram, ada, types.UpdateReadChannelOutbox(77, 900))
    (seen,) = await until(lambda: own.sink.progress)
    assert (seen.thread, seen.status) == ("-1000000000077", ChatMessageStatus.has_seen)


async def test_a_channel_that_went_too_far_ahead_is_filled_from_its_history(
    telegram, enter, ada, monkeypatch
):
    own, connection = await enter()
    push(
        telegram,
        ada,
        types.UpdateNewChannelMessage(post(900, "first"), 5, 1),
        chats=[channel(megagroup=True)],
    )
    await until(lambda: own.sink.messages)
    await connection.close()
    posts = [post(number, str(number)) for number in range(1050, 900, -1)]
    requests = []

    async def difference(server, link, request):
        requests.append(request)
        dialog = types.Dialog(
            types.PeerChannel(77), 1050, 0, 0, 0, 0, 0, 0, types.PeerNotifySettings(), pts=200
        )
        return types.updates.ChannelDifferenceTooLong(
            dialog, posts[:1], [channel(megagroup=True)], [], final=True
        )

    ordinary = METHODS[functions.messages.GetHistoryRequest]

    async def history(server, link, request):
        if not isinstance(request.peer, types.InputPeerChannel):
            return await ordinary(server, link, request)
        assert request.peer.access_hash == 4242
        listed = [each for each in posts if not request.offset_id or each.id < request.offset_id]
        page = [each for each in listed if each.id > request.min_id][: request.limit]
        return types.messages.ChannelMessages(
            pts=200, count=len(posts), messages=page, topics=[], chats=[channel(megagroup=True)], users=[]
        )

    monkeypatch.setitem(METHODS, functions.updates.GetChannelDifferenceRequest, difference)
    monkeypatch.setitem(METHODS, functions.messages.GetHistoryRequest, history)
    before = len(own.sink.changes)
    await own.start()
    await own.sink.reach(A.working, after=before + 1)
    push(telegram, ada, types.UpdateChannelTooLong(77))
    await until(lambda: len(own.sink.messages) == 151)
    assert own.sink.texts == ["first", *(str(number) for number in range(901, 1051))]
    assert own.sink.cursor["channels"] == {"77": [200, 4242, 1050]}
    assert [each.pts for each in requests] == [5]


async def test_a_message_to_a_group(telegram, enter, ada, monkeypatch):
    own, connection = await enter()
    ada.pts += 1
    message = types.Message(
        id=1, peer_id=types.PeerChat(55), from_id=ada.peer, date=now(), message="x", out=True
    )
    push(telegram, ada, types.UpdateNewMessage(message, ada.pts, 1), chats=[group()])
    await until(lambda: own.sink.messages)

    async def send(server, link, request):
        assert request.peer == types.InputPeerChat(55)
        ada.pts += 1
        made = types.Message(id=2, peer_id=types.PeerChat(55), date=now(), message=request.message, out=True)
        updates = [types.UpdateMessageID(2, request.random_id), types.UpdateNewMessage(made, ada.pts, 1)]
        return types.Updates(updates, [], [group()], now(), 0)

    monkeypatch.setitem(METHODS, functions.messages.SendMessageRequest, send)
    sent = await connection.send(Outgoing(uuid4(), "-55", "hello all"))
    assert (sent.provider_id, sent.thread) == ("2", "-55")
    assert sent.at <= datetime.now(UTC)
