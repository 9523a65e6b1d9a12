"""Things, through both doors."""

from tests.support.people import Person

CREATE = 'mutation{createThing(input:{name:"First"}){uuid name}}'
LISTED = "{things{nodes{id uuid name} totalCount}}"
BY_ID = "query($id:ID!){thing(id:$id){uuid name}}"


async def test_both_doors_show_the_same_rows(ada: Person):
    first = (await ada.data(CREATE))["createThing"]
    created = await ada.rest("POST", "/things", json={"name": "Second"})
    assert created.status_code == 201, created.text
    second = created.json()
    assert second == {"uuid": second["uuid"], "name": "Second", "createdAt": second["createdAt"]}

    listed = (await ada.rest("GET", "/things")).json()
    assert [(row["uuid"], row["name"]) for row in listed["items"]] == [
        (second["uuid"], "Second"),
        (first["uuid"], "First"),
    ]
    connection = (await ada.data(LISTED))["things"]
    assert connection["totalCount"] == listed["meta"]["total"] == 2
    assert [row["uuid"] for row in connection["nodes"]] == [second["uuid"], first["uuid"]]

    assert (await ada.rest("GET", f"/things/{second['uuid']}")).json() == second
    assert (await ada.data(BY_ID, {"id": connection["nodes"][1]["id"]}))["thing"] == first


async def test_only_the_owner_and_administrators_see_a_row(ada: Person, bob: Person, admin: Person):
    row = (await ada.rest("POST", "/things", json={"name": "First"})).json()
    assert (await bob.rest("GET", "/things")).json()["items"] == []
    assert (await bob.data(LISTED))["things"] == {"nodes": [], "totalCount": 0}
    assert (await bob.rest("GET", f"/things/{row['uuid']}")).json()["code"] == "not_found"
    assert await bob.code(BY_ID, {"id": row["uuid"]}) == "not_found"
    assert (await admin.rest("GET", "/things")).json()["items"] == [row]


async def test_a_repeated_request_creates_one_row(ada: Person):
    key = {"Idempotency-Key": "once"}
    answers = [await ada.rest("POST", "/things", json={"name": "First"}, headers=key) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert (await ada.rest("GET", "/things")).json()["meta"]["total"] == 1


async def test_a_name_is_required(ada: Person):
    for body in ({}, {"name": ""}, {"name": "x" * 101}, {"name": "two\nlines"}):
        answer = await ada.rest("POST", "/things", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
