"""The calls of one linked device, in the child process. Arguments and data in, a value and data out."""

import threading
import time
from contextlib import suppress
from typing import Any

from cachetools import LRUCache

from messengers.bugs import BUGS
from messengers.whatsapp.cache import StoredMessage
from messengers.whatsapp.errors import NO_DEVICE, Failed, bug_of, failure_of
from messengers.whatsapp.frames import MAX_MEDIUM
from messengers.whatsapp.receiver import CACHED, Receiver
from messengers.whatsapp.shapes import GROUP, HIDDEN, USER, content_in, phone_or_address, text_of

_ONLINE_SECONDS = 20.0  # seconds for which the account is shown as online after typing


class Device(Receiver):
    """One linked device: the calls, and the events of Receiver."""

    def __init__(self, *arguments: Any) -> None:
        self._addresses: LRUCache[str, str] = LRUCache(CACHED)  # looked-up phones → threads
        self._sending: set[str] = set()
        self._lock = threading.Lock()
        self._offline: threading.Timer | None = None
        super().__init__(*arguments)

    def send(self, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Sends one message, once: `part` names it. `attempted`: its ID if it was about to be sent before, or ""."""
        part = str(args["part"])
        with self._lock:
            if part in self._sending:
                raise Failed("uncertain", "This message is already being sent.")
            self._sending.add(part)
        try:
            return self._send(part, args, data), b""
        finally:
            with self._lock:
                self._sending.discard(part)

    def _send(self, part: str, args: dict[str, Any], data: bytes) -> dict[str, Any]:
        before = self._cache.send(part)
        if before is not None and before.id is not None:
            return {"id": before.id, "thread": before.thread, "at": float(before.at)}
        if before is not None and args.get("attempted") is None:
            raise Failed("begun", "This call was already started. Check its result before you try again.")
        if before is not None and args["attempted"]:
            raise Failed(
                "uncertain", "This message was handed to WhatsApp before, and the answer is unknown."
            )
        thread = self._thread(args["to"])
        if thread is None:
            raise Failed(
                "refused",
                "This phone number has no WhatsApp account. Check the number.",
                "recipient_not_found",
            )
        self._cache.begin(part, thread)
        try:
            message = self._build(args, thread, data)
            jid = self._shapes.jid(thread)
            devices = self._devices(jid)
            answer = self._client.send_message(jid, message)
        except Failed:
            self._cache.not_sent(part)
            raise
        except BUGS as error:
            raise bug_of(error) from None  # the parent looks up whether it was about to be sent
        except Exception as error:
            failed = failure_of(str(error), sending=True)
            if failed.kind != "uncertain":
                self._cache.not_sent(part)
            raise failed from None
        at = int(answer.Timestamp)
        # without a time from WhatsApp the field is Go's zero time, which is before 1970
        at = at if at > 0 else int(time.time())
        self._cache.sent(part, answer.ID, at)
        mine = str((self._me or {}).get("id", ""))
        self._cache.message(
            thread,
            StoredMessage(answer.ID, thread, mine, outgoing=True, content=self._shapes.remembered(message)),
        )
        return {"id": answer.ID, "thread": thread, "at": float(at), "devices": devices}

    def _devices(self, jid: Any) -> list[list[str]] | None:
        """Returns user and device of each device of a person; None: they are not known. Raises Failed without one.

        The library asks for them itself, and sends to those alone for which it could encrypt: even to none.
        """
        if jid.Server not in (USER, HIDDEN):
            return None
        try:
            devices = [[device.User, str(device.Device)] for device in self._client.get_user_devices(jid)]
        except self._library.error:
            return None
        if not devices:
            raise Failed("refused", NO_DEVICE, "no_device")
        return devices

    def _build(self, args: dict[str, Any], thread: str, data: bytes) -> Any:
        context = None
        if reply_to := args.get("reply_to"):
            quoted = self._cache.find(thread, reply_to)
            person = thread if thread.endswith((f"@{USER}", f"@{HIDDEN}")) else None
            context = self._shapes.reply_context(
                reply_to, quoted.sender if quoted else person, quoted.content if quoted else b""
            )
        medium, uploaded = None, None
        if args.get("kind"):
            medium = (str(args["kind"]), str(args["mime"]), args.get("name"), data)
            try:
                uploaded = self._library.upload(self._client, medium[0], data)
            except Exception as error:
                raise failure_of(str(error), sending=False) from None
        return self._shapes.outgoing(args["text"], medium, uploaded, bytes.fromhex(args["secret"]), context)

    def person(self, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        self._working()
        thread = self._thread(args["to"])
        if thread is None:
            return None, b""
        jid = self._shapes.jid(thread)
        if jid.Server == GROUP:
            return {"id": thread, "name": self._client.get_group_info(jid).GroupName.Name or None}, b""
        answers = self._client.get_user_info(jid)
        if not answers:
            return None, b""
        contact = self._client.contact.get_contact(jid)
        avatar = None
        with suppress(self._library.error):  # no picture, or hidden from this account
            picture = self._client.get_profile_picture(
                jid, self._library.proto.GetProfilePictureParams(Preview=True)
            )
            avatar = picture.URL or None
        phone = phone_or_address(text_of(self._phone_address(jid)))
        return {
            "id": thread,
            "phone": phone if phone.startswith("+") else None,
            "name": contact.PushName or contact.BusinessName or contact.FirstName or contact.FullName or None,
            "avatar": avatar,
        }, b""

    def me(self, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        return self._identity(), b""

    def act(self, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Shows typing or recording. WhatsApp shows it only for accounts that are online, so the account goes online
        briefly."""
        self._working()
        enums, action = self._library.enums, args["action"]
        thread = self._thread(args["to"])
        if thread is None:
            raise Failed(
                "refused",
                "This phone number has no WhatsApp account. Check the number.",
                "recipient_not_found",
            )
        if action != "none":
            with suppress(
                self._library.error
            ):  # an account without a name can't be online; its typing is not shown
                self._online(True)
        state = "PAUSED" if action == "none" else "COMPOSING"
        media = "AUDIO" if action == "recording" else "TEXT"
        self._client.send_chat_presence(
            self._shapes.jid(thread),
            enums.ChatPresence[f"CHAT_PRESENCE_{state}"],
            enums.ChatPresenceMedia[f"CHAT_PRESENCE_MEDIA_{media}"],
        )
        return True, b""

    def _online(self, online: bool) -> None:
        with self._lock:
            if self._offline is not None:
                self._offline.cancel()
                self._offline = None
        presence = self._library.enums.Presence
        self._client.send_presence(presence.AVAILABLE if online else presence.UNAVAILABLE)
        if online:  # an account that could not go online need not go offline
            with self._lock:
                self._offline = threading.Timer(
                    _ONLINE_SECONDS, self._guarded(lambda _: self._online(False)), (None, None)
                )
                self._offline.daemon = True
                self._offline.start()

    def read(self, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        self._working()
        thread, id = str(args["thread"]), str(args["id"])
        unread = self._cache.unread(thread, id)
        if not unread and not thread.endswith(f"@{GROUP}"):
            unread = [(id, thread, thread)]
        by_sender: dict[tuple[str, str], list[str]] = {}
        for message_id, chat, sender in unread:
            by_sender.setdefault((chat, sender), []).append(message_id)
        for (chat, sender), ids in by_sender.items():
            self._client.mark_read(
                *ids,
                chat=self._shapes.jid(chat),
                sender=self._shapes.jid(sender),
                receipt=self._library.enums.ReceiptType.READ,
            )
            self._cache.was_read(thread, ids)
        return True, b""

    def fetch(self, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        self._working()
        stored = self._cache.find(args["thread"], args["id"])
        message = self._library.e2e.Message.FromString(stored.content) if stored and stored.content else None
        content = list(content_in(message)) if message is not None else []
        if not 0 <= args["index"] < len(content) or content[args["index"]]["src"] is not None:
            raise Failed("refused", "This file no longer exists. It can't be downloaded.", "media_gone")
        about = content[args["index"]]
        if (about["size"] or 0) > MAX_MEDIUM:
            raise Failed(
                "refused",
                "The file is larger than 50 MiB. Open it in the messenger itself.",
                "media_too_large",
            )
        try:
            downloaded = self._client.download_any(message)
        except Exception as error:
            error_text = str(error).lower()
            if any(code in error_text for code in ("403", "404", "410")):
                raise Failed(
                    "refused", "WhatsApp no longer stores this file. It can't be downloaded.", "media_gone"
                ) from None
            raise failure_of(error_text, sending=False) from None
        if len(downloaded) > MAX_MEDIUM:
            raise Failed(
                "refused",
                "The file is larger than 50 MiB. Open it in the messenger itself.",
                "media_too_large",
            )
        return {"kind": about["kind"], "mime": about["mime"], "name": about["name"]}, bytes(downloaded)

    def probe(self, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Returns whether the session is alive, by a question that WhatsApp's server answers."""
        if not self._client.is_connected or not self._client.is_logged_in:
            return False, b""
        self._client.get_blocklist()
        return True, b""

    def logout(self, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        self._client.logout()
        return True, b""

    def _working(self) -> None:
        """Raises Failed while there is no device: some calls of the library would crash."""
        if not self._client.is_logged_in:
            raise Failed("wrong_step", "The account is not logged in to WhatsApp. Log in first.")

    def call(self, do: str, args: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Runs a call by name. Raises Failed."""
        calls = {
            "send": self.send,
            "person": self.person,
            "me": self.me,
            "act": self.act,
            "read": self.read,
            "fetch": self.fetch,
            "probe": self.probe,
            "logout": self.logout,
        }
        if do not in calls:
            raise Failed("unsupported", "The child doesn't know this call.")
        try:
            return calls[do](args, data)
        except Failed:
            raise
        except BUGS as error:
            raise bug_of(error) from None
        except Exception as error:
            raise failure_of(str(error), sending=False) from None

    def disconnect(self) -> None:
        self._client.disconnect()

    def _thread(self, to: str) -> str | None:
        """Returns the thread of `to`; a phone is looked up. Returns None if the number has no WhatsApp account."""
        if "@" in to[1:]:
            return to
        if not to.startswith("+") or not to[1:].isdecimal():
            raise Failed(
                "refused",
                "WhatsApp accepts phone numbers in E.164 form and threads of this account. Check the recipient.",
                "invalid_recipient",
            )
        with self._cache_lock:
            thread = self._addresses.get(to)
        if thread is None:
            if self._me is None:  # without a device the library would end the process
                raise Failed("unreachable", "The account is not logged in.", "not_logged_in")
            try:
                answers = self._client.is_on_whatsapp(to)
            except self._library.error as error:
                if "returned nothing" in str(error).lower():
                    return None
                raise
            registered = next((answer for answer in answers if answer.IsIn), None)
            if registered is None:
                return None
            thread = text_of(self._phone_address(registered.JID))
            with self._cache_lock:
                self._addresses[to] = thread
        return thread
