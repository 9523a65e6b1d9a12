"""Intervals by the clocks of a zone: days of 23 and 25 hours, half hours, and days that don't exist."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import BadRequest
from resolvers.statistics.intervals import MOST, at_most, boundaries, zone
from shapes.statistics import Interval

NOW = datetime(2026, 11, 20, 12, 7, tzinfo=UTC)


def at(text):
    return datetime.fromisoformat(text)


def of(since, until, interval, name):
    return boundaries(at(since), at(until), Interval(interval), zone(name), NOW)


def lengths(intervals):
    return [(after - before) / timedelta(hours=1) for before, after in pairwise(intervals)]


def test_the_day_of_23_hours():
    intervals = of("2026-03-28T12:00+01:00", "2026-03-30T12:00+02:00", "day", "Europe/Berlin")
    assert intervals == [
        at("2026-03-27T23:00Z"),
        at("2026-03-28T23:00Z"),
        at("2026-03-29T22:00Z"),
        at("2026-03-30T22:00Z"),
    ]
    assert lengths(intervals) == [24, 23, 24]


def test_the_day_of_25_hours():
    intervals = of("2026-10-25T00:00+02:00", "2026-10-26T00:00+01:00", "day", "Europe/Berlin")
    assert (intervals, lengths(intervals)) == ([at("2026-10-24T22:00Z"), at("2026-10-25T23:00Z")], [25])


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
def test_the_hours_of_such_days(day, hours):
    berlin = zone("Europe/Berlin")
    begin = datetime.combine(date.fromisoformat(day), datetime.min.time(), berlin)
    end = datetime.combine(date.fromisoformat(day) + timedelta(days=1), datetime.min.time(), berlin)
    intervals = boundaries(begin, end, Interval.hour, berlin, NOW)
    assert lengths(intervals) == [1] * hours
    shown = [instant.astimezone(berlin).hour for instant in intervals[:-1]]
    assert shown.count(2) == hours - 23
    assert sorted(set(shown)) == [hour for hour in range(24) if hour != 2 or hours > 23]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Asia/Kolkata", "2026-07-01T18:30Z"),
        ("America/St_Johns", "2026-07-02T02:30Z"),
        ("Asia/Kathmandu", "2026-07-01T18:15Z"),
    ],
)
def test_zones_off_the_full_hour(name, first):
    day = of("2026-07-02T10:00Z", "2026-07-02T10:30Z", "day", name)
    assert day == [at(first), at(first) + timedelta(days=1)]
    hours = of("2026-07-02T10:00Z", "2026-07-02T10:05Z", "hour", name)
    assert all(instant.astimezone(zone(name)).minute == 0 for instant in hours)
    assert lengths(hours) == [1]


def test_half_an_hour_of_summer_time():
    """Lord Howe sets its clocks by 30 minutes: one hour of that day is half an hour long."""
    autumn = of("2026-04-04T13:00Z", "2026-04-04T17:00Z", "hour", "Australia/Lord_Howe")
    assert sorted({*lengths(autumn)}) == [0.5, 1]
    day = of("2026-04-04T20:00Z", "2026-04-04T21:00Z", "day", "Australia/Lord_Howe")
    assert lengths(day) == [24.5]


def test_clocks_that_are_set_at_midnight():
    """The day begins at one o'clock where midnight is skipped, and once where it comes twice."""
    cairo = of("2026-04-23T12:00Z", "2026-04-25T12:00Z", "day", "Africa/Cairo")
    assert lengths(cairo) == [24, 23, 24]
    assert cairo[1].astimezone(zone("Africa/Cairo")).hour == 1
    havana = of("2026-10-31T12:00Z", "2026-11-02T12:00Z", "day", "America/Havana")
    assert lengths(havana) == [24, 25, 24]


def test_a_day_that_was_left_out():
    intervals = of("2011-12-29T20:00-10:00", "2011-12-31T20:00+14:00", "day", "Pacific/Apia")
    assert lengths(intervals) == [24, 24]


def test_weeks_begin_on_monday_and_months_on_the_first():
    weeks = of("2026-03-26T00:00Z", "2026-04-07T00:00Z", "week", "Europe/Berlin")
    assert [instant.astimezone(zone("Europe/Berlin")).strftime("%a %H") for instant in weeks] == [
        "Mon 00"
    ] * 4
    assert lengths(weeks)[0] == 7 * 24 - 1
    months = of("2026-01-31T00:00Z", "2026-04-01T00:00Z", "month", "America/St_Johns")
    assert [instant.astimezone(zone("America/St_Johns")).day for instant in months] == [1] * 4


@pytest.mark.parametrize(
    ("interval", "number"), [("quarterHour", 96), ("hour", 24), ("day", 30), ("week", 12), ("month", 12)]
)
def test_without_bounds_it_is_the_last_time(interval, number):
    intervals = boundaries(None, None, Interval(interval), zone("UTC"), NOW)
    assert number <= len(intervals) - 1 <= number + 1
    assert intervals[-2] <= NOW < intervals[-1]


def test_bounds():
    for since, until, interval in (
        ("2026-01-01T00:00Z", "2026-12-01T00:00Z", "hour"),
        ("2000-01-01T00:00Z", "2026-01-01T00:00Z", "day"),
    ):
        with pytest.raises(BadRequest, match="more than 2000"):
            of(since, until, interval, "UTC")
    for since, until in (
        ("2026-01-02T00:00Z", "2026-01-01T00:00Z"),
        ("0001-01-01T00:00Z", "0001-01-02T00:00Z"),
        ("9999-12-30T00:00Z", "9999-12-31T00:00Z"),
    ):
        with pytest.raises(BadRequest, match="dateFrom"):
            of(since, until, "day", "Europe/Berlin")
    for name in ("", "Mars", "../../etc/passwd", "localtime", "+01:00"):
        with pytest.raises(BadRequest, match="IANA"):
            zone(name)


@settings(deadline=None)
@example(at("2000-09-19T02:31Z"), timedelta(days=40), Interval.hour, "America/St_Johns")
@example(at("2000-09-19T02:31Z"), timedelta(days=40), Interval.day, "America/St_Johns")
@example(at("2001-03-19T02:31Z"), timedelta(days=40), Interval.hour, "America/St_Johns")
@given(
    st.integers(0, 30 * 365 * 24 * 60).map(lambda minutes: at("2000-06-01T00:00Z") + timedelta(minutes=minutes)),
    st.timedeltas(timedelta(minutes=1), timedelta(days=40)),
    st.sampled_from(Interval),
    st.sampled_from(
        ["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia",
         "Africa/Cairo", "America/Havana", "Pacific/Chatham", "America/Asuncion", "Antarctica/Troll"]
    ),
)  # fmt: skip
def test_always(since, span, interval, name):
    """They cover the time without gaps, begin on quarters of an hour, and no instant of one is of two days."""
    place = zone(name)
    if interval is Interval.quarterHour:
        span /= 2  # at most 20 days: more would be too many
    intervals = boundaries(since, since + span, interval, place, NOW)
    assert intervals[0] <= since < intervals[1]
    assert intervals[-2] < since + span <= intervals[-1]
    assert all(length > 0 for length in lengths(intervals))
    assert len(intervals) - 1 <= at_most(since, since + span, interval, NOW) <= MOST
    for begin, end in pairwise(intervals):
        assert begin.timestamp() % 900 == 0
        local, last = begin.astimezone(place), (end - timedelta(seconds=1)).astimezone(place)
        if interval is Interval.quarterHour:
            assert end - begin == timedelta(minutes=15)
        elif interval is Interval.hour:
            if name == "America/St_Johns" and local.utcoffset() != last.utcoffset():
                continue  # until 2011 its clocks were put back at a minute past midnight, to the day before
            assert (local.date(), local.hour) == (last.date(), last.hour)
        elif interval is Interval.day:
            assert local.date() == last.date()
        elif interval is Interval.week:
            assert local.isocalendar()[:2] == last.isocalendar()[:2]
        else:
            assert (local.year, local.month) == (last.year, last.month)


@settings(deadline=None)
@given(
    st.none() | st.integers(0, 9000).map(lambda days: at("2005-06-01T00:10Z") + timedelta(days=days)),
    st.none() | st.integers(0, 9000).map(lambda days: at("2005-06-01T10:00Z") + timedelta(days=days)),
    st.sampled_from(Interval),
    st.sampled_from(["UTC", "Africa/Casablanca", "Australia/Lord_Howe", "Pacific/Apia"]),
)
def test_how_many_there_are_is_known_before(since, until, interval, name):
    try:
        intervals = boundaries(since, until, interval, zone(name), NOW)
    except BadRequest:
        return
    assert len(intervals) - 1 <= at_most(since, until, interval, NOW) <= MOST


def test_what_is_refused_is_not_counted():
    assert at_most(at("2020-01-01T00:00Z"), at("2021-01-01T00:00Z"), Interval.hour, NOW) == 1
    assert at_most(at("2021-01-01T00:00Z"), at("2020-01-01T00:00Z"), Interval.day, NOW) == 1
    assert at_most(at("2020-01-01T00:00Z"), at("2020-01-02T00:00Z"), Interval.hour, NOW) == 30
