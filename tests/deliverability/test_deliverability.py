"""Counts, rates and marks by provider; each user sees their own."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine import upkeep
from resolvers.deliverability import level
from shapes.deliverability import ComplaintLevel
from tests.mail_reports.made import COMPLAINT, Mails, bounce, mails
from tests.support.gateway import gateway
from tests.support.people import Person
from tests.support.records import records

__all__ = ["gateway", "mails", "records"]


async def _items(who: Person, **parameters: str) -> dict[str, Any]:
    answer = await who.rest("GET", "/statistics/deliverability", params=parameters)
    assert answer.status_code == 200, answer.text
    return {item["providerClass"]: item for item in answer.json()["items"]}


@pytest.mark.parametrize(
    ("complaints", "accepted", "expected"),
    [
        (0, 0, "ok"),
        (0, 10, "ok"),
        (1, 10, "warning"),
        (2, 999, "warning"),
        (3, 999, "bad"),
        (9, 10_000, "ok"),
        (10, 10_000, "warning"),
        (29, 10_000, "warning"),
        (30, 10_000, "bad"),
        (3, 0, "bad"),
    ],
)
def test_levels(complaints: int, accepted: int, expected: str) -> None:
    assert level(complaints, accepted) is ComplaintLevel(expected)


async def test_rates_by_provider(mails: Mails, ada: Person, bob: Person, admin: Person) -> None:
    ids = await mails.direct("sent", "a@gmail.com", 10)
    await mails.direct("delivered", "b@hotmail.com", 2)
    await mails.report(ids[0], bounce("hard"))
    await mails.report(ids[1], bounce("policy"))
    await mails.report(ids[1], bounce("hard"))  # of two bounces of an email the first one counts
    await mails.report(ids[2], COMPLAINT)
    await mails.report(ids[3], bounce("transient", kind="delay"))
    items = await _items(ada)
    gmail, microsoft = items["gmail"], items["microsoft"]
    assert [*items] == ["gmail", "microsoft"]
    assert {
        name: gmail[name] for name in ("accepted", "bounced", "hard", "policy", "deferred", "complaints")
    } == {
        "accepted": 10,
        "bounced": 2,
        "hard": 1,
        "policy": 1,
        "deferred": 1,
        "complaints": 1,
    }
    assert (gmail["bounceRate"], gmail["complaintRate"], gmail["complaintLevel"]) == (0.2, 0.1, "warning")
    assert (microsoft["accepted"], microsoft["delivered"], microsoft["complaintLevel"]) == (2, 2, "ok")
    assert await _items(bob) == {}
    assert await _items(admin) == items

    query = "{ deliverability { from to items { providerClass accepted bounceRate complaintLevel } } }"
    data = await ada.data(query)
    assert data["deliverability"]["items"][0] == {
        "providerClass": "gmail",
        "accepted": 10,
        "bounceRate": 0.2,
        "complaintLevel": "warning",
    }


async def test_the_period(mails: Mails, ada: Person) -> None:
    await mails.direct("sent", "a@gmail.com")
    now = datetime.now(UTC)
    old = now - timedelta(days=10)
    await mails.services.db.fetch("UPDATE messages SET sent_at = $1", old)
    assert await _items(ada) == {}
    assert (await _items(ada, dateFrom=(old - timedelta(hours=1)).isoformat()))["gmail"]["accepted"] == 1
    assert await _items(ada, dateFrom=(old + timedelta(hours=1)).isoformat()) == {}
    until = (old + timedelta(minutes=16)).isoformat()
    assert (await _items(ada, dateTo=until))["gmail"]["accepted"] == 1
    for dates in (
        {"dateFrom": (now - timedelta(days=93)).isoformat()},
        {"dateFrom": (now + timedelta(days=1)).isoformat()},
        {"dateFrom": now.isoformat(), "dateTo": old.isoformat()},
    ):
        answer = await ada.rest("GET", "/statistics/deliverability", params=dates)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_period")


async def test_old_counts_are_deleted(mails: Mails) -> None:
    await mails.direct("sent", "a@gmail.com")
    await mails.services.db.fetch("UPDATE domain_counters SET bucket = now() - interval '94 days'")
    await upkeep.prune(mails.services.db, None)
    assert await mails.gateway.count("domain_counters") == 0


async def test_projects_and_their_reports(mails: Mails, ada: Person, bob: Person) -> None:
    project, quiet = [await mails.records.project(ada, "email") for _ in range(2)]
    ids = [await mails.of_project("sent", f"a{n}@gmail.com", project=project) for n in range(3)]
    ids.append(await mails.of_project("delivered", "a@example.net", project=project))
    await mails.of_project("sent", "q@gmail.com", project=quiet)
    await mails.report(ids[0], bounce("hard"))
    await mails.report(ids[0], bounce("hard"))
    await mails.report(ids[1], bounce("policy"))
    await mails.report(ids[2], COMPLAINT)
    await mails.report(ids[3], bounce("full"))  # it stays delivered

    counts = (await ada.rest("GET", f"/sending-project/{project}")).json()["counts"]
    assert {name: counts[name] for name in ("failed", "delivered", "bounced", "complained")} == {
        "failed": 2, "delivered": 1, "bounced": 3, "complained": 1,
    }  # fmt: skip
    path = f"/statistics/mail-reports/{project}"
    reports = (await ada.rest("GET", path)).json()
    assert [
        (r["providerClass"], r["bounced"], r["hard"], r["policy"], r["mailboxFull"], r["complaints"])
        for r in reports
    ] == [("gmail", 2, 1, 1, 0, 1), ("other", 1, 0, 0, 1, 0)]
    query = "query($id:ID!){sendingProject(id:$id){counts{bounced complained}mailReportCounts{providerClass hard}}}"
    assert (await ada.data(query, {"id": str(project)}))["sendingProject"] == {
        "counts": {"bounced": 3, "complained": 1},
        "mailReportCounts": [{"providerClass": "gmail", "hard": 1}, {"providerClass": "other", "hard": 0}],
    }
    assert (await bob.rest("GET", path)).status_code == 404

    items = (await ada.rest("GET", "/statistics/deliverability/projects")).json()["items"]
    assert [(i["sendingProjectUuid"], i["accepted"], i["bounced"], i["complaints"]) for i in items] == [
        (str(project), 4, 3, 1),
        (str(quiet), 1, 0, 0),
    ]
    assert (items[0]["bounceRate"], items[0]["complaintLevel"], items[0]["from"]) == (0.75, "warning", None)
    assert (await bob.rest("GET", "/statistics/deliverability/projects")).json()["items"] == []
    day = (await ada.rest("GET", "/statistics/general", params={"interval": "day"})).json()["items"][-1]
    assert (day["bounced"], day["complained"]) == (3, 1)
