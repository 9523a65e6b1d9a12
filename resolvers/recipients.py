"""Addresses in one spelling: E.164 for phones, NFC for emails, canonical JSON for Web Push subscriptions."""

import orjson
import phonenumbers

from postern.errors import BadRequest
from postern.outbound import Guard, UrlRefused
from schema.types.emails import mailbox
from schema.types.messages import MessageChannel


def normalise(channel: MessageChannel, to: str, region: str, guard: Guard) -> str:
    """Raises BadRequest (`invalid_recipient`) that says what is wrong."""
    if channel is MessageChannel.sms:
        return phone(to, region)
    if channel is MessageChannel.email:
        return email(to)
    return push_target(to, guard)


def phone(text: str, region: str) -> str:
    """E.164. Possible, not "valid": numbering plans change faster than our tables, the provider knows."""
    try:
        number = phonenumbers.parse(text, region) if len(text) <= 64 else None
    except phonenumbers.NumberParseException:
        number = None
    if number is None or not phonenumbers.is_possible_number(number) or number.extension:
        raise _invalid("to must be a phone number, best written like +14155550100")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def email(text: str) -> str:
    try:
        return mailbox(text)
    except ValueError as error:
        raise _invalid(f"to {error}".rstrip(".")) from error


def push_target(text: str, guard: Guard) -> str:
    """A device token as it is, or a Web Push subscription whose endpoint we may call."""
    if not text.lstrip().startswith("{"):
        if any(char.isspace() or not char.isprintable() for char in text):
            raise _invalid("to must be a device token or a Web Push subscription as JSON")
        return text
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
