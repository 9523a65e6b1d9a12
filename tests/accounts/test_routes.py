"""Credits and the ledger by REST."""

from tests.support.people import Person


async def test_credit_and_ledger_by_rest(ada: Person, bob: Person, admin: Person):
    path = f"/accounts/{ada.account_id}"
    assert (await ada.rest("POST", f"{path}/credit", json={"amount": 5})).status_code == 403
    before = (await ada.rest("GET", path)).json()["balance"]
    for _ in range(2):  # a repeated key credits once
        credited = await admin.rest(
            "POST",
            f"{path}/credit",
            json={"amount": 2.5, "note": "refund"},
            headers={"Idempotency-Key": "k1"},
        )
        assert credited.status_code == 200
        assert float(credited.json()["balance"]) == float(before) + 2.5
    await admin.rest("POST", f"{path}/credit", json={"amount": 3})
    first = (await ada.rest("GET", f"{path}/ledger?limit=1")).json()
    second = (await ada.rest("GET", f"{path}/ledger", params={"limit": 1, "after": first["next"]})).json()
    assert [float(page["items"][0]["amount"]) for page in (first, second)] == [3, 2.5]
    entry = second["items"][0]
    assert (entry["note"], entry["kind"], entry["accountId"]) == ("refund", "credit", str(ada.account_id))
    assert (await ada.rest("GET", f"/ledger/{entry['id']}")).json() == entry
    assert (await ada.rest("GET", f"{path}/ledger?kind=charge")).json() == {"items": [], "next": None}
    for foreign in (f"{path}/ledger", f"/ledger/{entry['id']}"):
        assert (await bob.rest("GET", foreign)).status_code == 404
        assert (await admin.rest("GET", foreign)).status_code == 200


async def test_a_credit_that_is_refused(ada: Person, admin: Person):
    path = f"/accounts/{ada.account_id}/credit"
    for body, status, code in (
        ({"amount": 0}, 400, "validation_failed"),
        ({"amount": 1, "accountId": str(ada.account_id)}, 400, "validation_failed"),
        ({"amount": 10**11}, 409, "balance_too_large"),
    ):
        answer = await admin.rest("POST", path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code), body
