"""The plan of a project before it sends: its rendered texts for some recipients, and the time when all messages have
left.

No I/O. `examine` and `send_times` run in a render process, because both can take a second.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from channels.sms_text import segments
from engine.sms.countries import country_of
from engine.texts import project_texts
from engine.windows import BadZone, Window, zone_by_name, zone_of

_DAY = timedelta(days=1)
FARTHEST = timedelta(days=366)
"""An estimate that is farther away than this is none."""


def examine(
    content: Mapping[str, Any],
    rows: Sequence[tuple[str, str, Mapping[str, Any], str | None]],
    channel: str,
    by_recipient: bool,
    silent_allowed: bool,
    seconds: float,
) -> dict[str, Any]:
    """Renders the texts for recipients, and returns how many would be skipped and why, and of those that are sent the
    index of the row, the parts and the country.

    `rows`: id of the message, address, variables, time zone. `by_recipient`: the window follows the recipients' clocks.
    `silent_allowed`: a message without text still says something. Ends after `seconds` of the processor's time.
    """
    text = project_texts.compiled(content)
    until = time.thread_time() + seconds
    skipped: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    zones: Counter[str] = Counter()
    sent: list[tuple[int, int, str | None]] = []
    lacking: Counter[int] = Counter()  # by the index of the text
    looked_at = 0
    for index, (id, to, variables, timezone) in enumerate(rows):
        if time.thread_time() > until:
            break
        looked_at += 1
        variant = text.pick(UUID(id), variables)
        try:
            if by_recipient:
                zone = timezone or (zone_of(to) if to.startswith("+") else None)
                if zone:
                    zone_by_name(zone)
                zones[zone or ""] += 1
            if lacks := text.missing(variant, variables):
                missing.update(lacks)
                lacking[variant or 0] += 1
            rendered = text.render(variant, variables)
        except BadZone:
            skipped["bad_timezone"] += 1
            continue
        except project_texts.MissingVariable:
            skipped["missing_variable"] += 1
            continue
        except project_texts.TextError:
            skipped["bad_text"] += 1
            continue
        html = rendered.html if channel == "email" else None
        if not (silent_allowed or rendered.body.strip() or (html and html.strip())):
            skipped["empty_text"] += 1
            continue
        sent.append((index, segments(rendered.body) if channel == "sms" else 1, country_of(to)))
    return {
        "looked_at": looked_at,
        "skipped": dict(skipped),
        "missing": dict(missing),
        "lacking": [*lacking.items()],
        "zones": dict(zones.most_common(12)),
        "sent": sent,
    }


@dataclass(frozen=True, slots=True)
class SendLimits:
    """Limits the rate at which messages may leave. Days are those of UTC, as the tariff counts them."""

    per_minute: float | None  # None: as fast as the route takes them
    per_day: int
    left_today: int
    today: date

    def allowed_on(self, day: date) -> float:
        """Returns how many messages may leave on that day."""
        return float(self.left_today if day == self.today else self.per_day)


def span(
    count: float,
    limits: SendLimits,
    at: datetime,
    window: Window | None,
    zone: str | None,
    until: float | None = None,
) -> tuple[datetime, datetime] | None:
    """Returns when the first and the last of `count` messages leave, from `at` on; None if that is too far away, or if
    the thread's processor time has reached `until` before that is known. `at` is in UTC.

    Raises BadZone.
    """
    if count > limits.per_day * (FARTHEST.days + 1):
        return None
    farthest, left, today = at + FARTHEST, float(count), limits.allowed_on(at.date())
    begins: datetime | None = None
    while at < farthest:
        if until is not None and time.thread_time() > until:
            return None
        if window is not None and (opens_at := window.opens_at(at, zone)) is not None:
            if opens_at.date() != at.date():
                today = limits.allowed_on(opens_at.date())
            at = opens_at
            continue
        midnight = datetime(at.year, at.month, at.day, tzinfo=UTC) + _DAY
        ends = midnight
        if window is not None and (closing := window.closing(at, zone)) is not None:
            ends = min(ends, closing)
        if today >= 1:
            begins = begins or at
            minutes = (ends - at).total_seconds() / 60
            room = today if limits.per_minute is None else min(today, limits.per_minute * minutes)
            if left <= room:
                return begins, at + timedelta(minutes=left / limits.per_minute if limits.per_minute else 0)
            left -= room
            today -= room
        at = ends
        if at == midnight:
            today = limits.allowed_on(at.date())
    return None


def span_of_zones(
    count: int,
    limits: SendLimits,
    at: datetime,
    window: Window | None,
    zones: Mapping[str, int],
    until: float | None = None,
) -> tuple[datetime, datetime] | None:
    """Returns the same as `span` for recipients of several time zones, by the number of recipients in each.

    The zones share the rate, so the end is never earlier than that of all messages one after the other.
    """
    if window is None or not window.by_recipient or not zones:
        return span(count, limits, at, window, None, until)
    if count > limits.per_day * (FARTHEST.days + 1):
        return None
    total = sum(zones.values())
    ended_spans: list[tuple[datetime, datetime]] = []
    for zone, share in zones.items():
        ended = span(count * share / total, limits, at, window, zone or None, until)
        if ended is None:
            return None
        ended_spans.append(ended)
    begins = min(begin for begin, _ in ended_spans)
    everything = span(count, limits, begins, None, None, until)
    return None if everything is None else (begins, max(everything[1], *(end for _, end in ended_spans)))


def send_times(
    count: int,
    limits: Mapping[str, Any],
    begin: str,
    window: Mapping[str, Any] | None,
    zones: Mapping[str, int],
    seconds: float,
) -> list[str] | None:
    """Returns the result of `span_of_zones`, as a task whose arguments and result are JSON.

    `limits` are SendLimits by name; sending begins at `begin`. Ends after `seconds` of the processor's time.
    """
    until = time.thread_time() + seconds
    send_limits = SendLimits(**{**limits, "today": date.fromisoformat(limits["today"])})
    at = datetime.fromisoformat(begin).astimezone(UTC)
    first_and_last = span_of_zones(count, send_limits, at, Window.of(dict(window or {})), zones, until)
    return None if first_and_last is None else [moment.isoformat() for moment in first_and_last]


def sample_ranges(size: Any, most: int, several: int) -> tuple[list[int], list[int]]:
    """Returns where each range of the list begins and ends; one range if all recipients can be examined."""
    first, last, count = size["first"], size["last"], 1 if size["recipients"] <= most else several
    edges = [first + (last + 1 - first) * number // count for number in range(count + 1)]
    return edges[:-1], [edge - 1 for edge in edges[1:]]
