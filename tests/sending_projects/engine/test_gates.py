"""Messages that must not be sent now are given one reason: every combination, from the first reason on."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.projects.context import load_context
from engine.projects.cycle import runner_of
from tests.price_lists.support import add_version, make_list, price_by
from tests.senders.made import approved
from tests.support.people import Person
from tests.support.projects import Projects

NUMBERS = {
    "ok": "+14155550100",
    "country_not_allowed": "+33612345678",
    "no_price": "+48501234567",
    "sender_not_approved": "+4915112345670",  # the sender does not serve Germany
}
# A fresh message, one that its route is asked about again, and one whose route is not there any more.
WAYS = {"fresh": None, "again": "sandbox", "gone": "elsewhere"}
_SENT_BY = """
UPDATE project_contents SET content = content || jsonb_build_object($2::text, $3::text) WHERE project_id = $1
"""


def expected(blocked: bool, subscribed: bool, way: str, number: str, zone: str) -> str:
    """Returns what becomes of a message: the code of the first reason, `waits`, or `ready`."""
    if blocked:
        return "blocked"
    if not subscribed:
        return "not_subscribed"
    if way == "gone":
        return "route_gone"
    if way == "fresh" and number != "ok":
        return number
    return {"open": "ready", "closed": "waits", "bad": "bad_timezone"}[zone]


def row(project: Any, way: str, number: str, zone: str | None, **values: Any) -> dict[str, Any]:
    again = way != "fresh"
    return {
        "id": uuid7(), "to": number, "attempts": 0, "tries": 0, "price": 0, "price_prefix": None,
        "handed_at": datetime.now(UTC) if again else None, "provider": WAYS[way], "price_version_id": None,
        "content": 1 if again else None, "variant": None, "account_uuid": None, "sender": "Acme" if again else None,
        "queued_at": datetime.now(UTC), "failure_reason": None, "name": None, "variables": {}, "timezone": zone,
        "contact_id": None, "blocked": None, "subscribed": True, **values,
    }  # fmt: skip


@pytest.fixture
async def project(projects: Projects, ada: Person, admin: Person) -> UUID:
    """A project of SMS with a sender, prices, rules of countries, and a window that follows the recipient."""
    prices = await make_list(admin, strict=True)
    version = await add_version(admin, prices, {"1": 0.01, "33": 0.05, "49": 0.07})
    await price_by(admin, ada, prices)
    await approved(ada, admin, "Acme", "alpha", "US", "FR", "PL")
    rule = await ada.rest("PUT", "/country-rules", json={"deny": ["FR"]})
    assert rule.status_code == 200, rule.text
    now = datetime.now(UTC)
    window = {
        "timezone": "UTC",
        "from": f"{now - timedelta(hours=1):%H:%M}",
        "to": f"{now + timedelta(hours=1):%H:%M}",
        "recipientTimezone": True,
    }
    version_id = UUID(version["versionId"])
    made = await projects.make(ada, [], channel="sms", window=window, price_version_id=version_id)
    await projects.db.fetch(_SENT_BY, made, "sender", "Acme")
    return made


async def test_the_first_reason_is_given(projects: Projects, project: UUID) -> None:
    zones = {"open": "UTC", "closed": "Etc/GMT+12", "bad": "Mars/Olympus"}
    cases = [*product((True, False), (True, False), WAYS, NUMBERS, zones)]
    context = await load_context(projects.db, project)
    assert context is not None
    rows, wanted = [], {}
    for blocked, subscribed, way, number, zone in cases:
        made = row(
            context, way, NUMBERS[number], zones[zone],
            blocked="manual" if blocked else None, subscribed=subscribed,
        )  # fmt: skip
        rows.append(made)
        wanted[made["id"]] = (expected(blocked, subscribed, way, number, zone), way)
    sorted_rows = await runner_of(projects.services).preparation.sort(context, rows)
    got = {item.id: ("ready", None) for item in sorted_rows.ready}
    got |= {id: ("waits", None) for ids in sorted_rows.closed.values() for id in ids}
    got |= {each.id: (each.code, each.status) for each in sorted_rows.skipped}
    assert sorted_rows.all
    assert len(got) == len(cases) == 144
    for id, (outcome, way) in wanted.items():
        # What may have arrived is not called skipped.
        status = None if outcome in ("ready", "waits") else "skipped" if way == "fresh" else "unknown"
        assert got[id] == (outcome, status), wanted[id]


async def test_a_sender_whose_domain_is_lost_comes_after_consent_and_before_the_price(
    projects: Projects, ada: Person
) -> None:
    project = await projects.make(ada, [], channel="email")
    await projects.db.fetch(_SENT_BY, project, "from_address", "a@never.example")
    context = await load_context(projects.db, project)
    assert context is not None
    rows = [
        row(context, way, "anna@example.com", None, blocked=blocked, subscribed=subscribed)
        for blocked, subscribed, way in product(("manual", None), (True, False), WAYS)
    ]
    done = await runner_of(projects.services).preparation.sort(context, rows)
    codes = {each.id: each.code for each in done.skipped}
    wanted = [
        "blocked" if each["blocked"] else
        "not_subscribed" if not each["subscribed"] else
        "sender_not_approved" if each["handed_at"] is None else
        "route_gone" if each["provider"] == "elsewhere" else None
        for each in rows
    ]  # fmt: skip
    assert [codes.get(each["id"]) for each in rows] == wanted
