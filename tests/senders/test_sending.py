"""The sender of an SMS reaches the provider, and nothing is sent from one that is not approved."""

from typing import Any
from uuid import UUID

import pytest

from channels import connect
from channels.apprise import AppriseChannel
from channels.port import Result
from resolvers import trial
from runtime.services import Services
from tests.channels import peer_post, peer_smpp, peer_twilio
from tests.channels.peer import patient
from tests.channels.smpp.rig import message
from tests.senders.made import BERLIN, NEW_YORK, approved, asked, decided, sms
from tests.support.fake_channels import Fake, use
from tests.support.people import Person
from tests.support.projects import Projects

OWN_NUMBER = "+14155550101"


async def nothing(channel: Any, events: Any) -> None: ...


async def refused(person: Person, sender: str, code: str = "sender_not_approved", **more: Any) -> str:
    answer = await sms(person, sender, **more)
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
    return str(answer.json()["message"])


async def test_only_an_approved_sender_of_ones_own(ada: Person, bob: Person, admin: Person):
    sender = await asked(ada, "Acme", "alpha", "DE")
    assert "POST /senders" in await refused(ada, "Acme")
    await decided(admin, sender)
    answer = await sms(ada, "ACME")
    assert (answer.status_code, answer.json()["sender"], answer.json()["from"]) == (202, "Acme", None)
    assert "does not serve FR" in await refused(ada, "Acme", to="+33612345678")
    await refused(bob, "Acme")
    await refused(ada, "Acme", "bad_sender", channel="email", to="anna@example.com")
    await refused(ada, "a" * 33, "validation_failed")
    assert (await sms(ada, None, metadata={"sender": "Acme", "from": "Acme"})).json()["sender"] is None


async def test_smpp_has_it_with_the_numbers_of_its_form(
    ada: Person, admin: Person, services: Services, drain: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("channels.smpp.channel.FIRST_BIND_SECONDS", 10)
    await approved(ada, admin)
    await approved(ada, admin, "12345", "short", "DE")
    await approved(ada, admin, OWN_NUMBER, "number", "US")
    async with peer_smpp.peer() as smsc:
        channel = connect("sms", smsc.options("from=Usual&source_ton=0"))
        await channel.open(nothing)
        use(services, channel, kind="sms")
        sent = {
            (await sms(ada, sender, to)).json()["id"]: sender
            for sender, to in (("Acme", BERLIN), ("12345", BERLIN), ("Acme", NEW_YORK), (None, BERLIN))
        }
        await drain("sms")
        await channel.close()
    addresses = {(pdu.source_addr, pdu.source_addr_ton, pdu.source_addr_npi) for pdu in smsc.submitted}
    assert addresses == {(b"Acme", 5, 0), (b"12345", 3, 0), (b"14155550101", 1, 1), (b"Usual", 0, 0)}
    shown = [(await ada.rest("GET", f"/messages/{id}")).json()["sender"] for id in sent]
    assert shown == ["Acme", "12345", OWN_NUMBER, None]


async def test_an_smsc_that_refuses_a_sender_refuses_one_message():
    async with peer_smpp.peer() as smsc:
        channel = connect("sms", smsc.options())
        await channel.open(nothing)
        smsc.statuses.extend([0x0A, 0x0A])
        outcomes = [(await channel.send([message(sender=sender)]))[0] for sender in ("Acme", None, "Ärzte")]
        await channel.close()
    assert [(outcome.result, outcome.code) for outcome in outcomes] == [
        (Result.refused, "invalid_sender"),
        (Result.misconfigured, "invalid_sender"),
        (Result.refused, "sender_unsupported"),
    ]
    assert len(smsc.submitted) == 2


async def test_twilio_has_it_in_place_of_the_messaging_service(
    ada: Person, admin: Person, services: Services, drain: Any
):
    await approved(ada, admin)
    service = "MG" + "1b" * 16
    async with peer_twilio.peer() as twilio:
        channel = connect("sms", patient(twilio.dsn).replace("+15005550006", service))
        await channel.open(nothing)
        use(services, channel, kind="sms")
        await sms(ada, "Acme")
        await sms(ada, None)
        await drain("sms")
        twilio.stub.answer = lambda seen: peer_twilio.error(400, 21212, "Invalid From")
        outcomes = [(await channel.send([message(sender=sender)]))[0].result for sender in ("Acme", None)]
        await channel.close()
    forms = {
        (form.get("From"), form.get("MessagingServiceSid"))
        for form in (seen.form for seen in twilio.stub.seen)
    }
    assert forms == {("Acme", None), (None, service)}
    assert outcomes == [Result.refused, Result.misconfigured]


async def test_post_has_it_as_from_and_apprise_goes_on_without():
    async with peer_post.peer() as server:
        channel = connect("sms", patient(server.dsn))
        await channel.open(nothing)
        await channel.send([message(sender="Acme")])
        await channel.close()
        assert server.received[0].extra["from"] == "Acme"
    apprise = AppriseChannel("json://127.0.0.1:9/", "sms")
    await apprise.open(nothing)
    [outcome] = await apprise.send([message(sender="Acme")])
    await apprise.close()
    assert outcome.code != "sender_unsupported"


async def test_a_sender_that_is_lost_meanwhile(ada: Person, admin: Person, services: Services, drain: Any):
    first, second = await approved(ada, admin), await approved(ada, admin, "Second")
    ids = [(await sms(ada, value)).json()["id"] for value in ("Acme", "Second")]
    await decided(admin, first, "refused", "It is the name of a bank.")
    await ada.rest("DELETE", f"/senders/{second['id']}")
    fake = Fake()
    use(services, fake, kind="sms")
    await drain("sms")
    assert fake.took == []
    asked_for = "query($i:ID!){message(id:$i){deliveryState failureCode ledgerEntries{kind}}}"
    for id in ids:
        shown = (await ada.data(asked_for, {"i": id}))["message"]
        assert (shown["deliveryState"], shown["failureCode"]) == ("failed", "sender_not_approved")
        assert [entry["kind"] for entry in shown["ledgerEntries"]] == ["charge", "refund"]


async def test_a_test_message_has_a_sender(ada: Person, admin: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trial, "WAIT", 0.1)
    await approved(ada, admin)
    body = {"channel": "sms", "to": BERLIN, "text": "Hello", "sender": "Acme"}
    made = (await ada.rest("POST", "/test-sending", json=body)).json()
    assert (await ada.rest("GET", f"/messages/{made['messageId']}")).json()["sender"] == "Acme"
    for changes, code in (({"sender": "Other"}, "sender_not_approved"), ({"channel": "push"}, "bad_sender")):
        answer = await ada.rest("POST", "/test-sending", json=body | changes)
        assert answer.status_code == 400, (code, answer.text)


async def project(person: Person, **more: Any) -> Any:
    body = {"name": "Spring", "channel": "sms", "text": "Hello", "category": "transactional", **more}
    return await person.rest("POST", "/sending-project", json=body)


async def test_a_project_has_a_sender(ada: Person, admin: Person, services: Services):
    answer = await project(ada, sender="Acme")
    assert (answer.status_code, answer.json()["code"]) == (400, "sender_not_approved")
    sender = await approved(ada, admin, "Acme", "alpha", "DE", "US")
    await approved(ada, admin, OWN_NUMBER, "number", "US")
    assert (await project(ada, sender="Acme", channel="push")).json()["code"] == "bad_sender"
    made = (await project(ada, sender="Acme")).json()
    uuid = made["uuid"]
    assert made["sender"] == "Acme"
    copied = (await ada.rest("POST", f"/sending-project/{uuid}/duplicate", json={})).json()
    assert copied["sender"] == "Acme"
    changed = await ada.rest("PATCH", f"/sending-project/{uuid}", json={"sender": None})
    assert changed.json()["sender"] is None
    await ada.rest("PATCH", f"/sending-project/{uuid}", json={"sender": "Acme"})
    people = [{"address": address} for address in (BERLIN, NEW_YORK, "+33612345678")]
    await ada.rest("POST", f"/recipient/{uuid}", json={"recipients": people})
    start = f"/sending-project/start/{uuid}"
    await decided(admin, sender, "refused", "no")
    assert (await ada.rest("POST", start)).json()["code"] == "sender_not_approved"
    await decided(admin, sender)
    assert (await ada.rest("POST", start)).status_code == 200
    fake = Fake()
    use(services, fake, kind="sms")
    projects = Projects(services)
    await projects.work()
    assert {sent.to: sent.sender for sent in fake.took} == {BERLIN: "Acme", NEW_YORK: OWN_NUMBER}
    rows = {row["to"]: row for row in await projects.records(UUID(uuid))}
    assert {to: (row["status"], row["sender"]) for to, row in rows.items()} == {
        BERLIN: ("sent", "Acme"),
        NEW_YORK: ("sent", OWN_NUMBER),
        "+33612345678": ("skipped", None),
    }
    listed = (await ada.rest("GET", "/message/list", params={"sendingProjectUuid": uuid})).json()["items"]
    assert {row["to"]: row["sender"] for row in listed}[NEW_YORK] == OWN_NUMBER
    skipped = rows["+33612345678"]
    assert (skipped["failure_code"], skipped["price"]) == ("sender_not_approved", 0)
    asked_for = "query($p:ID!){sendingProject(id:$p){sender messages{nodes{to sender}}}}"
    shown = (await ada.data(asked_for, {"p": uuid}))["sendingProject"]
    assert {node["to"]: node["sender"] for node in shown["messages"]["nodes"]}[NEW_YORK] == OWN_NUMBER
    await projects.sound(UUID(uuid))


async def test_a_sender_that_is_refused_while_a_project_runs(ada: Person, admin: Person, services: Services):
    sender = await approved(ada, admin)
    projects = Projects(services)
    made = await projects.make(ada, [f"+49151123456{n:02}" for n in range(3)], channel="sms", sender="Acme")
    await services.db.fetch(
        "UPDATE project_contents SET content = content || jsonb_build_object('sender', 'Acme') RETURNING number"
    )
    await projects.step()  # the audience
    await decided(admin, sender, "refused", "It is the name of a bank.")
    fake = Fake()
    use(services, fake, kind="sms")
    await projects.work()
    assert fake.took == []
    rows = await projects.records(made)
    assert {(row["status"], row["failure_code"], row["price"]) for row in rows} == {
        ("skipped", "sender_not_approved", 0)
    }
    await decided(admin, sender)
    answer = await ada.rest(
        "POST", f"/sending-project/retry/{made}", json={"skipped": ["sender_not_approved"]}
    )
    assert answer.status_code == 200, answer.text
    await projects.work()
    assert [sent.sender for sent in fake.took] == ["Acme"] * 3
    await projects.sound(made)


@pytest.mark.settings(sms_number_countries=["DE"])
async def test_the_operator_changes_the_countries_without_letters(ada: Person, admin: Person):
    await approved(ada, admin)
    assert [(await sms(ada, "Acme", to)).json()["sender"] for to in (BERLIN, NEW_YORK)] == [None, "Acme"]
