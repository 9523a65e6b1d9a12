"""Computes when a Repeatable Sending Project fires next: RRULE (RFC 5545) and cron, in local time. No I/O.

A rule produces local times, which are converted to instants here:

- A time that the clocks skip: an RRULE's is read with the offset from before (RFC 5545 §3.3.5: 02:30 fires at local
03:30), cron's fires at the first instant after the gap.
- A time that the clocks show twice fires the first time.
- Two times that become one instant are one firing.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from croniter import (  # type: ignore[import-untyped]
    CroniterBadDateError,
    CroniterError,
    croniter,
)
from dateutil.rrule import DAILY, HOURLY, MINUTELY, MONTHLY, WEEKLY, YEARLY, rrule, rrulestr

from engine.windows import BadZone, changes, zone_by_name
from shapes.repeatable import Schedule

T = TypeVar("T")

SECONDS = 0.5
"""Seconds of processor time that one search may take; dateutil may search without calling any function."""

_STEPS = 400_000
"""The most function calls of one search: some 0.1 s. A rule is saved only if half of it is enough, so that it does not
become too expensive on another day of the year."""

_DAY = timedelta(days=1)
_MOST_INTERVAL = 10_000
_MOST_A_DAY = 24
_FREQUENCIES = {
    "MINUTELY": MINUTELY,
    "HOURLY": HOURLY,
    "DAILY": DAILY,
    "WEEKLY": WEEKLY,
    "MONTHLY": MONTHLY,
    "YEARLY": YEARLY,
}
_NUMBERS: dict[str, tuple[int, int, bool]] = {  # least, most, whether negative numbers count from the end
    "INTERVAL": (1, _MOST_INTERVAL, False),
    "COUNT": (1, 100_000, False),
    "BYSECOND": (0, 59, False),
    "BYMINUTE": (0, 59, False),
    "BYHOUR": (0, 23, False),
    "BYMONTHDAY": (1, 31, True),
    "BYYEARDAY": (1, 366, True),
    "BYWEEKNO": (1, 53, True),
    "BYMONTH": (1, 12, False),
    "BYSETPOS": (1, 366, True),
}
_SINGLE = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSECOND"}
_SUPPORTED = {"FREQ", "UNTIL", "WKST", "BYDAY", *_NUMBERS}
_DAYS = "MO|TU|WE|TH|FR|SA|SU"
# RFC 5545 §3.3.10: the frequencies that a part is allowed with.
_ONLY_WITH = {
    "BYWEEKNO": {"YEARLY"},
    "BYYEARDAY": {"YEARLY", "HOURLY", "MINUTELY"},
    "BYMONTHDAY": {"YEARLY", "MONTHLY", "DAILY", "HOURLY", "MINUTELY"},
}
_CRON = re.compile(r"[0-9*,/?L-]+", re.ASCII | re.IGNORECASE)
_CRON_NAMES = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)\b", re.IGNORECASE
)


class BadSchedule(ValueError):
    """A schedule can't be used; the message names the field and the problem."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")


class _TooLong(Exception):
    """A search took too many steps."""


def anchored(schedule: Schedule, now: datetime) -> Schedule:
    """Sets startAt of an RRULE that has none to the last midnight in its zone. Raises BadSchedule."""
    if schedule.rrule is None or schedule.start_at is not None:
        return schedule
    if "COUNT" in _parts(schedule.rrule):
        raise BadSchedule("rrule", "COUNT counts from startAt; send startAt, or use maxRuns")
    midnight = now.astimezone(_zone(schedule)).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return schedule.model_copy(update={"start_at": midnight.astimezone(UTC)})


def check(schedule: Schedule, now: datetime) -> None:
    """Raises BadSchedule when the schedule can't be read, costs too much, or never fires after `now`."""
    if (schedule.rrule is None) == (schedule.cron is None):
        raise BadSchedule("schedule", "send either rrule or cron")
    if schedule.start_at and schedule.end_at and schedule.end_at <= schedule.start_at:
        raise BadSchedule("endAt", "must be after startAt")
    if schedule.rrule is not None and "COUNT" in _parts(schedule.rrule):
        _count(schedule)
    if next_after(schedule, now, _STEPS // 2) is None:
        raise BadSchedule(_rule(schedule), "has no firing from now on")


def next_after(schedule: Schedule, after: datetime, most: int = _STEPS) -> datetime | None:
    """Returns the first firing later than `after` (UTC), or None. Raises BadSchedule."""
    try:
        return _bounded(lambda: _next(schedule, after), most)
    except _TooLong:
        raise BadSchedule(
            _rule(schedule), "takes too many steps to find its next firing; make it simpler"
        ) from None


def firings(schedule: Schedule, after: datetime, count: int) -> list[datetime]:
    """Returns up to `count` firings later than `after`; fewer for an expensive rule. Raises BadSchedule."""
    times: list[datetime] = []

    def find() -> None:
        last = after
        while len(times) < count and (firing := _next(schedule, last)) is not None:
            times.append(firing)
            last = firing

    with suppress(_TooLong):
        _bounded(find)
    return times


def _next(schedule: Schedule, after: datetime) -> datetime | None:
    zone = _zone(schedule)
    if schedule.start_at is not None and after < schedule.start_at:
        after = schedule.start_at - timedelta(microseconds=1)
    find = _next_of_rrule if schedule.rrule is not None else _next_of_cron
    try:
        firing = find(schedule, zone, after.astimezone(UTC))
    except OverflowError:  # beyond the year 9999
        return None
    return None if firing is None or (schedule.end_at and firing > schedule.end_at) else firing


def _rule(schedule: Schedule) -> str:
    return "rrule" if schedule.rrule is not None else "cron"


def _zone(schedule: Schedule) -> ZoneInfo:
    try:
        return zone_by_name(schedule.timezone)
    except BadZone as error:
        raise BadSchedule("timezone", str(error)) from None


def _bounded(work: Callable[[], T], most: int = _STEPS) -> T:
    """Runs `work`, and raises _TooLong after too many function calls: the libraries' searches have no limit of their
    own.

    Python's profiler hook can interrupt its own thread, and counts the same on every machine.
    """
    steps = 0

    def step(frame: Any, event: str, argument: Any) -> None:
        nonlocal steps
        steps += 1
        if steps > most:
            raise _TooLong

    before = sys.getprofile()
    sys.setprofile(step)
    try:
        return work()
    finally:
        sys.setprofile(before)


def _next_of_cron(schedule: Schedule, zone: ZoneInfo, after: datetime) -> datetime | None:
    assert schedule.cron is not None
    fields = schedule.cron.split()
    if len(fields) != 5:
        raise BadSchedule("cron", "has five fields: minute, hour, day of month, month, day of week")
    for field in fields:
        if not _CRON.fullmatch(_CRON_NAMES.sub("1", field)):
            raise BadSchedule("cron", f"{field[:32]!r} can't be read; it takes numbers, names, * , - and /")
    wall = after.astimezone(zone).replace(tzinfo=None)
    try:
        times = croniter(" ".join(fields), wall, ret_type=datetime, max_years_between_matches=50)
        while True:
            instant = _after_the_gap(times.get_next(datetime), zone)
            if instant > after:
                return instant
    except CroniterBadDateError:
        return None
    except (CroniterError, ValueError, KeyError) as error:
        raise BadSchedule("cron", f"can't be read: {str(error)[:200]}") from None


def _after_the_gap(wall: datetime, zone: ZoneInfo) -> datetime:
    instant = _instant(wall, zone)
    if _exists(wall, zone):
        return instant
    return next(changes(zone, instant - _DAY - timedelta(hours=1), instant))


def _instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """Returns the instant of a local time: the first of two, or by the offset from before a gap."""
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC)


def _exists(wall: datetime, zone: ZoneInfo) -> bool:
    return _instant(wall, zone).astimezone(zone).replace(tzinfo=None) == wall


def _parts(text: str) -> dict[str, str]:
    """Returns the parts of an RRULE by name, in capitals. Raises BadSchedule."""
    parts: dict[str, str] = {}
    for part in text.strip().upper().removeprefix("RRULE:").rstrip(";").split(";"):
        name, _, value = part.partition("=")
        if name not in _SUPPORTED:
            hint = "; send startAt instead" if "DTSTART" in name else ""
            raise BadSchedule("rrule", f"{name[:32]!r} is not a part of an RRULE{hint}")
        if name in parts or not value:
            raise BadSchedule("rrule", f"{name} must stand once, with a value")
        if name in _SINGLE and "," in value:
            raise BadSchedule("rrule", f"{name} takes one value")
        parts[name] = value
    frequency = parts.get("FREQ")
    if frequency not in _FREQUENCIES:
        raise BadSchedule("rrule", f"FREQ must be one of {', '.join(_FREQUENCIES)}")
    for name, value in parts.items():
        if name in _NUMBERS:
            _numbers(name, value)
        if frequency not in _ONLY_WITH.get(name, _FREQUENCIES):
            raise BadSchedule("rrule", f"{name} does not go with FREQ={frequency}")
    _weekdays(parts, frequency)
    a_day = len(parts.get("BYHOUR", "0").split(",")) * len(parts.get("BYMINUTE", "0").split(","))
    if frequency in ("MONTHLY", "YEARLY") and a_day > _MOST_A_DAY:
        raise BadSchedule("rrule", f"more than {_MOST_A_DAY} times a day go with FREQ=DAILY or WEEKLY only")
    if {"COUNT", "UNTIL"} <= parts.keys():
        raise BadSchedule("rrule", "takes COUNT or UNTIL, not both")
    if "BYSETPOS" in parts and not any(name.startswith("BY") and name != "BYSETPOS" for name in parts):
        raise BadSchedule("rrule", "BYSETPOS needs another BY part to choose from")
    return parts


def _numbers(name: str, value: str) -> None:
    low, high, from_end = _NUMBERS[name]
    for part in value.split(","):
        if not re.fullmatch(r"[+-]?[0-9]{1,6}", part, re.ASCII):
            raise BadSchedule("rrule", f"{name}: {part[:16]!r} is not a number")
        number = int(part)
        if not low <= (abs(number) if from_end else number) <= high:
            raise BadSchedule("rrule", f"{name} must be from {low} to {high}")


def _weekdays(parts: dict[str, str], frequency: str) -> None:
    if not re.fullmatch(_DAYS, parts.get("WKST", "MO")):
        raise BadSchedule("rrule", "WKST is one of MO, TU, WE, TH, FR, SA, SU")
    for day in parts.get("BYDAY", "MO").split(","):
        match = re.fullmatch(rf"([+-]?[0-9]{{1,2}})?({_DAYS})", day, re.ASCII)
        if not match or (match[1] and not 1 <= abs(int(match[1])) <= 53):
            raise BadSchedule("rrule", f"BYDAY: {day[:16]!r} is not a day; write it like MO, 1MO or -1FR")
        if match[1] and (frequency not in ("MONTHLY", "YEARLY") or "BYWEEKNO" in parts):
            raise BadSchedule("rrule", f"BYDAY={day} needs FREQ=MONTHLY or YEARLY, without BYWEEKNO")


def _next_of_rrule(schedule: Schedule, zone: ZoneInfo, after: datetime) -> datetime | None:
    """Returns the next firing. Two times around a gap may come in the wrong order (02:30 fires after 03:00), so the
    least is searched."""
    wall = after.astimezone(zone).replace(tzinfo=None)
    if (after - _DAY).astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
        wall -= _DAY + timedelta(hours=1)  # a skipped time before `after` may fire after it
    least: datetime | None = None
    for local_time in _walls(schedule, zone, wall):
        instant = _instant(local_time, zone)
        if instant > after and (least is None or instant < least):
            least = instant
        if least is not None and (_exists(local_time, zone) or instant > least + _DAY):
            return least
    return least


def _walls(schedule: Schedule, zone: ZoneInfo, begin: datetime | None) -> Iterator[datetime]:
    """Yields the rule's local times, from `begin` on or all."""
    assert schedule.rrule is not None
    assert schedule.start_at is not None
    parts = _parts(schedule.rrule)
    start = schedule.start_at.astimezone(zone).replace(tzinfo=None, microsecond=0)
    if "UNTIL" in parts:
        parts["UNTIL"] = _until(parts["UNTIL"], zone)
    if begin is not None and "COUNT" not in parts:
        parts, start = _forwarded(parts, start, begin)
    try:
        rule = rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=start)
        assert isinstance(rule, rrule)
        for local_time in rule:
            if begin is None or local_time >= begin:
                yield local_time
    except ValueError as error:  # INTERVAL and BYHOUR that never meet: raised at once, or at the first time
        raise BadSchedule("rrule", f"can't be read: {str(error)[:200]}") from None


def _until(value: str, zone: ZoneInfo) -> str:
    """Returns UNTIL as a local time; a date means the whole day."""
    try:
        if len(value) == 8:
            datetime.strptime(value, "%Y%m%d")  # noqa: DTZ007  a wall-clock time
            return f"{value}T235959"
        wall = datetime.strptime(value.removesuffix("Z"), "%Y%m%dT%H%M%S")  # noqa: DTZ007
    except ValueError:
        raise BadSchedule("rrule", "UNTIL is written like 20271231T225959Z or 20271231") from None
    if value.endswith("Z"):
        wall = wall.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)
    return wall.strftime("%Y%m%dT%H%M%S")


def _forwarded(parts: dict[str, str], start: datetime, begin: datetime) -> tuple[dict[str, str], datetime]:
    """Returns the same rule with a later start, some whole periods before `begin`.

    dateutil iterates from the start, which takes too long for a rule of many years.
    """
    frequency, interval = parts["FREQ"], int(parts.get("INTERVAL", "1"))
    spans = {
        "MINUTELY": timedelta(minutes=interval),
        "HOURLY": timedelta(hours=interval),
        "DAILY": timedelta(days=interval),
        "WEEKLY": timedelta(weeks=interval),
    }
    if span := spans.get(frequency):
        periods = (begin - start) // span - 1
        if frequency == "WEEKLY" and "BYDAY" not in parts:
            parts = {**parts, "BYDAY": _DAYS.split("|")[start.weekday()]}
        return parts, start + max(0, periods) * span
    # The parts that the start implies are made explicit, so that any other start gives the same days.
    if not parts.keys() & {"BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO"}:
        if frequency == "YEARLY":
            parts = {"BYMONTH": str(start.month), **parts}
        parts = {**parts, "BYMONTHDAY": str(start.day)}
    if frequency == "YEARLY":
        years = max(0, (begin.year - start.year) // interval - 1) * interval
        return parts, start.replace(year=start.year + years, month=1, day=1) if years else start
    months = ((begin.year - start.year) * 12 + begin.month - start.month) // interval - 1
    if months <= 0:
        return parts, start
    total = start.year * 12 + start.month - 1 + months * interval
    return parts, start.replace(year=total // 12, month=total % 12 + 1, day=1)


def _count(schedule: Schedule) -> None:
    """Checks that all firings of a rule with COUNT are within the limit: it is iterated from its start each time."""
    zone = _zone(schedule)
    try:
        _bounded(lambda: sum(1 for _ in _walls(schedule, zone, None)), _STEPS // 2)
    except _TooLong:
        raise BadSchedule("rrule", "COUNT is too much for this rule; use maxRuns") from None
