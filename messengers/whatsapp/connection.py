"""The calls of a live WhatsApp account: each goes to its child, and its errors are translated to the port's."""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import structlog

from messengers import port
from messengers.port import Action, Media, Message, Outgoing, Person, Sent
from messengers.whatsapp import frames, parsed, states
from messengers.whatsapp.errors import NO_DEVICE, Failed
from messengers.whatsapp.lifecycle import IN_LOGIN, Lifecycle
from messengers.whatsapp.process import Gone, Silent
from shapes.chats import ContentKind
from shapes.messenger_accounts import AccountState

log = structlog.get_logger()

_LONGEST = 65_536
_TO = re.compile(r"\+[1-9][0-9]{6,14}|[0-9A-Za-z._:-]{1,64}@(s\.whatsapp\.net|lid|g\.us|newsletter)")
_ID = re.compile(r"[0-9A-Za-z._:-]{1,128}")


class Connection(Lifecycle):
    """The port's `Connection` of a WhatsApp account; see messengers/port.py."""

    async def code(self, code: str) -> None:
        raise port.WrongStep(
            "WhatsApp sends no code for this login. Scan the QR code, or enter the code of getAuthCode on"
            " the phone."
        )

    async def password(self, password: str) -> None:
        raise port.WrongStep("WhatsApp asks linked devices for no password.")

    async def send(self, message: Outgoing) -> Sent:
        if (before := self._sent.get(message.item)) is not None:
            return before
        self._check_working()
        message = self._checked(message)
        first: Sent | None = None
        for number, (text, medium) in enumerate(_parts(message)):
            sent = await self._send_part(
                message, number, text, medium, message.reply_to if number == 0 else None
            )
            first = first or sent
        assert first is not None
        self._sent[message.item] = first
        return first

    def _checked(self, message: Outgoing) -> Outgoing:
        if message.template is not None:
            raise port.Unsupported("Only WhatsApp Cloud accounts support templates. Send a text.")
        text = message.text.replace("\0", "")  # WhatsApp texts have no NUL
        if not text.strip() and not message.media:
            raise port.Refused("The message is empty. Send a text or a file.", code="empty_message")
        if len(text) > _LONGEST:
            raise port.Refused(
                f"A WhatsApp text may have at most {_LONGEST} characters. Shorten it.", code="text_too_long"
            )
        try:
            text.encode()
        except UnicodeEncodeError:
            raise port.Refused(
                "The text contains half a character (a lone surrogate). Remove it.", code="invalid_text"
            ) from None
        if any(len(medium.data) > frames.MAX_MEDIUM for medium in message.media):
            raise port.Refused("A file may have at most 50 MiB. Send a smaller file.", code="media_too_large")
        if message.reply_to is not None and not _ID.fullmatch(message.reply_to):
            raise port.Refused(
                "The message to reply to does not exist. Check replyTo.", code="reply_not_found"
            )
        _address(message.to)
        return replace(message, text=text)

    async def _send_part(
        self, message: Outgoing, number: int, text: str, medium: Media | None, reply_to: str | None
    ) -> Sent:
        assert self._folder is not None
        part = f"{message.item}:{number}"
        secret = self._folder.secret(part)
        args: dict[str, Any] = {
            "part": part, "to": message.to, "text": text, "reply_to": reply_to, "secret": secret.hex(),
            "attempted": None,
        }  # fmt: skip
        data = b""
        if medium is not None:
            args |= {"kind": medium.kind.value, "mime": medium.mime, "name": medium.name}
            data = medium.data
        seconds = self._bounds.medium if medium else self._bounds.send
        note = (message.item, text) if number == 0 else None
        try:
            try:
                value, _ = await self._ask("send", args, data, seconds=seconds, note=note)
            except Failed as failed:
                if failed.kind != "begun":
                    raise
                args["attempted"] = await self._attempted(secret) or ""
                value, _ = await self._ask("send", args, data, seconds=seconds, note=note)
        except Failed as failed:
            if failed.kind == "bug":
                self._log_bug("send", failed)
                if await self._attempted(secret) is not None:
                    raise port.Uncertain(failed.reason) from None
            raise _raised(failed) from None
        except (Gone, Silent) as error:
            if not error.left:
                raise port.Unreachable(
                    "The account is reconnecting. Nothing was sent; try again in a moment."
                ) from None
            if isinstance(error, Gone) and await self._attempted(secret) is None:
                raise port.Unreachable(
                    "The WhatsApp library crashed before it sent anything. Try again."
                ) from None
            raise port.Uncertain(
                "No answer came in time; the message may or may not have been sent."
            ) from None
        if not await self._could_encrypt(value.get("devices")):
            raise port.Refused(NO_DEVICE, code="no_device")
        return Sent(parsed.text(value["id"]), parsed.text(value["thread"]), parsed.moment(value["at"]))

    async def _could_encrypt(self, devices: Any) -> bool:
        """Returns whether one of the recipient's devices got a message that it can read, or nothing says so."""
        if not devices or self._folder is None:
            return True
        pairs = [(parsed.text(user), parsed.text(number)) for user, number in devices]
        try:
            return await asyncio.to_thread(self._folder.could_encrypt, pairs)
        except Exception as error:  # the message has left: what can't be read now is no reason to deny that
            log.info("the sessions of a WhatsApp account can't be read", error=type(error).__name__)
            return True

    def _log_bug(self, call: str, failed: Failed) -> None:
        log.error("the WhatsApp driver failed", account=str(self._account.id), call=call, trace=failed.trace)

    async def _attempted(self, secret: bytes) -> str | None:
        """Returns the ID under which the part was about to be sent, or None. Raises Uncertain when it can't be looked
        up."""
        if self._folder is None:
            raise port.Uncertain("The account was closed; the message may or may not have been sent.")
        try:
            return await asyncio.to_thread(self._folder.attempt, secret)
        except Exception:
            raise port.Uncertain("The message may or may not have been sent.") from None

    async def history(self, thread: str, limit: int, before: str | None = None) -> Sequence[Message]:
        """Returns nothing: WhatsApp keeps no history that a linked device can read."""
        return []

    async def person(self, to: str) -> Person | None:
        self._check_working()
        if not _TO.fullmatch(to):
            return None
        value, _ = await self._plain("person", {"to": to})
        return states.person(value) if value is not None else None

    async def me(self) -> Person:
        value, _ = await self._plain("me", {})
        return states.person(value)

    async def act(self, to: str, action: Action) -> None:
        self._check_working()
        await self._plain("act", {"to": _address(to), "action": action})

    async def read(self, thread: str, provider_id: str) -> None:
        self._check_working()
        await self._plain("read", {"thread": _address(thread), "id": _message(provider_id)})

    async def fetch(self, thread: str, provider_id: str, index: int) -> Media:
        self._check_working()
        args = {"thread": _address(thread), "id": _message(provider_id), "index": index}
        value, data = await self._plain("fetch", args, seconds=self._bounds.medium)
        mime = parsed.maybe(value["mime"]) or "application/octet-stream"
        return Media(ContentKind(value["kind"]), data, mime, parsed.maybe(value["name"]))

    async def probe(self) -> bool:
        if self._state is not AccountState.working:
            return False
        try:
            value, _ = await self._ask("probe", {}, b"", seconds=4.5)
        except Failed as failed:
            if failed.kind == "bug":
                self._log_bug("probe", failed)
                raise _raised(failed) from None
            return False
        except (Gone, Silent):
            return False
        return value is True

    async def _plain(
        self, do: str, args: Mapping[str, Any], *, seconds: float | None = None
    ) -> tuple[Any, bytes]:
        self._check_working()
        try:
            return await self._ask(do, args, b"", seconds=seconds or self._bounds.call)
        except Failed as failed:
            if failed.kind == "bug":
                self._log_bug(do, failed)
            raise _raised(failed) from None
        except (Gone, Silent):
            raise port.Unreachable(
                "The account does not respond and is being restarted. Try again in a moment."
            ) from None

    async def _ask(
        self, do: str, args: Mapping[str, Any], data: bytes, *, seconds: float, note: Any = None
    ) -> tuple[Any, bytes]:
        child = self._child
        if child is None or self._closed:
            raise Gone(left=False)
        async with self._calls:
            return await child.call(do, args, data, seconds=seconds, note=note)

    def _check_working(self) -> None:
        if self._closed or self._lost or self._state in IN_LOGIN:
            raise port.WrongStep("The account is not working; start it and log in first.")
        if self._state is AccountState.reconnecting:
            raise port.Unreachable("The account is reconnecting. Nothing was done; try again in a moment.")


def _address(to: str) -> str:
    """Returns a valid phone or thread. Raises Refused."""
    if not _TO.fullmatch(to):
        raise port.Refused(
            "WhatsApp accepts phone numbers in E.164 form (like +14155550100) and threads of this"
            " account. Check the recipient.",
            code="invalid_recipient",
        )
    return to


def _message(id: str) -> str:
    if not _ID.fullmatch(id):
        raise port.Refused("This account has no such message. Check the item.", code="message_not_found")
    return id


def _parts(message: Outgoing) -> list[tuple[str, Media | None]]:
    """Splits a message: WhatsApp sends one file per message, and audio carries no text."""
    if not message.media:
        return [(message.text, None)]
    parts: list[tuple[str, Media | None]] = []
    text = message.text
    if text and message.media[0].kind in (ContentKind.audio, ContentKind.voice):
        parts.append((text, None))
        text = ""
    for medium in message.media:
        parts.append((text, medium))
        text = ""
    return parts


def _raised(failed: Failed) -> port.MessengerError:
    """Translates the child's error to the port's."""
    match failed.kind:
        case "wrong_step":
            return port.WrongStep(failed.reason)
        case "refused":
            return port.Refused(failed.reason, code=failed.code)
        case "throttled":
            until = parsed.moment(time.time() + min(max(failed.seconds, 1.0), 86_400.0))
            error = port.Throttled(failed.reason, until=until)
            error.code = failed.code or error.code
            return error
        case "uncertain":
            return port.Uncertain(failed.reason)
        case "unsupported":
            return port.Unsupported(failed.reason)
        case "restricted":
            return port.Restricted(failed.reason, code=failed.code)
        case "bug":
            return port.Broken(failed.reason)
        case _:
            return port.Unreachable(failed.reason)
