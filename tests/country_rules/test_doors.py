"""Rules are set by those who may, bad input is refused, and the dry run says what holds."""

from typing import Any

import pytest

from tests.support.people import People, Person

RULES = "{installation{allow deny perHour perDay} own{allow deny perHour perDay} effective{allow deny perHour perDay}}"
SET = f"mutation($input:SetCountryRules!){{setCountryRules(input:$input){RULES}}}"
OPEN = {"allow": None, "deny": [], "perHour": None, "perDay": None}


async def rules(person: Person, **query: str) -> dict[str, Any]:
    answer = await person.rest("GET", "/country-rules", params=query)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def put(person: Person, **rule: Any) -> Any:
    return await person.rest("PUT", "/country-rules", json=rule)


async def test_both_doors_show_the_narrower_of_both_rules(ada: Person, admin: Person):
    assert await rules(ada) == {"installation": OPEN, "own": OPEN, "effective": OPEN, "limited": []}
    assert (await put(admin, scope="installation", deny=["KP"], perHour=100)).status_code == 200
    shown = (await ada.data(SET, {"input": {"allow": ["FR", "DE", "KP"], "perHour": 200, "perDay": 10}}))[
        "setCountryRules"
    ]
    assert shown["own"] == {**OPEN, "allow": ["DE", "FR", "KP"], "perHour": 200, "perDay": 10}
    assert shown["effective"] == {"allow": ["DE", "FR"], "deny": ["KP"], "perHour": 100, "perDay": 10}
    body = await rules(ada)
    assert {name: body[name] for name in ("installation", "own", "effective")} == shown
    assert (await ada.data(f"{{countryRules{RULES}}}"))["countryRules"] == shown
    assert (await rules(admin))["effective"] == {**OPEN, "deny": ["KP"], "perHour": 100}
    assert (await rules(admin, userUuid=str(ada.id)))["own"] == shown["own"]


async def test_a_user_narrows_his_own_rule_and_an_administrator_sets_any(
    ada: Person, bob: Person, admin: Person
):
    assert (await put(ada, deny=["GB"], perHour=10)).status_code == 200
    for wider in ({}, {"deny": ["GB"]}, {"deny": ["GB"], "perHour": 11}, {"deny": ["FR"], "perHour": 10}):
        refused = await put(ada, **wider)
        assert (refused.status_code, refused.json()["code"]) == (403, "country_rule_wider"), wider
    assert (await put(ada, deny=["GB", "FR"], perHour=9)).status_code == 200
    assert (await put(ada, allow=["DE"], perHour=9)).status_code == 200
    other = await put(ada, userUuid=str(bob.id), deny=["FR"])
    assert (other.status_code, other.json()["code"]) == (404, "user_not_found")
    assert (await put(ada, scope="installation", deny=["FR"])).status_code == 403
    seen = await ada.rest("GET", "/country-rules", params={"userUuid": str(bob.id)})
    assert (seen.status_code, seen.json()["code"]) == (404, "user_not_found")
    assert (await put(admin, userUuid=str(ada.id))).status_code == 200
    assert (await rules(ada))["own"] == OPEN
    nobody = await put(admin, userUuid="01890000-0000-7000-8000-000000000000", deny=["FR"])
    assert (nobody.status_code, nobody.json()["code"]) == (404, "user_not_found")


@pytest.mark.parametrize(
    "rule",
    [
        {"allow": ["XX"]}, {"deny": ["de"]}, {"deny": ["Germany"]}, {"allow": ["DE", "FR", "DE"]}, {"perHour": 0},
        {"perHour": -1}, {"perDay": 0}, {"perDay": 2**31}, {"perHour": 1.5}, {"deny": ["DE"] * 301},
        {"deny": None}, {"allow": [None]}, {"scope": "everybody"}, {"country": "DE"},
    ],
)  # fmt: skip
async def test_bad_rules_are_refused_by_both_doors(ada: Person, rule: dict[str, Any]):
    refused = await put(ada, **rule)
    assert (refused.status_code, refused.json()["code"]) == (400, "validation_failed"), refused.text
    body = await ada.graphql(SET, {"input": rule})
    assert body["errors"], body
    assert (await rules(ada))["own"] == OPEN


async def test_a_dry_run_says_what_refuses_and_what_is_left(ada: Person, admin: Person):
    async def check(to: str) -> dict[str, Any]:
        body: dict[str, Any] = (await ada.rest("GET", "/country-rules/check", params={"to": to})).json()
        query = (
            "query($to:String!){checkCountry(to:$to){to country allowed refusedBy leftThisHour leftToday}}"
        )
        assert (await ada.data(query, {"to": to}))["checkCountry"] == body
        return body

    free = {"allowed": True, "refusedBy": None, "leftThisHour": None, "leftToday": None}
    assert await check("+49 30 123456") == {"to": "+4930123456", "country": "DE", **free}
    assert await check("+88216123456") == {"to": "+88216123456", "country": "001", **free}
    await put(admin, scope="installation", deny=["FR"])
    await put(ada, deny=["GB"], perHour=1, perDay=5)
    left = {"leftThisHour": 1, "leftToday": 5}
    assert await check("+33612345678") == {
        "to": "+33612345678", "country": "FR", "allowed": False, "refusedBy": "installation", **left
    }  # fmt: skip
    assert (await check("+447400123456"))["refusedBy"] == "user"
    assert await check("+4930123456") == {
        "to": "+4930123456", "country": "DE", "allowed": True, "refusedBy": None, **left
    }  # fmt: skip
    sent = await ada.rest("POST", "/messages", json={"to": "+4930123456", "channel": "sms", "body": "hi"})
    assert sent.status_code == 202
    assert await check("+4930123456") == {
        "to": "+4930123456", "country": "DE", "allowed": False, "refusedBy": "hour", "leftThisHour": 0, "leftToday": 4
    }  # fmt: skip
    bad = await ada.rest("GET", "/country-rules/check", params={"to": "nobody"})
    assert (bad.status_code, bad.json()["code"]) == (400, "invalid_recipient")


@pytest.mark.settings(new_user_countries="DE,FR")
async def test_new_users_have_the_countries_of_the_setting(client: Any, admin: Person, people: People):
    new = {"email": "new@example.com", "password": "correct horse battery"}
    assert (await client.post("/auth/register", json=new)).status_code == 201
    made = await admin.data('mutation{createUser(input:{email:"made@example.com"}){uuid}}')
    invited = await admin.data('mutation{inviteUser(input:{email:"guest@example.com"}){userId}}')
    found = await admin.data('{users(where:{email:{eq:"new@example.com"}}){nodes{uuid}}}')
    ids = [made["createUser"]["uuid"], invited["inviteUser"]["userId"], found["users"]["nodes"][0]["uuid"]]
    for id in ids:
        assert (await rules(admin, userUuid=id))["own"] == {**OPEN, "allow": ["DE", "FR"]}
