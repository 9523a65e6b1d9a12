"""Contacts, which Resend's clients read."""

import pytest

from tests.contacts.test_contacts import email, put, sms
from tests.resend.client import agent, done, refused
from tests.support.people import Person

pytestmark = pytest.mark.settings(resend=True)


async def test_contacts_are_read_by_id_and_by_address(ada: Person, bob: Person):
    fields = {"city": "Berlin", "age": 40, "vip": True}
    anna = await put(
        ada, name="Anna Maria Berg", addresses=[email("anna@example.com")], fields=fields, createFields=True
    )
    await put(ada, externalId="c2", addresses=[sms("+14155550100")])
    await ada.rest("POST", "/block/anna@example.com", json={"scope": "promotional"})
    shown = await done(ada, "GET", f"/contacts/{anna['id']}")
    assert (shown["object"], shown["email"], shown["unsubscribed"]) == ("contact", "anna@example.com", True)
    assert (shown["first_name"], shown["last_name"]) == ("Anna", "Maria Berg")
    assert shown["properties"] == {
        "city": {"type": "string", "value": "Berlin"},
        "age": {"type": "number", "value": 40},
        "vip": {"type": "boolean", "value": True},
    }
    assert await done(ada, "GET", "/contacts/Anna@Example.com") == shown
    for path in (f"/contacts/{anna['id']}", "/contacts/anna@example.com", "/contacts/nobody"):
        assert (await refused(bob, "GET", path))[:2] == (404, "not_found")


async def test_contacts_with_an_email_are_listed(ada: Person):
    ids = [(await put(ada, addresses=[email(f"a{number}@example.com")]))["id"] for number in range(3)][::-1]
    await put(ada, externalId="c2", addresses=[sms("+14155550100")])
    page = await done(ada, "GET", "/contacts?limit=2")
    assert (page["object"], page["has_more"]) == ("list", True)
    assert [each["id"] for each in page["data"]] == ids[:2]
    assert [each["unsubscribed"] for each in page["data"]] == [False, False]
    page = await done(ada, "GET", f"/contacts?after={ids[1]}")
    assert (page["has_more"], [each["id"] for each in page["data"]]) == (False, ids[2:])
    page = await done(ada, "GET", f"/contacts?before={ids[1]}")
    assert [each["id"] for each in page["data"]] == ids[:1]


async def test_contacts_are_not_changed_here(ada: Person):
    for method, path in (("POST", "/contacts"), ("PATCH", "/contacts/one"), ("DELETE", "/contacts/one")):
        assert (await refused(ada, method, path, {}))[:2] == (405, "method_not_allowed")
    key = await agent(ada, "contacts:read")
    assert (await done(key, "GET", "/contacts"))["data"] == []
    await put(ada, addresses=[email("anna@example.com")])
    assert (await refused(key, "GET", "/contacts"))[:2] == (401, "restricted_api_key")
