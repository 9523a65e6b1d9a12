"""The plan of a project before it sends: what its texts make of some recipients, and when all messages have left.

No I/O. `examine` runs in a thread, or in a process for users' programs.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from channels.sms_text import segments
from engine import texts
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
    """Renders the texts for recipients, and returns how many would be skipped and why, and how long the messages are.

    `rows`: id of the message, address, variables, time zone. `by_recipient`: the window follows the recipients' clocks.
    `silent_allowed`: a message without text still says something. Ends after `seconds` of the processor's time.
    """
    text = texts.compiled(content)
    until = time.thread_time() + seconds
    skipped: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    zones: Counter[str] = Counter()
    looked_at = parts = longest = 0
    for id, to, variables, timezone in rows:
        if time.thread_time() > until:
            break
        looked_at += 1
        variant = text.pick(UUID(id))
        try:
            if by_recipient:
                zone = timezone or (zone_of(to) if to.startswith("+") else None)
                if zone:
                    zone_by_name(zone)
                zones[zone or ""] += 1
            missing.update(text.missing(variant, variables))
            rendered = text.render(variant, variables)
        except BadZone:
            skipped["bad_timezone"] += 1
            continue
        except texts.MissingVariable:
            skipped["missing_variable"] += 1
            continue
        except texts.TextError:
            skipped["bad_text"] += 1
            continue
        html = rendered.html if channel == "email" else None
        if not (silent_allowed or rendered.body.strip() or (html and html.strip())):
            skipped["empty_text"] += 1
            continue
        count = segments(rendered.body) if channel == "sms" else 1
        parts += count
        longest = max(longest, count)
    return {
        "looked_at": looked_at,
        "skipped": dict(skipped),
        "missing": dict(missing),
        "zones": dict(zones.most_common(12)),
        "parts": parts,
        "longest": longest,
    }


@dataclass(frozen=True, slots=True)
class SendLimits:
    """How fast messages may leave. Days are those of UTC, as the tariff counts them."""

    per_minute: float | None  # None: as fast as the route takes them
    per_day: int
    left_today: int


def span(
    count: float, limits: SendLimits, at: datetime, window: Window | None, zone: str | None
) -> tuple[datetime, datetime] | None:
    """Returns when the first and the last of `count` messages leave, from `at` on; None if that is too far away.

    Raises BadZone.
    """
    farthest, left, today = at + FARTHEST, float(count), float(limits.left_today)
    begins: datetime | None = None
    while at < farthest:
        if window is not None and (opens_at := window.next_opening(at, zone)) is not None:
            if opens_at.date() != at.date():
                today = float(limits.per_day)
            at = opens_at
            continue
        midnight = datetime(at.year, at.month, at.day, tzinfo=UTC) + _DAY
        until = midnight
        if window is not None and (closing := window.closing(at, zone)) is not None:
            until = min(until, closing)
        if today >= 1:
            begins = begins or at
            minutes = (until - at).total_seconds() / 60
            room = today if limits.per_minute is None else min(today, limits.per_minute * minutes)
            if left <= room:
                return begins, at + timedelta(minutes=left / limits.per_minute if limits.per_minute else 0)
            left -= room
            today -= room
        at = until
        if at == midnight:
            today = float(limits.per_day)
    return None


def span_of_zones(
    count: int, limits: SendLimits, at: datetime, window: Window | None, zones: Mapping[str, int]
) -> tuple[datetime, datetime] | None:
    """Returns the same as `span` for recipients of several time zones, by the number of recipients in each.

    The zones share the rate, so the end is never earlier than that of all messages one after the other.
    """
    if window is None or not window.by_recipient or not zones:
        return span(count, limits, at, window, None)
    total = sum(zones.values())
    spans = [span(count * share / total, limits, at, window, zone or None) for zone, share in zones.items()]
    ended_spans = [ended for ended in spans if ended is not None]
    if len(ended_spans) < len(spans):
        return None
    begins = min(begin for begin, _ in ended_spans)
    everything = span(count, limits, begins, None, None)
    return None if everything is None else (begins, max(everything[1], *(end for _, end in ended_spans)))
