"""Gives each kind of address its one spelling: E.164 for phones, NFC for emails, canonical JSON for Web Push."""

import re
from typing import Any

import orjson
import phonenumbers

from core.errors import BadRequest, ValidationFailed
from core.outbound import Guard, UrlRefused
from db.lists import Conditions
from engine.file_parsers.addresses import TARGET_BYTES
from runtime.operation import Op
from shapes.addresses import address_key
from shapes.emails import mailbox
from shapes.messages import MessageChannel


def by_key(where: Conditions, name: str, op: Op | None = None) -> Conditions:
    """Returns the conditions with the keys of the addresses in the condition `name`. Raises ValidationFailed.

    With `op`, the addresses may have any common notation, else they have the channel's.
    """
    return {key: _keys(op, value) if key[0] == name else value for key, value in where.items()}


def _keys(op: Op | None, value: Any) -> Any:
    asked = any_spelled(op, value) if op else value
    return [*map(address_key, asked)] if isinstance(asked, list) else address_key(asked)


def any_spelled(op: Op, value: Any) -> Any:
    """Returns an address, or a list of addresses, in the spelling of `spelled`. Raises ValidationFailed."""
    region = op.services.settings.default_region
    if isinstance(value, list):
        return [spelled(address, region) for address in value]
    return spelled(value, region)


def spelled(text: str, region: str) -> str:
    """Returns a phone or an email in its one spelling, and any other text as it is. Raises ValidationFailed."""
    if not 1 <= len(text) <= 4096 or "\x00" in text:
        raise ValidationFailed(["phone: must be 1 to 4096 characters without NUL"])
    try:
        return email(text) if "@" in text[1:] else phone(text, region)
    except BadRequest:
        return text


def normalise(channel: MessageChannel, to: str, region: str, guard: Guard) -> str:
    """Returns the address in the channel's one spelling. Raises BadRequest (`invalid_recipient`)."""
    if channel is MessageChannel.email:
        return email(to)
    if channel is MessageChannel.push:
        return push_target(to, guard)
    if channel is MessageChannel.telegram and (to.strip().startswith("@") or to.strip().isdigit()):
        return _telegram_name(to.strip())
    return phone(to, region)


_TELEGRAM_NAME = re.compile(r"@[A-Za-z][A-Za-z0-9_]{2,63}|[1-9][0-9]{0,18}")


def _telegram_name(text: str) -> str:
    """Returns a user name or a numeric id of Telegram as it is. Raises BadRequest (`invalid_recipient`)."""
    if _TELEGRAM_NAME.fullmatch(text) is None:
        raise _invalid("to must be a phone number, a user name (@ada) or a numeric user id")
    return text


def phone(text: str, region: str) -> str:
    """Returns the phone in E.164. Raises BadRequest (`invalid_recipient`).

    A possible number is enough, not a "valid" one: numbering plans change faster than our tables, and the provider
    knows.
    """
    try:
        number = phonenumbers.parse(text, region) if len(text) <= 64 else None
    except phonenumbers.NumberParseException:
        number = None
    if number is None or not phonenumbers.is_possible_number(number) or number.extension:
        raise _invalid("to must be a phone number, best written like +14155550100")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def email(text: str) -> str:
    """Returns the email address in its one spelling. Raises BadRequest (`invalid_recipient`)."""
    try:
        return mailbox(text)
    except ValueError as error:
        raise _invalid(f"to {error}".rstrip(".")) from error


def push_target(text: str, guard: Guard) -> str:
    """Returns a device token as it is, or a Web Push subscription whose endpoint we may call, as canonical JSON.

    Raises BadRequest (`invalid_recipient`).
    """
    target = _subscription(text, guard) if text.lstrip().startswith("{") else _token(text)
    if len(target.encode()) > TARGET_BYTES:
        raise _invalid(f"a device token or Web Push subscription has at most {TARGET_BYTES:,} bytes")
    return target


def _token(text: str) -> str:
    if any(char.isspace() or not char.isprintable() for char in text):
        raise _invalid("to must be a device token or a Web Push subscription as JSON")
    return text


def _subscription(text: str, guard: Guard) -> str:
    try:
        subscription = orjson.loads(text)
        endpoint, keys = subscription["endpoint"], subscription["keys"]
        if not (isinstance(keys["p256dh"], str) and isinstance(keys["auth"], str)):
            raise TypeError
        guard.check(endpoint)
    except UrlRefused as error:
        raise _invalid(f"the subscription's endpoint is refused: {error}") from error
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise _invalid("a Web Push subscription has endpoint, keys.p256dh and keys.auth") from error
    return orjson.dumps(subscription, option=orjson.OPT_SORT_KEYS).decode()


def _invalid(message: str) -> BadRequest:
    return BadRequest(f"{message}.", code="invalid_recipient")
