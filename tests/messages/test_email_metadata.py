"""An email's options in `metadata` are checked at both doors before anything is charged, and sent."""

from decimal import Decimal
from uuid import UUID, uuid4

import pytest

from engine.direct import attachments
from tests.channels.peer_smtp import peer
from tests.support.gateway import gateway

__all__ = ["gateway"]

EMAIL = {"to": "anna@example.com", "channel": "email", "body": "hi"}
SEND = "mutation($input: SendMessage!) { sendMessage(input: $input) { uuid } }"


@pytest.fixture
async def mails():
    async with peer() as server:
        yield server


@pytest.fixture
def settings(make_settings, mails):
    return make_settings(channel_email=mails.dsn)


async def balance(person):
    answer = await person.rest("GET", f"/accounts/{person.account_id}/balance")
    return Decimal(str(answer.json()["balance"]))


async def upload(person, name="terms.pdf", data=b"%PDF-1.7"):
    answer = await person.rest("POST", "/file-uploader", files={"file": (name, data)})
    assert answer.status_code in (200, 201), answer.text
    return answer.json()["uuid"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"replyTo": "José"},
        {"replyTo": "a@example.com, b@example.com"},
        {"replyTo": ""},
        {"replyTo": "Support <help@>"},
        {"attachmentUuids": "x"},
        {"attachmentUuids": ["x"]},
        {"attachmentUuids": [7]},
        {"attachmentUuids": [str(UUID(int=number)) for number in range(11)]},
    ],
    ids=str,
)
async def test_what_could_not_be_sent_is_refused_at_the_door(ada, metadata):
    before = await balance(ada)
    answer = await ada.rest("POST", "/messages", json={**EMAIL, "metadata": metadata})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_metadata"), answer.text
    assert await ada.code(SEND, {"input": {**EMAIL, "metadata": metadata}}) == "bad_metadata"
    assert await balance(ada) == before


@pytest.mark.parametrize(
    "name", ["José <r@example.com>", "Müller, Hans <r@example.com>", "Support (EU) <r@example.com>"]
)
async def test_names_that_mail_programs_take(gateway, ada, drain, mails, name):
    id = await gateway.send(ada, EMAIL["to"], "email", replyTo=name)
    await drain("email")
    assert (await gateway.row(id))["state"] == "sent"
    assert mails.received[-1].extra["mail"]["Reply-To"].addresses[0].addr_spec == "r@example.com"


async def test_files_go_along(gateway, ada, drain, mails):
    ids = [await upload(ada), await upload(ada, "a b.txt", b"two")]
    id = await gateway.send(ada, EMAIL["to"], "email", attachmentUuids=[*ids, ids[0]])
    await drain("email")
    assert (await gateway.row(id))["state"] == "sent"
    parts = list(mails.received[-1].extra["mail"].iter_attachments())
    assert [(part.get_filename(), part.get_payload(decode=True)) for part in parts] == [
        ("terms.pdf", b"%PDF-1.7"),
        ("a b.txt", b"two"),
    ]


async def test_only_the_payer_s_own_files_and_not_too_much_of_them(ada, bob, monkeypatch):
    file = await upload(ada)
    for person, ids in ((bob, [file]), (ada, [file, str(uuid4())])):
        message = {**EMAIL, "metadata": {"attachmentUuids": ids}}
        answer = await person.rest("POST", "/messages", json=message)
        assert (answer.status_code, answer.json()["code"]) == (404, "file_not_found"), answer.text
        assert await person.code(SEND, {"input": message}) == "file_not_found"
    monkeypatch.setattr(attachments, "BYTES", 7)
    answer = await ada.rest("POST", "/messages", json={**EMAIL, "metadata": {"attachmentUuids": [file]}})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_metadata"), answer.text
    # Elsewhere the name means nothing, and what was kept as it is is kept.
    sms = {"to": "+14155550100", "channel": "sms", "body": "hi", "metadata": {"attachmentUuids": "x"}}
    assert (await ada.rest("POST", "/messages", json=sms)).status_code == 202


async def test_a_file_that_is_deleted_meanwhile_fails_the_message_and_pays_it_back(
    gateway, ada, drain, mails
):
    before = await balance(ada)
    file = await upload(ada)
    id = await gateway.send(ada, EMAIL["to"], "email", attachmentUuids=[file])
    await gateway.services.db.fetch("DELETE FROM files WHERE id = $1", UUID(file))
    await drain("email")
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"], row["refused"]) == ("failed", "attachment_missing", None)
    assert await balance(ada) == before
    assert mails.received == []
