"""messages.*, contacts.*, updates.*, upload.*."""

from collections.abc import Iterable
from typing import Any

from telethon.tl import TLObject, types
from telethon.tl.functions import contacts, messages, updates, upload

from tests.telegram.server.link import Link, Rpc
from tests.telegram.server.logins import file_hash, find, who
from tests.telegram.server.methods import answers
from tests.telegram.server.world import Person, now


def _people(server: Any, me: Person, objects: Iterable[TLObject]) -> list[TLObject]:
    ids = {me.id} | {each.peer_id.user_id for each in objects}
    return [server.world.people[each].shown(me) for each in sorted(ids)]


# updates


def _state(me: Person) -> types.updates.State:
    return types.updates.State(me.pts, 0, now(), 0, 0)


@answers(updates.GetStateRequest)
async def get_state(server: Any, link: Link, request: Any) -> Any:
    return _state(who(server, link))


@answers(updates.GetDifferenceRequest)
async def get_difference(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    missed = [(pts, update) for pts, update in me.log if pts > request.pts]
    if not missed:
        return types.updates.DifferenceEmpty(now(), 0)
    if len(missed) > server.too_long:
        return types.updates.DifferenceTooLong(me.pts)
    now_told, later = missed[: server.slice], missed[server.slice :]
    news = [each.message for _, each in now_told if isinstance(each, types.UpdateNewMessage)]
    news = [each for each in news if each.id in me.box]  # what was deleted since is not told
    rest = [each for _, each in now_told if not isinstance(each, types.UpdateNewMessage)]
    sent = {number: random_id for random_id, number in me.random_ids.items()}
    rest = [
        types.UpdateMessageID(each.id, sent[each.id]) for each in news if each.out and each.id in sent
    ] + rest
    people = _people(server, me, news)
    if later:
        state = types.updates.State(now_told[-1][0], 0, now(), 0, 0)
        return types.updates.DifferenceSlice(news, [], rest, [], people, state)
    return types.updates.Difference(news, [], rest, [], people, _state(me))


# messages


def _writes(server: Any, me: Person, request: Any) -> tuple[Person, int | None]:
    to = find(server, me, request.peer)
    if request.random_id in me.random_ids:
        raise Rpc(500, "RANDOM_ID_DUPLICATE")
    if to.private and me.id not in to.contacts:
        raise Rpc(403, "USER_PRIVACY_RESTRICTED")
    reply = request.reply_to.reply_to_msg_id if request.reply_to else None
    if reply is not None and reply not in me.box:
        raise Rpc(400, "REPLY_MESSAGE_ID_INVALID")
    return to, reply


@answers(messages.SendMessageRequest)
async def send_message(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    to, reply = _writes(server, me, request)
    if not request.message:
        raise Rpc(400, "MESSAGE_EMPTY")
    if len(request.message) > 4096:
        raise Rpc(400, "MESSAGE_TOO_LONG")
    made = server.world.write(
        me, to, request.message, reply_to=reply, from_key=link.key_id, random_id=request.random_id
    )
    return types.UpdateShortSentMessage(made.id, me.pts, 1, made.date, out=True)


def _file(server: Any, location: Any) -> bytes:
    parts = server.world.parts.pop(location.id, {})
    data = b"".join(parts[each] for each in sorted(parts))
    if sorted(parts) != list(range(location.parts)):
        raise Rpc(400, "FILE_PARTS_INVALID")
    if isinstance(location, types.InputFile) and location.md5_checksum != file_hash(data):
        raise Rpc(400, "MD5_CHECKSUM_INVALID")
    return data


@answers(messages.SendMediaRequest)
async def send_media(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    to, reply = _writes(server, me, request)
    if len(request.message) > 1024:
        raise Rpc(400, "MEDIA_CAPTION_TOO_LONG")
    data = _file(server, request.media.file)
    if isinstance(request.media, types.InputMediaUploadedPhoto):
        if data[:3] != b"\xff\xd8\xff" and data[:4] != b"\x89PNG":
            raise Rpc(400, "IMAGE_PROCESS_FAILED")
        media = server.world.store(data, photo=True)
    else:
        media = server.world.store(
            data, photo=False, mime=request.media.mime_type, attributes=request.media.attributes
        )
    made = server.world.write(
        me,
        to,
        request.message,
        media=media,
        reply_to=reply,
        from_key=link.key_id,
        random_id=request.random_id,
    )
    updates = [types.UpdateMessageID(made.id, request.random_id), types.UpdateNewMessage(made, me.pts, 1)]
    return types.Updates(updates, _people(server, me, [made]), [], now(), 0)


def _thread(me: Person, other: Person) -> list[TLObject]:
    """Newest first."""
    return [each for each in reversed(me.box.values()) if each.peer_id.user_id == other.id]


@answers(messages.GetHistoryRequest)
async def get_history(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    listed = _thread(me, find(server, me, request.peer))
    total = len(listed)
    listed = [
        each
        for each in listed
        if (not request.offset_id or each.id < request.offset_id) and each.id > request.min_id
    ][: min(request.limit, 100)]
    return types.messages.MessagesSlice(
        count=total, messages=listed, topics=[], chats=[], users=_people(server, me, listed)
    )


@answers(messages.GetMessagesRequest)
async def get_messages(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    listed = [me.box.get(each.id) or types.MessageEmpty(id=each.id, peer_id=None) for each in request.id]
    there = [each for each in listed if not isinstance(each, types.MessageEmpty)]
    return types.messages.Messages(listed, [], [], _people(server, me, there))


def _dialog(me: Person, other: int) -> types.Dialog:
    thread = [each for each in me.box.values() if each.peer_id.user_id == other]
    read = me.read_in.get(other, 0)
    unread = sum(not each.out and each.id > read for each in thread)
    return types.Dialog(
        types.PeerUser(other), thread[-1].id if thread else 0, read, me.read_out.get(other, 0), unread, 0, 0, 0,
        types.PeerNotifySettings(),
    )  # fmt: skip


@answers(messages.GetDialogsRequest)
async def get_dialogs(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    newest: dict[int, TLObject] = {each.peer_id.user_id: each for each in me.box.values()}
    listed = sorted(newest.values(), key=lambda each: -each.id)
    if request.offset_id:
        listed = [each for each in listed if each.id < request.offset_id]
    total, listed = len(newest), listed[: min(request.limit, 100)]
    dialogs = [_dialog(me, each.peer_id.user_id) for each in listed]
    return types.messages.DialogsSlice(total, dialogs, listed, [], _people(server, me, listed))


@answers(messages.GetPeerDialogsRequest)
async def get_peer_dialogs(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    others = [find(server, me, each.peer) for each in request.peers]
    users = [each.shown(me) for each in others]
    return types.messages.PeerDialogs([_dialog(me, each.id) for each in others], [], [], users, _state(me))


@answers(messages.ReadHistoryRequest)
async def read_history(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    count = server.world.read(me, find(server, me, request.peer), request.max_id or None, link.key_id)
    return types.messages.AffectedMessages(me.pts, count)


@answers(messages.SetTypingRequest)
async def set_typing(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    other = find(server, me, request.peer)
    other.acts.append((me.id, request.action))
    server.world.push(other, types.UpdateUserTyping(me.id, request.action), None)
    return True


@answers(messages.SendReactionRequest)
async def send_reaction(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    server.world.react(me, request.msg_id, request.reaction[0].emoticon if request.reaction else None)
    return types.Updates([], [], [], now(), 0)


# contacts


@answers(contacts.GetContactsRequest)
async def get_contacts(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    people = [server.world.people[each] for each in me.contacts]
    return types.contacts.Contacts(
        [types.Contact(each.id, mutual=False) for each in people],
        len(people),
        [each.shown(me) for each in people],
    )


@answers(contacts.ImportContactsRequest)
async def import_contacts(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    imported, users = [], []
    for each in request.contacts:
        person = server.world.by_phone(each.phone)
        if person is not None and not person.hidden:
            me.contacts[person.id] = each.first_name
            imported.append(types.ImportedContact(person.id, each.client_id))
            users.append(person.shown(me))
        else:
            me.saved[each.phone.lstrip("+")] = each.first_name
    return types.contacts.ImportedContacts(imported, [], [], users)


@answers(contacts.DeleteByPhonesRequest)
async def delete_by_phones(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    for each in request.phones:
        me.saved.pop(each.lstrip("+"), None)
        if (person := server.world.by_phone(each)) is not None:
            me.contacts.pop(person.id, None)
    return True


@answers(contacts.ResolvePhoneRequest)
async def resolve_phone(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    # Digits alone: there are servers that do not look up a number with a plus sign.
    person = server.world.by_phone(request.phone) if request.phone.isdigit() else None
    if person is None or person.hidden:
        raise Rpc(400, "PHONE_NOT_OCCUPIED")
    return types.contacts.ResolvedPeer(person.peer, [], [person.shown(me)])


@answers(contacts.DeleteContactsRequest)
async def delete_contacts(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    for each in request.id:
        me.contacts.pop(find(server, me, each).id, None)
    return types.Updates([], [], [], now(), 0)


@answers(contacts.ResolveUsernameRequest)
async def resolve_username(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    person = server.world.by_username(request.username)
    if person is None:
        raise Rpc(400, "USERNAME_NOT_OCCUPIED")
    return types.contacts.ResolvedPeer(person.peer, [], [person.shown(me)])


# files


@answers(upload.SaveFilePartRequest, upload.SaveBigFilePartRequest)
async def save_part(server: Any, link: Link, request: Any) -> Any:
    who(server, link)
    server.world.parts.setdefault(request.file_id, {})[request.file_part] = request.bytes
    return True


@answers(upload.GetFileRequest)
async def get_file(server: Any, link: Link, request: Any) -> Any:
    who(server, link)
    place = request.location
    if isinstance(place, types.InputPeerPhotoFileLocation):
        data = server.world.people[place.peer.user_id].photo or b""
    else:
        stored = server.world.files.get(place.id)
        if stored is None or place.file_reference != b"ref":
            raise Rpc(400, "FILE_REFERENCE_EXPIRED")
        data = stored.data
    return types.upload.File(
        types.storage.FileUnknown(), 0, data[request.offset : request.offset + request.limit]
    )
