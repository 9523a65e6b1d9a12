"""The page of codes: how many were sent, approved and withheld, by country and prefix, and the protection."""

import asyncio

import asyncpg

from core.ids import uuid7
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

_PROTECTION = "{ verificationProtection { enabled allowedPrefixes } }"
_PROTECT = "mutation ($i: SetVerificationProtection!) { setVerificationProtection(input: $i) { enabled } }"
_COUNTED = """
INSERT INTO verification_counters (owner_id, kind, value, since, started, approved, suppressed)
VALUES ($1, 'country', 'DE', date_bin('10 minutes', now(), 'epoch'), 120, 90, 0),
  ($1, 'country', 'LV', date_bin('10 minutes', now(), 'epoch'), 100, 2, 4900)
"""
_SUSPECTED = """
INSERT INTO suspected_groups
  (id, owner_id, kind, value, country, hour, threshold, started, approved, suppressed, saved, currency)
VALUES ($2, $1, 'prefix', '+371200', 'LV', date_trunc('hour', now()), 100, 100, 2, 4900, 49, 'USD')
"""


def flooded(live: Live, user: Person) -> None:
    """Codes to two countries, of which those to a prefix of one were withheld."""

    async def store() -> None:
        db = await asyncpg.connect(live.database)
        try:
            await db.execute(_COUNTED, user.id)
            await db.execute(_SUSPECTED, user.id, uuid7())
        finally:
            await db.close()

    call(live, user, _PROTECT, i={"enabled": True})
    asyncio.run(store())


def test_codes_are_shown_by_country_and_prefix(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/verifications")
    page.sees("Codes are counted by country while the protection is on.")
    page.sees("No code was withheld lately.")
    flooded(live, user)
    page.open("/console/verifications")
    page.sees_row("Germany", "120", "90", "75%", "0")
    page.sees_row("Latvia", "100", "2", "4,900")
    page.sees_row("+371200…", "Latvia", "withheld from 100 without an approval on", "4,900", "$49.00")
    page.sees("4,900 codes were withheld, which would have cost $49.00.")
    page.press("7 days")
    page.is_at("/console/verifications?range=week")
    page.sees_row("Germany", "120", "90")


def test_the_protection_is_switched_on_with_its_prefixes(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/verifications")
    page.sees("Protection from SMS pumping")
    page.page.click("main form input[type=checkbox]")
    page.fill("Never suspect numbers that begin with", "abc")
    page.press("Save")
    page.sees("is not the beginning of a number")
    page.fill("Never suspect numbers that begin with", "+4915, 1415")
    page.press("Save")
    page.sees("The protection is saved.")
    saved = call(live, user, _PROTECTION)["verificationProtection"]
    assert saved == {"enabled": True, "allowedPrefixes": ["+1415", "+4915"]}
