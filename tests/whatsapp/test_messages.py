"""Tests what only WhatsApp has in messages: two addresses of one person, groups, kinds of content, history,
presence.
"""

import base64
import struct
import time
from typing import Any
from uuid import uuid4

import pytest

from messengers.port import (
    Deletion,
    Media,
    Message,
    Outgoing,
    Progress,
    Reaction,
    Refused,
    Restricted,
    Unreachable,
)
from messengers.whatsapp.shapes import ogg_seconds
from shapes.chats import ChatMessageStatus, ContentKind
from shapes.messenger_accounts import AccountState
from tests.messengers.rigs.whatsapp import WhatsAppPeer, WhatsAppRig
from tests.support.waits import until
from tests.whatsapp.conftest import Make, One
from tests.whatsapp.exchange import GROUP, HIDDEN, USER, Peer, jid, phone

pytestmark = pytest.mark.servers

S = AccountState
PAGE = b"OggS\x00\x04" + struct.pack("<q", 48_000 * 7) + b"\x00" * 12


def text(to: str, words: str = "hello", **more: object) -> Outgoing:
    return Outgoing(uuid4(), to, words, **more)  # type: ignore[arg-type]


async def came(live: One, count: int = 1) -> list[Message]:
    await until(lambda: len(live.told.came()) >= count)
    return live.told.came()


async def test_one_person_is_one_thread_whichever_address_he_comes_with(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id], hidden=True)
    sent = await live.connection.send(text(peer.to))
    peer.tell({"conversation": "from a hidden address"})
    [message] = await came(live)
    assert message.thread == sent.thread == f"{peer.number}@{USER}"
    assert message.sender == peer.to
    peer.receipt([sent.provider_id], 4)
    await until(lambda: "has_seen" in live.told.statuses(sent.provider_id))
    assert {progress.thread for progress in live.told.of(Progress)} == {sent.thread}


async def test_somebody_whose_phone_is_hidden_can_be_answered(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id], hidden=True)
    hidden = f"{peer.hidden}@{HIDDEN}"
    rig.messenger.hidden.pop(peer.hidden or "")
    peer.tell({"conversation": "who am I?"}, MessageSource={"Chat": jid(hidden), "Sender": jid(hidden)})
    [message] = await came(live)
    assert message.thread == message.sender == hidden
    rig.messenger.hidden[peer.hidden or ""] = peer.number
    sent = await live.connection.send(text(hidden, "somebody", reply_to=message.provider_id))
    assert sent.thread == hidden
    context = peer.messages[-1]["message"]["extendedTextMessage"]["contextInfo"]
    assert context["participant"] == hidden
    assert context["quotedMessage"] == {"conversation": "who am I?"}


async def test_a_group_has_its_name_its_senders_and_its_read_marks(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    group, own = f"1203630{phone()}@{GROUP}", rig.phones[live.account.id]
    rig.messenger.groups[group] = "Analytical Society"
    first, second = (Peer(rig.messenger, own, group=group) for _ in range(2))
    first.tell({"conversation": "one"})
    await came(live)
    await until(lambda: live.connection._child and rig.messenger.groups)

    async def named() -> bool:
        second.tell({"conversation": "two"})
        return bool([message for message in live.told.came() if message.chat_name == "Analytical Society"])

    await until(named, 0.1)
    one_, two = live.told.came()[0], live.told.came()[-1]
    assert {one_.thread, two.thread} == {group}
    assert one_.chat_kind == "group"
    assert (one_.sender, two.sender) == (first.to, second.to)
    read: list[dict[str, object]] = []
    answer = rig.messenger.on_mark_read

    def mark_read(wire: Any, request: dict[str, Any]) -> Any:
        read.append(request)
        return answer(wire, request)

    rig.messenger.on_mark_read = mark_read  # type: ignore[method-assign]
    await live.connection.read(group, two.provider_id)
    assert {request["chat"] for request in read} == {group}
    assert {request["sender"] for request in read} == {f"{first.number}@{USER}", f"{second.number}@{USER}"}
    assert one_.provider_id in [id for request in read for id in request["ids"]]  # type: ignore[attr-defined]
    read.clear()
    await live.connection.read(group, two.provider_id)
    assert [request["ids"] for request in read] == [[two.provider_id]]  # the others are read already
    await live.connection.send(text(group, "three", reply_to=one_.provider_id))
    sent = rig.messenger.sent[-1]["message"]["extendedTextMessage"]["contextInfo"]
    assert sent["participant"] == f"{first.number}@{USER}"


KINDS = {
    "voice": (
        {"audioMessage": {"PTT": True, "mimetype": "audio/ogg; codecs=opus", "fileLength": 9}},
        "", ("voice", "audio/ogg; codecs=opus", None),
    ),
    "audio": ({"audioMessage": {"mimetype": "audio/mpeg"}}, "", ("audio", "audio/mpeg", None)),
    "video": ({"videoMessage": {"mimetype": "video/mp4", "caption": "look"}}, "look", ("video", "video/mp4", None)),
    "note": ({"ptvMessage": {"mimetype": "video/mp4"}}, "", ("video", "video/mp4", None)),
    "sticker": ({"stickerMessage": {"mimetype": "image/webp"}}, "", ("image", "image/webp", None)),
    "file": (
        {"documentMessage": {"mimetype": "text/csv", "fileName": "a.csv", "caption": "all"}}, "all",
        ("file", "text/csv", "a.csv"),
    ),
    "place": (
        {"locationMessage": {"degreesLatitude": 51.5, "degreesLongitude": -0.12, "name": "Here"}},
        "Here geo:51.500000,-0.120000", None,
    ),
    "button": ({"buttonsResponseMessage": {"selectedDisplayText": "Yes"}}, "Yes", None),
    "list": ({"listResponseMessage": {"title": "Third"}}, "Third", None),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
async def test_kinds_of_messages_are_read(rig: WhatsAppRig, new_account: Make, kind: str):
    message, words, content = KINDS[kind]
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    peer.tell(message)
    [received] = await came(live)
    assert received.text == words
    contents = [(content.kind.value, content.mime, content.name) for content in received.content]
    assert contents == ([content] if content else [])


async def test_a_contact_comes_as_its_card(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    peer.tell({"contactMessage": {"displayName": "Charles", "vcard": "BEGIN:VCARD\nEND:VCARD"}})
    [message] = await came(live)
    [content] = message.content
    assert content.src is not None
    assert base64.b64decode(content.src.partition(",")[2]) == b"BEGIN:VCARD\nEND:VCARD"
    with pytest.raises(Refused):
        await live.connection.fetch(message.thread, message.provider_id, 0)


async def test_what_is_no_message_to_the_account_is_not_told(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    story = {"Chat": {"User": "status", "Server": "broadcast"}, "Sender": jid(f"{peer.number}@{USER}")}
    peer.tell({"conversation": "a story"}, MessageSource=story)
    peer.tell({"conversation": "to our devices"}, Category="peer")
    peer.tell({})
    peer.tell({"protocolMessage": {"key": {"ID": "A"}}})
    peer.exchange.deliver(
        peer.account, "Receipt",
        {"MessageSource": peer.source(mine=True), "MessageIDs": ["A"], "Type": 4, "Timestamp": 1}
    )  # fmt: skip
    peer.exchange.deliver(
        peer.account, "Receipt", {"MessageSource": peer.source(), "MessageIDs": ["A"], "Timestamp": 1}
    )
    peer.tell({"conversation": "the last"})
    assert [message.text for message in await came(live)] == ["the last"]
    assert not live.told.of(Progress)


async def test_a_message_that_its_author_changed_is_told_again(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    id = peer.tell({"conversation": "helo"})
    peer.tell({"protocolMessage": {"key": {"ID": id}, "editedMessage": {"conversation": "hello"}}}, edit=True)
    await until(lambda: len(live.told.of(Message)) == 2)
    first, second = live.told.of(Message)
    assert (second.provider_id, second.thread, second.text) == (id, first.thread, "hello")
    assert first.edited_at is None
    assert second.edited_at is not None


@pytest.mark.parametrize(
    ("chat", "edit", "owner"),
    [("user", "7", (False, None)), ("group", "7", (False, "author")), ("group", "8", (None, None))],
)
async def test_a_message_that_was_deleted_for_everyone_is_a_deletion(
    rig: WhatsAppRig, new_account: Make, chat: str, edit: str, owner: tuple[bool | None, str | None]
):
    """Only the server can say that an administrator deletes; everybody else deletes messages of their own."""
    live = await new_account()
    rig.messenger.groups["120363@g.us"] = "Friends"
    group = "120363@g.us" if chat == "group" else None
    peer = Peer(rig.messenger, rig.phones[live.account.id], group=group)
    id = peer.tell({"conversation": "a secret"})
    peer.tell({"protocolMessage": {"key": {"ID": id}, "type": 0}}, Edit=edit)
    await until(lambda: live.told.of(Deletion))
    [message], [deletion] = live.told.of(Message), live.told.of(Deletion)
    assert (deletion.provider_id, deletion.thread) == (id, message.thread)
    outgoing, sender = owner
    assert (deletion.outgoing, deletion.sender) == (outgoing, message.sender if sender else None)


async def test_a_receipt_names_many_messages(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = WhatsAppPeer(Peer(rig.messenger, rig.phones[live.account.id]))
    sent = [await live.connection.send(text(peer.to, str(n))) for n in range(3)]
    await peer.read()
    await until(
        lambda: (
            {p.provider_id for p in live.told.of(Progress) if p.status is ChatMessageStatus.has_seen}
            == {message.provider_id for message in sent}
        )
    )


async def test_a_reaction_names_who_and_what(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = WhatsAppPeer(Peer(rig.messenger, rig.phones[live.account.id]))
    sent = await live.connection.send(text(peer.to))
    await peer.react(sent.provider_id, "🎉")
    await until(lambda: live.told.of(Reaction))
    [reaction] = live.told.of(Reaction)
    assert (reaction.sender, reaction.emoji, reaction.thread) == (peer.to, "🎉", sent.thread)


async def test_history_that_the_phone_hands_over_is_past(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    there, now = f"{peer.number}@{USER}", int(time.time())

    def past(number: int, mine: bool) -> dict[str, object]:
        key = {"remoteJID": there, "fromMe": mine, "ID": f"P{number}"}
        return {
            "message": {
                "key": key,
                "message": {"conversation": f"past {number}"},
                "messageTimestamp": now,
                "status": 4,
            }
        }

    talk = {"ID": there, "messages": [past(number, number % 2 == 0) for number in range(60)]}
    for kind in (4, 3):  # names, then what is recent
        peer.exchange.deliver(
            peer.account, "HistorySync", {"Data": {"syncType": kind, "conversations": [talk]}}
        )
    await until(lambda: len(live.told.of(Message)) >= 50)
    peer.tell({"conversation": "new"})
    await came(live)
    messages = [message for message in live.told.of(Message) if message.past]
    assert len(messages) == 50
    assert {message.thread for message in messages} == {there}
    assert {(message.outgoing, message.status) for message in messages} == {
        (True, ChatMessageStatus.has_seen), (False, None),
    }  # fmt: skip


async def test_what_came_while_it_was_away_is_told_when_it_is_back(rig: WhatsAppRig, new_account: Make):
    """WhatsApp keeps it for the device, and hands it over once."""
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    await live.close()
    for number in range(3):
        peer.tell({"conversation": f"missed {number}"})
    again = await new_account(account=live.account, session=live.told.sessions[-1])
    assert [message.text for message in await came(again, 3)] == ["missed 0", "missed 1", "missed 2"]


async def test_several_files_are_several_messages_and_a_sound_has_its_text_before_it(
    rig: WhatsAppRig, new_account: Make
):
    live = await new_account()
    peer = WhatsAppPeer(Peer(rig.messenger, rig.phones[live.account.id]))
    voice = Media(ContentKind.voice, PAGE, "audio/ogg", "a.ogg")
    note = Media(ContentKind.file, b"note", "text/plain", "note.txt")
    message = text(peer.to, "two things", media=[voice, note])
    await live.connection.send(message)
    got = await peer.got()
    assert [(message.text, [medium.kind for medium in message.media]) for message in got] == [
        ("two things", []), ("", [ContentKind.voice]), ("", [ContentKind.file]),
    ]  # fmt: skip
    part = peer.peer.messages[1]["message"]["audioMessage"]
    assert (part["PTT"], part["mimetype"], part["seconds"]) == (True, "audio/ogg; codecs=opus", 7)
    live.connection._sent.clear()
    await live.connection.send(message)
    assert len(await peer.got()) == 3


async def test_what_failed_midway_goes_on_where_it_stopped(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = WhatsAppPeer(Peer(rig.messenger, rig.phones[live.account.id]))
    files = [Media(ContentKind.file, b"%d" % n, "text/plain", f"{n}.txt") for n in range(2)]
    message = text(peer.to, "both", media=files)
    answer, times = rig.messenger.on_send, iter([False, True, False])

    def once(wire: Any, request: dict[str, object]) -> object:
        return {"error": "server returned error 503"} if next(times, False) else answer(wire, request)

    rig.messenger.on_send = once  # type: ignore[assignment]
    with pytest.raises(Unreachable):
        await live.connection.send(message)
    await live.connection.send(message)
    assert [got.media[0].data for got in await peer.got()] == [b"0", b"1"]


async def test_a_stranger_who_may_not_be_written_to_is_no_refusal_for_ever(
    rig: WhatsAppRig, new_account: Make
):
    live = await new_account()
    number = phone()
    rig.messenger.troubles[number] = "server returned error 463"
    with pytest.raises(Restricted) as caught:
        await live.connection.send(text(f"+{number}"))
    assert (caught.value.code, caught.value.until) == ("new_chats_restricted", None)  # no time of our own


async def test_content_that_whatsapp_forgot_is_refused(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    peer.tell({"documentMessage": {"mimetype": "text/plain", "directPath": "/gone", "fileLength": 3}})
    peer.tell(
        {"documentMessage": {"mimetype": "text/plain", "directPath": "/gone", "fileLength": 60 * 2**20}}
    )
    first, second = await came(live, 2)
    for message, code in ((first, "media_gone"), (second, "media_too_large")):
        with pytest.raises(Refused) as caught:
            await live.connection.fetch(message.thread, message.provider_id, 0)
        assert caught.value.code == code


async def test_who_types_is_shown_as_online(rig: WhatsAppRig, new_account: Make):
    live = await new_account()
    peer = WhatsAppPeer(Peer(rig.messenger, rig.phones[live.account.id]))
    await live.connection.act(peer.to, "recording")
    await live.connection.act(peer.to, "none")
    assert peer.peer.shown == ["recording", "none"]
    assert rig.messenger.online == ["AVAILABLE"]


async def test_a_second_program_with_the_session_ends_the_first_unless_it_is_to_be_taken_back(
    rig: WhatsAppRig, new_account: Make
):
    live = await new_account()
    session = live.told.sessions[-1]
    other = await new_account(account=live.account, session=session)
    await live.came_to(S.failed, "stream_replaced")
    await live.close()
    config = {"takeover": True}
    third = await new_account(account=live.account, session=session, config=config)
    await other.came_to(S.failed, "stream_replaced")
    fourth = await new_account(start=False, account=live.account, session=session)
    await fourth.start()
    await fourth.came_to(S.working)  # perhaps not for long
    await third.came_to(S.reconnecting, "stream_replaced")
    await fourth.came_to(S.failed, "stream_replaced")
    await until(lambda: third.told.state is S.working)


@pytest.mark.parametrize(
    ("data", "seconds"),
    [(b"", 0), (b"OggS", 0), (PAGE, 7), (b"OggS" + b"\xff" * 20, 0), (b"x" * 100 + PAGE, 7)],
    ids=range(5),
)
def test_how_long_a_voice_plays(data: bytes, seconds: int):
    assert ogg_seconds(data) == seconds
