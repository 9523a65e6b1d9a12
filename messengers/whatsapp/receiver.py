"""The events of a linked device, in the child process; device.py has the calls.

The library calls these handlers on Go threads, one event after the other: a handler that blocks makes WhatsApp wait. A
connection that ends is not made again here: the process ends, and the driver starts another.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from messengers.whatsapp.binding import Library
from messengers.whatsapp.cache import Kept
from messengers.whatsapp.cache import Known as Remembered
from messengers.whatsapp.library_errors import Failed
from messengers.whatsapp.shapes import GROUP, HIDDEN, USER, shown, text_of

Tell = Callable[[dict[str, Any]], None]

FIRST_QR, NEXT_QR, ROUND = (
    60,
    20,
    160,
)  # seconds that WhatsApp shows the first QR, each later one, and all of them
_PAST = 5000  # the most messages of one history delivery; of a chat, the newest 50
_PAST_CHAT = 50
_CACHE = 5000


class Hearing:
    """Handles the library's events."""

    def __init__(self, library: Library, client: Any, kept: Kept, phone: str | None, tell: Tell) -> None:
        self._library, self._client, self._kept, self._phone, self._tell = library, client, kept, phone, tell
        self._shapes = library.shapes
        self._qrs = 0
        self._me: dict[str, Any] | None = None
        self._groups: OrderedDict[str, str | None] = OrderedDict()
        self._phones: OrderedDict[str, Any] = OrderedDict()
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
        for name, told in simple.items():
            event(getattr(proto, name))(self._guarded(self._always(told)))
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

    def _always(self, told: dict[str, Any]) -> Callable[[Any], None]:
        return lambda _: self._tell(dict(told))

    def _guarded(self, what: Callable[[Any], None]) -> Callable[[Any, Any], None]:
        """Keeps a bug in one handler from ending the others; the event of the failed handler is lost."""

        def handler(_: Any, event: Any) -> None:
            try:
                what(event)
            except Exception as error:
                where = error.__traceback__
                while where is not None and where.tb_next is not None:
                    where = where.tb_next
                line = where.tb_lineno if where is not None else 0
                self._tell({"t": "bug", "what": f"{type(error).__name__} in {what.__name__}, line {line}"})

        return handler

    def _qr(self, data: bytes) -> None:
        self._qrs += 1
        if self._phone is None:
            seconds = FIRST_QR if self._qrs == 1 else NEXT_QR
            self._tell({"t": "qr", "value": data.decode(), "seconds": seconds})
        elif self._qrs == 1:  # the connection is ready for a code from the first QR on
            threading.Thread(target=self._pair, args=(self._phone,), daemon=True).start()

    def _pair(self, phone: str) -> None:
        enums = self._library.enums
        try:
            code = self._client.PairPhone(phone, True, enums.ClientName.LINUX, enums.ClientType.CHROME)
        except self._library.error as error:
            said = str(error).lower()
            why = "phone" if "too short" in said or "international" in said or "400" in said else ""
            why = why or ("limit" if "429" in said or "rate" in said else "other")
            self._tell({"t": "no_code", "why": why})
        else:
            self._tell({"t": "code", "value": code, "seconds": ROUND})

    def login_ended(self, how: str) -> None:
        """Handles the login's result: `success`, `timeout`, `error`, `err-client-outdated`, …

        After any result but the first no event follows.
        """
        if how == "success":
            pass  # PairStatus reports it
        elif how == "err-client-outdated":
            self._tell({"t": "outdated"})
        elif how == "err-scanned-without-multidevice":
            pass  # the person can scan the same QR again
        else:
            self._tell({"t": "over", "why": "round"})

    def _paired(self, status: Any) -> None:
        if status.Status == self._library.proto.PairStatus.SUCCESS:
            self._tell({"t": "paired"})

    def _connected(self, _: Any) -> None:
        self._tell({"t": "connected", "me": self._identity()})

    def _logged_out(self, event: Any) -> None:
        self._tell({"t": "logged_out", "why": self._reason(event)})

    def _refused(self, event: Any) -> None:
        self._tell({"t": "refused", "why": self._reason(event)})

    def _reason(self, event: Any) -> str:
        """Returns the name of the reason; the wrapper leaves unknown reasons out."""
        if not event.HasField("Reason"):
            return "UNKNOWN"
        return str(self._library.proto.ConnectFailureReason.Name(event.Reason))

    def _banned(self, event: Any) -> None:
        code = (
            self._library.proto.TemporaryBan.TempBanReason.Name(event.Code) if event.HasField("Code") else ""
        )
        self._tell({"t": "banned", "why": code, "seconds": max(0, int(event.Expire))})

    def _message(self, event: Any) -> None:
        told = self._shapes.message(event, self._known)
        if told is None:
            return
        if told["t"] == "message":
            if not told.get("edited"):
                self._remember(told["thread"], event.Info, event.Message, outgoing=told["outgoing"])
            if told["kind"] != "user":
                told["chat_name"] = self._group_name(event.Info.MessageSource.Chat)
        self._tell(told)

    def _remember(self, thread: str, info: Any, message: Any, *, outgoing: bool) -> None:
        source = info.MessageSource
        self._kept.message(
            thread,
            Remembered(
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
        place = self._shapes.source(event.MessageSource, self._known)
        if status is not None and place is not None and event.MessageIDs:
            ids = list(event.MessageIDs)[:1000]
            self._tell(
                {
                    "t": "receipt",
                    "thread": place["thread"],
                    "ids": ids,
                    "status": status,
                    "at": float(event.Timestamp),
                }
            )

    def _history(self, event: Any) -> None:
        """Reports the history that the phone sends after a login. Types 0, 2, 3: initial, full, recent."""
        if int(event.Data.syncType) not in (0, 2, 3):
            return
        told = 0
        for conversation in event.Data.conversations:
            for one in list(conversation.messages)[:_PAST_CHAT]:
                if told >= _PAST:
                    return
                past = self._shapes.past(one.message, conversation.pnJID or conversation.ID, self._known)
                if past is not None:
                    past["chat_name"] = (conversation.name or None) if past["kind"] != "user" else None
                    self._tell(past)
                    told += 1

    def _identity(self) -> dict[str, Any]:
        device = self._client.get_me()
        if not device.HasField("JID") or not device.JID.User:
            raise Failed("wrong_step", "The account is not logged in to WhatsApp. Log in first.")
        address = text_of(device.JID)
        self._me = {"id": address, "phone": shown(address), "name": device.PushName or None}
        return self._me

    def _known(self, jid: Any) -> Any:
        """Returns the phone's address of a hidden one, if this device knows it; else the address itself."""
        if jid.Server != HIDDEN:
            return jid
        if jid.User not in self._phones:
            found = None
            with suppress(self._library.error):
                answer = self._client.get_pn_from_lid(self._shapes.jid(text_of(jid)))
                found = answer if answer.User and answer.Server == USER else None
            if found is None:
                return jid
            put(self._phones, jid.User, found)
        return self._phones[jid.User]

    def _group_name(self, jid: Any) -> str | None:
        """Returns a group's name, or None the first time: asking takes a while, and messages must not wait for it."""
        key = text_of(jid)
        if key not in self._groups:
            put(self._groups, key, None)
            if jid.Server == GROUP:
                threading.Thread(target=self._ask_group, args=(key,), daemon=True).start()
        return self._groups[key]

    def _ask_group(self, key: str) -> None:
        with suppress(self._library.error):
            self._groups[key] = self._client.get_group_info(self._shapes.jid(key)).GroupName.Name or None


def put(cache: OrderedDict[str, Any], key: str, value: Any) -> None:
    """Caches a value, and evicts the oldest when the cache is full."""
    cache[key] = value
    while len(cache) > _CACHE:
        cache.popitem(last=False)
