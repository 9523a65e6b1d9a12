"""Protection from SMS pumping: a flood of codes that nobody enters costs little, and people go on."""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from engine.verifications.pumping import Group
from runtime.services import Services
from tests.support.people import People, Person
from tests.verifications.codes import CHANNELS, RATES, check, code_of, start

pytestmark = pytest.mark.settings(**CHANNELS, **RATES)
REPORT = (
    "{verificationReport(hours:2){enabled countries{country started approved suppressed}"
    " saved{currency amount messages}}"
    " suspectedGroups{nodes{uuid kind value country started approved suppressed saved}}}"
)


async def protect(person: Person, *prefixes: str) -> None:
    body = {"enabled": True, "allowedPrefixes": [*prefixes]}
    answer = await person.rest("PUT", "/verifications/protection", json=body)
    assert answer.json() == body
    assert (await person.rest("GET", "/verifications/protection")).json() == body


async def flood(person: Person, numbers: Sequence[str], at_once: int = 16) -> list[httpx.Response]:
    """The answers to starts, so many at a time."""
    waiting = iter(numbers)
    answers: list[httpx.Response] = []

    async def one_after_another() -> None:
        for to in waiting:
            answer = await person.rest("POST", "/verifications", json={"to": to, "channel": "sms"})
            answers.append(answer)

    await asyncio.gather(*(one_after_another() for _ in range(at_once)))
    return answers


async def counts(services: Services) -> tuple[int, int]:
    row = await services.db.fetchrow(
        "SELECT (SELECT count(*) FROM verifications) AS started, (SELECT count(*) FROM messages) AS sent"
    )
    return row["started"], row["sent"]


@pytest.mark.parametrize("size", [300, pytest.param(5000, marks=pytest.mark.rotating)])
async def test_an_attack_on_one_prefix(people: People, services: Services, size: int):
    victim = await people.make(credit="1000")
    await victim.rest("GET", "/events")
    await protect(victim)
    answers = await flood(victim, [f"+3725123{number:04d}" for number in range(size)])
    assert {answer.status_code for answer in answers} == {202}
    assert {tuple(sorted(answer.json())) for answer in answers} == {
        ("channel", "expiresAt", "id", "pageUrl", "resendAt", "status")
    }
    started, sent = await counts(services)
    assert started == size and sent <= 120
    charged = await services.db.fetchval("SELECT -sum(amount) FROM ledger_entries WHERE kind = 'charge'")
    price = await services.db.fetchval("SELECT max(price) FROM messages")
    assert charged == price * sent

    report = await victim.data(REPORT)
    groups = report["suspectedGroups"]["nodes"]
    assert sum(group["suppressed"] for group in groups) == size - sent
    assert {(group["country"], group["kind"]) for group in groups} == {("EE", "prefix")}
    shown = report["verificationReport"]
    assert shown["enabled"] and shown["countries"] == [
        {"country": "EE", "started": sent, "approved": 0, "suppressed": size - sent}
    ]
    (saved,) = shown["saved"]
    assert (saved["messages"], saved["currency"]) == (size - sent, "USD")
    assert saved["amount"] == pytest.approx(float(price) * (size - sent))
    listed = (await victim.rest("GET", "/verifications/suspected")).json()["items"]
    assert [each["id"] for each in listed] == [group["uuid"] for group in groups]
    assert (await victim.rest("GET", "/verifications/report", params={"hours": 2})).json()["saved"] == shown[
        "saved"
    ]
    events = (
        await victim.rest("GET", "/events", params={"first": 1000, "types": "verification.suspected"})
    ).json()
    assert [event["subjectId"] for event in events["events"]] == [group["uuid"] for group in reversed(groups)]
    assert len(groups) == 1 or size > 1000  # an hour that ends meanwhile


async def test_it_is_off_at_first(ada: Person, services: Services):
    assert (await ada.rest("GET", "/verifications/protection")).json() == {
        "enabled": False,
        "allowedPrefixes": [],
    }
    await flood(ada, [f"+3725123{number:04d}" for number in range(130)])
    assert await counts(services) == (130, 130)


async def test_numbers_of_many_prefixes_are_one_country(ada: Person, services: Services):
    await protect(ada)
    await flood(ada, [f"+372{5100000 + 100_000 * (number % 8) + number}" for number in range(150)])
    assert await counts(services) == (150, 100)
    (group,) = (await ada.rest("GET", "/verifications/suspected")).json()["items"]
    assert (group["kind"], group["value"]) == ("country", "EE")


async def test_a_code_that_was_not_sent_looks_like_one(ada: Person, services: Services, dispatcher: Any):
    await protect(ada)
    await flood(ada, [f"+3725123{number:04d}" for number in range(101)])
    row = await services.db.fetchrow("SELECT id, \"to\" FROM verifications WHERE message_ids = '{}'")
    assert (await check(ada, row["id"], "000000"))["status"] == "wrong"
    assert (await ada.rest("POST", f"/verifications/{row['id']}/resend")).json()["code"] == "resend_too_early"
    await services.db.fetch("UPDATE verifications SET resend_at = now()")
    assert (await ada.rest("POST", f"/verifications/{row['id']}/resend")).status_code == 202
    assert (await counts(services))[1] == 100
    # Other countries, and addresses that are no numbers, are not concerned.
    await start(ada, "+4915112345678")
    await start(ada, "anna@example.com", channel="email")
    assert (await counts(services))[1] == 102
    assert await code_of(dispatcher)


async def test_approved_codes_make_room(ada: Person, services: Services):
    await protect(ada)
    await flood(ada, [f"+3725123{number:04d}" for number in range(100)])
    assert (await counts(services))[1] == 100
    await services.db.fetch("UPDATE verification_counters SET approved = 60")
    await flood(ada, [f"+3725124{number:04d}" for number in range(70)])
    assert (await counts(services))[1] == 160


async def test_an_approval_counts(ada: Person, services: Services, dispatcher: Any):
    await protect(ada)
    id = (await start(ada))["id"]
    await check(ada, id, await code_of(dispatcher))
    rows = await services.db.fetch(
        "SELECT kind, value, started, approved FROM verification_counters ORDER BY kind"
    )
    assert [tuple(row) for row in rows] == [("country", "US", 1, 1), ("prefix", "+1415555", 1, 1)]


async def test_what_was_before_it_is_switched_on(ada: Person, services: Services, dispatcher: Any):
    await flood(ada, [f"+3725123{number:04d}" for number in range(90)])
    await check(ada, (await start(ada, "+37251239999"))["id"], await code_of(dispatcher))
    assert await services.db.fetchval("SELECT count(*) FROM verification_counters") == 0
    await protect(ada)
    await protect(ada)
    rows = await services.db.fetch(
        "SELECT kind, sum(started) AS a, sum(approved) AS b FROM verification_counters GROUP BY 1"
    )
    assert {tuple(row) for row in rows} == {("country", 91, 1), ("prefix", 91, 1)}
    await flood(ada, [f"+3725124{number:04d}" for number in range(30)])
    assert (await counts(services))[1] == 101


async def test_allowed_prefixes(ada: Person, services: Services):
    await protect(ada, "+3725123")
    await flood(ada, [f"+3725123{number:04d}" for number in range(130)])
    assert await counts(services) == (130, 130)
    assert await services.db.fetchval("SELECT count(*) FROM verification_counters") == 0


async def test_a_busy_owner_has_a_higher_threshold(ada: Person, services: Services):
    """100 an hour for a week: twice as many may be without an approval."""
    await protect(ada)
    await services.db.fetch(
        "INSERT INTO verification_counters (owner_id, kind, value, since, started, approved)"
        " SELECT $1, k.kind, k.value, now() - make_interval(hours => h), 100, 99"
        " FROM generate_series(2, 166) AS h, (VALUES ('country', 'EE'), ('prefix', '+3725123')) AS k (kind, value)",
        ada.id,
    )
    await flood(ada, [f"+3725123{number:04d}" for number in range(5000, 5260)])
    started, sent = await counts(services)
    assert started == 260 and 195 <= sent <= 205


async def test_what_was_an_hour_ago_does_not_count(ada: Person, services: Services):
    await protect(ada)
    await flood(ada, [f"+3725123{number:04d}" for number in range(110)])
    await services.db.fetch("UPDATE verification_counters SET since = since - interval '70 minutes'")
    await flood(ada, [f"+3725124{number:04d}" for number in range(5)])
    assert (await counts(services))[1] == 105


@pytest.mark.parametrize(
    "to, country, prefix",
    [
        ("+14155550100", "US", "+1415555"),
        ("+4915112345678", "DE", "+49151123"),
        ("+37251234567", "EE", "+3725123"),
        ("+4912", "DE", "+49"),
    ],
)
def test_groups(to: str, country: str, prefix: str):
    assert Group.of("sms", to) == Group(country, prefix)


def test_addresses_without_a_group():
    assert Group.of("email", "a@example.com") is None and Group.of("push", "+14155550100") is None


@pytest.mark.parametrize("prefixes", [["3725"], ["+0"], ["+"], ["+1"] * 201, "x"], ids=str)
async def test_prefixes_that_are_none(ada: Person, prefixes: Any):
    answer = await ada.rest(
        "PUT", "/verifications/protection", json={"enabled": True, "allowedPrefixes": prefixes}
    )
    assert answer.status_code == 400


async def test_a_report_has_a_length(ada: Person):
    for hours in (-2147483647, 0, 169):
        assert await ada.code("query ($h: Int!) {verificationReport(hours: $h) {enabled}}", {"h": hours}) == (
            "validation_failed"
        )
        assert (await ada.rest("GET", "/verifications/report", params={"hours": hours})).status_code == 400
