"""An address is the same one in any letter case and with any spelling of its domain: through every way in, both
doors.
"""

from typing import Any
from uuid import UUID

import httpx
import pytest

from channels.sandbox import box
from runtime.services import Services
from tests.events.hooks import counts
from tests.recipients.test_recipients import add, imported, project
from tests.sending_projects.engine.conftest import projects
from tests.support.people import Person
from tests.support.projects import Projects
from tests.unsubscribe.test_unsubscribe import ONE_CLICK, path_of, record

__all__ = ["projects"]

GIVEN, LOWER, UPPER = "Anna@Example.com", "anna@example.com", "ANNA@EXAMPLE.COM"
BLOCK = "mutation($p:String!){blockPhone(phone:$p){uuid phone}}"
UNBLOCK = "mutation($p:String!){unblockPhone(phone:$p)}"
SEND = 'mutation($t:String!){sendMessage(input:{to:$t,channel:email,body:"x",metadata:{subject:"s"}}){uuid}}'
ADD = """mutation($id:ID!,$input:AddRecipients!){addRecipients(sendingProjectId:$id,input:$input){added duplicates}}"""
STOP = {"event": "reply", "text": "STOP", "channel": "email"}


def mail(to: str) -> dict[str, Any]:
    return {"to": to, "channel": "email", "body": "x", "metadata": {"subject": "s"}}


async def blocked(person: Person) -> list[tuple[str, str]]:
    rows = (await person.rest("GET", "/block/list")).json()["items"]
    return [(row["phone"], row["reason"]) for row in rows]


async def assert_blocked(person: Person, *spellings: str) -> None:
    """No door sends a message to any of these spellings."""
    for to in spellings or (GIVEN, LOWER, UPPER):
        answer = await person.rest("POST", "/messages", json=mail(to))
        assert (answer.status_code, answer.json().get("code")) == (400, "recipient_blocked"), to
        assert await person.code(SEND, {"t": to}) == "recipient_blocked"
        trial = {"channel": "email", "to": to, "text": "x", "subject": "s"}
        answer = await person.rest("POST", "/test-sending", json=trial)
        assert (answer.status_code, answer.json().get("code")) == (409, "recipient_blocked"), to


@pytest.mark.parametrize("of_project", [True, False])
async def test_a_stop_reply_blocks_every_letter_case(
    ada: Person, services: Services, projects: Projects, drain: Any, of_project: bool
):
    if of_project:
        made = await projects.make(ada, [GIVEN])
        await projects.work()
        assert await projects.states(made) == {"sent": 1}
    assert await counts(ada, {**STOP, "from": LOWER}) == (int(of_project), 0, int(not of_project))
    await assert_blocked(ada)
    again = await projects.make(ada, [GIVEN])
    await projects.work()
    (row,) = await projects.records(again)
    assert (row["status"], row["failure_code"], row["to"]) == ("skipped", "blocked", GIVEN)
    if of_project:
        answered = next(row for row in await projects.records(made) if row["direction"] == "outbound")
        assert answered["replied_at"] is not None


async def test_a_stop_reply_skips_what_is_queued_in_another_letter_case(ada: Person, projects: Projects):
    made = await projects.make(ada, [GIVEN])
    assert await projects.step()  # the audience is materialized, and nothing is sent
    await counts(ada, {**STOP, "from": UPPER})
    (row,) = await projects.records(made)
    assert (row["status"], row["failure_code"]) == ("skipped", "opted_out")


async def test_what_is_queued_is_compared_by_its_key_at_dispatch(
    ada: Person, services: Services, projects: Projects, drain: Any
):
    box().outbox.clear()
    made = await projects.make(ada, [GIVEN])
    assert await projects.step()
    direct = (await ada.rest("POST", "/messages", json=mail(GIVEN))).json()["id"]
    await ada.rest("POST", f"/block/{LOWER}")
    await projects.work()
    await drain("email")
    (row,) = await projects.records(made)
    assert (row["status"], row["failure_code"]) == ("skipped", "blocked")
    state = await services.db.fetchval("SELECT failure_code FROM messages WHERE id = $1", UUID(direct))
    assert state == "recipient_blocked"
    assert not box().outbox


async def test_one_click_blocks_every_letter_case(ada: Person, services: Services, client: httpx.AsyncClient):
    await ada.rest("POST", f"/block/{UPPER}", json={"scope": "promotional"})
    path = path_of(services, await record(services, ada, GIVEN))
    assert (await client.post(path, data=ONE_CLICK)).status_code == 200
    assert [reason for _, reason in await blocked(ada)] == ["unsubscribed"]
    for to in (GIVEN, LOWER, UPPER):
        answer = await ada.rest("POST", "/messages", json={**mail(to), "category": "promotional"})
        assert answer.json()["code"] == "recipient_blocked"
    # The page of a link to another spelling says so, too.
    other = path_of(services, await record(services, ada, LOWER))
    assert "You are unsubscribed" in (await client.get(other)).text


async def test_a_manual_block_and_its_end_in_any_letter_case(ada: Person):
    first = (await ada.rest("POST", f"/block/{GIVEN}")).json()
    assert first["phone"] == "Anna@example.com"
    assert (await ada.rest("POST", f"/block/{UPPER}")).json() == first
    assert (await ada.data(BLOCK, {"p": LOWER}))["blockPhone"]["uuid"] == first["uuid"]
    await assert_blocked(ada)
    for spelling in (GIVEN, LOWER, UPPER):
        data = await ada.data(
            "query($p:String!){blockedPhones(where:{phone:{eq:$p}}){nodes{uuid}}}", {"p": spelling}
        )
        assert data["blockedPhones"]["nodes"] == [{"uuid": first["uuid"]}]
    assert (await ada.rest("POST", f"/block/unblock/{UPPER}")).status_code == 204
    assert await blocked(ada) == []
    await ada.data(BLOCK, {"p": UPPER})
    assert (await ada.data(UNBLOCK, {"p": LOWER})) == {"unblockPhone": True}
    assert await blocked(ada) == []
    assert (await ada.rest("POST", "/messages", json=mail(UPPER))).status_code == 202


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("info@M\u00dcLLER.example", "Info@xn--mller-kva.example"),
        ("J\u00d6RG@example.com", "jo\u0308rg@example.com"),
    ],
)
async def test_other_spellings_of_letters_and_domains(ada: Person, one: str, other: str):
    await ada.rest("POST", f"/block/{one}")
    await assert_blocked(ada, one, other)
    assert (await ada.rest("POST", f"/block/unblock/{other}")).status_code == 204
    assert await blocked(ada) == []


async def test_letters_that_only_casefold_makes_equal_are_two_addresses(ada: Person):
    await ada.rest("POST", "/block/gro\u00df@example.com")
    assert (await ada.rest("POST", "/messages", json=mail("gross@example.com"))).status_code == 202


async def test_a_recipient_is_added_once(ada: Person, services: Services):
    id = await project(ada, "email")
    answer = await add(ada, id, recipients=[{"address": to} for to in (GIVEN, LOWER, UPPER)])
    assert (answer.json()["added"], answer.json()["duplicates"]) == (1, 2)
    data = await ada.data(ADD, {"id": id, "input": {"recipients": [{"address": LOWER}]}})
    assert data["addRecipients"] == {"added": 0, "duplicates": 1}
    made = await imported(ada, services, f"{UPPER}\nbob@example.com")
    answer = await add(ada, id, importUuid=made)
    assert (answer.json()["added"], answer.json()["duplicates"]) == (1, 1)
    items = (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]
    assert [item["address"] for item in items] == ["Anna@example.com", "bob@example.com"]
    for spelling in (GIVEN, LOWER, UPPER):
        query = "query($id:ID!,$a:String!){recipients(sendingProjectId:$id,where:{address:{eq:$a}}){nodes{address}}}"
        seen = (await ada.data(query, {"id": id, "a": spelling}))["recipients"]["nodes"]
        assert seen == [{"address": "Anna@example.com"}]
    data = await ada.data(
        "mutation($id:ID!,$i:UUID!){removeRecipients(sendingProjectId:$id,input:{importUuid:$i}){removed}}",
        {"id": id, "i": made},
    )
    assert data["removeRecipients"] == {"removed": 2}


async def test_an_import_finds_duplicates_by_the_key(ada: Person, services: Services):
    made = await imported(
        ada, services, f"{GIVEN}\n{LOWER}\nAbCdEf0123\nabcdef0123\ngro\u00df@example.com\ngross@example.com"
    )
    done = (await ada.rest("GET", f"/recipient-import/{made}")).json()
    assert (done["valid"], done["duplicates"]) == (5, 1)  # the tokens of two devices are two addresses


async def test_user_names_of_a_messenger(ada: Person):
    id = await project(ada, "telegram")
    answer = await add(ada, id, recipients=[{"address": "@Anna_B"}, {"address": "@anna_b"}])
    assert (answer.json()["added"], answer.json()["duplicates"]) == (1, 1)
    await counts(ada, {**STOP, "channel": "telegram", "from": "ANNA_b"})
    assert await blocked(ada) == [("@ANNA_b", "optOut")]
    trial = {"channel": "telegram", "to": "@anna_B", "text": "x"}
    answer = await ada.rest("POST", "/test-sending", json=trial)
    assert (answer.status_code, answer.json()["code"]) == (409, "recipient_blocked")
    assert (await ada.rest("POST", "/block/unblock/@ANNA_B")).status_code == 204
    assert await blocked(ada) == []
    assert (await ada.rest("POST", "/block/@Anna_B")).json()["phone"] == "@Anna_B"


async def test_messages_are_found_in_any_letter_case(ada: Person, projects: Projects):
    made = await projects.make(ada, [GIVEN])
    await projects.work()
    assert (await ada.rest("POST", "/messages", json=mail(GIVEN))).json()["to"] == "Anna@example.com"
    for spelling in (GIVEN, LOWER, UPPER):
        answer = await ada.rest("GET", "/message/list", params={"phone": spelling})
        assert [row["to"] for row in answer.json()["items"]] == [GIVEN], spelling
        assert (await ada.rest("GET", "/message/count", params={"phone": spelling})).json() == {"count": 1}
        for where in ("{to:{eq:$t}}", "{to:{in:[$t]}}"):
            data = await ada.data(
                f"query($t:String!){{messages(where:{where}){{nodes{{to}}}} "
                f"messageRecords(where:{where}){{nodes{{to}}}}}}",
                {"t": spelling},
            )
            assert data["messages"]["nodes"] == [{"to": "Anna@example.com"}]
            assert data["messageRecords"]["nodes"] == [{"to": GIVEN}]
    assert (await projects.row(made))["status"] == "finished"


async def test_a_plan_counts_blocks_in_any_letter_case(ada: Person, services: Services):
    id = await project(ada, "email")
    await add(ada, id, recipients=[{"address": GIVEN}, {"address": "bob@example.com"}])
    await ada.rest("POST", f"/block/{UPPER}")
    query = "query($id:ID!){sendingProjectPlan(id:$id){skipped{code count}}}"
    skipped = (await ada.data(query, {"id": id}))["sendingProjectPlan"]["skipped"]
    assert {"code": "blocked", "count": 1} in skipped


async def test_imports_are_read_with_their_keys(ada: Person, services: Services):
    made = await imported(ada, services, f"{GIVEN}\nbob@example.com\n+14155550100")
    rows = await services.db.fetch(
        "SELECT address, address_key FROM import_rows WHERE import_id = $1 ORDER BY line", UUID(made)
    )
    assert [tuple(row) for row in rows] == [
        ("Anna@example.com", LOWER), ("bob@example.com", None), ("+14155550100", None),
    ]  # fmt: skip
