"""Reads single values of Meta's bodies, in which anything may stand in the place of anything."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that Meta says about an account, for the event feed: `type`, and what its `data` has."""

    type: str
    data: Mapping[str, Any]
    restricted_until: datetime | None = (
        None  # Meta refuses messages to people who have not written until then
    )


@dataclass(frozen=True, slots=True)
class Preference:
    """A person wants no marketing messages any more, or wants them again. `aliases`: all ids of the person."""

    aliases: Sequence[str]
    stops: bool
    data: Mapping[str, Any]


def ids_of(fields: Mapping[str, Any], phone: str, contact: Mapping[str, Any]) -> Sequence[str]:
    """Returns all ids of one person that the hook names together; `phone` is the name of the field with the phone."""
    profile = object_of(contact.get("profile"))
    username = (text_of(contact.get("username")) or text_of(profile.get("username"))).removeprefix("@")
    ids = (
        text_of(fields.get(phone)),
        text_of(fields.get("recipient_user_id" if phone == "recipient_id" else f"{phone}_user_id")),
        text_of(contact.get("wa_id")),
        text_of(contact.get("user_id")),
        f"@{username}" if username else "",
    )
    return [*dict.fromkeys(phone_or_id(id) for id in ids if id)]


def phone_or_id(id: str) -> str:
    """Returns a phone as E.164, any other id unchanged."""
    return f"+{id}" if re.fullmatch(r"[0-9]{4,20}", id) else id


def text_of(value: object) -> str:
    """Returns a text; "" for anything else."""
    return value if isinstance(value, str) else ""


def object_of(value: object) -> Mapping[str, Any]:
    """Returns an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def objects_of(value: object) -> list[Mapping[str, Any]]:
    """Returns the objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
