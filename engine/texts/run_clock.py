"""`{{ run.date }}` in the texts of a project: the day of its first start, where the recipient is.

A message is rendered again whenever it is shown, so the time is kept with the content and not taken from the clock.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from engine.windows import zone_of

VARIABLE: Final = "run"
CONTENT_KEY: Final = "run_at"
"""The time in a content, in ISO 8601; only a content whose text names the variable has it."""


def is_used(content: Mapping[str, Any]) -> bool:
    """Returns whether a content may name the variable, as the SQL of a start decides it."""
    return f"{VARIABLE}." in str(content)


def of(content: Mapping[str, Any], address: str, timezone: str | None) -> dict[str, Any]:
    """Returns the variable for a recipient: in its time zone, else that of its phone, else UTC."""
    at = content.get(CONTENT_KEY)
    if at is None:
        return {}
    name = timezone or zone_of(address)
    try:
        zone = ZoneInfo(name) if name else UTC
    except (KeyError, ValueError):  # a zone that IANA's data has no longer
        zone = UTC
    return {VARIABLE: {"date": datetime.fromisoformat(at).astimezone(zone).date().isoformat()}}


def at(content: Mapping[str, Any], moment: datetime) -> Mapping[str, Any]:
    """Returns a content as it would be if its project started at this moment: for plans and previews."""
    return {**content, CONTENT_KEY: moment.isoformat()} if is_used(content) else content
