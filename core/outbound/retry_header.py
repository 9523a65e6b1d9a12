"""Reads Retry-After (RFC 9110 §10.2.3), by which a server says when to try again: a number of seconds, or a date."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST = 1e9
"""Seconds; a longer time is reduced to it, so that callers can add it to a time. They have shorter bounds of their
own.
"""


def retry_after(value: str | None, date: str | None = None, now: datetime | None = None) -> float | None:
    """Returns the seconds to wait, at least 0; None if there is no header, or none that can be read.

    `date` is the Date header of the same response: a date is relative to it, as the server's clock may be wrong. If
    there is none, it is relative to `now`; without that, to our own clock.
    """
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", text := value.strip()):
        return min(float(text), LONGEST)
    when = _moment(text)
    if when is None:
        return None
    sent_at = _moment(date) if date is not None else None
    return min(max(0.0, (when - (sent_at or now or datetime.now(UTC))).total_seconds()), LONGEST)


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # for example a year or an hour of twenty digits
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
