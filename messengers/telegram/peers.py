"""The people and groups that Telegram has shown this account, and how to find others."""

import asyncio
import base64
import contextlib
import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from telethon import errors, utils
from telethon.tl import functions, types

from messengers.port import Person, Refused, Throttled
from messengers.telegram.client import Client
from messengers.telegram.errors import Unanswered

MOST = 5000  # users kept in memory
PAGES = 20  # pages of a hundred dialogs that are searched for an unknown thread
CONTACTS_SECONDS = 60.0
AVATAR_BYTES = 48 * 1024  # as a data: URL this stays below 64 KiB
AVATAR_SECONDS = 5.0

_USERNAME = re.compile(r"@?([A-Za-z][A-Za-z0-9_]{2,31})")
_NOBODY = (
    errors.UsernameNotOccupiedError,
    errors.UsernameInvalidError,
    errors.PeerIdInvalidError,
    errors.UserIdInvalidError,
    errors.PhoneNotOccupiedError,
)
_NO_SUCH_METHOD = (errors.InputMethodInvalidError, errors.MethodInvalidError, errors.UnknownMethodError)


class Peers:
    """The known people and groups of one account; it outlives its connections."""

    def __init__(self) -> None:
        self.me: Any = None
        self._users: dict[int, Any] = {}
        self._chats: dict[int, Any] = {}  # by marked id
        self._phones: dict[str, int] = {}  # digits → user id
        self._contacts: set[int] = set()
        self._contacts_at = 0.0

    def learn(self, users: Iterable[Any], chats: Iterable[Any]) -> None:
        """Stores the users and chats of an answer."""
        for user in users:
            if not isinstance(user, types.User) or (user.min and user.id in self._users):
                continue
            self._users.pop(user.id, None)
            self._users[user.id] = user
            if user.phone and not user.min:
                self._phones[user.phone] = user.id
        for chat in chats:
            with contextlib.suppress(TypeError):
                self._chats[utils.get_peer_id(chat)] = chat
        while len(self._users) > MOST:
            self._users.pop(next(iter(self._users)))
        while len(self._phones) > MOST:
            self._phones.pop(next(iter(self._phones)))

    def user(self, number: int) -> Any:
        """Returns the user as Telegram showed it, or None if it is unknown."""
        return self.me if self.me is not None and number == self.me.id else self._users.get(number)

    def chat(self, peer: Any) -> Any:
        """Returns a known group or channel, or None."""
        return self._chats.get(utils.get_peer_id(peer))

    def stranger(self, update: Any) -> bool:
        """Returns whether the update comes from an unknown user."""
        if isinstance(update, types.UpdateShortMessage):
            return self.user(update.user_id) is None
        return isinstance(update, types.UpdateShortChatMessage) and self.user(update.from_id) is None

    async def find(self, client: Client, to: str) -> Any:
        """Returns the InputPeer of a phone, a `@username`, a thread or an id, or None. Raises RPCError, Throttled."""
        to = to.strip()
        if to.startswith("+"):
            return await self._by_phone(client, "".join(each for each in to if each.isdigit()))
        if re.fullmatch(r"-?\d{1,20}", to):
            return await self._by_id(client, int(to))
        if (matched := _USERNAME.fullmatch(to)) is not None:
            return await self._by_username(client, matched[1])
        return None

    async def require(self, client: Client, to: str) -> Any:
        """Returns the InputPeer of a recipient. Raises Refused if there is none, RPCError, Throttled."""
        peer = await self.find(client, to)
        if peer is None:
            raise Refused(
                "Telegram has no account for this recipient, or the number is hidden. Check the address, or"
                " use the @username.",
                code="recipient_not_found",
            )
        return peer

    def _input(self, number: int) -> Any:
        if self.me is not None and number == self.me.id:
            return types.InputPeerSelf()
        entity = self._users.get(number) if number > 0 else self._chats.get(number)
        if entity is None:
            return None
        with contextlib.suppress(TypeError):
            return utils.get_input_peer(entity, allow_self=False)
        return None

    async def _by_id(self, client: Client, number: int) -> Any:
        if (peer := self._input(number)) is not None:
            return peer
        offset: Any = types.InputPeerEmpty()
        date, newest = None, 0
        for _ in range(PAGES):
            page = await client(functions.messages.GetDialogsRequest(date, newest, offset, 100, 0))
            if (peer := self._input(number)) is not None:
                return peer
            messages = {
                (utils.get_peer_id(each.peer_id), each.id): each for each in getattr(page, "messages", ())
            }
            dialogs = [each for each in getattr(page, "dialogs", ()) if isinstance(each, types.Dialog)]
            if isinstance(page, types.messages.Dialogs) or not dialogs:
                return None
            last = dialogs[-1]
            message = messages.get((utils.get_peer_id(last.peer), last.top_message))
            offset = self._input(utils.get_peer_id(last.peer)) or types.InputPeerEmpty()
            date, newest = getattr(message, "date", None), last.top_message
        return None

    async def _by_username(self, client: Client, username: str) -> Any:
        try:
            resolved = await client(functions.contacts.ResolveUsernameRequest(username))
        except _NOBODY:
            return None
        return self._input(utils.get_peer_id(resolved.peer))

    async def _by_phone(self, client: Client, digits: str) -> Any:
        if self.me is not None and digits == self.me.phone:
            return types.InputPeerSelf()
        if digits in self._phones and (peer := self._input(self._phones[digits])) is not None:
            return peer
        if not 5 <= len(digits) <= 15:
            return None
        await self._load_contacts(client)
        if digits in self._phones and (peer := self._input(self._phones[digits])) is not None:
            return peer
        try:
            # The clients of Telegram send digits alone, and not every server looks up a number with a plus sign.
            resolved = await client(functions.contacts.ResolvePhoneRequest(digits))
        except _NOBODY:
            return None
        except _NO_SUCH_METHOD:  # an older server without the method
            return await self._import(client, digits)
        if not isinstance(resolved.peer, types.PeerUser):
            return None
        self._phones[digits] = resolved.peer.user_id
        return self._input(resolved.peer.user_id)

    async def _load_contacts(self, client: Client) -> None:
        """Loads the account's contacts.

        Telegram shows the phones of contacts even if they are hidden from others. `_import` must know the
        contacts too: it would rename a contact, and delete it afterwards.
        """
        if time.monotonic() - self._contacts_at < CONTACTS_SECONDS and self._contacts_at:
            return
        answer = await client(functions.contacts.GetContactsRequest(0))
        self._contacts = {each.user_id for each in getattr(answer, "contacts", ())}
        self._contacts_at = time.monotonic()

    async def _import(self, client: Client, digits: str) -> Any:
        """Finds a number by adding it to the account's address book.

        The entry is deleted whatever the answer was: Telegram also keeps numbers that have no account.
        """
        contact = types.InputPhoneContact(0, f"+{digits}", f"+{digits}", "")
        try:
            imported = await client(functions.contacts.ImportContactsRequest([contact]))
        except Unanswered:
            await self._delete_imported(client, digits, None)
            raise
        user = imported.users[0] if imported.users else None
        is_contact = user is not None and user.id in self._contacts
        if not is_contact:
            await self._delete_imported(client, digits, user)
        if user is None:
            if imported.retry_contacts:
                raise Throttled(
                    "Telegram accepts no more lookups of phone numbers today. Try again tomorrow.",
                    until=datetime.fromtimestamp(time.time() + 86_400, UTC),
                )
            return None
        self._phones[digits] = user.id
        return self._input(user.id)

    async def _delete_imported(self, client: Client, digits: str, user: Any) -> None:
        """Deletes the contact that `_import` has added."""
        with contextlib.suppress(errors.RPCError, OSError):
            if user is None:
                await client(functions.contacts.DeleteByPhonesRequest([f"+{digits}"]))
                return
            asked = types.InputUser(user.id, user.access_hash)
            await client(functions.contacts.DeleteContactsRequest([asked]))
            user.contact, user.first_name = None, None
            # Loads the user's own name again, in place of the imported one.
            await client(functions.users.GetUsersRequest([asked]))

    async def person(self, client: Client, to: str) -> Person | None:
        """Returns a person or group, or None."""
        peer = await self.find(client, to)
        if peer is None:
            return None
        if isinstance(peer, types.InputPeerSelf):
            return await self.to_person(client, self.me)
        if isinstance(peer, types.InputPeerUser):
            asked = types.InputUser(peer.user_id, peer.access_hash)
            try:
                users = await client(functions.users.GetUsersRequest([asked]))
            except _NOBODY:
                return None
            if not users or isinstance(users[0], types.UserEmpty):
                return None
            return await self.to_person(client, users[0], self._phone_of(users[0], to))
        number = utils.get_peer_id(peer)
        chat = self._chats.get(number)
        return Person(
            id=str(number), username=getattr(chat, "username", None), first_name=getattr(chat, "title", None)
        )

    def _phone_of(self, user: Any, to: str) -> str | None:
        """Returns the digits by which the user was found: Telegram shows no phones of strangers."""
        digits = "".join(each for each in to if each.isdigit())
        return digits if to.startswith("+") and self._phones.get(digits) == user.id else None

    def phone(self, user: Any) -> str | None:
        """Returns the phone (E.164), if it is known."""
        if user.phone:
            return f"+{user.phone}"
        return next((f"+{digits}" for digits, number in self._phones.items() if number == user.id), None)

    async def to_person(self, client: Client | None, user: Any, digits: str | None = None) -> Person:
        """Returns a user as the port's Person."""
        status = user.status
        if isinstance(status, types.UserStatusOnline):
            seen: datetime | None = datetime.now(UTC)
        else:
            seen = getattr(status, "was_online", None)
        return Person(
            id=str(user.id),
            phone=f"+{digits}" if digits else self.phone(user),
            username=username(user),
            first_name=user.first_name,
            last_name=user.last_name,
            avatar=await _avatar(client, user),
            exists=not user.deleted,
            last_seen=seen,
        )


def username(entity: Any) -> str | None:
    """Returns the active user name, or None."""
    if name := getattr(entity, "username", None):
        return str(name)
    several = getattr(entity, "usernames", None) or ()
    return next((str(each.username) for each in several if each.active), None)


async def _avatar(client: Client | None, user: Any) -> str | None:
    photo = user.photo
    if not isinstance(photo, types.UserProfilePhoto):
        return None
    data: bytes | None = None
    if client is not None:
        with contextlib.suppress(Exception):  # a missing picture must not fail the call
            async with asyncio.timeout(AVATAR_SECONDS):
                data = await client.download_profile_photo(user, bytes, download_big=False)
    if not data and photo.stripped_thumb:
        data = utils.stripped_photo_to_jpg(photo.stripped_thumb)
    if not data or len(data) > AVATAR_BYTES:
        return None
    return f"data:image/jpeg;base64,{base64.b64encode(data).decode()}"
