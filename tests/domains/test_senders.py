"""The From of an email: only of its owner's verified domains."""

from email import message_from_bytes
from typing import Any

import pytest

from channels.apprise import AppriseChannel
from channels.port import Result
from resolvers import trial
from runtime.services import Services
from tests.channels.peer_smtp import peer
from tests.channels.smtp.rig import message, opened
from tests.domains.test_dkim_keys import active
from tests.domains.test_domains import added, verified
from tests.support.dns import Zone
from tests.support.fake_channels import use
from tests.support.people import Person
from tests.support.projects import Projects

FROM = "Ada's News <news@ada.example>"
MAIL = {"to": "anna@example.com", "channel": "email", "body": "Hello", "metadata": {"subject": "Hi"}}
SEND = """mutation($f:String){sendMessage(input:{to:"anna@example.com",channel:email,body:"Hi",from:$f}){uuid}}"""


async def refused(person: Person, sender: str | None, code: str = "sender_not_approved", **more: Any) -> str:
    body = {**MAIL, **more} | ({} if sender is None else {"from": sender})
    answer = await person.rest("POST", "/messages", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
    return str(answer.json()["message"])


async def test_an_email_from_a_verified_domain(ada: Person, zone: Zone, services: Services, drain: Any):
    domain = await verified(ada, zone, "ada.example")
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        answer = await ada.rest("POST", "/messages", json={**MAIL, "from": FROM})
        assert answer.status_code == 202, answer.text
        await ada.data(SEND, {"f": "news@ADA.example"})
        await ada.rest("POST", "/messages", json=MAIL)
        await drain("email")
        mails = {mail["From"]: mail for mail in map(message_from_bytes, server.raw)}
        senders = [envelope.mail_from for envelope in server.envelopes]
    assert {*mails} == {
        '"Ada\'s News" <news@ada.example>',
        "news@ada.example",
        "Postern <news@example.com>",
    } or {*mails} == {"Ada's News <news@ada.example>", "news@ada.example", "Postern <news@example.com>"}
    selector = domain["records"][1]["selector"]
    for sender, mail in mails.items():
        signature = str(mail["DKIM-Signature"])
        assert (f"d=ada.example; s={selector};" in signature) == ("ada.example" in sender)
    assert senders == ["news@example.com"] * 3  # bounces go where they went


async def test_others_are_refused(ada: Person, bob: Person, zone: Zone):
    await verified(bob, zone, "bob.example")
    await added(ada, "ada.example")
    for sender in ("news@bob.example", FROM, "news@example.com", "news@sub.bob.example"):
        sentence = await refused(ada, sender)
        assert "POST /domains" in sentence
    for sender in ("nobody", "a@b.example, c@d.example", "@bob.example"):
        await refused(bob, sender, "bad_sender")
    for sender in ("a@bob.example\r\nBcc: eve@example.com", ""):
        await refused(bob, sender, "validation_failed")
    await refused(bob, "news@bob.example", "bad_sender", channel="sms", to="+14155550100")


async def test_metadata_names_no_sender(ada: Person, zone: Zone, services: Services, drain: Any):
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        await ada.rest("POST", "/messages", json={**MAIL, "metadata": {"from": FROM, "sender": FROM}})
        await drain("email")
        assert message_from_bytes(server.raw[0])["From"] == "Postern <news@example.com>"


async def test_a_key_of_idempotency_covers_it(ada: Person, zone: Zone):
    await verified(ada, zone, "ada.example")
    key = {"Idempotency-Key": "once"}
    first = await ada.rest("POST", "/messages", json={**MAIL, "from": FROM}, headers=key)
    again = await ada.rest("POST", "/messages", json={**MAIL, "from": FROM}, headers=key)
    assert first.json()["id"] == again.json()["id"]
    other = await ada.rest("POST", "/messages", json=MAIL, headers=key)
    assert other.status_code == 422


async def test_a_domain_that_is_lost_meanwhile(ada: Person, zone: Zone, services: Services, drain: Any):
    domain = await verified(ada, zone, "ada.example")
    made = (await ada.rest("POST", "/messages", json={**MAIL, "from": FROM})).json()["id"]
    await services.db.fetch(
        "UPDATE domains SET status = 'lost', lost_at = now() - interval '6 days' RETURNING id"
    )
    await ada.rest("POST", "/messages", json={**MAIL, "from": FROM})
    await services.db.fetch("UPDATE domains SET lost_at = now() - interval '8 days' RETURNING id")
    await refused(ada, FROM)
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        await drain("email")
        assert server.raw == []
    shown = (await ada.data("query($i:ID!){message(id:$i){deliveryState failureCode}}", {"i": made}))[
        "message"
    ]
    assert shown == {"deliveryState": "failed", "failureCode": "sender_not_approved"}
    assert (await ada.rest("DELETE", f"/domains/{domain['id']}")).status_code == 204


@pytest.mark.settings(verify_domains=True, channel_email="smtp://127.0.0.1:9?from=news@example.com")
async def test_the_usual_sender_must_be_verified_if_the_operator_says_so(
    ada: Person, admin: Person, zone: Zone
):
    assert "usual sender's domain example.com" in await refused(ada, None)
    trial = {"to": "anna@example.com", "channel": "email", "text": "Hi", "subject": "Hi"}
    answer = await ada.rest("POST", "/test-sending", json=trial)
    assert answer.json()["code"] == "sender_not_approved"
    await verified(ada, zone, "ada.example")
    assert (await ada.rest("POST", "/messages", json={**MAIL, "from": FROM})).status_code == 202
    await verified(admin, zone, "example.com")
    assert (await ada.rest("POST", "/messages", json=MAIL)).status_code == 202
    assert (
        await ada.rest("POST", "/messages", json={**MAIL, "channel": "sms", "to": "+14155550100"})
    ).status_code == 202


async def test_a_project_has_a_sender(ada: Person, zone: Zone, services: Services):
    new = {
        "name": "Spring",
        "channel": "email",
        "subject": "Hi",
        "text": "Hello",
        "category": "transactional",
    }
    answer = await ada.rest("POST", "/sending-project", json={**new, "from": FROM})
    assert (answer.status_code, answer.json()["code"]) == (400, "sender_not_approved")
    domain = await verified(ada, zone, "ada.example")
    made = (await ada.rest("POST", "/sending-project", json={**new, "from": FROM})).json()
    uuid = made["uuid"]
    assert made["from"] == FROM
    copied = (await ada.rest("POST", f"/sending-project/{uuid}/duplicate", json={})).json()
    assert copied.get("from") == FROM, copied
    changed = await ada.rest("PATCH", f"/sending-project/{uuid}", json={"from": None})
    assert changed.json()["from"] is None
    await ada.rest("PATCH", f"/sending-project/{uuid}", json={"from": "b@ada.example"})
    assert (await ada.data("query($i:ID!){sendingProject(id:$i){from}}", {"i": uuid}))["sendingProject"] == {
        "from": "b@ada.example"
    }
    await ada.rest("POST", f"/recipient/{uuid}", json={"recipients": [{"address": "anna@example.com"}]})
    started = await ada.rest("POST", f"/sending-project/start/{uuid}")
    assert started.status_code == 200, started.text
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        await Projects(services).work()
        [content] = server.raw
    assert message_from_bytes(content)["From"] == "b@ada.example"
    assert f"d=ada.example; s={domain['records'][1]['selector']}".encode() in content


async def test_a_project_whose_domain_is_gone_sends_nothing(ada: Person, zone: Zone, services: Services):
    await verified(ada, zone, "ada.example")
    projects = Projects(services)
    project = await projects.make(ada, ["anna@example.com"], from_address=FROM)
    await services.db.fetch(
        "UPDATE project_contents SET content = content || jsonb_build_object('from_address', $1::text)"
        " RETURNING number",
        FROM,
    )
    await services.db.fetch("UPDATE domains SET status = 'expired' RETURNING id")
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        await projects.work()
        assert server.raw == []
    (row,) = await projects.records(project)
    assert (row["status"], row["failure_code"]) == ("skipped", "sender_not_approved")


async def test_the_installations_key_signs_for_an_owner_without_one(
    ada: Person, zone: Zone, services: Services, drain: Any
):
    domain = await added(ada, "ada.example")
    zone.publish(domain["records"][:1])
    assert (await ada.rest("POST", f"/domains/{domain['id']}/verify")).json()["status"] == "verified"
    key = await active(services, domain="ada.example")
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        await ada.rest("POST", "/messages", json={**MAIL, "from": FROM})
        await drain("email")
        assert f"d=ada.example; s={key.selector}".encode() in server.raw[0]


async def test_a_channel_that_cannot_name_it_refuses():
    channel = AppriseChannel("json://127.0.0.1:9/", "email")
    await channel.open(None)  # type: ignore[arg-type]
    [outcome] = await channel.send([message(sender=FROM)])
    await channel.close()
    assert (outcome.result, outcome.code) == (Result.refused, "sender_unsupported")


async def test_what_was_asked_for_is_shown_and_tests_take_it(
    ada: Person, zone: Zone, services: Services, monkeypatch: pytest.MonkeyPatch
):
    await verified(ada, zone, "ada.example")
    sent = (await ada.rest("POST", "/messages", json={**MAIL, "from": FROM})).json()
    usual = (await ada.rest("POST", "/messages", json=MAIL)).json()
    shown = [
        (await ada.rest("GET", f"/messages/{message['id']}")).json()["from"] for message in (sent, usual)
    ]
    assert shown == [FROM, None]
    listed = await ada.data("{messages{nodes{uuid from}}}")
    assert {node["uuid"]: node["from"] for node in listed["messages"]["nodes"]} == {
        sent["id"]: FROM, usual["id"]: None,
    }  # fmt: skip

    monkeypatch.setattr(trial, "WAIT", 0.1)
    test = {"channel": "email", "to": "anna@example.com", "text": "Hello", "subject": "Hi"}
    made = (await ada.rest("POST", "/test-sending", json={**test, "from": FROM})).json()
    assert (await ada.rest("GET", f"/messages/{made['messageId']}")).json()["from"] == FROM
    for body, code in (
        ({**test, "from": "news@bob.example"}, "sender_not_approved"),
        ({"channel": "sms", "to": "+14155550177", "text": "Hello", "from": FROM}, "bad_sender"),
    ):
        answer = await ada.rest("POST", "/test-sending", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
