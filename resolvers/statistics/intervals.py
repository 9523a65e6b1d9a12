"""Intervals of a time zone's calendar: the instant at which each of them begins.

Hours, days, weeks and months follow the zone's local time. A day therefore has 23, 24 or 25 hours, a repeated hour
appears twice, a skipped hour does not appear, and in a zone with a half-hour offset hours begin on the half hour.
Every boundary falls on a quarter of an hour, which is the resolution of the counters.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from core.errors import BadRequest
from shapes.statistics import Interval

MOST = 2000
"""The most intervals of one answer."""

_QUARTER = timedelta(minutes=15)
_LENGTH = {
    Interval.quarterHour: _QUARTER,
    Interval.hour: timedelta(hours=1),
    Interval.day: timedelta(days=1),
    Interval.week: timedelta(days=7),
    Interval.month: timedelta(days=30),
}
_DEFAULT = {
    Interval.quarterHour: 96,
    Interval.hour: 24,
    Interval.day: 30,
    Interval.week: 12,
    Interval.month: 12,
}
_NAMES = {Interval.quarterHour: "quarter of an hour"}
_OLDEST, _NEWEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def zone(name: str) -> ZoneInfo:
    """Returns the time zone with this IANA name. Raises BadRequest."""
    if name not in _names():
        raise BadRequest(
            "timezone must be a name of the IANA database, for example Europe/Berlin. GET"
            " /common/timezones lists them all.",
            code="bad_timezone",
        )
    return ZoneInfo(name)


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones() - {"localtime", "posixrules", "Factory"})


def boundaries(
    since: datetime | None, until: datetime | None, interval: Interval, tz: ZoneInfo, now: datetime
) -> Sequence[datetime]:
    """Returns the first instant of every interval that [since, until) touches, in UTC, and the end of the last one.

    Without bounds: the last 24 hours, 30 days, 12 weeks or 12 months. Raises BadRequest.
    """
    until = until or _default_until(since, interval, now)
    if since is None and _OLDEST < until <= _NEWEST:
        since = until - (_DEFAULT[interval] - 1) * _LENGTH[interval]
    if since is None or not _OLDEST <= since < until <= _NEWEST:
        raise BadRequest("dateFrom must be before dateTo, and both between the years 2000 and 2200.")
    if (until - since) / _LENGTH[interval] > MOST:
        raise _too_many(interval)
    instants = []
    for begin in _begins(since, interval, tz):
        instants.append(begin)
        if begin >= until:
            break
    if len(instants) - 1 > MOST:
        raise _too_many(interval)
    return instants


def at_most(since: datetime | None, until: datetime | None, interval: Interval, now: datetime) -> int:
    """Returns an upper bound of how many intervals `boundaries` gives in any zone, for cost estimates. Returns 1 if
    `boundaries` would refuse.
    """
    length = _LENGTH[interval]
    until = until or _default_until(since, interval, now)
    span = (_DEFAULT[interval] - 1) * length if since is None else until - since
    number = span / length
    # Both ends are rounded to whole intervals, some months have 28 days, and a change of the clocks splits hours.
    return min(MOST, int(number) + 6) if 0 < number <= MOST else 1


def _default_until(since: datetime | None, interval: Interval, now: datetime) -> datetime:
    """Returns now, or the end of one interval if `since` is later; never more than `boundaries` accepts."""
    if since is None or since < now:
        return now
    return since + _LENGTH[interval] if since < _NEWEST else since


def _too_many(interval: Interval) -> BadRequest:
    length = _NAMES.get(interval, interval.value)
    return BadRequest(
        f"This asks for more than {MOST} intervals of one {length}. Ask for a shorter period,"
        " or for longer intervals.",
        code="too_many_intervals",
    )


def _begins(since: datetime, interval: Interval, tz: ZoneInfo) -> Iterator[datetime]:
    """Yields the beginning of each interval, without end."""
    if interval is Interval.quarterHour:
        return _quarters(since)
    return _hours(since, tz) if interval is Interval.hour else _dates(since, interval, tz)


def _quarters(since: datetime) -> Iterator[datetime]:
    """Yields the beginning of each quarter of an hour, without end. It is the same in every zone."""
    at = _quarter(since)
    while True:
        yield at
        at += _QUARTER


def _hours(since: datetime, tz: ZoneInfo) -> Iterator[datetime]:
    """Yields the beginning of each hour, without end. A change of the UTC offset begins a new hour, too."""
    at = _quarter(since)
    hour = _hour(at, tz)
    while _hour(at - _QUARTER, tz) == hour:
        at -= _QUARTER
    while True:
        yield at
        while (now := _hour(at, tz)) == hour:
            at += _QUARTER
        hour = now


def _hour(at: datetime, tz: ZoneInfo) -> tuple[date, int, timedelta | None]:
    local = at.astimezone(tz)
    return local.date(), local.hour, local.utcoffset()


def _quarter(at: datetime) -> datetime:
    return at.astimezone(UTC) - (at - _OLDEST) % _QUARTER


def _dates(since: datetime, interval: Interval, tz: ZoneInfo) -> Iterator[datetime]:
    """Yields the beginning of each day, week or month, without end."""
    day = since.astimezone(tz).date()
    if interval is Interval.week:
        day -= timedelta(days=day.weekday())
    elif interval is Interval.month:
        day = day.replace(day=1)
    last = None
    while True:
        begin = _midnight(day, tz)
        if begin != last:  # a zone that moves across the date line skips a day
            yield begin
        last = begin
        if interval is Interval.month:
            day = (day + timedelta(days=31)).replace(day=1)
        else:
            day += _LENGTH[interval]


def _midnight(day: date, tz: ZoneInfo) -> datetime:
    """Returns the first instant of the day. It is not 00:00 if the clocks change at midnight."""
    at = _quarter(datetime(day.year, day.month, day.day, tzinfo=tz).astimezone(UTC))
    while at.astimezone(tz).date() < day:
        at += _QUARTER
    while (at - _QUARTER).astimezone(tz).date() >= day:
        at -= _QUARTER
    return at
