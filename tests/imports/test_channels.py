"""Imports that name the channel of their project: what it can't reach is bad before anything is added."""

import orjson
import pytest

from engine.file_parsers.addresses import REACHED
from shapes.sending_projects import ProjectChannel
from tests.recipients.test_recipients import add, project

PHONE, EMAIL, TOKEN = "+14155550100", "anna@example.com", "token:" + "a" * 50
SUBSCRIPTION = '{"endpoint":"https://push.example.com/a@b","keys":{"auth":"a","p256dh":"b"}}'
LINES = [
    PHONE,
    "(415) 555-0101",
    EMAIL,
    "Ö@example.com",
    "@anna_k",
    "123",
    "junk",
    TOKEN,
    SUBSCRIPTION,
    "x y",
]
GOOD = {
    "sms": {1, 2}, "whatsapp": {1, 2}, "email": {3, 4}, "telegram": {1, 2, 5, 6}, "push": {5, 6, 7, 8, 9},
}  # fmt: skip
TEXT = "mutation($input:NewTextImport!) { importRecipientsFromText(input:$input) { uuid } }"
PREVIEW = "query($input:NewImport!) { previewImport(input:$input) { mapping } }"


async def test_pasted_junk_is_bad_for_sms_where_it_is_first_shown(ada, lists):
    text = {"text": f"{PHONE}; Anna\njunk\nboris@example.com\nno number", "channel": "sms"}
    made = (await ada.rest("POST", "/recipient-import/text", json=text)).json()
    done = await lists.read(ada, made)
    assert (done["valid"], done["invalid"]) == (1, 3)
    assert [row["error"] for row in await lists.rows(ada, made, valid=False)] == [
        {
            "code": "wrong_channel",
            "message": "The channel sms can't reach 'junk'. It needs a phone number like +14155550100.",
        },
        {
            "code": "wrong_channel",
            "message": "The channel sms can't reach 'boris@example.com'. It needs a phone number like +14155550100.",
        },
        {
            "code": "invalid_phone",
            "message": "'no number' is not a phone number. Write it like +14155550100.",
        },
    ]
    answer = (await add(ada, await project(ada, "sms"), importUuid=made["uuid"])).json()
    assert (answer["added"], answer["invalidCount"]) == (1, 0)


@pytest.mark.parametrize("channel", ProjectChannel)
async def test_what_is_good_for_a_channel_is_what_is_added(ada, lists, channel: ProjectChannel):
    """SQL decides when rows are added, Python when they are read: both say the same, with and without the channel."""
    assert set(REACHED) == {*ProjectChannel}
    for named in ({"channel": channel.value}, {}):
        made = (await ada.data(TEXT, {"input": {"text": "\n".join(LINES), **named}}))[
            "importRecipientsFromText"
        ]
        await lists.read(ada, made)
        good = {row["line"]: row["recipient"]["address"] for row in await lists.rows(ada, made, valid=True)}
        if named:
            assert good.keys() == GOOD[channel.value]
            reachable = sorted(good.values())
        id = await project(ada, channel.value)
        answer = (await add(ada, id, importUuid=made["uuid"])).json()
        assert answer["invalidCount"] == len(good) - len(reachable)
        listed = (await ada.rest("GET", f"/recipient/list/{id}")).json()["items"]
        assert sorted(recipient["address"] for recipient in listed) == reachable


async def test_rows_and_files_take_a_channel_too(ada, lists):
    rows = [{"address": PHONE}, {"address": EMAIL}]
    sent = [(await ada.rest("POST", "/recipient-import", json={"rows": rows, "channel": "email"})).json()]
    sent.append(await lists.upload(ada, f"address\n{PHONE}\n{EMAIL}\n", channel="email"))
    for made in sent:
        done = await lists.read(ada, made)
        assert (done["valid"], done["invalid"]) == (1, 1)
        assert [row["error"]["code"] for row in await lists.rows(ada, made, valid=False)] == ["wrong_channel"]
    for channel in ("fax", "SMS", ""):
        for path, body in (("", {"rows": rows}), ("/text", {"text": PHONE})):
            answer = await ada.rest("POST", f"/recipient-import{path}", json={**body, "channel": channel})
            assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed"), answer.text


@pytest.mark.parametrize(
    ("channel", "kind"),
    [(None, "phone"), ("sms", "phone"), ("telegram", "phone"), ("email", "email"), ("push", "address")],
)
async def test_the_suggested_column_is_one_that_the_channel_reaches(ada, channel, kind):
    rows = [{"phone": PHONE, "email": EMAIL, "token": TOKEN}]
    mapping = (await ada.data(PREVIEW, {"input": {"rows": rows, "channel": channel}}))["previewImport"][
        "mapping"
    ]
    assert mapping[kind] == {"phone": "phone", "email": "email", "address": "token"}[kind]
    assert orjson.dumps(mapping).decode().count('"token"') == (2 if kind != "address" else 1)


async def test_a_duplicate_is_one_of_a_row_that_is_used(ada, lists):
    rows = [{"address": EMAIL}, {"address": PHONE}, {"address": EMAIL}, {"address": PHONE}]
    made = (await ada.rest("POST", "/recipient-import", json={"rows": rows, "channel": "sms"})).json()
    done = await lists.read(ada, made)
    assert (done["valid"], done["invalid"], done["duplicates"]) == (1, 2, 1)
