"""Quiet hours: when a message may leave, in local time. No I/O, and cheap for many messages of few time zones."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from phonenumbers.tzdata import TIMEZONE_DATA, TIMEZONE_LONGEST_PREFIX

_DAY = timedelta(days=1)
_DAY_MINUTES = 24 * 60
_FARTHEST = 400
"""Days. A week holds an opening, two weeks even where a clock change or the date line swallows one."""


class BadZone(ValueError):
    """A time zone that IANA's data does not have, or no longer; `name` is the requested name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name[:64]!r} is not a time zone; use a name like Europe/Berlin")
        self.name = name


@dataclass(frozen=True, slots=True)
class Window:
    """Allows sending at certain times: on these days, from `opens` until just before `closes`, minutes of the day.

    `opens` after `closes` crosses midnight, and `opens` equal to `closes` is a whole day from then; the day is
    the one on which it opens.
    """

    timezone: str
    days: frozenset[int]  # ISO, Monday is 1
    opens: int
    closes: int
    by_recipient: bool

    @classmethod
    def of(cls, window: dict[str, Any] | None) -> "Window | None":
        """Reads the project's `{timezone, days, from, to, recipientTimezone}`; None: sending is always allowed.

        The defaults are UTC, every day, the whole day, and the window's own zone. Raises ValueError for invalid
        times and days.
        """
        if not window:
            return None
        days = frozenset(window.get("days") or range(1, 8))
        if not days <= frozenset(range(1, 8)):
            raise ValueError("days are from 1 (Monday) to 7")
        return cls(
            timezone=window.get("timezone") or "UTC",
            days=days,
            opens=_minutes(window.get("from") or "00:00") % _DAY_MINUTES,
            closes=_minutes(window.get("to") or "24:00"),
            by_recipient=bool(window.get("recipientTimezone")),
        )

    def opens_at(self, now: datetime, zone: str | None) -> datetime | None:
        """Returns None if sending is allowed at `now`, else the next instant (UTC) at which it is.

        `zone`: the recipient's time zone, used only if the window follows the recipient's clock. Raises
        BadZone.
        """
        name = zone if zone and self.by_recipient else self.timezone
        return _opens_at(self, name, int(now.timestamp()) // 60)

    def closing(self, now: datetime, zone: str | None) -> datetime | None:
        """Returns the next instant (UTC) at which sending stops, for a `now` at which it is allowed. None: it is
        allowed for at least a week.

        `zone` is that of `opens_at`. Raises BadZone.
        """
        local_zone = zone_by_name(zone if zone and self.by_recipient else self.timezone)
        today, week = now.astimezone(local_zone).date(), now + 7 * _DAY
        at = time(self.closes % _DAY_MINUTES // 60, self.closes % 60)
        candidates = [instant for day in range(8) for instant in instants(today + day * _DAY, at, local_zone)]
        candidates += changes(local_zone, now, week)
        return min(
            (
                instant
                for instant in candidates
                if instant > now and not self.allows(instant.astimezone(local_zone))
            ),
            default=None,
        )

    def allows(self, local: datetime) -> bool:
        """Returns whether this local time is inside the window."""
        minute, day = local.hour * 60 + local.minute, local.isoweekday()
        if self.opens < self.closes:
            return day in self.days and self.opens <= minute < self.closes
        yesterday = day - 1 or 7
        return (day in self.days and minute >= self.opens) or (
            yesterday in self.days and minute < self.closes
        )


def zone_by_name(name: str) -> ZoneInfo:
    """Returns the time zone. Raises BadZone. Only listed names are accepted, so that a user's text never becomes a
    path."""
    if name not in _zones():
        raise BadZone(name)
    return ZoneInfo(name)


def changes(zone: ZoneInfo, begin: datetime, end: datetime) -> Iterator[datetime]:
    """Yields the instants (UTC) in (begin, end] at which the zone's clocks are set forward or back, oldest first."""
    while begin < end:
        after = min(begin + _DAY, end)
        if _offset(zone, begin) != _offset(zone, after):
            before, changed = int(begin.timestamp()), int(after.timestamp())
            while changed - before > 1:
                middle = (before + changed) // 2
                if _offset(zone, datetime.fromtimestamp(middle, UTC)) == _offset(zone, begin):
                    before = middle
                else:
                    changed = middle
            yield datetime.fromtimestamp(changed, UTC)
        begin = after


def instants(day: date, at: time, zone: ZoneInfo) -> list[datetime]:
    """Returns the instants at which the local clock shows that time: one, two when it is set back, none when it skips
    it."""
    times: list[datetime] = []
    for fold in (0, 1):
        wall = datetime.combine(day, at).replace(tzinfo=zone, fold=fold)
        instant = wall.astimezone(UTC)
        if instant not in times and instant.astimezone(zone).replace(tzinfo=None) == wall.replace(
            tzinfo=None
        ):
            times.append(instant)
    return times


@lru_cache(maxsize=16_384)
def _opens_at(window: Window, name: str, minute: int) -> datetime | None:
    """Returns the next opening by the minute: clock changes and windows are on whole minutes."""
    zone = zone_by_name(name)
    now = datetime.fromtimestamp(minute * 60, UTC)
    if window.allows(now.astimezone(zone)):
        return None
    at = time(window.opens // 60, window.opens % 60)
    for _ in range(_FARTHEST):
        # A window opens in two ways only: the local time reaches the opening time, or a clock change skips it.
        until = now + _DAY
        today = now.astimezone(zone).date()
        candidates = [instant for day in range(-1, 3) for instant in instants(today + day * _DAY, at, zone)]
        candidates += changes(zone, now, until)
        open_at = [
            instant
            for instant in candidates
            if now < instant <= until and window.allows(instant.astimezone(zone))
        ]
        if open_at:
            return min(open_at)
        now = until
    raise ValueError("this window never opens; choose days and hours that exist")


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - {"localtime", "posixrules", "Factory"}


def _offset(zone: ZoneInfo, instant: datetime) -> timedelta | None:
    return instant.astimezone(zone).utcoffset()


def _minutes(text: str) -> int:
    hour, _, minute = text.partition(":")
    minutes = int(hour) * 60 + int(minute)
    if not (0 <= int(minute) < 60 and 0 <= minutes <= _DAY_MINUTES):
        raise ValueError(f"{text[:16]!r} is not a time of day")
    return minutes


_PRINCIPAL = (
    "America/New_York",
    "America/Sao_Paulo",
    "America/Mexico_City",
    "Europe/Moscow",
    "Europe/London",
    "Europe/Madrid",
    "Europe/Lisbon",
    "Asia/Jakarta",
    "Asia/Almaty",
    "Asia/Ulaanbaatar",
    "Australia/Sydney",
    "Australia/Perth",
    "Pacific/Auckland",
    "Pacific/Tahiti",
    "Pacific/Tarawa",
    "Africa/Kinshasa",
    "America/Guayaquil",
    "America/Boise",
    "America/Phoenix",
)
"""Most people of a country or of an area code live in these zones: the first of them that is possible is chosen."""


def zone_of(phone: str) -> str | None:
    """Returns the time zone of an E.164 number; None for a text that is no number, or a number without a location.

    phonenumbers.timezone's data, longest prefix first, and without its look at the number's type, so that the
    first digits alone decide and can be remembered. A mobile number of a country with several zones has them
    all: then it is the zone in which most of that country live (+7916… is Moscow), or, for the few that
    `_PRINCIPAL` doesn't name, the middle one by its offset from UTC.
    """
    return _zone_of(phone[1 : TIMEZONE_LONGEST_PREFIX + 1]) if phone[:1] == "+" else None


@lru_cache(maxsize=131_072)
def _zone_of(digits: str) -> str | None:
    for length in range(len(digits), 0, -1):
        possible = TIMEZONE_DATA.get(digits[:length])
        if possible:
            return _choose(tuple(possible))
    return None


@cache
def _choose(possible: tuple[str, ...]) -> str | None:
    listed = [name for name in possible if name in _zones()]  # Etc/Unknown is not among them
    for name in _PRINCIPAL:
        if name in listed:
            return name
    winter = datetime(2024, 1, 1, tzinfo=UTC)
    listed.sort(key=lambda name: (_offset(ZoneInfo(name), winter), name))
    return listed[(len(listed) - 1) // 2] if listed else None
