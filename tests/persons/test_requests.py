"""Requests about a person who is being erased, or was: what is refused, and which erasure is returned."""

import asyncio
from typing import Any
from uuid import UUID

import httpx

from engine.address_hashes import AddressHasher, address_hasher
from engine.contacts.locks import lock_owner
from runtime.services import Services
from tests.consent.made import contact
from tests.persons.test_erasing import MAIL, PHONE, erase, finished, rich
from tests.support.people import Person
from tests.unsubscribe.test_unsubscribe import ONE_CLICK, path_of, record

__all__ = ["rich"]


async def ask(person: Person, expected: int = 202, **body: Any) -> Any:
    answer = await person.rest("POST", "/persons/erase", json=body)
    assert answer.status_code == expected, answer.text
    return answer.json()


async def test_the_link_of_an_erased_person_is_invalid(
    services: Services, rich: Person, client: httpx.AsyncClient
):
    path = path_of(services, await record(services, rich, MAIL))
    await services.db.fetch("UPDATE message_records SET status = 'sent'")
    assert (await client.get(path)).status_code == 200
    await erase(services, rich, channel="email", address=MAIL)
    assert (await client.get(path)).status_code == 404
    assert (await client.post(path, data=ONE_CLICK)).status_code == 404
    assert (await rich.rest("GET", "/block/count")).json() == {"count": 0}


async def test_without_the_key_of_hashes_nobody_is_erased(services: Services, rich: Person):
    made = await contact(rich, MAIL)
    hasher: AddressHasher = await address_hasher(services)
    hasher._key, key = None, hasher._key
    refused = await ask(rich, 503, contactUuid=made)
    assert refused["code"] == "address_hashes_sealed" and "POSTERN_SECRET_KEY_OLD" in refused["message"]
    assert await services.db.fetchval("SELECT count(*) FROM erasures") == 0
    hasher._key = key
    await ask(rich, contactUuid=made)


async def test_another_persons_erasure_is_not_returned(services: Services, rich: Person):
    """Two people have the same phone, one as a number of text messages and one as a chat."""
    one = await contact(rich, MAIL, addresses=[{"channel": "sms", "address": PHONE}])
    other = await contact(rich, "bert@example.com", addresses=[{"channel": "whatsapp", "address": PHONE}])
    assert one != other
    first = await ask(rich, contactUuid=one)
    refused = await ask(rich, 409, contactUuid=other)
    assert (refused["code"], refused["details"]) == ("erasure_running", {"erasureUuid": first["id"]})
    assert (await ask(rich, channel="sms", address=PHONE))["id"] == first["id"]
    assert (await finished(services, rich, first["id"]))["state"] == "done"
    second = await ask(rich, contactUuid=other)
    assert second["id"] != first["id"]


async def test_an_address_without_a_contact_returns_its_own_erasure(services: Services, rich: Person):
    first = await ask(rich, channel="email", address=MAIL)
    assert (await ask(rich, channel="email", address=MAIL.upper()))["id"] == first["id"]


async def test_a_contact_that_is_being_erased_is_not_changed_or_merged(services: Services, rich: Person):
    one, other = await contact(rich, MAIL), await contact(rich, "bert@example.com")
    first = await ask(rich, contactUuid=one)
    for method, path, body in (
        ("PATCH", f"/contacts/{one}", {"name": "Bert"}),
        ("POST", f"/contacts/{one}/merge", {"otherUuid": other}),
        ("POST", f"/contacts/{other}/merge", {"otherUuid": one}),
    ):
        answer = await rich.rest(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "being_erased"), answer.text
    anew = {"addresses": [{"channel": "email", "address": MAIL}, {"channel": "sms", "address": PHONE}]}
    refused = await rich.rest("POST", "/contacts", json=anew)
    assert (refused.status_code, refused.json()["code"]) == (409, "being_erased")
    many = (await rich.rest("POST", "/contacts/bulk", json={"contacts": [anew, {"externalId": "x"}]})).json()
    assert ([each["code"] for each in many["invalid"]], many["created"]) == (["being_erased"], 1)
    assert (await rich.rest("PATCH", f"/contacts/{other}", json={"name": "B"})).status_code == 200
    assert (await finished(services, rich, first["id"]))["state"] == "done"


async def test_an_erasure_waits_for_those_who_change_contacts(services: Services, rich: Person):
    """An address that another transaction adds before it commits is one of the person's."""
    made = await contact(rich, MAIL)
    async with services.db.transaction() as db:
        await lock_owner(db, rich.id)
        asked = asyncio.create_task(ask(rich, contactUuid=made))
        await asyncio.sleep(0.3)
        assert not asked.done()
        await db.execute(
            "INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address)"
            " VALUES (gen_random_uuid(), $1, $2, 'sms', $3)",
            rich.id, UUID(made), PHONE,
        )  # fmt: skip
    id = (await asked)["id"]
    addresses = await services.db.fetch(
        "SELECT address FROM erasure_addresses WHERE erasure_id = $1", UUID(id)
    )
    assert {row["address"] for row in addresses} == {MAIL, PHONE}
