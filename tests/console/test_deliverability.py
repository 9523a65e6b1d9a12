"""The page of deliverability, empty and with each level of complaints; see looks.py."""

import asyncio

import asyncpg
import pytest

from core.ids import uuid7
from tests.console.looks import Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.users import new_user
from tests.support.live import Live
from tests.support.people import Person

_COUNT = """
INSERT INTO domain_counters (owner_id, provider_class, bucket, shard, accepted, delivered, deferred, hard, mailbox_full,
  content, policy, soft, complaints, rescued)
VALUES ($1, $2, date_bin('15 minutes', now() - $3::int * interval '1 day', timestamptz '2000-01-01 00:00Z'), 0, $4, 0,
  12, $5, 3, 1, $6, 4, $7, 2)
"""
PROJECT = uuid7()
_ROWS = (
    ("gmail", 1, 120_000, 240, 16, 72),
    ("microsoft", 1, 48_000, 96, 512, 168),
    ("mailru", 2, 9_400, 31, 0, 24),
    ("other", 20, 1_234_567, 4_321, 17, 12),
)

_PROJECT = """
WITH project AS (
  INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, from_address)
  VALUES ($1, $2, $3, 'Spring sale', 'email', 'finished', 'news@example.com')
), counted AS (
  INSERT INTO sending_counters (project_id, shard, owner_id, total, sent, failed, bounced, complained)
  VALUES ($1, 0, $2, 2000, 1960, 40, 40, 7)
), by_time AS (
  INSERT INTO statistics_buckets (project_id, bucket, shard, owner_id, sent, bounced, complained)
  VALUES ($1, date_bin('15 minutes', now() - interval '1 day', timestamptz '2000-01-01 00:00Z'), 0, $2, 2000, 40, 7)
)
INSERT INTO project_mail_counters (project_id, provider_class, shard, owner_id, hard, policy, complaints)
VALUES ($1, 'gmail', 0, $2, 31, 9, 7)
"""

_DEGRADED = """
INSERT INTO degraded_providers (id, owner_id, provider_class, accepted, policy, complaints)
VALUES ($1, $2, 'microsoft', 48000, 512, 168)
"""

_RULE = """
INSERT INTO receiver_rules (id, domain, provider_class, per_minute, warm_up_from, warm_up, pauses)
VALUES ($1, 'shaped.example', 'gmail', 600, now(), '{500,1000}', true)
"""
_DAY = """
INSERT INTO receiver_days (domain, provider_class, day, messages, granted)
VALUES ('shaped.example', 'gmail', (now() AT TIME ZONE 'UTC')::date, 123, 123)
"""
_OF_OWNER = "INSERT INTO domains (id, owner_id, name, token) VALUES ($1, $2, 'shaped.example', 't')"
_PAUSE = """
INSERT INTO receiver_pauses (id, owner_id, domain, provider_class, until, answer)
VALUES ($1, $2, 'shaped.example', 'gmail', now() + interval '15 minutes', 'RCPT TO: 550 5.7.1 blocked by policy')
"""

PAGES: Looks = [("deliverability", "/console/deliverability?range=month", None, "main table td")]
EMPTY: Looks = [("deliverability-empty", "/console/deliverability", None, "main [role=status] p")]


async def _count(database: str, owner: Person) -> None:
    db = await asyncpg.connect(database)
    for row in _ROWS:
        await db.execute(_COUNT, owner.id, *row)
    await db.execute(_DEGRADED, uuid7(), owner.id)
    await db.execute(_PROJECT, PROJECT, owner.id, owner.account_id)
    await db.execute(_RULE, uuid7())
    await db.execute(_DAY)
    await db.execute(_OF_OWNER, uuid7(), owner.id)
    await db.execute(_PAUSE, uuid7(), owner.id)
    await db.close()


@pytest.fixture(scope="module")
def owner(live: Live) -> Person:
    made = new_user(live)
    asyncio.run(_count(live.database, made))
    return made


@every_look
def test_looks(page: Tab, owner: Person, language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(owner, PAGES, {})


@every_look
def test_looks_of_no_emails(page: Tab, live: Live, language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(new_user(live), EMPTY, {})


def test_a_period_by_provider(page: Tab, owner: Person) -> None:
    page.comes_as(owner, "/console/deliverability")
    page.sees_row("Gmail", "120,000", "Below 0.1 %")
    page.sees_row("Outlook and Hotmail", "sender refused: 512", "0.35%", "From 0.3 %")
    page.sees_row("Mail.ru", "0.26%", "From 0.1 %")
    page.sees("providers refuse emails: Outlook and Hotmail")
    page.sees("of 48,000 emails within 24 hours it refused 512 because of the sender, and 168 were reported")
    assert "1,234,567" not in page.text()
    page.press("30 days")
    page.sees_row("Others", "1,234,567", "no such address: 4,321")
    page.is_at("/console/deliverability?range=month")


def test_a_provider_that_is_paused_and_a_warm_up(page: Tab, owner: Person) -> None:
    page.comes_as(owner, "/console/deliverability")
    page.sees("Gmail refuses mail from shaped.example")
    page.sees("RCPT TO: 550 5.7.1 blocked by policy")
    page.sees_row("shaped.example", "500 allowed", "Gmail: 123", "600")
    assert not page.has("Set a rule") and not page.has("Send again now")  # administrators do that


def test_the_reports_of_a_project(page: Tab, owner: Person) -> None:
    page.comes_as(owner, "/console/deliverability")
    page.sees_row("Spring sale", "news@example.com", "2,000", "0.35%", "From 0.3 %")
    page.press("Spring sale")
    page.is_at(f"/console/projects/{PROJECT}")
    page.sees_row("Gmail", "no such address: 31 · sender refused: 9", "7")
