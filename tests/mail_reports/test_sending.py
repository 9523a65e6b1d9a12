"""Emails that bring their reports back: the envelope sender and the fields of a channel with the option `bounce`."""

from email import message_from_bytes
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from channels import BadDsn, connect
from channels.port import Result
from engine.mail_reports import reference
from tests.channels.peer_smtp import MailServer, peer
from tests.channels.smtp.rig import message, opened, send
from tests.mail_reports.samples import block, dsn
from tests.support.fake_channels import use
from tests.support.projects import Projects

KEY = b"k" * 32
MAIL = {"to": "anna@example.com", "channel": "email", "body": "Hello", "metadata": {"subject": "News"}}


def _seen(server: MailServer) -> tuple[str | None, Any]:
    """Returns the envelope sender and the mail that came last."""
    return server.envelopes[-1].mail_from, message_from_bytes(server.raw[-1])


async def test_the_envelope_names_the_message():
    names = reference.of_direct_message(KEY, id := uuid4(), uuid4())
    one = message(reference=lambda: names)
    async with peer() as server, opened(f"{server.dsn}&bounce=bounces.example.com") as channel:
        assert (await send(channel, one)).result is Result.sent
        sender, mail = _seen(server)
    assert sender == f"b-{names.token}@bounces.example.com"
    assert reference.read([KEY], next(reference.in_text(sender), "")) == id
    assert mail["X-Postern-Ref"] == names.token
    assert mail["Feedback-ID"] == names.feedback_id
    assert mail["From"] == "Postern <news@example.com>"
    assert mail["Message-ID"] == f"<{one.id}@example.com>"


@pytest.mark.parametrize("option", ["", "&bounce=bounces.example.com"])
async def test_without_a_domain_or_a_name_all_is_as_before(option: str):
    named = None if option else partial(reference.of_direct_message, KEY, uuid4(), uuid4())
    async with peer() as server, opened(server.dsn + option) as channel:
        assert (await send(channel, message(reference=named))).result is Result.sent
        sender, mail = _seen(server)
    assert sender == "news@example.com"
    assert (mail["X-Postern-Ref"], mail["Feedback-ID"]) == (None, None)


async def test_a_domain_of_any_script_is_written_in_ascii():
    one = message(reference=partial(reference.of_direct_message, KEY, uuid4(), uuid4()))
    async with peer() as server, opened(f"{server.dsn}&bounce=b%C3%BCcher.example.com") as channel:
        assert (await send(channel, one)).result is Result.sent
        assert str(_seen(server)[0]).endswith("@xn--bcher-kva.example.com")


@pytest.mark.parametrize("domain", ["a%20b", "x@example.com", "%3Cexample.com%3E", "-", "example.com%0d%0ax"])
def test_the_option_is_a_domain(domain: str):
    with pytest.raises(BadDsn, match=r"bounce|spaces or control"):
        connect("email", f"smtp://127.0.0.1?from=a@example.com&bounce={domain}")


async def test_a_direct_message_brings_its_bounce_back(ada, admin, services, drain):
    async with peer() as server, opened(f"{server.dsn}&bounce=bounces.example.com") as channel:
        use(services, channel)
        answer = await ada.rest("POST", "/messages", json=MAIL)
        await drain("email")
        sender, mail = _seen(server)
    id = answer.json()["id"]
    assert mail["Feedback-ID"] == f"direct:{ada.id}:postern"
    bounce = dsn(block(address="anna@example.com"), head=f"Delivered-To: {sender}\n").decode()
    seen = (await admin.rest("POST", "/mail-reports/preview", json={"text": bounce})).json()
    assert seen["message"]["messageUuid"] == id
    assert seen["effect"] == {"outcome": "fails", "failureCode": "hard_bounce", "block": "hardBounce"}


async def test_a_message_of_a_project_brings_its_bounce_back(ada, admin, services):
    projects = Projects(services)
    async with peer() as server, opened(f"{server.dsn}&bounce=bounces.example.com") as channel:
        use(services, channel)
        project = await projects.make(ada, ["anna@example.com"])
        await projects.work()
        sender, mail = _seen(server)
    (row,) = await projects.records(project)
    assert mail["Feedback-ID"] == f"{project}:{ada.id}:postern"
    bounce = dsn(block(address="anna@example.com"), head=f"Delivered-To: {sender}\n").decode()
    seen = (await admin.rest("POST", "/mail-reports/preview", json={"text": bounce})).json()
    assert (seen["message"]["messageUuid"], seen["message"]["projectUuid"]) == (str(row["id"]), str(project))
