"""Administrators keep rules by both doors, bad input is refused, and the dry run says what the dispatch does."""

from typing import Any

import pytest

from runtime.services import Services
from tests.country_rules.test_doors import put
from tests.route_rules.made import add, switch
from tests.support.people import Person

FIELDS = "uuid prefix route category ownerId priority weight fallback"
CREATE = f"mutation($input:RouteRuleInput!){{createRouteRule(input:$input){{{FIELDS}}}}}"
UPDATE = f"mutation($id:ID!,$input:RouteRuleInput!){{updateRouteRule(id:$id,input:$input){{{FIELDS}}}}}"
TRACE = """query($input:TraceRoute!){routeFor(input:$input){
  to country candidates{route use state ruleId why} waits{code message} sender senderWhy price currency pricePrefix
  refusal{code message}}}"""


async def trace(person: Person, to: str, **more: Any) -> dict[str, Any]:
    """Returns the answer of REST, which that of GraphQL must be."""
    answer = await person.rest("POST", "/route-rules/trace", json={"to": to, **more})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    assert (await person.data(TRACE, {"input": {"to": to, **more}}))["routeFor"] == body
    return body


def tried(trace: dict[str, Any]) -> list[str]:
    return [each["route"] for each in trace["candidates"] if each["use"] == "tried"]


async def test_rules_are_kept_by_both_doors(admin: Person, ada: Person):
    made = (
        await admin.data(
            CREATE, {"input": {"prefix": "+49", "route": "north", "ownerId": str(ada.id), "weight": 3}}
        )
    )["createRouteRule"]
    shown = {
        "prefix": "49", "route": "north", "category": None, "ownerId": str(ada.id), "priority": 0, "weight": 3,
        "fallback": True,
    }  # fmt: skip
    assert made == {"uuid": made["uuid"], **shown}
    path = f"/route-rules/{made['uuid']}"
    body = (await admin.rest("GET", path)).json()
    assert {name: body[name] for name in shown} == shown
    changed = {"prefix": "", "route": "sms-2", "category": "promotional", "priority": 7, "fallback": False}
    assert (await admin.rest("PUT", path, json=changed)).status_code == 200
    (rule,) = (await admin.data(f"{{routeRules{{nodes{{{FIELDS} owner{{email}}}}}}}}"))["routeRules"]["nodes"]
    assert rule == {"uuid": made["uuid"], **shown, **changed, "ownerId": None, "weight": 1, "owner": None}
    assert (await admin.data(UPDATE, {"id": made["uuid"], "input": {"prefix": "1", "route": "north"}}))[
        "updateRouteRule"
    ] == {**shown, "uuid": made["uuid"], "prefix": "1", "ownerId": None, "weight": 1}
    assert (await admin.rest("DELETE", path)).status_code == 204
    assert (await admin.rest("DELETE", path)).json()["code"] == "route_rule_not_found"


@pytest.mark.parametrize(
    "change",
    [
        {"prefix": "abc"}, {"prefix": "049"}, {"prefix": "+"}, {"prefix": "1" * 16}, {"prefix": None}, {"route": ""},
        {"route": "a" * 33}, {"category": "urgent"}, {"priority": -1}, {"priority": 1001}, {"weight": 0},
        {"weight": 1001}, {"weight": 0.5}, {"fallback": None}, {"ownerId": "ada"}, {"channel": "sms"},
    ],
)  # fmt: skip
async def test_bad_rules_are_refused_by_both_doors(admin: Person, change: dict[str, Any]):
    rule = {"prefix": "49", "route": "north", **change}
    refused = await admin.rest("POST", "/route-rules", json=rule)
    assert (refused.status_code, refused.json()["code"]) == (400, "validation_failed"), refused.text
    assert (await admin.graphql(CREATE, {"input": rule}))["errors"]
    assert (await admin.rest("GET", "/route-rules")).json()["items"] == []


async def test_routes_and_users_that_are_not_there_and_equal_rules(admin: Person, ada: Person):
    rule = {"prefix": "49", "route": "sms-1"}  # it is called north
    missing = await admin.rest("POST", "/route-rules", json=rule)
    assert (missing.status_code, missing.json()["code"]) == (404, "route_not_found")
    assert "north, sms-2" in missing.json()["message"]
    nobody = {**rule, "route": "north", "ownerId": "01890000-0000-7000-8000-000000000000"}
    missing = await admin.rest("POST", "/route-rules", json=nobody)
    assert (missing.status_code, missing.json()["code"]) == (404, "user_not_found")
    await add(admin, "49", "north")
    await add(admin, "49", "north", ownerId=str(ada.id))
    other = await add(admin, "49", "north", category="promotional")
    equal = await admin.rest("POST", "/route-rules", json={"prefix": "+49", "route": "north", "priority": 5})
    assert (equal.status_code, equal.json()["code"]) == (409, "route_rule_exists")
    equal = await admin.rest("PUT", f"/route-rules/{other}", json={"prefix": "49", "route": "north"})
    assert (equal.status_code, equal.json()["code"]) == (409, "route_rule_exists")


async def test_routes_that_are_not_configured_can_t_be_switched(admin: Person):
    missing = await admin.rest("PATCH", "/system/routes/sms-1", json={"enabled": False})
    assert (missing.status_code, missing.json()["code"]) == (404, "route_not_found")
    refused = await admin.rest("PATCH", "/system/routes/north", json={"enabled": None})
    assert refused.status_code == 400


async def test_the_dry_run_without_rules_has_the_configured_order(ada: Person, admin: Person):
    answer = await trace(admin, "+49 30 123456", accountId=str(ada.account_id))
    assert (answer["to"], answer["country"], tried(answer)) == ("+4930123456", "DE", ["north", "sms-2"])
    assert answer["candidates"][0]["why"] == "No rule is about this number, so the configured order holds."
    assert (answer["waits"], answer["refusal"], answer["currency"]) == (None, None, "USD")
    assert float(answer["price"]) == 0.01


async def test_the_dry_run_names_routes_and_rules_to_administrators_alone(ada: Person, admin: Person):
    rule = await add(admin, "49", "sms-2", category="promotional", ownerId=str(ada.id))
    answer = await trace(admin, "+4930123456", accountId=str(ada.account_id), category="promotional")
    (only,) = answer["candidates"]
    assert only["why"] == "The rule for +49 in promotional messages of this user names it, with priority 0."
    assert (only["route"], only["ruleId"], only["state"]) == ("sms-2", rule, "closed")
    answer = await trace(ada, "+4930123456", category="promotional")
    assert (answer["candidates"], answer["waits"], answer["refusal"]) == ([], None, None)
    assert tried(await trace(admin, "+4930123456", accountId=str(ada.account_id))) == ["north", "sms-2"]
    foreign = await ada.rest(
        "POST", "/route-rules/trace", json={"to": "+4930123456", "accountId": str(admin.account_id)}
    )
    assert (foreign.status_code, foreign.json()["code"]) == (404, "account_not_found")


async def test_the_dry_run_shows_what_is_passed_over_and_why_a_message_waits(
    ada: Person, admin: Person, services: Services
):
    await add(admin, "49", "sms-2", priority=1)
    await add(admin, "49", "north", priority=2)
    await switch(admin, services, "sms-2", on=False)
    answer = await trace(admin, "+4930123456", accountId=str(ada.account_id))
    assert [(each["route"], each["use"]) for each in answer["candidates"]] == [
        ("north", "tried"),
        ("sms-2", "off"),
    ]
    assert "switched off" in answer["candidates"][1]["why"]
    await services.db.fetchval("UPDATE route_rules SET route = 'gone' WHERE route = 'north'")
    answer = await trace(admin, "+4930123456", accountId=str(ada.account_id))
    assert {each["route"]: (each["use"], each["state"]) for each in answer["candidates"]} == {
        "sms-2": ("off", "closed"), "gone": ("missing", None),
    }  # fmt: skip
    assert answer["waits"]["code"] == "no_route"
    assert "switched off or not configured" in answer["waits"]["message"]
    await switch(admin, services, "north", on=False)
    answer = await trace(admin, "+33612345678", accountId=str(ada.account_id))
    assert [(each["route"], each["use"]) for each in answer["candidates"]] == [
        ("north", "off"),
        ("sms-2", "off"),
    ]
    assert answer["waits"]["code"] == "route_off"


async def test_the_dry_run_says_what_would_refuse_the_message(ada: Person, admin: Person):
    await put(admin, scope="installation", deny=["FR"])
    answer = await trace(admin, "+33612345678", accountId=str(ada.account_id))
    assert answer["refusal"]["code"] == "country_not_allowed"
    assert tried(answer) == ["north", "sms-2"]
    answer = await trace(admin, "+4930123456", accountId=str(ada.account_id), sender="Acme")
    assert (answer["refusal"]["code"], answer["sender"]) == ("sender_not_approved", None)
    wrong = await ada.rest("POST", "/route-rules/trace", json={"to": "nobody"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_recipient")
