"""Tests who may see and change which rows (OWASP API1) and which fields (API3)."""

from uuid import uuid4

from schema.frame.graphql import global_id

USER = "query($id: ID!) { user(id: $id) { uuid email displayName status roles accounts { nodes { uuid balance } } } }"
UPDATE = "mutation($id: ID!, $input: UserPatch!) { updateUser(id: $id, input: $input) { uuid } }"
DELETE = "mutation($id: ID!) { deleteUser(id: $id) }"


def _without_time(answer):
    body = answer.json()
    body.pop("timestamp")
    return answer.status_code, {**body, "path": body["path"].rpartition("/")[0]}


async def _row(services, id):
    row = await services.db.fetchrow("SELECT * FROM users WHERE id = $1", id)
    return dict(row.items())


async def test_anothers_user_looks_exactly_like_none_in_both_doors(ada, bob, services):
    before = await _row(services, bob.id)
    nobody = uuid4()
    for method, options in (("GET", {}), ("PATCH", {"json": {"displayName": "x"}}), ("DELETE", {})):
        seen = [await ada.rest(method, f"/users/{id}", **options) for id in (bob.id, nobody)]
        assert _without_time(seen[0]) == _without_time(seen[1])
        assert (seen[0].status_code, seen[0].json()["code"]) == (404, "user_not_found")
    for query, more in ((USER, {}), (UPDATE, {"input": {"displayName": "x"}}), (DELETE, {})):
        for id in (bob.id, nobody):
            for spelling in (str(id), global_id("User", id)):
                body = await ada.graphql(query, {"id": spelling, **more})
                assert list(body["data"].values()) == [None]
                assert body["errors"][0]["extensions"]["code"] == "user_not_found"
    for operation in ("suspendUser", "activateUser"):
        query = f"mutation($id: ID!) {{ {operation}(id: $id) {{ uuid }} }}"
        assert await ada.code(query, {"id": str(bob.id)}) == "forbidden"
    assert await _row(services, bob.id) == before


async def test_no_relation_leads_to_somebody_else(ada, bob, admin):
    """Along every edge, also after an account has passed to another owner."""
    sent = await ada.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "x"})
    query = """query($message: ID!) { message(id: $message) { account { uuid balance owner { email } } } }"""
    variables = {"message": sent.json()["id"]}
    own = (await ada.data(query, variables))["message"]["account"]
    assert own == {"uuid": str(ada.account_id), "balance": 99.99, "owner": {"email": ada.email}}
    passed = await admin.rest("PATCH", f"/accounts/{ada.account_id}", json={"ownerId": str(bob.id)})
    assert passed.status_code == 200
    assert (await ada.data(query, variables))["message"]["account"] is None
    assert await bob.code(query, variables) == "message_not_found"
    assert (await admin.data(query, variables))["message"]["account"]["owner"]["email"] == bob.email
    me = (
        await ada.data("{ me { accounts { nodes { uuid owner { uuid accounts { nodes { uuid } } } } } } }")
    )["me"]
    assert me == {"accounts": {"nodes": []}}
    deep = "{ me { accounts { nodes { owner { uuid accounts { nodes { uuid owner { email } } } } } } } }"
    mine = (await bob.data(deep))["me"]["accounts"]["nodes"]
    assert {account["owner"]["uuid"] for account in mine} == {str(bob.id)}
    assert len(mine) == 2


async def test_ids_that_are_none(ada):
    for id in ("1", "null", "undefined", "%00", "018f3c9e", "' OR 1=1", "x" * 2000):
        answer = await ada.rest("GET", f"/users/{id}")
        assert answer.status_code in (400, 404, 405), (id, answer.text)
    for id in (
        "",
        "1",
        "null",
        "\0",
        "x" * 100_000,
        global_id("Account", ada.account_id),
        "VXNlcjox",
        "====",
        "é",
    ):
        assert await ada.code(USER, {"id": id}) == "bad_id"


async def test_who_may_change_what(ada, admin, services):
    """A plain user: 403 for what is an administrator's, 400 for what is no field; nothing changes."""
    before = await _row(services, ada.id)
    forbidden = [
        {"roles": ["admin"]}, {"roles": ["user", "admin"]}, {"status": "suspended"}, {"status": "deleted"},
        {"status": "invited"}, {"id": str(uuid4())}, {"createdAt": "2020-01-01T00:00:00Z"},
        {"updatedAt": "2030-01-01T00:00:00Z"}, {"displayName": "Eve", "roles": ["admin"]},
    ]  # fmt: skip
    unknown = [
        {"balance": 1_000_000}, {"ownerId": str(ada.id)}, {"role": "admin"}, {"isAdmin": True}, {"tokenVersion": 9},
        {"password": "hunter22"}, {"passwordHash": "x"}, {"tariffCode": "free"}, {"tariff_code": "free"},
        {"__proto__": {"roles": ["admin"]}}, {"roles": []}, {"roles": ["root"]},
        {"displayName": "x" * 65}, {"displayName": "a\nb"}, {"displayName": 7}, {"email": "no email"},
        {"email": "a\0@example.com"}, {"status": "gone"}, {"createdAt": "2020-01-01T00:00:00"},
    ]  # fmt: skip
    for inputs, status in ((forbidden, 403), (unknown, 400)):
        for input in inputs:
            answer = await ada.rest("PATCH", f"/users/{ada.id}", json=input)
            assert answer.status_code == status, (input, answer.text)
            body = await ada.graphql(UPDATE, {"id": str(ada.id), "input": input})
            (code,) = {error["extensions"]["code"] for error in body["errors"]}
            assert code in {403: ["read_only_field"], 400: ["validation_failed", "bad_request"]}[status], (
                input
            )
    assert await _row(services, ada.id) == before
    # An administrator can't change what is read-only either.
    for input in ({"id": str(uuid4())}, {"createdAt": "2020-01-01T00:00:00Z"}):
        assert (await admin.rest("PATCH", f"/users/{ada.id}", json=input)).status_code == 403
    assert await _row(services, ada.id) == before


async def test_a_user_sent_back_as_it_was_shown_changes_nothing(ada, admin, services):
    shown = (await ada.rest("GET", f"/users/{ada.id}")).json()
    for person in (ada, admin):
        answer = await person.rest("PATCH", f"/users/{ada.id}", json=shown)
        assert answer.status_code == 200, answer.text
        assert {**answer.json(), "updatedAt": 0} == {**shown, "updatedAt": 0}
        shown = answer.json()
    for empty in ({}, None, {"displayName": None, "roles": None, "status": None}):
        answer = await ada.rest("PATCH", f"/users/{ada.id}", json=empty)
        assert answer.status_code == 200, answer.text
        assert {**answer.json(), "updatedAt": 0} == {**shown, "updatedAt": 0}
    assert (await ada.rest("PATCH", f"/users/{ada.id}")).status_code == 200  # the body is optional (§4)
    assert await services.db.fetchval("SELECT token_version FROM users WHERE id = $1", ada.id) == 1


async def test_one_edits_oneself_in_both_doors(auth, ada, bob):
    answer = await ada.rest(
        "PATCH", f"/users/{ada.id}", json={"displayName": "Ada L.", "email": "Ada.L@Example.com"}
    )
    assert (answer.json()["displayName"], answer.json()["email"]) == ("Ada L.", "ada.l@example.com")
    assert (await auth.login("ada.l@example.com")).code is None
    assert (await auth.login("ada@example.com")).code is None  # for 72 hours: tests/users/test_undo.py
    seen = await ada.data(USER, {"id": global_id("User", ada.id)})
    assert seen["user"]["displayName"] == "Ada L."
    for taken in (bob.email, bob.email.upper()):
        answer = await ada.rest("PATCH", f"/users/{ada.id}", json={"email": taken, "displayName": "x"})
        assert (answer.status_code, answer.json()["code"]) == (409, "email_taken")
        assert await ada.code(UPDATE, {"id": str(ada.id), "input": {"email": taken}}) == "email_taken"
    assert (await ada.rest("GET", "/auth/me")).json()["displayName"] == "Ada L."
