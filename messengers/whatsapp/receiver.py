"""The events of a linked device, in the child process; device.py has the calls.

The library calls these handlers on Go threads, one event after the other: a handler that blocks makes WhatsApp wait. A
connection that ends is not made again here: the process ends, and the driver starts another.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cachetools import LRUCache

from messengers.whatsapp.binding import Library
from messengers.whatsapp.cache import MessageCache, StoredMessage
from messengers.whatsapp.errors import Failed
from messengers.whatsapp.shapes import GROUP, HIDDEN, USER, is_short, phone_or_address, text_of

SendEvent = Callable[[dict[str, Any]], None]

FIRST_QR, NEXT_QR, ROUND = (
    60,
    20,
    160,
)  # seconds that WhatsApp shows the first QR, each later one, and all of them
_MOST_HISTORY = 5000  # the most messages of one history delivery; of a chat, the newest 50
_MOST_OF_CHAT = 50
CACHED = 5000  # entries of each cache


class Receiver:
    """Handles the library's events."""

    def __init__(
        self, library: Library, client: Any, cache: MessageCache, phone: str | None, send_event: SendEvent
    ) -> None:
        self._library, self._client, self._cache, self._phone, self._send_event = (
            library,
            client,
            cache,
            phone,
            send_event,
        )
        self._shapes = library.shapes
        self._qrs = 0
        self._me: dict[str, Any] | None = None
        self.events_handled = 0
        self.is_handling = False  # an event is being handled now
        self._cache_lock = threading.Lock()  # events and calls run in several threads
        self._groups: LRUCache[str, str | None] = LRUCache(CACHED)
        self._phones: LRUCache[str, Any] = LRUCache(CACHED)
        self._listen()

    def _listen(self) -> None:
        proto, event = self._library.proto, self._client.event
        event.qr(self._guarded(self._qr))
        simple: dict[str, dict[str, Any]] = {
            "KeepAliveTimeout": {"t": "down"},
            "KeepAliveRestored": {"t": "up"},
            "Disconnected": {"t": "down"},
            "StreamError": {"t": "down"},
            "StreamReplaced": {"t": "replaced"},
            "ClientOutdated": {"t": "outdated"},
        }
        for name, report in simple.items():
            event(getattr(proto, name))(self._guarded(self._always(report)))
        for name, what in {
            "PairStatus": self._paired,
            "Connected": self._connected,
            "LoggedOut": self._logged_out,
            "TemporaryBan": self._banned,
            "ConnectFailure": self._refused,
            "Message": self._message,
            "Receipt": self._receipt,
            "HistorySync": self._history,
        }.items():
            event(getattr(proto, name))(self._guarded(what))

    def _always(self, report: dict[str, Any]) -> Callable[[Any], None]:
        return lambda _: self._send_event(dict(report))

    def _guarded(self, what: Callable[[Any], None]) -> Callable[[Any, Any], None]:
        """Keeps a bug in one handler from ending the others; the event of the failed handler is lost."""

        def handler(_: Any, event: Any) -> None:
            self.is_handling = True
            try:
                what(event)
            except Exception as error:
                where = error.__traceback__
                while where is not None and where.tb_next is not None:
                    where = where.tb_next
                line = where.tb_lineno if where is not None else 0
                self._send_event(
                    {"t": "bug", "what": f"{type(error).__name__} in {what.__name__}, line {line}"}
                )
            finally:
                self.events_handled += 1
                self.is_handling = False

        return handler

    def _qr(self, data: bytes) -> None:
        self._qrs += 1
        if self._phone is None:
            seconds = FIRST_QR if self._qrs == 1 else NEXT_QR
            self._send_event({"t": "qr", "value": data.decode(), "seconds": seconds})
        elif self._qrs == 1:  # the connection is ready for a code from the first QR on
            threading.Thread(target=self._pair, args=(self._phone,), daemon=True).start()

    def _pair(self, phone: str) -> None:
        enums = self._library.enums
        try:
            code = self._client.PairPhone(phone, True, enums.ClientName.LINUX, enums.ClientType.CHROME)
        except self._library.error as error:
            error_text = str(error).lower()
            why = (
                "phone"
                if "too short" in error_text or "international" in error_text or "400" in error_text
                else ""
            )
            why = why or ("limit" if "429" in error_text or "rate" in error_text else "other")
            self._send_event({"t": "no_code", "why": why})
        else:
            self._send_event({"t": "code", "value": code, "seconds": ROUND})

    @property
    def is_logged_in(self) -> bool:
        """Returns whether WhatsApp may have sent messages to this device."""
        return self._me is not None

    def login_ended(self, how: str) -> None:
        """Handles the login's result: `success`, `timeout`, `error`, `err-client-outdated`, …

        After any result but the first, a scan and a passkey no event follows.
        """
        if how == "success":
            pass  # PairStatus reports it
        elif how == "err-client-outdated":
            self._send_event({"t": "outdated"})
        elif how == "err-scanned-without-multidevice":
            self._send_event({"t": "scanned"})  # the person can scan the same QR again
        elif how.startswith("passkey-"):
            self._send_event({"t": "passkey"})  # the library waits for a passkey, which only a browser has
        else:
            self._send_event({"t": "over", "why": "round"})

    def _paired(self, status: Any) -> None:
        paired = status.Status == self._library.proto.PairStatus.SUCCESS
        self._send_event({"t": "paired" if paired else "scanned"})

    def _connected(self, _: Any) -> None:
        self._send_event({"t": "connected", "me": self._identity()})

    def _logged_out(self, event: Any) -> None:
        self._send_event({"t": "logged_out", "why": self._reason(event)})

    def _refused(self, event: Any) -> None:
        self._send_event({"t": "refused", "why": self._reason(event)})

    def _reason(self, event: Any) -> str:
        """Returns the name of the reason; the wrapper leaves unknown reasons out."""
        if not event.HasField("Reason"):
            return "UNKNOWN"
        return str(self._library.proto.ConnectFailureReason.Name(event.Reason))

    def _banned(self, event: Any) -> None:
        code = (
            self._library.proto.TemporaryBan.TempBanReason.Name(event.Code) if event.HasField("Code") else ""
        )
        self._send_event({"t": "banned", "why": code, "seconds": max(0, int(event.Expire))})

    def _message(self, event: Any) -> None:
        report = self._shapes.message(event, self._phone_address)
        if report is None:
            return
        if report["t"] == "message":
            if not report.get("edited"):
                self._remember(report["thread"], event.Info, event.Message, outgoing=report["outgoing"])
            if report["kind"] != "user":
                report["chat_name"] = self._group_name(event.Info.MessageSource.Chat)
        self._send_event(report)

    def _remember(self, thread: str, info: Any, message: Any, *, outgoing: bool) -> None:
        source = info.MessageSource
        self._cache.message(
            thread,
            StoredMessage(
                info.ID,
                text_of(source.Chat),
                text_of(source.Sender),
                outgoing,
                self._shapes.remembered(message),
            ),
        )

    def _receipt(self, event: Any) -> None:
        """Reports delivery and read receipts of other people for messages of ours."""
        if not event.HasField("Type") or event.MessageSource.IsFromMe:
            return
        kinds = self._library.proto.Receipt
        status = {
            kinds.DELIVERED: "delivered",
            kinds.READ: "has_seen",
            kinds.PLAYED: "has_seen",
        }.get(event.Type)
        source = self._shapes.source(event.MessageSource, self._phone_address)
        ids = [id for id in event.MessageIDs if is_short(id)][:1000]
        if status is not None and source is not None and ids:
            self._send_event(
                {
                    "t": "receipt",
                    "thread": source["thread"],
                    "ids": ids,
                    "status": status,
                    "at": float(event.Timestamp),
                }
            )

    def _history(self, event: Any) -> None:
        """Reports the history that the phone sends after a login. Types 0, 2, 3: initial, full, recent."""
        if int(event.Data.syncType) not in (0, 2, 3):
            return
        count = 0
        for conversation in event.Data.conversations:
            for item in list(conversation.messages)[:_MOST_OF_CHAT]:
                if count >= _MOST_HISTORY:
                    return
                report = self._shapes.history_message(
                    item.message, conversation.pnJID or conversation.ID, self._phone_address
                )
                if report is not None:
                    report["chat_name"] = (conversation.name or None) if report["kind"] != "user" else None
                    self._send_event(report)
                    count += 1

    def _identity(self) -> dict[str, Any]:
        device = self._client.get_me()
        if not device.HasField("JID") or not device.JID.User:
            raise Failed("wrong_step", "The account is not logged in to WhatsApp. Log in first.")
        address = text_of(device.JID)
        self._me = {"id": address, "phone": phone_or_address(address), "name": device.PushName or None}
        return self._me

    def _phone_address(self, jid: Any) -> Any:
        """Returns the phone's address of a hidden one, if this device knows it; else the address itself."""
        if jid.Server != HIDDEN:
            return jid
        with self._cache_lock:
            phone = self._phones.get(jid.User)
        if phone is None:
            with suppress(self._library.error):
                answer = self._client.get_pn_from_lid(self._shapes.jid(text_of(jid)))
                phone = answer if answer.User and answer.Server == USER else None
            if phone is None:
                return jid
            with self._cache_lock:
                self._phones[jid.User] = phone
        return phone

    def _group_name(self, jid: Any) -> str | None:
        """Returns a group's name, or None the first time: asking takes a while, and messages must not wait for it."""
        key = text_of(jid)
        with self._cache_lock:
            asked = key in self._groups
            name = self._groups.setdefault(key, None)
        if not asked and jid.Server == GROUP:
            threading.Thread(target=self._ask_group, args=(key,), daemon=True).start()
        return name

    def _ask_group(self, key: str) -> None:
        with suppress(self._library.error):
            name = self._client.get_group_info(self._shapes.jid(key)).GroupName.Name or None
            with self._cache_lock:
                self._groups[key] = name
