"""Tariffs through both doors: contract §3."""

import asyncio
from datetime import UTC, datetime

import pytest

from db import models

FIELDS = """code name public maxConcurrentProjects maxRecipientsPerProject messagesPerDay messagesPerMinute
 channels prices priceListId"""
CURRENT = f"{{ tariff {{ {FIELDS} used {{ concurrentProjects messagesToday resetsAt }} }} }}"
SET = (
    f"mutation($input: SetTariff!) {{ setTariff(input: $input) {{ {FIELDS} used {{ concurrentProjects "
    "messagesToday resetsAt } } }"
)
PRICES = {"USD": {"sms": 0.005, "email": 0}}
GOLD = {"code": "gold", "name": "Gold", "prices": PRICES, "messagesPerDay": 5}
SECRET = {"code": "for-ada", "name": "A discount", "prices": PRICES, "public": False}


async def _set(person, input, door="rest"):
    """The answer, or the code of what went wrong."""
    if door == "rest":
        answer = await person.rest("POST", "/user/tariff", json=input)
        return answer.json() if answer.is_success else answer.json()["code"]
    body = await person.graphql(SET, {"input": input})
    return body["errors"][0]["extensions"]["code"] if "errors" in body else body["data"]["setTariff"]


async def _codes(person):
    rest = (await person.rest("GET", "/user/tariff/all/configs")).json()
    graphql = (await person.data(f"{{ tariffs {{ nodes {{ {FIELDS} }} totalCount }} }}"))["tariffs"]
    assert rest["items"] == graphql["nodes"]
    assert rest["meta"]["total"] == graphql["totalCount"] == len(rest["items"])
    return [item["code"] for item in rest["items"]]


async def test_what_everybody_starts_with(ada, services):
    answer = await ada.rest("GET", "/user/tariff")
    assert answer.status_code == 200
    tariff = answer.json()
    assert tariff == (await ada.data(CURRENT))["tariff"]
    resets_at = datetime.fromisoformat(tariff["used"].pop("resetsAt"))
    assert resets_at > datetime.now(UTC)
    assert (resets_at.hour, resets_at.minute) == (0, 0)
    prices = {"sms": 0.01, "email": 0.001, "push": 0, "telegram": 0, "whatsapp": 0}
    assert tariff == {
        "code": "default",
        "name": "Default",
        "public": True,
        "maxConcurrentProjects": 100,
        "maxRecipientsPerProject": 10_000_000,
        "messagesPerDay": 10_000_000,
        "messagesPerMinute": 10_000_000,
        "channels": ["sms", "email", "push", "telegram", "whatsapp"],
        "prices": {"USD": prices, "EUR": prices, "GBP": prices},
        "priceListId": None,
        "used": {"concurrentProjects": 0, "messagesToday": 0},
    }


async def test_what_is_used_up_is_the_caller_s(ada, bob, services):
    async with services.db.session.begin() as session:
        for status in ("running", "paused", "scheduled", "draft", "finished"):
            session.add(
                models.SendingProject(
                    owner_id=ada.id, account_id=ada.account_id, name="p", channel="sms", status=status
                )
            )
    await services.db.fetch(
        "INSERT INTO tariff_usage (user_id, day, messages)"
        " SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, 40 + n FROM generate_series(0, 1) AS n",
        ada.id,
    )
    used = (await ada.rest("GET", "/user/tariff")).json()["used"]
    assert (used["concurrentProjects"], used["messagesToday"]) == (3, 40)
    used = (await bob.rest("GET", "/user/tariff")).json()["used"]
    assert (used["concurrentProjects"], used["messagesToday"]) == (0, 0)


@pytest.mark.parametrize("door", ["rest", "graphql"])
async def test_an_administrator_makes_and_changes_and_a_user_chooses(ada, bob, admin, door):
    made = await _set(admin, GOLD, door)
    assert (made["code"], made["name"], made["prices"], made["messagesPerDay"]) == ("gold", "Gold", PRICES, 5)
    assert made["maxConcurrentProjects"] == 100
    assert (await admin.rest("GET", "/user/tariff")).json()["code"] == "default"  # made, not chosen
    assert await _codes(ada) == ["default", "gold"]

    chosen = await _set(ada, {"code": "gold"}, door)
    assert chosen["code"] == "gold"
    assert chosen == (await ada.rest("GET", "/user/tariff")).json()
    assert (await bob.rest("GET", "/user/tariff")).json()["code"] == "default"

    # What isn't given stays as it is.
    changed = await _set(
        admin, {"code": "gold", "messagesPerDay": 7, "channels": ["email", "sms", "email"]}, door
    )
    assert (changed["name"], changed["messagesPerDay"], changed["prices"]) == ("Gold", 7, PRICES)
    assert changed["channels"] == ["email", "sms"]
    assert (await ada.rest("GET", "/user/tariff")).json()["messagesPerDay"] == 7
    assert (await _set(ada, {"code": "default"}, door))["code"] == "default"


@pytest.mark.parametrize("door", ["rest", "graphql"])
async def test_what_is_not_public_is_not_there(ada, bob, admin, door):
    await _set(admin, {"code": "silver", "prices": {}, "public": True})
    assigned = await _set(admin, {**SECRET, "userUuid": str(ada.id)}, door)
    assert (assigned["code"], assigned["public"]) == ("for-ada", False)
    assert await _codes(ada) == ["default", "for-ada", "silver"]
    assert await _codes(bob) == ["default", "silver"]
    assert await _codes(admin) == ["default", "for-ada", "silver"]
    assert await _set(bob, {"code": "for-ada"}, door) == "tariff_not_found"
    assert await _set(bob, {"code": "nowhere"}, door) == "tariff_not_found"
    assert (await _set(ada, {"code": "for-ada"}, door))["code"] == "for-ada"
    assert (await _set(admin, {"code": "for-ada"}, door))["code"] == "for-ada"
    # Left, it is out of reach.
    assert (await _set(ada, {"code": "default"}, door))["code"] == "default"
    assert await _set(ada, {"code": "for-ada"}, door) == "tariff_not_found"


@pytest.mark.parametrize("door", ["rest", "graphql"])
async def test_users_make_none_and_choose_for_nobody_else(ada, bob, admin, door):
    for input in (GOLD, {"code": "default", "messagesPerDay": 1}, {"code": "default", "public": False}):
        assert await _set(ada, input, door) == "forbidden"
    assert await _codes(admin) == ["default"]
    assert (await ada.rest("GET", "/user/tariff")).json()["messagesPerDay"] == 10_000_000
    unknown = "01890000-0000-7000-8000-000000000000"
    for other in (str(bob.id), unknown):
        assert await _set(ada, {"code": "default", "userUuid": other}, door) == "user_not_found"
    assert await _set(admin, {"code": "default", "userUuid": unknown}, door) == "user_not_found"
    assert (await _set(ada, {"code": "default", "userUuid": str(ada.id)}, door))["code"] == "default"
    # One transaction: what can't be given isn't made either.
    assert await _set(admin, {**GOLD, "userUuid": unknown}, door) == "user_not_found"
    assert await _codes(admin) == ["default"]


@pytest.mark.parametrize("door", ["rest", "graphql"])
@pytest.mark.parametrize(
    "wrong",
    [
        {"code": "Gold"},
        {"code": ""},
        {"code": "x" * 65},
        {"code": "new"},  # no prices
        {"name": ""},
        {"name": "x" * 129},
        {"name": "a\nb"},
        {"messagesPerDay": -1},
        {"messagesPerDay": 2_000_000_001},
        {"maxConcurrentProjects": 100_001},
        {"prices": {"XXQ": {"sms": 1}}},
        {"prices": {"USD": {"fax": 1}}},
        {"prices": {"USD": {"sms": -0.1}}},
        {"prices": {"USD": {"sms": 0.0000001}}},
        {"prices": {"USD": {"sms": 1e12}}},
        {"prices": {"USD": {"sms": "NaN"}}},
        {"prices": {"USD": 1}},
        {"prices": []},
    ],
)
async def test_a_tariff_that_is_none(admin, door, wrong):
    input = {"code": "gold", "name": "Gold", **wrong}
    code = await _set(admin, input, door)
    assert code in ("validation_failed", "bad_request")
    assert await _codes(admin) == ["default"]


async def test_fields_that_nobody_knows_are_refused(admin):
    for wrong in ({"price": 1}, {"channels": ["fax"]}, {"createdAt": "2026-01-01T00:00:00Z"}):
        assert (await admin.rest("POST", "/user/tariff", json={**GOLD, **wrong})).status_code == 400


async def test_many_who_make_the_same_one_make_one(admin):
    done = await asyncio.gather(*(_set(admin, {**GOLD, "messagesPerDay": n}) for n in range(20)))
    assert {tariff["code"] for tariff in done} == {"gold"}
    assert await _codes(admin) == ["default", "gold"]


async def test_pages(ada, admin):
    for n in range(5):
        await _set(admin, {"code": f"t{n}", "prices": PRICES})
    page = (await ada.rest("GET", "/user/tariff/all/configs?page=2&limit=4")).json()
    assert [item["code"] for item in page["items"]] == ["t3", "t4"]
    assert page["meta"] == {"page": 2, "limit": 4, "total": 6, "totalPages": 2}
    assert (await ada.rest("GET", "/user/tariff/all/configs?limit=101")).status_code == 400
    assert await ada.code("{ tariffs(first: 101) { nodes { code } } }") == "validation_failed"


async def test_prices_and_channels_count_for_single_messages(ada, admin):
    await _set(admin, {"code": "text", "prices": PRICES, "channels": ["sms"], "userUuid": str(ada.id)})
    sms = {"to": "+14155550100", "channel": "sms", "body": "hi"}
    assert (await ada.rest("POST", "/messages", json=sms)).status_code == 202
    assert (await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"] == 99.995
    mail = {"to": "a@example.com", "channel": "email", "body": "hi"}
    refused = await ada.rest("POST", "/messages", json=mail)
    assert (refused.status_code, refused.json()["code"]) == (403, "channel_not_in_tariff")
    assert (
        await ada.code('mutation{sendMessage(input:{to:"a@example.com",channel:email,body:"hi"}){uuid}}')
        == "channel_not_in_tariff"
    )
    await _set(admin, {"code": "text", "channels": ["sms", "email"]})
    assert (await ada.rest("POST", "/messages", json=mail)).status_code == 202
    await _set(admin, {"code": "text", "channels": []})
    assert (await ada.rest("POST", "/messages", json=sms)).status_code == 403


@pytest.mark.parametrize("door", ["rest", "graphql"])
async def test_a_tariff_that_is_made_for_one_user_is_not_public(admin, ada, bob, door: str):
    made = await _set(admin, {**GOLD, "code": "ours", "userUuid": str(ada.id)}, door)
    assert (made["code"], made["public"]) == ("ours", False)
    assert "ours" in await _codes(ada)
    assert "ours" not in await _codes(bob)
    assert await _set(bob, {"code": "ours"}, door) == "tariff_not_found"
    # Giving it to another user, or changing it, leaves it as it is.
    assert (await _set(admin, {"code": "ours", "userUuid": str(bob.id), "messagesPerDay": 6}, door))[
        "public"
    ] is False
    said = {**GOLD, "code": "said", "userUuid": str(ada.id), "public": True}
    assert (await _set(admin, said, door))["public"] is True
    assert (await _set(admin, {**GOLD, "code": "for-all"}, door))["public"] is True
