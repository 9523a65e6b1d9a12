"""Quiet hours against a slow reference that looks at every minute."""

import time as clock
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.windows import BadZone, Window, changes, zone_of

MINUTE = timedelta(minutes=1)
ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",  # its clocks change at midnight
    "Africa/Cairo",
    "Australia/Lord_Howe",  # by half an hour
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Africa/Casablanca",
)
CHANGES = [
    at
    for name in ZONES
    for at in changes(ZoneInfo(name), datetime(2025, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def window(begin: str, end: str, *days: int, zone: str = "Europe/Berlin", recipient: bool = False) -> Window:
    made = Window.of(
        {"timezone": zone, "days": days, "from": begin, "to": end, "recipientTimezone": recipient}
    )
    assert made is not None
    return made


def inside(days: list[int], begin: time, end: time, wall: datetime) -> bool:
    for back in (0, 1):
        day = wall.date() - timedelta(days=back)
        opens, closes = datetime.combine(day, begin), datetime.combine(day, end)
        if closes <= opens:
            closes += timedelta(days=1)
        if day.isoweekday() in days and opens <= wall < closes:
            return True
    return False


def reference(days: list[int], begin: time, end: time, zone: ZoneInfo, now: datetime) -> datetime | None:
    at = now
    while not inside(days, begin, end, at.astimezone(zone).replace(tzinfo=None)):
        at = at.replace(second=0, microsecond=0) + MINUTE
    return None if at == now else at


moments = st.one_of(
    st.integers(1_735_700_000, 1_800_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    st.builds(
        lambda at, minutes: at + timedelta(minutes=minutes),
        st.sampled_from(CHANGES),
        st.integers(-2000, 2000),
    ),
)
quarters = st.builds(time, st.integers(0, 23), st.sampled_from([0, 15, 30, 45]))
short = st.builds(time, st.integers(0, 3), st.sampled_from([0, 15, 30, 45]))


@settings(max_examples=400, deadline=None)
@given(
    days=st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True),
    hours=st.one_of(st.tuples(quarters, quarters), st.tuples(short, short)),
    zone=st.sampled_from(ZONES),
    now=moments,
)
def test_like_the_reference(days, hours, zone, now):
    begin, end = hours
    ours = window(f"{begin:%H:%M}", f"{end:%H:%M}", *days, zone=zone)
    assert ours.opens_at(now, None) == reference(days, begin, end, ZoneInfo(zone), now)


@settings(max_examples=100, deadline=None)
@given(now=moments, zone=st.sampled_from(ZONES), hours=st.tuples(short, short))
def test_an_opening_is_open(now, zone, hours):
    ours = window(f"{hours[0]:%H:%M}", f"{hours[1]:%H:%M}", 7, zone=zone)
    opening = ours.opens_at(now, None)
    if opening is not None:
        assert opening > now
        assert ours.opens_at(opening, None) is None


def test_no_window_is_always_open():
    assert Window.of(None) is None
    assert Window.of({}) is None


def test_what_is_left_out_is_the_whole_week_in_utc():
    ours = Window.of({"from": "09:00", "to": "24:00"})
    assert ours is not None
    assert ours.opens_at(utc("2026-03-01T23:59:59"), None) is None
    assert ours.opens_at(utc("2026-03-01T00:00:00"), None) == utc("2026-03-01T09:00:00")


def test_across_midnight_the_day_is_that_of_the_opening():
    ours = window("22:00", "02:00", 5)  # Friday night
    assert ours.opens_at(utc("2026-01-10T00:30"), None) is None  # Saturday 01:30
    assert ours.opens_at(utc("2026-01-09T00:30"), None) == utc("2026-01-09T21:00")  # Friday 01:30


def test_an_opening_in_the_skipped_hour_is_the_first_instant_after():
    ours = window("02:30", "12:00", 7)
    assert ours.opens_at(utc("2026-03-29T00:10"), None) == utc("2026-03-29T01:00")  # 03:00 in Berlin
    gone = window("02:00", "03:00", 7)  # that whole window does not exist on that Sunday
    assert gone.opens_at(utc("2026-03-29T00:10"), None) == utc("2026-04-05T00:00")


def test_the_recipients_clock_counts_only_when_the_window_says_so():
    now = utc("2026-01-05T08:30")  # 09:30 in Berlin, 17:30 in Tokyo
    assert window("09:00", "17:00", 1).opens_at(now, "Asia/Tokyo") is None
    theirs = window("09:00", "17:00", 1, 2, recipient=True)
    assert theirs.opens_at(now, "Asia/Tokyo") == utc("2026-01-06T00:00")
    assert theirs.opens_at(now, None) is None


@pytest.mark.parametrize("name", ["Mars/Olympus", "../../etc/passwd", "europe/berlin", "localtime"])
def test_unknown_zones_are_named(name):
    with pytest.raises(BadZone) as caught:
        window("09:00", "17:00", 1, recipient=True).opens_at(utc("2026-01-05T08:30"), name)
    assert caught.value.name == name


@pytest.mark.parametrize(
    "wrong", [{"from": "25:00"}, {"to": "9.30"}, {"days": [0]}, {"days": [8]}, {"from": "10:60"}]
)
def test_times_and_days_that_are_none(wrong):
    with pytest.raises(ValueError):
        Window.of({"timezone": "UTC", "days": [1], "from": "09:00", "to": "10:00", **wrong})


@pytest.mark.parametrize(
    ("phone", "zone"),
    [
        ("+79161234567", "Europe/Moscow"),
        ("+77011234567", "Asia/Almaty"),
        ("+4915112345678", "Europe/Berlin"),
        ("+14155550100", "America/Los_Angeles"),
        ("+18005550100", "America/New_York"),
        ("+61412345678", "Australia/Sydney"),
        ("+5511987654321", "America/Sao_Paulo"),
        ("+6281234567890", "Asia/Jakarta"),
        ("+999123456", None),
        ("ada@example.com", None),
        ("+", None),
        ("", None),
    ],
)
def test_the_zone_of_a_number(phone, zone):
    assert zone_of(phone) == zone


def test_zones_are_cheap():
    phones = [f"+7916{number:07}" for number in range(0, 10_000_000, 100)]
    begun = clock.process_time()
    assert {zone_of(phone) for phone in phones} == {"Europe/Moscow"}
    spent = clock.process_time() - begun
    assert spent < 10, f"{len(phones) / spent:,.0f}/s"  # a hundredth of what it does
