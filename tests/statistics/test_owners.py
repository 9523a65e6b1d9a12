"""An administrator reads lists, counts and statistics of one owner, in both doors; nobody else does."""

from typing import Any

import pytest

from tests.support.people import Person

LISTS = (
    "/accounts",
    "/block/list",
    "/messages",
    "/recipient-import",
    "/repeatable-sending-project/list",
    "/sending-project/list",
    "/sending-project/search",
    "/account",
    "/webhooks",
    "/statistics/list",
)
COUNTS = (
    "/block/count",
    "/repeatable-sending-project/count",
    "/repeatable-sending-project/count/concurrent",
    "/sending-project/count",
    "/sending-project/count/concurrent",
)
STATISTICS = (
    "/statistics/delivery-status-counts",
    "/statistics/general",
    "/statistics/total",
    "/statistics/channels",
)
FIELDS = """query($o:ID){blockedPhoneCount(ownerId:$o){count} sendingProjectCount(ownerId:$o)
  concurrentSendingProjectCount(ownerId:$o) repeatableSendingProjectCount(ownerId:$o)
  concurrentRepeatableSendingProjectCount(ownerId:$o) deliveryStatusCounts(ownerId:$o){statuses}
  statisticsGeneral(ownerId:$o){items{queued}} statisticsTotal(ownerId:$o){projects}
  statisticsByChannel(ownerId:$o){channel}}"""


async def _made(person: Person, projects: int) -> None:
    for number in range(projects):
        await person.rest(
            "POST", "/sending-project", json={"name": f"p{number}", "channel": "sms", "text": "Hi"}
        )
    await person.rest("POST", "/block/add/multiple", json={"phones": ["+14155550100"]})
    await person.rest("POST", "/accounts", json={"name": "Other", "currency": "EUR"})


@pytest.fixture
async def owners(ada: Person, bob: Person) -> tuple[Person, Person]:
    await _made(ada, 1)
    await _made(bob, 3)
    return ada, bob


async def test_lists(owners: tuple[Person, Person], admin: Person) -> None:
    _, bob = owners
    for path in LISTS:
        own = (await bob.rest("GET", path)).json()
        named = await admin.rest("GET", path, params={"ownerId": str(bob.id)})
        assert (named.status_code, named.json()) == (200, own), path
    ids = {each["ownerId"] for each in (await admin.rest("GET", "/accounts")).json()["items"]}
    assert len(ids) > 1  # without it they are of all users


async def test_counts_and_statistics(owners: tuple[Person, Person], admin: Person) -> None:
    ada, _ = owners
    for path in (*COUNTS, *STATISTICS):
        for person in owners:
            own = (await person.rest("GET", path)).json()
            named = await admin.rest("GET", path, params={"ownerId": str(person.id)})
            assert (named.status_code, named.json()) == (200, own), path
    assert (await admin.rest("GET", "/sending-project/count")).json()["count"] >= 4
    for person in owners:
        own = await person.data(FIELDS)
        assert await admin.data(FIELDS, {"o": str(person.id)}) == own
        assert await person.data(FIELDS, {"o": str(person.id)}) == own
    assert (await ada.data(FIELDS))["sendingProjectCount"] == 1


async def test_who_may_not(owners: tuple[Person, Person], admin: Person) -> None:
    ada, bob = owners
    for path in (*LISTS, *COUNTS, *STATISTICS):
        answer = await ada.rest("GET", path, params={"ownerId": str(bob.id)})
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), path
        own = await ada.rest("GET", path, params={"ownerId": str(ada.id)})
        assert (own.status_code, own.json()) == (200, (await ada.rest("GET", path)).json()), path
    missing = {"ownerId": "01890000-0000-7000-8000-000000000009"}
    answer = await admin.rest("GET", "/statistics/total", params=missing)
    assert (answer.status_code, answer.json()["code"]) == (404, "user_not_found")
    body: Any = await ada.graphql(FIELDS, {"o": str(bob.id)})
    assert {error["extensions"]["code"] for error in body["errors"]} == {"forbidden"}
