"""Administrators set rules by both doors, owners see those of their domains, and bad input is refused."""

from typing import Any

import pytest

from core.ids import uuid7
from runtime.services import Services
from tests.support.people import Person

FIELDS = (
    "uuid domain providerClass inFlight perMinute warmUp warmUpFrom pauses allowance used{providerClass used}"
)
SET = f"mutation($input:ReceiverRuleInput!){{setReceiverRule(input:$input){{{FIELDS}}}}}"
RULES = f"{{receiverRules{{{FIELDS}}}}}"


async def rules(person: Person) -> list[dict[str, Any]]:
    """Returns the rules that REST shows, which those of GraphQL must be."""
    answer = await person.rest("GET", "/receiver-rules")
    assert answer.status_code == 200, answer.text
    shown: list[dict[str, Any]] = answer.json()
    for each in shown:
        del each["createdAt"], each["updatedAt"]
    assert (await person.data(RULES))["receiverRules"] == shown
    return shown


async def test_rules_are_set_replaced_and_deleted_by_both_doors(
    admin: Person, ada: Person, services: Services
):
    values = {"domain": "Example.com", "providerClass": "gmail", "perMinute": 600, "warmUp": [50, 100]}
    made = (await admin.rest("PUT", "/receiver-rules", json=values)).json()
    assert (made["domain"], made["perMinute"], made["allowance"], made["pauses"]) == (
        "example.com",
        600,
        50,
        True,
    )
    begun = made["warmUpFrom"]
    assert begun is not None
    # The warm-up goes on if the rule is changed meanwhile.
    again = (await admin.data(SET, {"input": {**values, "perMinute": None, "warmUp": [70], "inFlight": 4}}))[
        "setReceiverRule"
    ]
    assert (again["uuid"], again["warmUpFrom"], again["inFlight"]) == (made["uuid"], begun, 4)
    assert (again["perMinute"], again["warmUp"]) == (None, [70])
    ended = (await admin.data(SET, {"input": {"domain": "example.com", "pauses": False}}))["setReceiverRule"]
    assert ended["providerClass"] is None and ended["warmUpFrom"] is None and ended["pauses"] is False
    assert [each["providerClass"] for each in await rules(admin)] == [None, "gmail"]

    assert await rules(ada) == []
    await services.db.fetchval(
        "INSERT INTO domains (id, owner_id, name, token) VALUES ($1, $2, 'example.com', 't')", uuid7(), ada.id
    )
    assert await rules(ada) == await rules(admin)
    assert (await ada.rest("PUT", "/receiver-rules", json=values)).status_code == 403
    assert (await admin.rest("DELETE", f"/receiver-rules/{made['uuid']}")).status_code == 204
    gone = await admin.graphql("mutation($id:UUID!){deleteReceiverRule(uuid:$id)}", {"id": made["uuid"]})
    assert gone["errors"][0]["extensions"]["code"] == "receiver_rule_not_found"


@pytest.mark.parametrize(
    "change",
    [
        {"domain": "a b"}, {"domain": None}, {"providerClass": "aol"}, {"inFlight": 0}, {"perMinute": 0},
        {"perMinute": 1.5}, {"warmUp": []}, {"warmUp": [-1]}, {"warmUp": [1] * 121}, {"pauses": None}, {"until": 1},
    ],
)  # fmt: skip
async def test_bad_rules_are_refused_by_both_doors(admin: Person, change: dict[str, Any]):
    rule = {"domain": "example.com", **change}
    refused = await admin.rest("PUT", "/receiver-rules", json=rule)
    assert (refused.status_code, refused.json()["code"]) == (400, "validation_failed"), refused.text
    assert (await admin.graphql(SET, {"input": rule}))["errors"]
    assert await rules(admin) == []


async def test_a_warm_up_without_days_is_refused(admin: Person):
    rule = {"domain": "example.com", "warmUpFrom": "2026-11-30T00:00:00Z"}
    refused = await admin.rest("PUT", "/receiver-rules", json=rule)
    assert (refused.status_code, refused.json()["code"]) == (400, "no_warm_up")


async def test_who_sets_a_rule_and_lifts_a_pause_is_in_the_audit(
    admin: Person, ada: Person, services: Services
):
    pause = uuid7()
    await services.db.fetchval(
        "INSERT INTO receiver_pauses (id, owner_id, domain, provider_class, until, answer)"
        " VALUES ($1, $2, 'example.com', 'gmail', now() + interval '1 hour', 'no')",
        pause, ada.id,
    )  # fmt: skip
    await admin.rest("PUT", "/receiver-rules", json={"domain": "example.com", "perMinute": 60})
    assert (await admin.rest("DELETE", f"/receiver-pauses/{pause}")).status_code == 204
    rows = await services.db.fetch(
        "SELECT operation, object_type, object_id, actor_id, owner_id FROM audit_entries"
        " WHERE operation LIKE 'receivers.%' ORDER BY id"
    )
    assert [(row["operation"], row["object_type"], row["actor_id"]) for row in rows] == [
        ("receivers.set_rule", "receiverRule", admin.id),
        ("receivers.lift_pause", "receiverPause", admin.id),
    ]
    assert (rows[1]["object_id"], rows[1]["owner_id"]) == (str(pause), ada.id)
