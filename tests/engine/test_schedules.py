"""Tests when a schedule fires: against dateutil without short cuts, against every minute of cron, and by hand at
DST.
"""

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.projects.schedules import BadSchedule, anchored, check, firings, next_after
from shapes.repeatable import Schedule

NOW = datetime(2026, 11, 20, 14, 23, tzinfo=UTC)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def times(after: str, count: int, **schedule) -> list[str]:
    now = utc(after)
    return [f"{firing:%m-%d %H:%M}" for firing in firings(anchored(Schedule(**schedule), now), now, count)]


# A daily time that the clocks skip, and one that they show twice.
CHANGES = [
    # zone, wall-clock time, after, RRULE's three firings, cron's
    ("Europe/Berlin", (2, 30), "2026-03-28T00:00", ["03-28 01:30", "03-29 01:30", "03-30 00:30"], "03-29 01:00"),
    ("Europe/Berlin", (2, 30), "2026-10-24T00:00", ["10-24 00:30", "10-25 00:30", "10-26 01:30"], "10-25 00:30"),
    ("America/New_York", (2, 15), "2026-03-07T00:00", ["03-07 07:15", "03-08 07:15", "03-09 06:15"], "03-08 07:00"),
    ("America/New_York", (1, 15), "2026-10-31T00:00", ["10-31 05:15", "11-01 05:15", "11-02 06:15"], "11-01 05:15"),
    # By half an hour: 02:00 → 02:30 in October, 02:00 → 01:30 in April.
    ("Australia/Lord_Howe", (2, 10), "2026-10-02T12:00", ["10-02 15:40", "10-03 15:40", "10-04 15:10"], "10-03 15:30"),
    ("Australia/Lord_Howe", (1, 45), "2026-04-03T00:00", ["04-03 14:45", "04-04 14:45", "04-05 15:15"], "04-04 14:45"),
]  # fmt: skip


@pytest.mark.parametrize(("zone", "at", "after", "expected", "cron"), CHANGES)
def test_a_daily_time_when_the_clocks_change(zone, at, after, expected, cron):
    hour, minute = at
    rule = f"FREQ=DAILY;BYHOUR={hour};BYMINUTE={minute}"
    assert times(after, 3, rrule=rule, timezone=zone) == expected
    assert times(after, 3, cron=f"{minute} {hour} * * *", timezone=zone) == [expected[0], cron, expected[2]]


@pytest.mark.parametrize("rule", [{"rrule": "FREQ=MINUTELY;INTERVAL=30"}, {"cron": "*/30 * * * *"}])
def test_every_half_hour_when_the_clocks_change(rule):
    spring = times("2026-03-29T00:10", 4, timezone="Europe/Berlin", **rule)
    assert spring == ["03-29 00:30", "03-29 01:00", "03-29 01:30", "03-29 02:00"]
    autumn = times("2026-10-25T00:10", 3, timezone="Europe/Berlin", **rule)
    assert autumn == ["10-25 00:30", "10-25 02:00", "10-25 02:30"]  # 02:30, and 03:00 of the later offset


rules = st.builds(
    lambda frequency, interval, more: ";".join((f"FREQ={frequency}", f"INTERVAL={interval}", *more)),
    st.sampled_from(["MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]),
    st.integers(1, 40),
    st.lists(
        st.sampled_from(
            ["BYMONTH=1,6,12", "BYDAY=MO,SU", "BYHOUR=0,13", "BYMINUTE=7,30", "BYMONTHDAY=1,29,31", "WKST=SU"]
        ),
        max_size=3,
        unique=True,
    ),
)


@settings(max_examples=300, deadline=None)
@given(
    rule=rules,
    start=st.integers(1_500_000_000, 1_600_000_000),
    later=st.integers(-1000, 40_000_000),
)
def test_a_rule_fires_as_dateutil_says(rule, start, later):
    assume("WEEKLY" not in rule or "BYMONTHDAY" not in rule)
    begin = datetime.fromtimestamp(start, UTC)
    after = begin + timedelta(seconds=later)
    schedule = Schedule(rrule=rule, start_at=begin)
    naive = begin.replace(tzinfo=None)
    try:
        ours = next_after(schedule, after)
    except BadSchedule:
        assume(False)
    until = (ours or after + timedelta(days=900)).replace(tzinfo=None)
    theirs = rrulestr(f"{rule};UNTIL={until:%Y%m%dT%H%M%S}", dtstart=naive)
    expected = theirs.after(max(after.replace(tzinfo=None), naive - timedelta(seconds=1)))
    assert expected == (ours and ours.replace(tzinfo=None))


SHOWN = {
    "*/7 * * * *": lambda wall: wall.minute % 7 == 0,
    "15 2,3 * * *": lambda wall: wall.minute == 15 and wall.hour in (2, 3),
    "0 0 * * sun": lambda wall: (wall.hour, wall.minute, wall.isoweekday()) == (0, 0, 7),
    "*/20 1-3 * * *": lambda wall: wall.minute % 20 == 0 and 1 <= wall.hour <= 3,
    "59 23 * * 1-5": lambda wall: (wall.hour, wall.minute) == (23, 59) and wall.isoweekday() <= 5,
}


@settings(max_examples=150, deadline=None)
@given(
    cron=st.sampled_from([*SHOWN]),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"]),
    begin=st.sampled_from(
        ["2026-03-07", "2026-03-28", "2026-04-04", "2026-10-03", "2026-10-24", "2026-10-31"]
    ),
    minutes=st.integers(0, 2880),
)
def test_cron_fires_as_a_watch_on_the_wall(cron, zone, begin, minutes):
    """A watcher that looks at the wall clock each minute fires the minutes that are new on it, and those that it
    skipped.
    """
    clock = ZoneInfo(zone)
    after = utc(begin) + timedelta(minutes=minutes)
    seen = (after - timedelta(days=1)).astimezone(clock).replace(tzinfo=None)  # the latest time shown so far
    at, fired = after - timedelta(days=1), None
    while fired is None and at < after + timedelta(days=9):
        at += timedelta(minutes=1)
        wall = at.astimezone(clock).replace(tzinfo=None)
        new = [seen + timedelta(minutes=n + 1) for n in range(int((wall - seen).total_seconds()) // 60)]
        if at > after and any(SHOWN[cron](minute) for minute in new):
            fired = at
        seen = max(seen, wall)
    assert next_after(Schedule(cron=cron, timezone=zone), after) == fired


def test_bounds():
    schedule = Schedule(
        rrule="FREQ=DAILY;BYHOUR=9", start_at=utc("2027-01-01T00:00"), end_at=utc("2027-01-02T09:00")
    )
    assert firings(schedule, NOW, 5) == [utc("2027-01-01T09:00"), utc("2027-01-02T09:00")]
    cron = Schedule(cron="0 9 * * *", start_at=utc("2027-01-01T09:00"))
    assert next_after(cron, NOW) == utc("2027-01-01T09:00")


def test_a_rule_without_a_start_counts_from_midnight_in_its_zone():
    schedule = anchored(Schedule(rrule="FREQ=DAILY;BYHOUR=9", timezone="Asia/Tokyo"), NOW)
    assert schedule.start_at == utc("2026-11-19T15:00")
    assert next_after(schedule, NOW) == utc("2026-11-21T00:00")


def test_until_and_count():
    start = utc("2026-11-20T08:00")
    until = Schedule(rrule="FREQ=DAILY;UNTIL=20261122T080000Z", start_at=start, timezone="Europe/Berlin")
    assert len(firings(until, start, 9)) == 2
    day = Schedule(rrule="RRULE:FREQ=DAILY;UNTIL=20261122", start_at=start, timezone="Europe/Berlin")
    assert len(firings(day, start, 9)) == 2
    count = Schedule(rrule="FREQ=DAILY;COUNT=3", start_at=start)
    assert len(firings(count, start, 9)) == 2  # the first is the start itself


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        ({}, "either rrule or cron"),
        ({"rrule": "FREQ=DAILY", "cron": "* * * * *"}, "either rrule or cron"),
        ({"rrule": "FREQ=SECONDLY"}, "FREQ must be one of"),
        ({"rrule": "FREQ=MINUTELY;BYSECOND=0,30"}, "BYSECOND takes one value"),
        ({"rrule": "DTSTART:20260101T000000"}, "send startAt instead"),
        ({"rrule": "FREQ=DAILY;FREQ=DAILY"}, "must stand once"),
        ({"rrule": "FREQ=DAILY;X=1"}, "not a part of an RRULE"),
        ({"rrule": "FREQ=DAILY;BYHOUR=24"}, "from 0 to 23"),
        ({"rrule": "FREQ=DAILY;INTERVAL=0"}, "from 1 to"),
        ({"rrule": "FREQ=DAILY;BYDAY=1MO"}, "needs FREQ=MONTHLY or YEARLY"),
        ({"rrule": "FREQ=DAILY;BYDAY=XX"}, "is not a day"),
        ({"rrule": "FREQ=MONTHLY;BYWEEKNO=3"}, "does not go with"),
        ({"rrule": "FREQ=MONTHLY;BYSETPOS=1"}, "needs another BY part"),
        ({"rrule": "FREQ=DAILY;COUNT=3"}, "send startAt"),
        ({"rrule": "FREQ=DAILY;COUNT=2;UNTIL=20270101", "startAt": "2026-01-01T00:00:00Z"}, "not both"),
        ({"rrule": "FREQ=DAILY;COUNT=100000", "startAt": "2026-01-01T00:00:00Z"}, "COUNT is too much"),
        ({"rrule": "FREQ=DAILY;COUNT=3", "startAt": "2025-01-01T00:00:00Z"}, "no firing from now on"),
        ({"rrule": "FREQ=DAILY;UNTIL=tomorrow"}, "UNTIL is written like"),
        ({"rrule": "FREQ=DAILY;UNTIL=20200101"}, "no firing from now on"),
        ({"rrule": "FREQ=HOURLY;INTERVAL=24;BYHOUR=3"}, "can't be read"),
        (
            {
                "rrule": "FREQ=MINUTELY;INTERVAL=9;BYHOUR=0,13;BYMINUTE=7,30",
                "startAt": "2018-03-04T05:07:05Z",
            },
            "can't be read",
        ),
        ({"cron": "* * * *"}, "five fields"),
        ({"cron": "* * * * * *"}, "five fields"),
        ({"cron": "@daily"}, "five fields"),
        ({"cron": "R * * * *"}, "can't be read"),
        ({"cron": "H H * * *"}, "can't be read"),
        ({"cron": "61 * * * *"}, "can't be read"),
        ({"cron": "*/0 * * * *"}, "can't be read"),
        ({"cron": "0 0 30 2 *"}, "no firing from now on"),
        ({"cron": "* * * * *", "timezone": "Mars/Olympus"}, "not a time zone"),
        ({"cron": "* * * * *", "endAt": "2026-01-01T00:00:00Z"}, "no firing from now on"),
        (
            {"cron": "* * * * *", "startAt": "2027-01-02T00:00:00Z", "endAt": "2027-01-01T00:00:00Z"},
            "must be after startAt",
        ),
    ],
)
def test_what_is_no_schedule(schedule, words):
    with pytest.raises(BadSchedule, match=words):
        check(anchored(Schedule.model_validate(schedule), NOW), NOW)


ALL_DAY = f"BYHOUR={','.join(map(str, range(24)))};BYMINUTE={','.join(map(str, range(60)))}"
EACH_DAY = "BYDAY=MO,TU,WE,TH,FR,SA,SU"


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;INTERVAL=7;BYDAY=MO;BYMONTH=2;BYMONTHDAY=31",
        f"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30,31;{ALL_DAY}",
        f"FREQ=YEARLY;{EACH_DAY};{ALL_DAY}",
        f"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;BYSETPOS={','.join(map(str, range(-99, 0)))}",
    ],
)
def test_a_rule_that_never_comes_is_given_up(rule):
    begun = time.process_time()
    with pytest.raises(BadSchedule, match=r"too many steps|no firing|times a day"):
        check(anchored(Schedule(rrule=rule), NOW), NOW)
    assert time.process_time() - begun < 20  # of a rule that would be looked at until the year 9999


@pytest.mark.parametrize("month", range(1, 13))
def test_the_dearest_rules_are_affordable_on_every_day(month):
    """Whatever was saved once can be read in each month of the year, decades later."""
    hours = f"BYHOUR={','.join(map(str, range(24)))}"
    now = datetime(2057, month, 27, 22, 59, tzinfo=UTC)
    for rule in (
        f"FREQ=YEARLY;{EACH_DAY};{hours}",
        f"FREQ=MONTHLY;{EACH_DAY};{hours}",
        f"FREQ=WEEKLY;{EACH_DAY};{ALL_DAY}",
        f"FREQ=DAILY;{ALL_DAY}",
        "FREQ=MINUTELY",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29",
    ):
        schedule = Schedule(rrule=rule, start_at=utc("1990-01-01T00:00"), timezone="America/New_York")
        assert next_after(schedule, now, 200_000) is not None
