"""The pages of contacts as people see them: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.test_topics import new_topic
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating

_UPSERT = "mutation ($i: UpsertContacts!) { upsertContacts(input: $i) { uuids invalid { message } } }"
_IMPORT = "mutation ($i: NewContactImport!) { importContacts(input: $i) { uuid } }"
_ERASE = "mutation ($i: ErasePerson!) { erasePerson(input: $i) { uuid } }"
_SEND = "mutation ($i: SendMessage!) { sendMessage(input: $i) { uuid } }"


def _edit(tab: Tab, width: int) -> None:
    tab.page.click("main [data-actions] button:has(.tabler-icon-pencil)")


def _to_the_end(tab: Tab, width: int) -> None:
    tab.page.wait("document.querySelector('main ol li') !== null")
    tab.page.evaluate("document.querySelector('main ol').scrollIntoView()")


def _subscribed(tab: Tab, width: int) -> None:
    tab.page.wait("document.querySelector('main form input[type=checkbox][value]') !== null")
    tab.page.evaluate("document.querySelector('main form input[type=checkbox][value]').click()")


PAGES: Looks = [
    ("contacts", "/console/contacts", None, "main table td"),
    ("contacts-filtered", "/console/contacts?field=city&value=Berlin", None, "main table td"),
    ("no-contact", "/console/contacts?q=nothing", None, "main [role=status] p"),
    ("contact-add", "/console/contacts?add=1", None, "[role=dialog] input"),
    ("contact-import", "/console/contacts/import", None, "main input[type=file]"),
    ("contact-columns", "/console/contacts/import?file={file}", _subscribed, "main form table td"),
    ("contact-imported", "/console/contacts/import?file={file}&list={list}", None, "main table td"),
    ("contact", "/console/contacts/{contact}", None, "main dl dd"),
    ("contact-timeline", "/console/contacts/{contact}", _to_the_end, "main ol li"),
    ("contact-erasures", "/console/contacts/erasures", None, "main details"),
    ("contact-edit", "/console/contacts/{contact}", _edit, "[role=dialog] input"),
]


@pytest.fixture(scope="module")
def owner(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, owner: Person) -> dict[str, str]:
    """Contacts with many addresses, with long names, and without any."""
    contacts = [
        {
            "externalId": f"customer-{n}",
            "name": "Anna Berg" if n else "Bartholomew-Maximilian " * 3,
            "timezone": "Europe/Berlin",
            "addresses": [
                {
                    "channel": "email",
                    "address": f"a-long-address-{n}@example.com",
                    "verifiedAt": "2026-01-01T00:00:00Z",
                },
                {"channel": "sms", "address": f"+1415555010{n}"},
                {"channel": "whatsapp", "address": f"+1415555010{n}"},
            ],
            "fields": {
                "city": "Berlin",
                "birthday": "1990-02-28",
                "likes": ["tea", "jazz", "long walks " * 5],
            },
        }
        for n in range(5)
    ]
    contacts += [{"externalId": "without"}, {"externalId": "gone"}]
    made = call(live, owner, _UPSERT, i={"contacts": contacts, "createFields": True})["upsertContacts"]
    assert made["invalid"] == []
    for channel, to, body in (
        ("email", "a-long-address-0@example.com", "Hello " * 40),
        ("sms", "+14155550100", "Hi"),
    ):
        message = {"channel": channel, "to": to, "body": body, "accountId": str(owner.account_id)}
        call(live, owner, _SEND, i=message)
    call(live, owner, _ERASE, i={"contactUuid": made["uuids"][-1]})
    new_topic(live, owner, "newsletter", "Our newsletter")
    rows = ["Full name,Email,Phone,A column with a long title", "Anna,anna@example.com,+14155550100,Berlin"]
    content = "\n".join([*rows, "Ben,no address,,Rome", ""]).encode()
    answer = live.client.post(
        "/file-uploader", files={"file": ("people.csv", content)}, headers=owner.headers
    )
    file = str(answer.json()["uuid"])
    imported = call(live, owner, _IMPORT, i={"fileUuid": file})["importContacts"]["uuid"]
    return {"contact": str(made["uuids"][0]), "file": file, "list": str(imported)}


@every_look
def test_pages(page: Tab, owner: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(owner, PAGES, ids)
