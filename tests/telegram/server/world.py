"""Holds the persons at the messenger and their messages. Every person has a box of messages with ids of its own."""

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from telethon.crypto import AuthKey
from telethon.tl import TLObject, types

from tests.telegram.server.passwords import Password


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _hash(*parts: object) -> int:
    data = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(data[:8], "little", signed=True)


@dataclass(eq=False)
class Person:
    """Somebody with an account at the messenger."""

    id: int
    phone: str  # digits
    first_name: str = "Somebody"
    last_name: str | None = None
    username: str | None = None
    password: Password | None = None
    banned: bool = False
    hidden: bool = False  # nobody finds this person by the phone
    private: bool = False  # strangers may not write
    photo: bytes | None = None
    contacts: dict[int, str] = field(default_factory=dict)  # id → the name that this person gave
    saved: dict[str, str] = field(
        default_factory=dict
    )  # phones in the address book without a user → the name
    pts: int = 1
    box: dict[int, types.Message] = field(default_factory=dict)
    newest: int = 0  # message of the box, also if it was deleted
    log: list[tuple[int, TLObject]] = field(default_factory=list)  # what has a pts
    read_in: dict[int, int] = field(default_factory=dict)  # the other → their newest message that was read
    read_out: dict[int, int] = field(default_factory=dict)
    random_ids: dict[int, int] = field(default_factory=dict)  # random_id → message
    acts: list[tuple[int, TLObject]] = field(default_factory=list)  # what this person was shown: who, what

    @property
    def peer(self) -> types.PeerUser:
        return types.PeerUser(self.id)

    def access_hash(self, for_whom: "Person") -> int:
        return _hash("user", self.id, for_whom.id)

    def shown(self, to: "Person") -> types.User:
        own = self is to
        in_contacts = self.id in to.contacts
        return types.User(
            self.id,
            is_self=own,
            contact=in_contacts,
            access_hash=self.access_hash(to),
            first_name=to.contacts.get(self.id, self.first_name),
            last_name=self.last_name,
            username=self.username,
            phone=self.phone if own or in_contacts else None,
            photo=types.UserProfilePhoto(_hash("photo", self.id), 2) if self.photo else None,
            status=types.UserStatusOffline(now()),
        )


@dataclass(eq=False)
class Auth:
    """Holds what the messenger knows of a key: whose it is."""

    person: Person | None = None
    waiting: Person | None = None  # of the person's password
    accepted: Person | None = None  # by a scanned QR
    token: bytes | None = None
    before: bytes | None = None  # the token that was shown before: somebody may be scanning it
    expires: int = 0
    migrate: int | None = None


@dataclass
class Code:
    phone: str
    code: str
    hash: str
    expired: bool = False


@dataclass
class Stored:
    """A file."""

    data: bytes
    media: TLObject


class World:
    def __init__(self) -> None:
        self.people: dict[int, Person] = {}
        self.keys: dict[int, AuthKey] = {}
        self.auths: dict[int, Auth] = {}
        self.codes: dict[str, Code] = {}  # by phone
        self.parts: dict[int, dict[int, bytes]] = {}
        self.files: dict[int, Stored] = {}
        self.twins: dict[tuple[int, int], tuple[int, int]] = {}  # (person, message) → the same at the other
        self.push: Callable[[Person, TLObject, int | None], None] = lambda *_: None
        self.migrated = 1

    def join(self, phone: str, first_name: str = "Somebody", **more: Any) -> Person:
        if isinstance(more.get("password"), str):
            more["password"] = Password(more["password"])
        person = Person(700_000 + len(self.people) + 1, phone.lstrip("+"), first_name, **more)
        self.people[person.id] = person
        return person

    def by_phone(self, phone: str) -> Person | None:
        digits = phone.lstrip("+")
        return next((each for each in self.people.values() if each.phone == digits), None)

    def by_username(self, username: str) -> Person | None:
        wanted = username.casefold()
        return next(
            (each for each in self.people.values() if (each.username or "").casefold() == wanted), None
        )

    def keys_of(self, person: Person) -> Iterator[int]:
        return (key for key, auth in self.auths.items() if auth.person is person)

    # what they do

    def write(
        self,
        sender: Person,
        to: Person,
        text: str = "",
        *,
        media: TLObject | None = None,
        reply_to: int | None = None,
        from_key: int | None = None,
        random_id: int | None = None,
        at: datetime | None = None,
    ) -> types.Message:
        """Stores a message in both boxes and returns the sender's. `reply_to` is an id in the sender's box."""
        when = at or now()
        theirs = self.twins.get((sender.id, reply_to or 0), (0, 0))[1] or None
        own = self._put(sender, to, text, media, reply_to, when, out=True)
        if random_id is not None:
            sender.random_ids[random_id] = own.id
        self._moved(sender, types.UpdateNewMessage(own, sender.pts, 1), from_key)
        if to is sender:
            return own
        other = self._put(to, sender, text, media, theirs, when, out=False)
        self.twins[sender.id, own.id] = (to.id, other.id)
        self.twins[to.id, other.id] = (sender.id, own.id)
        self._moved(to, types.UpdateNewMessage(other, to.pts, 1))
        return own

    def _put(
        self,
        whose: Person,
        other: Person,
        text: str,
        media: TLObject | None,
        reply_to: int | None,
        when: datetime,
        *,
        out: bool,
    ) -> types.Message:
        whose.newest += 1
        number = whose.newest
        made = types.Message(
            id=number,
            peer_id=other.peer,
            from_id=(whose if out else other).peer,
            date=when,
            message=text,
            out=out,
            media=media,
            reply_to=types.MessageReplyHeader(reply_to_msg_id=reply_to) if reply_to else None,
        )
        whose.box[number] = made
        whose.pts += 1
        return made

    def _moved(self, whose: Person, update: TLObject, from_key: int | None = None) -> None:
        """Something with a pts: logged for those who are away, pushed to those who are not."""
        whose.log.append((update.pts, update))
        self.push(whose, update, from_key)

    def read(
        self, reader: Person, other: Person, up_to: int | None = None, from_key: int | None = None
    ) -> int:
        """Marks messages as read and returns how many pts that took the reader. `up_to` is an id in the reader's box;
        default: all.
        """
        incoming = [
            each.id for each in reader.box.values() if not each.out and each.peer_id.user_id == other.id
        ]
        newest = max((each for each in incoming if up_to is None or each <= up_to), default=0)
        if newest <= reader.read_in.get(other.id, 0):
            return 0
        reader.read_in[other.id] = newest
        reader.pts += 1
        self._moved(reader, types.UpdateReadHistoryInbox(other.peer, newest, 0, reader.pts, 1), from_key)
        theirs = self.twins[reader.id, newest][1]
        other.read_out[reader.id] = theirs
        other.pts += 1
        self._moved(other, types.UpdateReadHistoryOutbox(reader.peer, theirs, other.pts, 1))
        return 1

    def edit(self, writer: Person, number: int, text: str) -> None:
        other_id, twin = self.twins[writer.id, number]
        for person, each in ((writer, number), (self.people[other_id], twin)):
            message = person.box[each]
            message.message, message.edit_date = text, now()
            person.pts += 1
            self._moved(person, types.UpdateEditMessage(message, person.pts, 1))

    def delete(self, who: Person, *numbers: int) -> None:
        """Deletes messages for both sides; the ids are those in the box of `who`."""
        other = self.people[self.twins[who.id, numbers[0]][0]]
        theirs = [self.twins[who.id, each][1] for each in numbers]
        for person, gone in ((who, list(numbers)), (other, theirs)):
            for each in gone:
                del person.box[each]
            person.pts += len(gone)
            self._moved(person, types.UpdateDeleteMessages(gone, person.pts, len(gone)))

    def react(self, who: Person, number: int, emoji: str | None) -> None:
        """Reacts to a message in the box of `who`; None takes the reaction back."""
        other_id, twin = self.twins[who.id, number]
        for person, each in ((who, number), (self.people[other_id], twin)):
            message = person.box[each]
            reactions = list(message.reactions.recent_reactions) if message.reactions else []
            reactions = [reaction for reaction in reactions if reaction.peer_id.user_id != who.id]
            if emoji:
                reactions.append(
                    types.MessagePeerReaction(who.peer, now(), types.ReactionEmoji(emoji), my=person is who)
                )
            message.reactions = types.MessageReactions(
                results=[types.ReactionCount(reaction.reaction, 1) for reaction in reactions],
                recent_reactions=reactions,
                can_see_list=True,
            )
            update = types.UpdateMessageReactions(message.peer_id, each, message.reactions)
            self.push(person, update, None)

    def store(
        self, data: bytes, *, photo: bool, mime: str = "", attributes: list[TLObject] | None = None
    ) -> TLObject:
        """Stores a file and returns the media for a message."""
        number = _hash("file", len(self.files), os.urandom(8))
        if photo:
            made = types.Photo(
                number, _hash(number), b"ref", now(), [types.PhotoSize("x", 8, 8, len(data))], 2
            )
            media: TLObject = types.MessageMediaPhoto(photo=made)
        else:
            document = types.Document(
                number, _hash(number), b"ref", now(), mime, len(data), 2, attributes or []
            )
            media = types.MessageMediaDocument(document=document)
        self.files[number] = Stored(data, media)
        return media

    def code(self, phone: str) -> Code:
        digits = phone.lstrip("+")
        made = Code(digits, "12345", f"hash-{len(self.codes)}-{time.monotonic_ns()}")
        self.codes[digits] = made
        return made

    def scan(self, token: bytes, person: Person) -> None:
        """Lets a person scan a QR. Raises StopIteration if there is no such token."""
        key, auth = next(
            (key, auth) for key, auth in self.auths.items() if token in (auth.token, auth.before)
        )
        auth.accepted = person
        self.tell_key(key, types.UpdateLoginToken())

    tell_key: Callable[[int, TLObject], None] = staticmethod(lambda *_: None)
