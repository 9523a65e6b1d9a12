"""When the messages of a project have left, by rate, day and window."""

from datetime import UTC, datetime, timedelta

from engine.project_plan import SendLimits, span, span_of_zones
from engine.windows import Window

MONDAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
WORK = {"timezone": "Europe/Berlin", "days": [1, 2, 3, 4, 5], "from": "09:00", "to": "18:00"}
FREE = SendLimits(None, 10_000_000, 10_000_000)


def window(**changes: object) -> Window:
    made = Window.of({**WORK, **changes})
    assert made is not None
    return made


def test_without_a_limit_all_leave_at_once():
    assert span(5_000, FREE, MONDAY, None, None) == (MONDAY, MONDAY)


def test_a_rate_goes_on_in_the_next_windows():
    # Berlin is two hours ahead: 14:00 there, four hours are left, then nine hours each day.
    begins, ends = span(60 * 14, SendLimits(1, 10_000, 10_000), MONDAY, window(), None) or (None, None)
    assert begins == MONDAY
    assert ends == datetime(2026, 6, 3, 8, tzinfo=UTC)


def test_a_weekend_is_waited_for():
    begins, _ = span(1, FREE, datetime(2026, 6, 6, 12, tzinfo=UTC), window(), None) or (None, None)
    assert begins == datetime(2026, 6, 8, 7, tzinfo=UTC)


def test_a_night_window_closes_in_the_morning():
    night = window(**{"days": [1], "from": "22:00", "to": "06:00"})
    begins, ends = span(60 * 10, SendLimits(1, 10_000, 10_000), MONDAY, night, None) or (None, None)
    assert begins == datetime(2026, 6, 1, 20, tzinfo=UTC)
    assert ends == datetime(2026, 6, 8, 22, tzinfo=UTC)


def test_a_day_of_the_tariff_ends_at_midnight_utc():
    begins, ends = span(250, SendLimits(None, 100, 0), MONDAY, None, None) or (None, None)
    assert begins == datetime(2026, 6, 2, tzinfo=UTC)
    assert ends == datetime(2026, 6, 4, tzinfo=UTC)


def test_what_takes_more_than_a_year_has_no_end():
    assert span(10_000, SendLimits(None, 10, 10), MONDAY, None, None) is None
    assert span(1, SendLimits(None, 0, 0), MONDAY, None, None) is None


def test_recipients_of_other_zones_have_other_windows():
    follows = window(recipientTimezone=True)
    zones = {"Europe/Berlin": 10, "America/New_York": 10}
    begins, ends = span_of_zones(20, SendLimits(10, 1000, 1000), MONDAY, follows, zones) or (None, None)
    assert begins == MONDAY
    assert ends == datetime(2026, 6, 1, 13, tzinfo=UTC) + timedelta(minutes=1)
    own = span_of_zones(20, SendLimits(10, 1000, 1000), MONDAY, window(), zones)
    assert own == (MONDAY, MONDAY + timedelta(minutes=2))
