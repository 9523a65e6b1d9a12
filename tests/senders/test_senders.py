"""Senders are asked for by users and decided about by administrators."""

import asyncio

import pytest

from tests.domains.test_domains import added, verified
from tests.event_feed.test_event_feed import opened, read
from tests.senders.made import BERLIN, NEW_YORK, approved, asked, decided
from tests.support.dns import Zone
from tests.support.people import Person

REQUEST = "mutation($i:NewSender!){requestSender(input:$i){uuid state value}}"
DECIDE = "mutation($i:ID!,$d:SenderDecision!){decideSender(id:$i,input:$d){state reason decidedAt}}"
CHOICE = "query($t:String!,$s:String){senderChoice(to:$t,sender:$s){sender kind country why}}"


async def test_the_way_to_approval(ada: Person, admin: Person):
    cursor = await opened(ada)
    sender = await asked(ada, "Acme", "alpha", "DE", "AT", "DE")
    assert (sender["state"], sender["channel"], sender["countries"]) == ("pending", "sms", ["AT", "DE"])
    refused = await decided(admin, sender, "refused", "It is the name of a bank.")
    assert (refused["state"], refused["reason"]) == ("refused", "It is the name of a bank.")
    answer = await admin.data(DECIDE, {"i": sender["id"], "d": {"decision": "approved"}})
    assert answer["decideSender"]["state"] == "approved" and answer["decideSender"]["reason"] is None
    path = f"/senders/{sender['id']}"
    for countries, state in ((["DE"], "approved"), (["DE", "AT"], "pending"), ([], "pending")):
        changed = await ada.rest("PATCH", path, json={"countries": countries})
        assert changed.json()["countries"] == sorted(countries) and changed.json()["state"] == state
    await decided(admin, sender, "refused", "It is the name of a bank.")
    kept = await ada.rest("DELETE", path)  # asking anew would undo the decision
    assert (kept.status_code, kept.json()["code"]) == (409, "sender_refused")
    assert (await admin.rest("DELETE", path)).status_code == 204
    assert (await ada.rest("GET", path)).json()["code"] == "sender_not_found"
    events = (await read(ada, cursor))["events"]
    told = [(event["type"], event["data"]["reason"]) for event in events if event["subject"] == "sender"]
    assert told == [
        ("sender.requested", None),
        ("sender.refused", "It is the name of a bank."),
        ("sender.approved", None),
        ("sender.requested", None),
        ("sender.refused", "It is the name of a bank."),
    ]


async def test_users_see_their_own_and_administrators_see_who_else_has_it(
    ada: Person, bob: Person, admin: Person
):
    hers = await asked(ada)
    his = await asked(bob, "ACME")
    assert [row["id"] for row in (await ada.rest("GET", "/senders?value=acme")).json()["items"]] == [
        hers["id"]
    ]
    everybody = (await admin.rest("GET", "/senders?value=aCmE&state=pending&kind=alpha&channel=sms")).json()
    assert {row["ownerId"] for row in everybody["items"]} == {str(ada.id), str(bob.id)}
    for method, path, body in (
        ("GET", "", None),
        ("PATCH", "", {"countries": ["DE"]}),
        ("DELETE", "", None),
    ):
        answer = await bob.rest(method, f"/senders/{hers['id']}{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "sender_not_found")
    for person in (ada, bob):
        answer = await person.rest("POST", f"/senders/{hers['id']}/decide", json={"decision": "approved"})
        assert answer.status_code == 403
    assert (await decided(admin, his))["state"] == "approved"


async def test_two_owners_never_have_one_name(ada: Person, bob: Person, admin: Person):
    hers, his = await asked(ada, "Straße"), await asked(bob, "STRASSE")
    answers = await asyncio.gather(
        *(
            admin.rest("POST", f"/senders/{sender['id']}/decide", json={"decision": "approved"})
            for sender in (hers, his)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    taken = next(answer for answer in answers if answer.status_code == 409).json()
    assert taken["code"] == "sender_taken" and "Another user" in taken["message"]
    for person in (ada, bob):  # a number may be shared
        await approved(person, admin, NEW_YORK, "number", "US")


@pytest.mark.settings(sms_senders_approved=["number", "short"])
async def test_an_installation_may_approve_kinds_at_once(ada: Person):
    assert (await asked(ada, NEW_YORK, "number"))["state"] == "approved"
    assert (await asked(ada, "12345", "short"))["decidedAt"]
    assert (await asked(ada))["state"] == "pending"


@pytest.mark.settings(sms_senders_approved=["all"])
async def test_a_name_that_is_taken_is_not_approved_at_once(ada: Person, bob: Person):
    assert (await asked(ada))["state"] == "approved"
    answer = await bob.rest("POST", "/senders", json={"kind": "alpha", "value": "acme"})
    assert (answer.status_code, answer.json()["code"]) == (409, "sender_taken")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"kind": "alpha", "value": "12345"}, 400, "bad_sender"),
        ({"kind": "alpha", "value": "TwelveLetter"}, 400, "bad_sender"),
        ({"kind": "number", "value": "0151"}, 400, "bad_sender"),
        ({"kind": "short", "value": "1"}, 400, "bad_sender"),
        ({"kind": "email", "value": "nobody"}, 400, "bad_sender"),
        ({"kind": "email", "value": "a@other.example"}, 400, "bad_sender"),
        ({"kind": "email", "value": "a@ada.example", "countries": ["DE"]}, 400, "bad_sender"),
        ({"kind": "alpha", "value": "Acme", "countries": ["Germany"]}, 400, "validation_failed"),
        ({"kind": "alpha", "value": "Acme", "countries": ["DE"] * 251}, 400, "validation_failed"),
        ({"kind": "alpha", "value": "Acme", "countries": ["UK"]}, 400, "validation_failed"),
        ({"kind": "pigeon", "value": "Acme"}, 400, "validation_failed"),
        ({"kind": "alpha", "value": "Ac\u0000me"}, 400, "validation_failed"),
        ({"kind": "alpha", "value": "Acme"}, 409, "sender_exists"),
    ],
)
async def test_bad_input(ada: Person, body: dict[str, object], status: int, code: str):
    if code == "sender_exists":
        await asked(ada, "acme")
    answer = await ada.rest("POST", "/senders", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    if code != "validation_failed":
        assert await ada.code(REQUEST, {"i": body}) == code


async def test_a_refusal_says_why(ada: Person, admin: Person):
    sender = await asked(ada)
    path = f"/senders/{sender['id']}/decide"
    for body in ({"decision": "refused"}, {"decision": "pending"}, {}):
        answer = await admin.rest("POST", path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
    asked_again = await ada.rest("POST", "/senders", json={"kind": "alpha", "value": "ACME"})
    assert asked_again.json()["code"] == "sender_exists"


async def test_an_email_address_is_approved_while_its_domain_is(ada: Person, admin: Person, zone: Zone):
    domain = await added(ada, "ada.example")
    sender = await asked(ada, "News <news@ADA.example>", "email")
    assert (sender["state"], sender["channel"], sender["domainId"]) == ("pending", "email", domain["id"])
    zone.publish(domain["records"])
    await ada.rest("POST", f"/domains/{domain['id']}/verify")
    shown = (await ada.rest("GET", "/senders?state=approved&channel=email")).json()["items"]
    assert [row["value"] for row in shown] == ["News <news@ADA.example>"]
    assert (await ada.data("{senders(where:{state:{notIn:[pending]}}){nodes{state}}}"))["senders"][
        "nodes"
    ] == [{"state": "approved"}]
    for method, path, body in (
        ("POST", "/decide", {"decision": "refused", "reason": "no"}),
        ("PATCH", "", {"countries": ["DE"]}),
    ):
        answer = await admin.rest(method, f"/senders/{sender['id']}{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_sender")
    await ada.rest("DELETE", f"/domains/{domain['id']}")
    assert (await ada.rest("GET", "/senders")).json()["items"] == []


async def test_a_dry_run_says_which_sender_and_why(ada: Person, bob: Person, admin: Person, zone: Zone):
    await approved(ada, admin)
    await approved(ada, admin, NEW_YORK, "number", "US")
    answer = await ada.rest("GET", "/senders/choice", params={"to": "+1 212 555 0100", "sender": "Acme"})
    assert answer.json() == {
        "sender": NEW_YORK,
        "kind": "number",
        "country": "US",
        "why": f"US refuses letters; sent from {NEW_YORK}.",
    }
    shown = (await ada.data(CHOICE, {"t": BERLIN, "s": "acme"}))["senderChoice"]
    assert (shown["sender"], shown["kind"], shown["country"]) == ("Acme", "alpha", "DE")
    shown = (await ada.data(CHOICE, {"t": BERLIN}))["senderChoice"]
    assert (shown["sender"], shown["kind"]) == (None, None)
    assert await bob.code(CHOICE, {"t": BERLIN, "s": "Acme"}) == "sender_not_approved"
    assert await ada.code(CHOICE, {"t": "nobody"}) == "invalid_recipient"
    await verified(ada, zone, "ada.example")
    shown = (await ada.data(CHOICE, {"t": "anna@example.com", "s": "a@ada.example"}))["senderChoice"]
    assert (shown["sender"], shown["kind"], shown["country"]) == ("a@ada.example", "email", None)
    assert await bob.code(CHOICE, {"t": "anna@example.com", "s": "a@ada.example"}) == "sender_not_approved"
