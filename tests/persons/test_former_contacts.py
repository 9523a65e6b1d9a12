"""Proof of consent outlives its contact, and is found by the address when the person is erased."""

import json
from typing import Any

import httpx
import pytest

from engine.consent import expiry
from runtime.services import Services
from tests.consent.made import contact, subscribe, topic, withdraw
from tests.consent.test_signups import form, sign_up
from tests.exports.conftest import Exports, written
from tests.persons.test_erasing import erase
from tests.support.people import People, Person

__all__ = ["written"]

_LEFT = "SELECT count(*) FROM consent_entries WHERE COALESCE(ip, user_agent, evidence) IS NOT NULL"
_FORMER = "SELECT count(*) FROM former_contacts"
_BROWSER = {"user-agent": "Annas browser"}


@pytest.fixture
async def cara(people: People) -> Person:
    return await people.make(credit="10")


async def counts(services: Services) -> tuple[int, int]:
    """Returns how many entries of consent tell something of a person, and how many former contacts are known."""
    return await services.db.fetchval(_LEFT), await services.db.fetchval(_FORMER)


async def deleted(person: Person, news: str, address: str, **values: Any) -> None:
    made = await contact(person, address, **values)
    await subscribe(person, [made], [news], evidence="by phone")
    await withdraw(person, [made], reason="by letter")
    assert (await person.rest("DELETE", f"/contacts/{made}")).status_code == 204


async def test_the_proof_of_contacts_that_were_deleted_is_erased(
    services: Services, ada: Person, bob: Person, written: Exports
):
    news, of_bob = await topic(ada), await topic(bob)
    phone = {"channel": "sms", "address": "+14155550187"}
    await deleted(ada, news, "Anna@Example.com", addresses=[phone])
    await deleted(ada, news, "anna@example.com")  # a second contact of the same person
    await deleted(ada, news, "bert@example.com")
    await deleted(bob, of_bob, "anna@example.com")
    assert await counts(services) == (8, 5)
    rows = await services.db.fetch("SELECT address_hash FROM former_contacts")
    assert not any("anna" in row["address_hash"] or "4155" in row["address_hash"] for row in rows)
    asked = {"channel": "email", "address": "anna@example.com"}
    link = (await ada.rest("POST", "/persons/export", json=asked)).json()
    await written.write(link)
    lines = (await written.fetched(ada, link)).splitlines()
    assert len([line for line in lines if json.loads(line)["table"] == "consent_entries"]) == 4
    shown = await erase(services, ada, channel="email", address="ANNA@example.com")
    assert shown["counts"]["consent_entries"] == 4
    assert await counts(services) == (4, 3)  # the other address leads to entries that have nothing any more
    await erase(services, ada, channel="sms", address="+14155550187")
    assert await counts(services) == (4, 2)


async def test_a_contact_without_proof_leaves_nothing(services: Services, ada: Person):
    made = await contact(ada)
    assert (await ada.rest("DELETE", f"/contacts/{made}")).status_code == 204
    assert await counts(services) == (0, 0)


async def test_the_proof_of_who_never_confirmed_is_erased(
    services: Services, client: httpx.AsyncClient, cara: Person
):
    id = await form(cara, [await topic(cara, optIn="double")])
    client.headers.update(_BROWSER)
    await sign_up(client, id)
    await services.db.fetch("UPDATE opt_ins SET created_at = created_at - interval '8 days'")
    await expiry.forget(services)
    assert (await cara.rest("GET", "/contacts")).json()["items"] == []
    assert await counts(services) == (1, 1)
    await erase(services, cara, channel="email", address="anna@example.com")
    assert await counts(services) == (0, 0)


@pytest.mark.parametrize("again", ["nobody", "form", "owner"])
async def test_a_contact_that_its_owner_adds_again_stays(
    services: Services, client: httpx.AsyncClient, cara: Person, again: str
):
    id = await form(cara, [await topic(cara, optIn="double")])
    await sign_up(client, id)
    if again == "form":
        await sign_up(client, id)
    elif again == "owner":
        await contact(cara)
    await services.db.fetch("UPDATE opt_ins SET created_at = created_at - interval '8 days'")
    await expiry.forget(services)
    left = (await cara.rest("GET", "/contacts")).json()["items"]
    assert len(left) == (again == "owner")
