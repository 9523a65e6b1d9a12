"""Tests who chooses the plan of an account."""

import pytest

CREATE = "mutation($input: NewAccount!) { createAccount(input: $input) { plan } }"
UPDATE = "mutation($id: ID!, $input: AccountPatch!) { updateAccount(id: $id, input: $input) { plan name } }"


@pytest.mark.settings(plans_by="operator")
async def test_an_owner_changes_no_plan_where_the_operator_chooses(ada, admin):
    path = f"/accounts/{ada.account_id}"
    refused = [
        await ada.rest("PATCH", path, json={"name": "Sales", "plan": "pro"}),
        await ada.rest("POST", "/accounts", json={"name": "Second", "plan": "pro"}),
    ]
    for answer in refused:
        assert (answer.status_code, answer.json()["code"]) == (403, "read_only_field"), answer.text
        assert answer.json()["details"] == {"field": "plan"}
    for document, variables in (
        (UPDATE, {"id": str(ada.account_id), "input": {"plan": "enterprise"}}),
        (CREATE, {"input": {"name": "Second", "plan": "enterprise"}}),
    ):
        body = await ada.graphql(document, variables)
        assert body["errors"][0]["extensions"]["code"] == "read_only_field", body
    unchanged = (await ada.rest("GET", path)).json()
    assert unchanged["plan"] == "free" and unchanged["name"] != "Sales"
    assert (await ada.rest("GET", "/accounts")).json()["meta"]["total"] == 1
    # What does not change a plan is as before.
    same = await ada.rest("PATCH", path, json={"name": "Sales", "plan": "free"})
    assert (same.status_code, same.json()["name"]) == (200, "Sales")
    assert (await ada.rest("POST", "/accounts", json={"name": "Second"})).status_code == 201
    # The operator's administrators choose.
    assert (await admin.rest("PATCH", path, json={"plan": "pro"})).json()["plan"] == "pro"
    assert (await ada.rest("PATCH", path, json={"plan": "free"})).status_code == 403
