"""Senders under test."""

from typing import Any

from tests.support.people import Person

BERLIN, NEW_YORK = "+4915112345678", "+14155550100"


async def asked(person: Person, value: str = "Acme", kind: str = "alpha", *countries: str) -> Any:
    """A new sender, as REST shows it."""
    body = {"kind": kind, "value": value, "countries": countries}
    answer = await person.rest("POST", "/senders", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def decided(admin: Person, sender: Any, decision: str = "approved", reason: str | None = None) -> Any:
    body = {"decision": decision, "reason": reason}
    answer = await admin.rest("POST", f"/senders/{sender['id']}/decide", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def approved(
    person: Person, admin: Person, value: str = "Acme", kind: str = "alpha", *countries: str
) -> Any:
    return await decided(admin, await asked(person, value, kind, *countries))


async def sms(person: Person, sender: str | None, to: str = BERLIN, **more: Any) -> Any:
    """The answer to a message that names a sender."""
    return await person.rest(
        "POST", "/messages", json={"to": to, "channel": "sms", "body": "Hi", "sender": sender, **more}
    )
