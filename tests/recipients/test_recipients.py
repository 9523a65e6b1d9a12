"""Recipients of Sending Projects through both doors: contract §3."""

import asyncio
from uuid import UUID, uuid4, uuid5

import pytest

from engine import imports
from engine.projects import audience
from schema.frame.graphql import global_id
from tests.support.people import Person
from tests.support.waits import until

A, B, C = "+14155550100", "+14155550101", "+14155550102"
LIST = """query($id:ID!, $first:Int = 20) { recipients(sendingProjectId:$id, first:$first) {
  nodes { id uuid phone address name variables timezone status statusReason messageId } totalCount } }"""
ADD = """mutation($id:ID!, $input:AddRecipients!) { addRecipients(sendingProjectId:$id, input:$input) {
  added duplicates invalidCount invalid { place code message } } }"""


async def project(person: Person, channel: str = "sms") -> str:
    body = {"name": "p", "channel": channel, "text": "Hi", **({"subject": "s"} if channel == "email" else {})}
    answer = await person.rest("POST", "/sending-project", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["uuid"])


async def imported(person: Person, services, text: str) -> str:
    made = (await person.rest("POST", "/recipient-import/text", json={"text": text})).json()
    await imports.read(services, UUID(made["uuid"]))
    return str(made["uuid"])


async def add(person: Person, id: str, **body):
    return await person.rest("POST", f"/recipient/{id}", json=body)


async def test_recipients_are_added_and_listed(ada):
    id = await project(ada)
    people = [
        {"phone": "(415) 555-0100", "name": "Anna", "variables": {"city": "Berlin", "n": [1]},
            "timezone": "Europe/Berlin"},
        {"address": B}, {"phone": A}, {"phone": "x"}, {"phone": A, "address": A}, {}, {"phone": C, "timezone": "Mars"},
    ]  # fmt: skip
    answer = await add(ada, id, recipients=people)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["added"], body["duplicates"], body["invalidCount"]) == (2, 1, 4)
    assert [(invalid["place"], invalid["code"]) for invalid in body["invalid"]] == [
        (4, "invalid_phone"), (5, "missing_address"), (6, "missing_address"), (7, "bad_timezone"),
    ]  # fmt: skip
    page = (await ada.rest("GET", f"/recipient/list/{id}")).json()
    assert page["meta"]["total"] == 2
    first, second = page["items"]
    assert {key: value for key, value in first.items() if key != "uuid"} == {
        "phone": A, "address": A, "name": "Anna", "variables": {"city": "Berlin", "n": [1]},
        "timezone": "Europe/Berlin",
        "status": "pending", "statusReason": None, "messageId": None,
    }  # fmt: skip
    assert (second["phone"], second["variables"]) == (B, {})
    for spelling in (id, global_id("SendingProject", UUID(id))):
        seen = (await ada.data(LIST, {"id": spelling}))["recipients"]["nodes"]
        assert [recipient.pop("id") for recipient in seen] == [
            global_id("Recipient", UUID(item["uuid"])) for item in page["items"]
        ]
        assert seen == page["items"]
    again = (await ada.data(ADD, {"id": id, "input": {"recipients": [{"phone": A}, {"phone": C}]}}))[
        "addRecipients"
    ]
    assert again == {"added": 1, "duplicates": 1, "invalidCount": 0, "invalid": []}
    assert UUID(first["uuid"]).version == 7


async def test_the_message_s_state_is_shown(ada, services):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}, {"phone": B}])
    first, _ = (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]
    message = uuid5(UUID(id), first["uuid"])
    await services.db.fetch(
        'INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, failure_code,'
        " failure_reason) VALUES ($1, $2, $3, $4, 'sms', $5, 'failed', 'rejected', 'No such number.')",
        message, UUID(id), ada.id, UUID(first["uuid"]), A,
    )  # fmt: skip
    first, second = (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]
    assert (first["status"], first["statusReason"], first["messageId"]) == (
        "failed",
        "No such number.",
        str(message),
    )
    assert (second["status"], second["messageId"]) == ("pending", None)


@pytest.mark.parametrize(
    ("channel", "good", "bad"),
    [
        ("sms", A, "a@example.com"), ("whatsapp", A, "a@example.com"), ("email", "a@example.com", A),
        ("telegram", "@anna_k", "a@example.com"), ("push", "token:" + "a" * 50, A),
    ],
)  # fmt: skip
async def test_a_channel_reaches_its_own_addresses(ada, services, channel: str, good: str, bad: str):
    id = await project(ada, channel)
    body = (
        await add(
            ada, id, recipients=[{"address": good}, {"address": bad if channel != "push" else "two words"}]
        )
    ).json()
    assert (body["added"], body["invalidCount"]) == (1, 1), body
    other = await project(ada, channel)
    source = await imported(ada, services, f"{good}\n{bad}\n")
    body = (await add(ada, other, importUuid=source)).json()
    assert (body["added"], body["duplicates"], body["invalidCount"]) == (1, 0, 1)
    assert [(invalid["place"], invalid["code"]) for invalid in body["invalid"]] == [(2, "wrong_channel")]
    listed = (await ada.rest("GET", f"/recipient/list/{other}")).json()["items"]
    assert [recipient["address"] for recipient in listed] == [good]


async def test_an_import_is_added_in_its_order(ada, services, monkeypatch):
    monkeypatch.setattr(imports.jobs, "BITE", 7)
    id = await project(ada)
    source = await imported(
        ada, services, "\n".join(f"+1415555{n:04}; N{n}" for n in range(100, 130)) + "\nx\n" + A
    )
    await add(ada, id, recipients=[{"phone": A, "name": "first"}])
    body = (await add(ada, id, importUuid=source)).json()
    assert (body["added"], body["duplicates"], body["invalid"]) == (29, 1, [])
    page = (await ada.rest("GET", f"/recipient/list/{id}", params={"limit": 100})).json()["items"]
    assert [recipient["name"] for recipient in page] == ["first", *(f"N{n}" for n in range(101, 130))]
    assert all(UUID(recipient["uuid"]).version == 7 for recipient in page)
    assert len({recipient["uuid"] for recipient in page}) == 30
    body = (await add(ada, id, importUuid=source)).json()
    assert (body["added"], body["duplicates"]) == (0, 30)


async def test_an_import_must_be_ready_and_one_s_own(ada, bob, services):
    id = await project(ada)
    early = (await ada.rest("POST", "/recipient-import/text", json={"text": A})).json()["uuid"]
    answer = await add(ada, id, importUuid=early)
    assert (answer.status_code, answer.json()["code"]) == (409, "import_not_ready")
    assert "processing" in answer.json()["message"]
    his = await imported(bob, services, A)
    for source in (his, str(uuid4())):
        assert (await add(ada, id, importUuid=source)).json()["code"] == "import_not_found"
        assert await ada.code(ADD, {"id": id, "input": {"importUuid": source}}) == "import_not_found"


async def test_another_s_project_looks_like_none(ada, bob):
    his = await project(bob)
    for id in (his, str(uuid4())):
        assert (await ada.rest("GET", f"/recipient/list/{id}")).json()["code"] == "sending_project_not_found"
        assert (await add(ada, id, recipients=[{"phone": A}])).json()["code"] == "sending_project_not_found"
        assert await ada.code(LIST, {"id": id}) == "sending_project_not_found"
        assert await ada.code(ADD, {"id": id, "input": {"recipients": []}}) == "sending_project_not_found"


@pytest.mark.parametrize("status", ["draft", "scheduled", "stopped", "running", "paused", "finished"])
async def test_only_before_a_run(ada, services, status: str):
    id = await project(ada)
    source = await imported(ada, services, B)
    await services.db.fetch("UPDATE sending_projects SET status = $1 WHERE id = $2", status, UUID(id))
    open_ = status in ("draft", "scheduled", "stopped")
    for body in ({"recipients": [{"phone": A}]}, {"importUuid": source}):
        answer = await add(ada, id, **body)
        assert answer.status_code == (200 if open_ else 409), answer.text
        if not open_:
            assert answer.json()["code"] == "not_editable"
            assert status in answer.json()["message"]


async def test_the_tariff_bounds_them_however_many_add_at_once(ada, services):
    await services.db.fetch("UPDATE tariffs SET max_recipients_per_project = 25")
    id = await project(ada)
    answers = await asyncio.gather(
        *(
            add(ada, id, recipients=[{"phone": f"+1415555{n:02}{k:02}"} for k in range(10, 20)])
            for n in range(10, 16)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 200, 409, 409, 409, 409]
    refused = next(answer.json() for answer in answers if answer.status_code == 409)
    assert (refused["code"], refused["details"]["limit"]) == ("too_many_recipients", 25)
    assert (await ada.rest("GET", f"/recipient/list/{id}")).json()["meta"]["total"] == 20
    source = await imported(ada, services, "\n".join(f"+1415555{n}" for n in range(2000, 2006)))
    assert (await add(ada, id, importUuid=source)).json()["code"] == "too_many_recipients"
    recipients = [{"phone": f"+1415555{n:02}{k:02}"} for n in range(10, 16) for k in range(10, 20)]
    there = {item["phone"] for item in (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]}
    body = (
        await add(ada, id, recipients=[recipient for recipient in recipients if recipient["phone"] in there])
    ).json()
    assert (body["added"], body["duplicates"]) == (0, 20), "what is there already takes no room"


async def test_the_same_list_at_once_is_added_once(ada):
    id = await project(ada)
    people = [{"phone": f"+1415555{n:04}"} for n in range(2000, 2100)]
    answers = await asyncio.gather(*(add(ada, id, recipients=people) for _ in range(8)))
    assert sorted(answer.json()["added"] for answer in answers) == [0] * 7 + [100]
    assert (await ada.rest("GET", f"/recipient/list/{id}")).json()["meta"]["total"] == 100


async def test_the_same_key_gives_the_same_answer(ada):
    id = await project(ada)
    people = [{"phone": A}, {"phone": "x"}]
    answers = [
        await ada.rest(
            "POST", f"/recipient/{id}", json={"recipients": people}, headers={"idempotency-key": "k"}
        )
        for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    assert (answers[0].json()["added"], answers[0].json()["invalidCount"]) == (1, 1)
    assert answers[1].headers["idempotent-replayed"] == "true"
    other = await ada.rest(
        "POST", f"/recipient/{id}", json={"recipients": []}, headers={"idempotency-key": "k"}
    )
    assert other.status_code == 422


REFUSED = [
    {}, {"recipients": [], "importUuid": str(uuid4())}, {"recipients": [{"phone": A, "other": 1}]}, {"recipients": [1]},
    {"importUuid": "x"}, {"recipients": [{"phone": A, "name": "a\nb"}]},
    {"recipients": [{"phone": A, "variables": []}]},
    {"recipients": [{"phone": A, "variables": {"a": "\0"}}]}, {"recipients": [{"phone": A, "name": "x" * 1001}]},
    {"recipients": [{"phone": A}] * 10_001}, {"recipients": [{"phone": A, "variables": {"a": "x" * 70_000}}]},
]  # fmt: skip


async def test_what_is_refused_whole(ada):
    id = await project(ada)
    for input in REFUSED:
        answer = await add(ada, id, **input)
        assert answer.status_code == 400, (str(input)[:99], answer.text)
    for input in REFUSED[:9]:
        body = await ada.graphql(ADD, {"id": id, "input": input})
        assert body["errors"][0]["extensions"]["code"] in ("validation_failed", "bad_request"), input
    big = [{"phone": A, "variables": {"a": "x" * 2000}}] * 1200
    assert (await add(ada, id, recipients=big)).status_code == 413
    assert (await ada.rest("GET", f"/recipient/list/{id}")).json()["meta"]["total"] == 0


REMOVE = "mutation($id:ID!) { removeRecipient(id:$id) }"


async def test_a_recipient_is_taken_out(ada, bob, admin):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}, {"phone": B}, {"phone": C}])
    items = (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]
    first, second, third = [item["uuid"] for item in items]
    assert (await bob.rest("DELETE", f"/recipient/{id}/{first}")).status_code == 404
    assert await bob.code(REMOVE, {"id": second}) == "recipient_not_found"
    assert (await ada.rest("DELETE", f"/recipient/{await project(ada)}/{first}")).status_code == 404
    assert (await ada.rest("DELETE", f"/recipient/{id}/{first}")).status_code == 204
    assert (await ada.rest("DELETE", f"/recipient/{id}/{first}")).json()["code"] == "recipient_not_found"
    assert (await ada.data(REMOVE, {"id": global_id("Recipient", UUID(second))}))["removeRecipient"] is True
    left = (await ada.rest("GET", f"/recipient/list/{id}")).json()
    assert ([item["uuid"] for item in left["items"]], left["meta"]["total"]) == ([third], 1)
    # The address may come back, as another recipient.
    assert (await add(ada, id, recipients=[{"phone": A}])).json()["added"] == 1
    assert (await admin.rest("DELETE", f"/recipient/{id}/{third}")).status_code == 204


async def test_who_has_a_message_is_not_taken_out(ada, services):
    """A project may be stopped before all its messages are created: those that exist are a promise and a bill."""
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}, {"phone": B}])
    first, second = [
        item["uuid"] for item in (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]
    ]
    await services.db.fetch("UPDATE sending_projects SET status = 'running' WHERE id = $1", UUID(id))
    answer = await ada.rest("DELETE", f"/recipient/{id}/{second}")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")
    assert "running" in answer.json()["message"]
    await services.db.fetch("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", UUID(id))
    await services.db.fetch(
        'INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to")'
            ' VALUES ($1, $2, $3, $4, $5, $6)',
        uuid5(UUID(id), first), UUID(id), ada.id, UUID(first), "sms", A,
    )  # fmt: skip
    answer = await ada.rest("DELETE", f"/recipient/{id}/{first}")
    assert (answer.status_code, answer.json()["code"]) == (409, "recipient_has_message")
    assert (await ada.rest("DELETE", f"/recipient/{id}/{second}")).status_code == 204


@pytest.mark.settings(database={"read_pool_size": 2, "pool_timeout": 2})
async def test_many_removals_at_once_take_one_connection_each(ada):
    """A removal that asked for a second connection would wait for others that do, until all of them give up."""
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": f"+141555501{n:02}"} for n in range(20)])
    ids = [item["uuid"] for item in (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]]
    answers = await asyncio.gather(*(ada.rest("DELETE", f"/recipient/{id}/{recipient}") for recipient in ids))
    assert {answer.status_code for answer in answers} == {204}


async def test_a_stop_waits_for_the_messages_that_are_being_created(ada, services):
    """A recipient that is removed after the stop has no message, and gets none from a chunk that began before."""
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}])
    await services.db.fetch(
        "UPDATE sending_projects SET status = 'running', preparation = 'freeze' WHERE id = $1", UUID(id)
    )
    async with services.db.reading() as db:
        async with db.transaction():
            row = await db.fetchrow(audience._PROJECT, UUID(id))
            stopping = asyncio.create_task(ada.rest("POST", f"/sending-project/stop/{id}"))
            waiting = (
                "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                " AND datname = current_database()"
            )
            await until(lambda: services.db.fetchval(waiting))
            assert not stopping.done()
            await audience._materialize(db, row)
            # It wrote to the project too, and that was no deadlock.
            assert await db.fetchval("SELECT prepared_to FROM sending_projects WHERE id = $1", UUID(id)) > 0
        assert (await stopping).status_code == 200
    (only,) = (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]
    assert (await ada.rest("DELETE", f"/recipient/{id}/{only['uuid']}")).json()[
        "code"
    ] == "recipient_has_message"


async def test_a_scheduled_project_keeps_a_recipient(ada, services):
    id = await project(ada)
    await add(ada, id, recipients=[{"phone": A}, {"phone": B}])
    first, second = [
        item["uuid"] for item in (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]
    ]
    await services.db.fetch("UPDATE sending_projects SET status = 'scheduled' WHERE id = $1", UUID(id))
    assert (await ada.rest("DELETE", f"/recipient/{id}/{first}")).status_code == 204
    answer = await ada.rest("DELETE", f"/recipient/{id}/{second}")
    assert (answer.status_code, answer.json()["code"]) == (409, "last_recipient")
