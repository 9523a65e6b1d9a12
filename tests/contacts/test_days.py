"""Conditions on days: those that come round each year, and those of one year."""

from datetime import datetime, timedelta

import pytest

from resolvers.contacts import contact_filters
from tests.contacts.test_contacts import names, put
from tests.support.people import Person


@pytest.mark.parametrize(
    ("today", "zone", "born", "days"),
    [
        ("2026-11-26T12:00:00Z", "Europe/Berlin", "1990-12-03", 7),
        ("2026-12-30T12:00:00Z", "Europe/Berlin", "1990-01-02", 3),
        ("2027-02-27T12:00:00Z", "Europe/Berlin", "1992-02-29", 1),  # 28 February, since 2027 has no 29th
        ("2028-02-27T12:00:00Z", "Europe/Berlin", "1992-02-29", 2),
        ("2028-02-27T12:00:00Z", "Europe/Berlin", "1991-02-28", 1),
        ("2026-11-26T12:00:00Z", "Pacific/Kiritimati", "1990-11-27", 0),  # where it is tomorrow already
        ("2026-11-26T03:00:00Z", "Pacific/Pago_Pago", "1990-11-25", 0),  # and where it is still yesterday
        ("2026-11-26T12:00:00Z", None, "1990-11-26", 0),
    ],
)
async def test_birthdays_come_round(
    ada: Person, monkeypatch, today: str, zone: str | None, born: str, days: int
):
    await put(ada, externalId="1", name="it", timezone=zone, fields={"birthday": born}, createFields=True)
    monkeypatch.setattr(contact_filters, "time_of", lambda op: datetime.fromisoformat(today))
    for offset in range(-3, 4):
        where = {"fields": [{"key": "birthday", "inDays": days + offset}]}
        assert await names(ada, where) == (["it"] if offset == 0 else []), offset
    assert await names(ada, {"fields": [{"key": "birthday", "withinDays": days}]}) == ["it"]
    if days:
        assert await names(ada, {"fields": [{"key": "birthday", "withinDays": days - 1}]}) == []


@pytest.mark.parametrize(
    ("today", "zone", "joined", "days"),
    [
        ("2026-11-26T12:00:00Z", "Europe/Berlin", "2026-11-23", 3),
        ("2026-01-02T12:00:00Z", None, "2025-12-30", 3),
        ("2026-11-26T12:00:00Z", "Pacific/Kiritimati", "2026-11-24", 3),  # where it is tomorrow already
        ("2026-11-26T03:00:00Z", "Pacific/Pago_Pago", "2026-11-22", 3),  # and where it is still yesterday
        ("2026-11-26T12:00:00Z", None, "2026-11-26", 0),
        ("2026-11-26T12:00:00Z", None, "2020-11-26", 2191),
    ],
)
async def test_days_after_a_day_are_of_one_year(
    ada: Person, monkeypatch, today: str, zone: str | None, joined: str, days: int
):
    await put(ada, externalId="1", name="it", timezone=zone, fields={"joined": joined}, createFields=True)
    for year in (0, 366):
        at = datetime.fromisoformat(today) + timedelta(days=year)
        monkeypatch.setattr(contact_filters, "time_of", lambda op, at=at: at)
        for offset in range(-2, 3):
            if days + offset >= 0:
                where = {"fields": [{"key": "joined", "daysAgo": days + offset}]}
                assert await names(ada, where) == (["it"] if offset == year == 0 else []), (year, offset)
