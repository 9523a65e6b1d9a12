"""Ways a message leaves the gateway: one driver a module, chosen by the scheme of a DSN.

`connect("email", "smtp://user:password@host?from=news@example.com")` makes a Channel (see `port`). A driver
is a class with `classmethod from_dsn(cls, dsn: Dsn, kind: str) -> Self` and is imported when first used.
"""

import re
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from typing import Literal, NamedTuple, Protocol, cast, get_args

from channels.dsn import OPAQUE, BadDsn, Dsn, parse_list
from channels.port import Channel
from core.outbound import EVERYWHERE, Guard

Kind = Literal["email", "sms", "push", "telegram", "whatsapp"]


class Driver(NamedTuple):
    """Names the class of a scheme, as `module:Class`, the kinds of message that it carries, and its usual name."""

    target: str
    kinds: frozenset[str]
    label: str


_EMAIL = frozenset({"email"})
_SMS = frozenset({"sms"})
_PUSH = frozenset({"push"})
_ANY = frozenset(get_args(Kind))

DRIVERS: dict[str, Driver] = {
    "smtp": Driver("channels.smtp:SmtpChannel", _EMAIL, "SMTP"),
    "smtps": Driver("channels.smtp:SmtpChannel", _EMAIL, "SMTP"),
    "smpp": Driver("channels.smpp:SmppChannel", _SMS, "SMPP"),
    "twilio": Driver("channels.twilio:TwilioChannel", _SMS, "Twilio"),
    "fcm": Driver("channels.fcm:FcmChannel", _PUSH, "Firebase"),
    "webpush": Driver("channels.webpush:WebPushChannel", _PUSH, "Web Push"),
    "post": Driver("channels.post:PostChannel", _ANY, "HTTP POST"),
    "apprise": Driver("channels.apprise:AppriseChannel", _ANY, "Apprise"),
    "sandbox": Driver("channels.sandbox:SandboxChannel", _ANY, "Sandbox: nothing leaves"),
}


_WITHOUT_TOTAL = frozenset({"sandbox", "apprise"})  # no provider; a URL of another program
NAME_RULE = (
    "at most 32 lower-case letters, digits and hyphens, beginning with a letter, and not a driver or a position such as"
    " sms-2"
)
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)
# Names of routes without one of their own, and labels under which messages have their routes.
_RESERVED = re.compile(rf"({'|'.join([*get_args(Kind), *DRIVERS, 'messenger'])})(-[0-9]+)?", re.ASCII)


class _FromDsn(Protocol):
    def from_dsn(self, dsn: Dsn, kind: str) -> Channel: ...


def connect(kind: Kind, dsn: str, *, hook_name: str | None = None, guard: Guard = EVERYWHERE) -> Channel:
    """Makes the channel that `dsn` describes, for messages of `kind`; it is not opened yet.

    `hook_name`: of its callbacks, `/hooks/{driver}/{hook_name}`; default: that of its kind. `guard`: judges the
    addresses that smtp, smpp, twilio and post connect to; by default the operator has chosen them.

    The option `total` of every driver but the sandbox bounds the messages in flight of all workers together. The option
    `name` of every driver but Apprise is the route's name, by which rules and operators call it.

    Raises BadDsn: unknown scheme, wrong kind, unknown or bad option. Does not use the network.
    """
    parsed = replace(Dsn.parse(dsn), hook_name=hook_name, guard=guard)
    if (driver := DRIVERS.get(parsed.scheme)) is None:
        close = get_close_matches(parsed.scheme, DRIVERS, 1)
        meant = f"; did you mean {close[0]}?" if close else f"; known are {', '.join(DRIVERS)}"
        raise BadDsn(f"unknown channel scheme {parsed.scheme}{meant}")
    if kind not in driver.kinds:
        fit = ", ".join(scheme for scheme, other in DRIVERS.items() if kind in other.kinds)
        raise BadDsn(f"{parsed.scheme} cannot carry {kind}; these can: {fit}")
    module, _, name = driver.target.partition(":")
    channel = cast("_FromDsn", getattr(import_module(module), name)).from_dsn(parsed, kind)
    _total(parsed)
    _name(parsed)
    parsed.refuse_unread()
    return channel


def total_of(dsn: str) -> int | None:
    """Returns the messages that all workers together may have in flight; None without the option `total`.

    Raises BadDsn.
    """
    return _total(Dsn.parse(dsn))


def name_of(dsn: str) -> str | None:
    """Returns the name of a route; None without the option `name`. Raises BadDsn."""
    return _name(Dsn.parse(dsn))


def _name(dsn: Dsn) -> str | None:
    if dsn.scheme in OPAQUE or (name := dsn.text("name")) is None:
        return None
    if not is_name(name):
        raise BadDsn(f"{dsn.scheme}: option name must be {NAME_RULE}")
    return name


def is_name(text: str) -> bool:
    """Returns whether a route may be called so."""
    return _NAME.fullmatch(text) is not None and _RESERVED.fullmatch(text) is None


def _total(dsn: Dsn) -> int | None:
    if dsn.scheme in _WITHOUT_TOTAL:
        return None
    return dsn.integer("total", 0, at_least=1, at_most=100_000) or None


__all__ = [
    "DRIVERS",
    "NAME_RULE",
    "BadDsn",
    "Channel",
    "Driver",
    "Dsn",
    "Kind",
    "connect",
    "is_name",
    "name_of",
    "parse_list",
    "total_of",
]
