"""The page of contacts: one is added with a new field, found, edited, merged and deleted."""

from pathlib import Path
from typing import Any

from tests.console.steps import Tab
from tests.console.test_files import choose
from tests.console.test_topics import new_topic
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_CONTACTS = "{ contacts { nodes { uuid name externalId fields addresses { channel address primary } } } }"
_SUBSCRIPTIONS = "{ topicSubscriptions { nodes { state channel contact { name } } } }"
_UPSERT = "mutation ($i: UpsertContact!) { upsertContact(input: $i) { uuid } }"


def _contacts(live: Live, user: Person) -> list[Any]:
    return list(call(live, user, _CONTACTS)["contacts"]["nodes"])


def _submits(page: Tab) -> None:
    page.page.click("[role=dialog] button[type=submit]")
    page.page.wait(f"!({_IN_DIALOG})")


def test_a_contact_is_added_edited_merged_and_deleted(page: Tab, live: Live) -> None:
    user = new_user(live)
    other = {"name": "Anne", "addresses": [{"channel": "sms", "address": "+14155550100"}]}
    call(live, user, _UPSERT, i=other)
    page.comes_as(user, "/console/contacts")
    page.press("Add a field")
    page.page.wait(_IN_DIALOG)
    page.fill("Name of the field", "city")
    _submits(page)
    page.press("Add a contact")
    page.page.wait(_IN_DIALOG)
    page.fill("Name", "Anna Berg")
    page.fill("Addresses", "anna@example.com")
    page.fill("city", "Berlin")
    _submits(page)
    page.sees("anna@example.com")
    anna = next(each for each in _contacts(live, user) if each["name"] == "Anna Berg")
    page.is_at(f"/console/contacts/{anna['uuid']}")
    assert anna["fields"] == {"city": "Berlin"}
    page.press("Edit")
    page.page.wait(_IN_DIALOG)
    page.fill("External id", "c1")
    _submits(page)
    page.sees("c1")
    page.sees("Nothing was written to these addresses")
    page.press("Merge")
    page.page.wait(_IN_DIALOG)
    page.fill("An address of the other contact", "nobody@example.com")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("No other contact has this address.")
    page.fill("An address of the other contact", "(415) 555-0100")
    _submits(page)
    page.sees("+14155550100")
    (merged,) = _contacts(live, user)
    assert (merged["name"], len(merged["addresses"])) == ("Anna Berg", 2)
    page.comes_as(user, "/console/contacts?q=berg&field=city&value=Berlin")
    page.sees("1 contact")
    page.sees("Anna Berg")
    page.comes_as(user, f"/console/contacts/{anna['uuid']}")
    page.press("Delete")
    page.page.wait(_IN_DIALOG)
    page.press("Delete")
    page.sees("There is no contact yet.")


def test_a_list_becomes_contacts_with_fields_and_subscriptions(page: Tab, live: Live, tmp_path: Path) -> None:
    user = new_user(live)
    new_topic(live, user, "newsletter", "Our newsletter")
    people = tmp_path / "people.csv"
    people.write_text(
        "Name,Email,Town\nAnna,anna@example.com,Berlin\nBen,ben@example.com,Rome\nNobody,no address,Oslo\n"
    )
    page.comes_as(user, "/console/contacts")
    page.press("Import a list")
    page.sees_element("main input[type=file]")
    choose(page, people)
    page.sees("3 columns were found.")
    page.sees_row("Town", "Berlin · Rome · Oslo")
    page.fill("Field of the column Town", "1")
    page.sees("The name of a field has letters")
    page.fill("Field of the column Town", "city")
    page.press("Our newsletter")
    page.fill("Evidence", "exported from our shop")
    page.press("Import the list")
    page.sees("added: 2 · subscribed: 2")
    page.sees("1 row is left out")
    page.sees_row("Line 4")
    assert {each["name"]: each["fields"] for each in _contacts(live, user)} == {
        "Anna": {"city": "Berlin"},
        "Ben": {"city": "Rome"},
    }
    subscribed = call(live, user, _SUBSCRIPTIONS)["topicSubscriptions"]["nodes"]
    assert {(each["state"], each["channel"]) for each in subscribed} == {("active", "email")}
    page.press("Change the columns")
    page.sees("3 columns were found.")
    page.fill("Evidence", "exported from our shop")
    page.press("Import the list")
    page.sees("changed: 2")  # the column has a field of its own name now
    page.press("Show the contacts")
    page.sees("2 contacts")


def test_a_person_is_exported_and_erased(page: Tab, live: Live) -> None:
    user = new_user(live)
    anna = {"name": "Anna Berg", "addresses": [{"channel": "email", "address": "anna@example.com"}]}
    uuid = call(live, user, _UPSERT, i=anna)["upsertContact"]["uuid"]
    page.comes_as(user, f"/console/contacts/{uuid}")
    page.press("Export the data")
    page.press("NDJSON")
    page.sees("Download")
    page.press("Erase")
    page.page.wait(_IN_DIALOG)
    page.sees("This can't be undone.")
    page.press("Erase")
    page.is_at("/console/contacts/erasures")
    page.sees("Done")
    page.sees("contact_addresses 1")
    page.page.click("main summary")
    page.sees("was deleted whole.")  # the export
    page.sees("Charges and refunds stay.")
    assert _contacts(live, user) == []
