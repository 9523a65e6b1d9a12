"""Lists as other tools export them: attributes in one column, names in two, and the proof of each consent."""

from typing import Any

import pytest

from tests.consent.made import states, topic
from tests.contact_imports.test_contact_imports import contacts, shown, start, upload
from tests.imports.conftest import Lists
from tests.support.people import Person

LISTMONK = (
    "uuid,email,name,attributes,status,created_at,updated_at\n"
    '1f6a,anna@example.com,Anna,"{""city"": ""Berlin"", ""orders"": 7, ""vip"": true, ""likes"": [""tea"", 3],'
    ' ""tech"": {""os"": ""linux""}}",enabled,2026-01-01,2026-01-01\n'
    '2f6a,bert@example.com,Bert,"{""city"": ""Paris"", ""orders"": 2}",enabled,2026-01-01,2026-01-01\n'
    "3f6a,carl@example.com,Carl,{},enabled,2026-01-01,2026-01-01\n"
)
MAILCHIMP = (
    "Email Address,First Name,Last Name,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LEID\n"
    "anna@example.com,Anna,Berg,2019-05-01 10:00:00,192.0.2.7,2019-05-01 10:05:00,192.0.2.8,1\n"
    "bert@example.com,Bert,,,,2020-01-01 00:00:00,,2\n"
)


async def _entries(person: Person) -> list[dict[str, Any]]:
    """The history of subscriptions, oldest first."""
    answer = await person.rest("GET", "/consents", params={"limit": "100"})
    return list(reversed(answer.json()["items"]))


def _asked(news: str) -> dict[str, Any]:
    return {"topicUuids": [news], "channel": "email", "evidence": "our shop"}


async def test_each_key_of_attributes_is_a_field(ada: Person, lists: Lists):
    done = await lists.read(ada, await start(ada, fileUuid=await upload(ada, LISTMONK), createFields=True))
    assert (done["status"], done["valid"], done["invalid"]) == ("ready", 3, 0)
    fields = done["contacts"]["mapping"]["fields"]
    assert {key: column for key, column in fields.items() if column.startswith("attributes")} == {
        "city": "attributes.city",
        "orders": "attributes.orders",
        "vip": "attributes.vip",
        "likes": "attributes.likes",
        "tech_os": "attributes.tech.os",
    }
    found = await contacts(ada)
    inner = {key: found["Anna"]["fields"][key] for key in ("city", "orders", "vip", "likes", "tech_os")}
    assert inner == {"city": "Berlin", "orders": 7, "vip": True, "likes": ["tea", "3"], "tech_os": "linux"}
    assert (found["Bert"]["fields"]["city"], found["Bert"]["fields"]["orders"]) == ("Paris", 2)
    assert "city" not in found["Carl"]["fields"]


async def test_a_mapping_names_a_key_that_the_first_rows_lack(ada: Person, lists: Lists):
    await ada.rest("POST", "/contact-fields", json={"key": "size", "type": "text"})
    mapping = {
        "addresses": [{"channel": "email", "column": "EMAIL"}],
        "fields": {"size": "Attributes.tech.size"},
    }
    rows = LISTMONK + 'x,dora@example.com,Dora,"{""tech"": {""size"": 12}}",enabled,,\n'
    done = await lists.read(ada, await start(ada, fileUuid=await upload(ada, rows), mapping=mapping))
    assert (done["valid"], done["invalid"]) == (4, 0)
    sizes = [each["fields"] for each in (await ada.rest("GET", "/contacts")).json()["items"]]
    assert sizes == [{"size": "12"}, {}, {}, {}]  # a text, as the field has it
    mapping["fields"] = {"size": "properties.size"}
    done = await lists.read(ada, await start(ada, fileUuid=await upload(ada, rows), mapping=mapping))
    assert (done["status"], "'properties.size'" in done["statusReason"]) == ("failed", True)


async def test_a_list_of_json_has_inner_columns_too(ada: Person, lists: Lists):
    rows = [{"email": "anna@example.com", "attributes": {"city": "Berlin"}}]
    await lists.read(ada, await start(ada, rows=rows, createFields=True))
    ((anna,), _) = ((await contacts(ada)).values(), None)
    assert anna["fields"] == {"city": "Berlin"}


async def test_mailchimp_has_names_and_the_proof_of_each_consent(ada: Person, lists: Lists):
    news = await topic(ada, optIn="double")
    made = await start(ada, fileUuid=await upload(ada, MAILCHIMP), createFields=True, subscribe=_asked(news))
    done = await lists.read(ada, made)
    mapping = done["contacts"]["mapping"]
    assert (mapping["name"], mapping["lastName"]) == ("First Name", "Last Name")
    assert mapping["consent"] == {"at": "OPTIN_TIME", "ip": "OPTIN_IP"}
    found = await contacts(ada)
    assert [*found] == ["Bert", "Anna Berg"]
    assert (found["Anna Berg"]["fields"]["First_Name"], found["Anna Berg"]["fields"]["Last_Name"]) == (
        "Anna",
        "Berg",
    )
    anna, bert = await _entries(ada)
    assert (anna["agreedAt"], anna["ip"], anna["evidence"]) == (
        "2019-05-01T10:00:00Z",
        "192.0.2.7",
        "our shop",
    )
    assert (bert["agreedAt"], bert["ip"], bert["evidence"]) == (None, None, "our shop")
    again = await start(ada, fileUuid=await upload(ada, MAILCHIMP), subscribe=_asked(news))
    assert (await lists.read(ada, again))["contacts"]["subscribed"] == 0
    assert len(await _entries(ada)) == 2


async def test_who_says_no_is_not_subscribed(ada: Person, lists: Lists):
    news = await topic(ada)
    rows = [
        {
            "email": "yes@example.com",
            "consent": "Yes",
            "consent_date": "2024-02-29",
            "signup_form": "Checkout",
        },
        {"email": "no@example.com", "consent": "no"},
        {"email": "empty@example.com", "consent": ""},
        {"email": "odd@example.com", "consent": "perhaps"},
        {"email": "later@example.com", "consent": "yes", "consent_date": "2199-01-01"},
        {"email": "old@example.com", "consent": "yes", "consent_date": "1.2.2020"},
    ]
    made = await start(ada, rows=rows, subscribe=_asked(news))
    done = await lists.read(ada, made)
    assert (done["valid"], done["contacts"]["subscribed"], await states(ada)) == (3, 1, ["active"])
    refused = (await shown(ada, made))["rows"]["nodes"]
    assert [(row["line"], row["error"]["code"]) for row in refused] == [(n, "bad_consent") for n in (4, 5, 6)]
    (entry,) = await _entries(ada)
    assert (entry["agreedAt"], entry["evidence"]) == ("2024-02-29T00:00:00Z", "Checkout; our shop")


async def test_nobody_is_subscribed_by_an_empty_column_of_consent(ada: Person, lists: Lists):
    rows = "email,opt-in\nanna@example.com,\nbert@example.com,\n"
    made = await start(ada, fileUuid=await upload(ada, rows), subscribe=_asked(await topic(ada)))
    done = await lists.read(ada, made)
    assert (done["valid"], done["contacts"]["subscribed"]) == (2, 0)


SHOP = (
    "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Phone,Accepts SMS Marketing\n"
    "1,Anna,Berg,anna@example.com,yes,+14155550100,no\n"
    "2,Bert,Chu,bert@example.com,no,+14155550101,yes\n"
)


@pytest.mark.parametrize(("channel", "who"), [("email", ["Anna Berg"]), ("sms", ["Bert Chu"])])
async def test_a_shop_has_a_consent_for_each_channel(ada: Person, lists: Lists, channel: str, who: list[str]):
    asked = {**_asked(await topic(ada)), "channel": channel}
    made = await start(ada, fileUuid=await upload(ada, SHOP), createFields=True, subscribe=asked)
    done = await lists.read(ada, made)
    assert (done["valid"], done["invalid"], done["contacts"]["subscribed"]) == (2, 0, 1)
    found = {each["id"]: each["name"] for each in (await ada.rest("GET", "/contacts")).json()["items"]}
    items = (await ada.rest("GET", "/topic-subscriptions")).json()["items"]
    assert [found[each["contactUuid"]] for each in items] == who


@pytest.mark.parametrize(
    ("title", "cell", "valid"),
    [
        ("Marketing Opt-In", "FALSE", 1),
        ("Subscribed", "no", 1),
        ("Newsletter opt in", "no", 1),
        ("Consent", "not given", 1),
        ("consent", "perhaps", 0),
        ("Email Marketing Consent", "no", 1),
        ("Email opt-in", "n", 1),
        ("attributes", '"{""consent"": false}"', 1),
        ("attributes", '"{""consent"": ""no""}"', 1),
    ],
)
async def test_whatever_the_column_is_called(ada: Person, lists: Lists, title: str, cell: str, valid: int):
    rows = f"Email,{title}\nanna@example.com,{cell}\n"
    made = await start(ada, fileUuid=await upload(ada, rows), subscribe=_asked(await topic(ada)))
    done = await lists.read(ada, made)
    assert (done["status"], done["valid"], done["contacts"]["subscribed"]) == ("ready", valid, 0)


async def test_consent_to_marketing_counts_before_another_one(ada: Person, lists: Lists):
    rows = "Email,consent,marketing_consent\nanna@example.com,yes,no\n"
    made = await start(ada, fileUuid=await upload(ada, rows), subscribe=_asked(await topic(ada)))
    assert (await lists.read(ada, made))["contacts"]["subscribed"] == 0


async def test_an_object_of_too_many_levels_is_one_bad_row(ada: Person, lists: Lists):
    deep = '{""a"": ' * 300 + "1" + "}" * 300
    rows = f'email,attributes\nanna@example.com,"{deep}"\nbert@example.com,"{{""b"": 1}}"\n'
    file = await upload(ada, rows)
    assert (await ada.rest("POST", "/contacts/imports/preview", json={"fileUuid": file})).status_code == 200
    done = await lists.read(ada, made := await start(ada, fileUuid=file, createFields=True))
    assert (done["status"], done["valid"], done["invalid"]) == ("ready", 1, 1)
    (bad,) = (await shown(ada, made))["rows"]["nodes"]
    assert (bad["line"], bad["error"]["code"]) == (2, "bad_row")


async def test_a_column_of_yes_and_no_is_a_truth_value(ada: Person, lists: Lists):
    rows = "email,member,points\nanna@example.com,ja,1\nbert@example.com,NEIN,0\n"
    await lists.read(ada, await start(ada, fileUuid=await upload(ada, rows), createFields=True))
    fields = {
        each["key"]: each["type"] for each in (await ada.rest("GET", "/contact-fields")).json()["items"]
    }
    assert fields == {"member": "bool", "points": "number"}
    items = (await ada.rest("GET", "/contacts")).json()["items"]
    assert [each["fields"]["member"] for each in items] == [False, True]
