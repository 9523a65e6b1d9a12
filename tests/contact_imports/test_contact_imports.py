"""Lists become contacts: what columns are, what is left out, and that nobody is added twice."""

import asyncio
import signal
from typing import Any

from tests.consent.made import contact, history, states, subscribe, topic, withdraw
from tests.imports.conftest import Lists
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.conftest import Spawn

LIST = (
    "Customer ID;Name;E-mail;Mobile;Work phone;Language;Birthday;Points;VIP;City\n"
    "c1;Anna Berg;Anna@Example.com;+1 415 555 0100;+1 415 555 0101;de;1990-02-28;7;true;Berlin\n"
    "c2;Bert;bert@example.com;;;en_GB;1988-12-24;12.5;false;\n"
    "c3;Carl;nonsense;+14155550102;;;;;;\n"
    ";Nobody;;;;;;;;Paris\n"
)
COUNTS = (
    "created", "changed", "unchanged", "subscribed", "subscribedBefore", "withdrawnBefore", "withoutAddress",
    "suppressed",
)  # fmt: skip
IMPORT = "mutation($i:NewContactImport!){importContacts(input:$i){uuid status contacts{created}}}"
SHOWN = """query($id:ID!){recipientImport(id:$id){status total valid invalid contacts{mapping created changed unchanged}
  rows(where:{valid:{eq:false}},first:50){nodes{line contact error{code message}}}}}"""


async def upload(person: Person, content: str | bytes, name: str = "people.csv") -> str:
    data = content.encode() if isinstance(content, str) else content
    answer = await person.rest("POST", "/file-uploader", files={"file": (name, data)})
    assert answer.status_code in (200, 201), answer.text
    uuid: str = answer.json()["uuid"]
    return uuid


async def start(person: Person, expected: int = 202, **values: Any) -> Any:
    answer = await person.rest("POST", "/contacts/imports", json=values)
    assert answer.status_code == expected, answer.text
    return answer.json()


async def contacts(person: Person) -> dict[str, Any]:
    """The contacts of a person, by their external ids."""
    answer = await person.rest("GET", "/contacts", params={"limit": 100})
    return {each["externalId"] or each["name"]: each for each in answer.json()["items"]}


async def shown(person: Person, made: Any) -> Any:
    return (await person.data(SHOWN, {"id": made["uuid"]}))["recipientImport"]


async def test_columns_become_contacts(ada: Person, lists: Lists):
    made = await start(ada, fileUuid=await upload(ada, LIST), createFields=True)
    assert (made["status"], made["contacts"]) == (
        "processing",
        {"mapping": {}} | dict.fromkeys(COUNTS, 0),
    )
    done = await lists.read(ada, made)
    assert (done["status"], done["total"], done["valid"], done["invalid"]) == ("ready", 4, 2, 2)
    assert done["mapping"] == {}
    assert done["contacts"] == {
        "mapping": {
            "externalId": "Customer ID",
            "name": "Name",
            "locale": "Language",
            "addresses": [
                {"channel": "email", "column": "E-mail"},
                {"channel": "sms", "column": "Mobile"},
                {"channel": "sms", "column": "Work phone"},
            ],
            "fields": {"Birthday": "Birthday", "Points": "Points", "VIP": "VIP", "City": "City"},
        },
        "created": 2,
        "changed": 0,
        "unchanged": 0,
        "subscribed": 0,
        "subscribedBefore": 0,
        "withdrawnBefore": 0,
        "withoutAddress": 0,
        "suppressed": 0,
    }
    rows = (await shown(ada, made))["rows"]["nodes"]
    assert [(row["line"], row["error"]["code"], row["contact"]) for row in rows] == [
        (4, "invalid_email", None),
        (5, "missing_address", None),
    ]
    found = await contacts(ada)
    anna = found["c1"]
    assert (anna["name"], anna["locale"]) == ("Anna Berg", "de")
    assert anna["fields"] == {"Birthday": "1990-02-28", "Points": 7, "VIP": True, "City": "Berlin"}
    assert [(each["channel"], each["address"], each["primary"]) for each in anna["addresses"]] == [
        ("email", "Anna@example.com", True),
        ("sms", "+14155550100", True),
        ("sms", "+14155550101", False),
    ]
    assert found["c2"]["locale"] == "en-GB"
    assert found["c2"]["fields"] == {"Birthday": "1988-12-24", "Points": 12.5, "VIP": False}
    (valid, _) = await lists.rows(ada, made, valid="true")
    assert (valid["recipient"], valid["contact"]["externalId"]) == (None, "c1")


async def test_a_repeated_import_adds_nobody_twice(ada: Person, lists: Lists):
    file = await upload(ada, LIST)
    for created, unchanged in ((2, 0), (0, 2)):
        done = await lists.read(ada, await start(ada, fileUuid=file, createFields=True))
        assert (done["contacts"]["created"], done["contacts"]["changed"], done["contacts"]["unchanged"]) == (
            created,
            0,
            unchanged,
        )
    changed = LIST.replace("Berlin", "Bonn")
    done = await lists.read(ada, await start(ada, fileUuid=await upload(ada, changed)))
    assert (done["contacts"]["created"], done["contacts"]["changed"], done["contacts"]["unchanged"]) == (
        0,
        1,
        1,
    )
    assert (await contacts(ada))["c1"]["fields"]["City"] == "Bonn"
    assert len(await contacts(ada)) == 2


async def test_rows_that_conflict_are_listed_with_their_reasons(ada: Person, lists: Lists):
    await ada.rest("POST", "/contact-fields", json={"key": "points", "type": "number"})
    anna = {"externalId": "old", "addresses": [{"channel": "email", "address": "anna@example.com"}]}
    uuid = (await ada.rest("POST", "/contacts", json=anna)).json()["id"]
    rows = [
        {"id": "c1", "mail": "ANNA@example.com", "points": 1},
        {"id": "c2", "mail": "bert@example.com", "points": "many"},
        {"id": "c3", "mail": "carl@example.com", "points": "3"},
    ]
    mapping = {
        "externalId": "id",
        "addresses": [{"channel": "email", "column": "mail"}],
        "fields": {"points": "points"},
    }
    done = await lists.read(ada, made := await start(ada, rows=rows, mapping=mapping))
    assert (done["valid"], done["invalid"], done["contacts"]["created"]) == (1, 2, 1)
    taken, bad = (await shown(ada, made))["rows"]["nodes"]
    assert (taken["line"], taken["error"]["code"]) == (1, "address_taken")
    assert uuid in taken["error"]["message"]
    assert (bad["line"], bad["error"]["code"]) == (2, "bad_field")
    assert sorted(await contacts(ada)) == ["c3", "old"]
    assert (await contacts(ada))["c3"]["fields"] == {"points": 3}


async def test_several_rows_about_one_person_are_one_contact(ada: Person, lists: Lists):
    rows = [
        {"email": "anna@example.com", "name": "Anna"},
        {"email": "Anna@Example.com", "phone": "+14155550100"},
        {"phone": "+1 415 555 0100", "name": "Anna Berg"},
    ]
    done = await lists.read(ada, await start(ada, rows=rows))
    assert (done["valid"], done["contacts"]["created"], done["contacts"]["unchanged"]) == (3, 1, 2)
    (anna,) = (await contacts(ada)).values()
    assert (anna["name"], len(anna["addresses"])) == ("Anna Berg", 2)


async def test_what_is_refused(ada: Person, bob: Person, lists: Lists):
    rows = [{"mail": "anna@example.com", "city": "Berlin"}]
    mapping: dict[str, Any] = {
        "addresses": [{"channel": "email", "column": "mail"}],
        "fields": {"city": "city"},
    }
    assert (await start(ada, 400, rows=rows, mapping=mapping))["code"] == "unknown_field"
    assert (await start(ada, 400, rows=rows, mapping={"fields": {"city": "city"}}))[
        "code"
    ] == "validation_failed"
    assert (await start(ada, 400, rows=rows, fileUuid="0198c5f0-0000-7000-8000-000000000000"))["code"]
    file = await upload(bob, LIST)
    assert (await start(ada, 404, fileUuid=file))["code"] == "file_not_found"
    mapping["addresses"][0]["column"] = "nowhere"
    done = await lists.read(ada, await start(ada, rows=rows, mapping=mapping, createFields=True))
    assert (done["status"], "'nowhere'" in done["statusReason"]) == ("failed", True)
    done = await lists.read(ada, await start(ada, rows=[{"a": "b"}]))
    assert (done["status"], "looks like an external id" in done["statusReason"]) == ("failed", True)


async def test_a_list_of_contacts_is_no_list_of_recipients(ada: Person, bob: Person, lists: Lists):
    done = await lists.read(ada, await start(ada, fileUuid=await upload(ada, LIST), createFields=True))
    project = (await ada.data('mutation{createSendingProject(input:{name:"p",channel:sms}){uuid}}'))[
        "createSendingProject"
    ]
    add = "mutation($p:ID!,$i:UUID!){addRecipients(sendingProjectId:$p,input:{importUuid:$i}){added}}"
    (error,) = (await ada.graphql(add, {"p": project["uuid"], "i": done["uuid"]}))["errors"]
    assert error["extensions"]["code"] == "import_not_found"
    answer = await ada.rest("POST", "/block/add/multiple", json={"importUuid": done["uuid"]})
    assert (answer.status_code, answer.json()["code"]) == (404, "import_not_found")
    recipients = await lists.read(ada, await lists.upload(ada, "phone\n+14155550100\n"))
    assert recipients["contacts"] is None
    query = "query($w:RecipientImportWhere){recipientImports(where:$w){nodes{uuid}}}"
    for of_contacts, made in ((True, done), (False, recipients)):
        answer = await ada.data(query, {"w": {"ofContacts": {"eq": of_contacts}}})
        assert answer["recipientImports"]["nodes"] == [{"uuid": made["uuid"]}]


async def test_a_preview_suggests_a_mapping_and_types(ada: Person):
    await ada.rest("POST", "/contact-fields", json={"key": "city", "type": "text"})
    answer = await ada.rest("POST", "/contacts/imports/preview", json={"fileUuid": await upload(ada, LIST)})
    assert answer.status_code == 200, answer.text
    preview = answer.json()
    assert (preview["format"], preview["delimiter"], preview["columns"][0]["name"]) == (
        "csv",
        ";",
        "Customer ID",
    )
    assert preview["mapping"]["fields"] == {
        "Birthday": "Birthday",
        "Points": "Points",
        "VIP": "VIP",
        "city": "City",
    }
    assert preview["fields"] == [
        {"key": "Birthday", "type": "date", "isNew": True},
        {"key": "Points", "type": "number", "isNew": True},
        {"key": "VIP", "type": "bool", "isNew": True},
        {"key": "city", "type": "text", "isNew": False},
    ]
    assert await contacts(ada) == {}


async def test_both_doors_honour_an_idempotency_key(ada: Person):
    input = {"rows": [{"email": "anna@example.com"}]}
    seen = [
        await ada.rest("POST", "/contacts/imports", json=input, headers={"idempotency-key": "k"})
        for _ in range(2)
    ]
    assert seen[0].json()["uuid"] == seen[1].json()["uuid"]
    made = (await ada.data(IMPORT, {"i": input}))["importContacts"]
    assert made == {"uuid": made["uuid"], "status": "processing", "contacts": {"created": 0}}
    assert made["uuid"] != seen[0].json()["uuid"]


async def test_a_worker_that_dies_leaves_the_rest_to_another(ada: Person, spawn: Spawn):
    """The first one is killed between two batches; the next one goes on, and adds nobody again."""
    count = 2500
    people = "".join(f"c{n};Person {n};p{n}@example.com;+1415{n:07}\n" for n in range(count))
    made = await start(ada, fileUuid=await upload(ada, "id;name;email;phone\n" + people))
    dying = spawn(2, FAULT_AT="contacts.added")
    assert await asyncio.wait_for(dying.ended(), 120) == -signal.SIGKILL
    half = await shown(ada, made)
    assert (half["status"], half["contacts"]["created"]) == ("processing", 1000)
    spawn(60)

    async def ready() -> bool:
        return (await shown(ada, made))["status"] == "ready"

    await until(ready)
    done = await shown(ada, made)
    assert (done["valid"], done["invalid"], done["contacts"]["created"], done["contacts"]["unchanged"]) == (
        count,
        0,
        count,
        0,
    )
    assert (await ada.data("{contacts{totalCount}}"))["contacts"]["totalCount"] == count


async def test_a_list_subscribes_and_never_revives_who_has_withdrawn(ada: Person, bob: Person, lists: Lists):
    news = await topic(ada, optIn="double")
    gone = await contact(ada, "c2@example.com")
    await subscribe(ada, [gone], [news], evidence="form")
    await withdraw(ada, [gone])
    rows = [{"Email": f"c{number}@example.com"} for number in range(4)] + [
        {"Email": "", "Phone": "+14155550100"}
    ]
    asked = {"topicUuids": [news], "channel": "email", "evidence": "from the shop"}
    for subscribed in (3, 0):  # again changes nothing
        made = await start(ada, rows=rows, subscribe=asked)
        done = await lists.read(ada, made)
        assert (done["status"], done["contacts"]["subscribed"]) == ("ready", subscribed)
    assert sorted(await states(ada)) == ["active", "active", "active", "withdrawn"]
    assert (await history(ada))[2:] == [("recorded", "import")] * 3
    (entry, *_) = (await ada.rest("GET", "/consents")).json()["items"]
    assert (entry["evidence"], entry["actorId"]) == ("from the shop", str(ada.id))
    refused = await start(ada, 404, rows=rows, subscribe={**asked, "topicUuids": [await topic(bob)]})
    assert refused["code"] == "topic_not_found"
