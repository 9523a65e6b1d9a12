"""The preview of a mail that came back: which message it names, and what it would lead to. It changes nothing."""

from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.mail_reports import reference
from runtime.services import Services
from tests.mail_reports.samples import block, dsn, feedback
from tests.message_records.rows import messages, project
from tests.support.people import Person

TO = "ada@example.net"
_ADD = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, price, sent_at)
VALUES ($1, $2, $3, 'outbound', 'email', $4, 'Ada@Example.net', 'Hello', 1, CASE WHEN $4 = 'sent' THEN now() END)
"""
_ASK = """query($input: ParseMailReport!) { parseMailReport(input: $input) {
  ignored token ours message { messageUuid kind ownerUuid projectUuid to state }
  recipients { type bounceClass address status code diagnostic } effect { outcome failureCode block } } }"""


async def _message(services: Services, owner: Person, state: str = "sent") -> UUID:
    id = uuid7()
    await services.db.fetch(_ADD, id, owner.id, owner.account_id, state)
    return id


def _to(services: Services, id: UUID) -> str:
    return f"Delivered-To: b-{reference.token(services.key(reference.KEY), id)}@bounces.example.com\n"


async def _preview(admin: Person, mail: bytes) -> Any:
    """Returns the answer, which is the same through both doors."""
    body = {"text": mail.decode()}
    answer = await admin.rest("POST", "/mail-reports/preview", json=body)
    assert answer.status_code == 200, answer.text
    assert (await admin.data(_ASK, {"input": body}))["parseMailReport"] == answer.json()
    return answer.json()


async def _state(services: Services, id: UUID) -> tuple[str, int]:
    row = await services.db.fetchrow("SELECT state, price FROM messages WHERE id = $1", id)
    return row["state"], row["price"]


async def test_a_bounce_names_its_message_and_what_would_happen(admin, ada, services):
    id = await _message(services, ada)
    seen = await _preview(admin, dsn(block(), head=_to(services, id)))
    assert seen["ours"] is True
    assert seen["ignored"] is None
    assert seen["message"] == {
        "messageUuid": str(id), "kind": "direct", "ownerUuid": str(ada.id), "projectUuid": None,
        "to": "Ada@Example.net", "state": "sent",
    }  # fmt: skip
    assert seen["recipients"] == [
        {
            "type": "bounce", "bounceClass": "hard", "address": TO, "status": "5.1.1", "code": 550,
            "diagnostic": "550 5.1.1 <ada@example.net>: User unknown",
        }
    ]  # fmt: skip
    assert seen["effect"] == {"outcome": "fails", "failureCode": "hard_bounce", "block": "hardBounce"}
    assert await _state(services, id) == ("sent", 1)
    assert await services.db.fetchval("SELECT count(*) FROM blocked_phones") == 0


@pytest.mark.parametrize(
    ("state", "mail", "outcome", "code", "reason"),
    [
        ("unknown", dsn(block("5.2.2", "552 full")), "fails", "mailbox_full", None),
        ("sent", dsn(block("5.7.1", "550 by policy")), "fails", "policy_refused", None),
        ("sent", dsn(block("5.3.4", "552 too big")), "fails", "content_refused", None),
        ("sent", dsn(block("4.4.7", "too old")), "fails", "not_delivered", None),
        ("sent", dsn(block("5.0.0", "550 no")), "fails", "bounced", None),
        ("delivered", dsn(block()), "stays", None, "hardBounce"),
        ("failed", dsn(block("5.2.2", "552 full")), "stays", None, None),
        ("queued", dsn(block()), "waits", None, "hardBounce"),
        ("sent", dsn(block("4.4.1", "no answer", "delayed")), "none", None, None),
        ("sent", feedback(), "none", None, "complaint"),
        ("sent", feedback("not-spam"), "none", None, None),
    ],
)
async def test_the_effect_follows_the_state(admin, ada, services, state, mail, outcome, code, reason):
    id = await _message(services, ada, state)
    seen = await _preview(admin, _to(services, id).encode() + mail)
    assert seen["effect"] == {"outcome": outcome, "failureCode": code, "block": reason}


async def test_a_message_of_a_project_is_found(admin, ada, services):
    project_id = await project(services, ada)
    (id,) = await messages(services, ada, project_id, {"status": "sent"})
    seen = await _preview(admin, dsn(block(), head=_to(services, id)))
    assert (seen["message"]["kind"], seen["message"]["projectUuid"]) == ("project", str(project_id))
    assert seen["effect"]["outcome"] == "fails"


async def test_the_messages_own_recipient_is_the_first(admin, ada, services):
    id = await _message(services, ada)
    others = [block("5.2.2", "552 full", address=f"u{number}@example.net") for number in range(3)]
    seen = await _preview(admin, dsn(*others, block(address="ADA@example.NET"), head=_to(services, id)))
    assert [row["bounceClass"] for row in seen["recipients"]] == ["hard", "full", "full", "full"]
    assert seen["effect"]["failureCode"] == "hard_bounce"


async def test_a_forged_token_names_nothing(admin, ada, services):
    id = await _message(services, ada)
    forged = f"Delivered-To: b-{reference.token(b'x' * 32, id)}@bounces.example.com\n"
    seen = await _preview(admin, dsn(block(), head=forged))
    assert seen["token"] is not None
    assert (seen["ours"], seen["message"], seen["effect"]) == (False, None, None)


async def test_a_token_that_is_ours_is_found_behind_a_forged_one(admin, ada, services):
    id = await _message(services, ada)
    forged = f"Delivered-To: b-{reference.token(b'x' * 32, id)}@bounces.example.com\n"
    seen = await _preview(
        admin, dsn(block(), head=forged + _to(services, id).replace("Delivered", "X-Original"))
    )
    assert seen["message"]["messageUuid"] == str(id)


async def test_a_deleted_message_has_no_effect(admin, services):
    seen = await _preview(admin, dsn(block(), head=_to(services, uuid7())))
    assert (seen["ours"], seen["message"], seen["effect"]) == (True, None, None)


async def test_a_mail_that_is_no_report_says_why(admin):
    seen = await _preview(admin, b"From: ada@example.net\nSubject: Re: News\n\nThank you!\n")
    assert (seen["ignored"], seen["recipients"], seen["effect"]) == ("no_report", [], None)


async def test_a_file_is_read(admin, ada, services):
    mail = dsn(block("5.2.2", "552 full")) + b"\xff" * 300_000
    made = await ada.rest("POST", "/file-uploader", files={"file": ("a.eml", mail, "message/rfc822")})
    answer = await admin.rest("POST", "/mail-reports/preview", json={"fileUuid": made.json()["uuid"]})
    assert answer.json()["recipients"][0]["bounceClass"] == "full"
    gone = await admin.rest("POST", "/mail-reports/preview", json={"fileUuid": str(uuid7())})
    assert gone.status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"text": ""}, {"text": "a", "fileUuid": str(uuid7())}, {"text": "a" * 262_145}]
)
async def test_exactly_one_source_is_given(admin, body):
    assert (await admin.rest("POST", "/mail-reports/preview", json=body)).status_code == 400


async def test_only_administrators_may(ada, client):
    body = {"text": "From: a@example.net\n\nx"}
    assert (await ada.rest("POST", "/mail-reports/preview", json=body)).status_code == 403
    assert (await client.post("/mail-reports/preview", json=body)).status_code == 401
    answer = await ada.graphql(_ASK, {"input": body})
    assert answer["errors"][0]["extensions"]["code"] == "forbidden"


async def test_the_longest_text_is_taken_by_both_doors(admin):
    seen = await _preview(admin, b"From: MAILER-DAEMON@example.net\n\n" + b"x" * 262_100)
    assert seen["ignored"] in (None, "no_report")
