"""Lists of other tools: who had left there, bounces or has complained is not written to from here either."""

from typing import Any

import pytest

from engine.file_parsers.statuses import status_of
from shapes.contact_imports import ContactStatus
from tests.consent.made import contact, history, subscribe, topic
from tests.contact_imports.test_contact_imports import start, upload
from tests.imports.conftest import Lists, lists
from tests.support.people import Person

__all__ = ["lists"]

LISTMONK = (
    "uuid,email,name,attributes,status,created_at,updated_at\n"
    "1,anna@example.com,Anna,{},enabled,2026-01-01,2026-01-01\n"
    "2,bert@example.com,Bert,{},disabled,2026-01-01,2026-01-01\n"
    "3,carl@example.com,Carl,{},blocklisted,2026-01-01,2026-01-01\n"
)
MAILCHIMP = (
    "Email Address,First Name,OPTIN_TIME,{}\nanna@example.com,Anna,2025-01-01 10:00:00,2026-01-01 10:00:00\n"
)
NOTIFUSE = (
    "email,external_id,first_name,status\n"
    "anna@example.com,1,Anna,active\nbert@example.com,2,Bert,pending\ncarl@example.com,3,Carl,unsubscribed\n"
    "dora@example.com,4,Dora,bounced\nemil@example.com,5,Emil,complained\n"
)


async def imported(person: Person, lists: Lists, content: str, topics: list[str], **values: Any) -> Any:
    """The import of a list whose columns decide for themselves."""
    if topics:
        values["subscribe"] = {"topicUuids": topics, "channel": "email", "evidence": "from our old tool"}
    made = await start(person, fileUuid=await upload(person, content), createFields=True, **values)
    return await lists.read(person, made)


async def subscriptions(person: Person) -> dict[str, str]:
    """The states of subscriptions by the names of the contacts."""
    query = "{topicSubscriptions(first:50){nodes{state contact{name}}}}"
    nodes = (await person.data(query))["topicSubscriptions"]["nodes"]
    return {node["contact"]["name"]: node["state"] for node in nodes}


async def blocked(person: Person) -> dict[str, tuple[str, str]]:
    """The reasons and scopes of blocks by the first part of the address."""
    query = "{blockedPhones(first:50){nodes{phone reason scope}}}"
    nodes = (await person.data(query))["blockedPhones"]["nodes"]
    return {node["phone"].partition("@")[0]: (node["reason"], node["scope"]) for node in nodes}


async def test_a_list_of_listmonk(ada: Person, lists: Lists):
    news = await topic(ada)
    done = await imported(ada, lists, LISTMONK, [news])
    assert done["contacts"]["mapping"]["status"] == "status"
    assert (done["contacts"]["subscribed"], done["contacts"]["suppressed"]) == (1, 2)
    assert await subscriptions(ada) == {"Anna": "active", "Bert": "withdrawn", "Carl": "withdrawn"}
    assert await blocked(ada) == {"carl": ("unsubscribed", "promotional")}
    again = await imported(ada, lists, LISTMONK.replace("disabled", "enabled"), [news])
    assert again["contacts"]["subscribed"] == 0
    assert (await subscriptions(ada))["Bert"] == "withdrawn"
    assert ("withdrawn", "import") in await history(ada)


async def test_the_files_of_mailchimp(ada: Person, lists: Lists):
    left = await imported(ada, lists, MAILCHIMP.format("UNSUB_TIME"), [])
    assert left["contacts"]["mapping"]["status"] == "UNSUB_TIME"
    assert await blocked(ada) == {"anna": ("unsubscribed", "promotional")}
    cleaned = await imported(ada, lists, MAILCHIMP.format("CLEAN_TIME"), [])
    assert cleaned["contacts"]["suppressed"] == 1
    assert await blocked(ada) == {"anna": ("unsubscribed", "all")}


async def test_a_list_of_notifuse(ada: Person, lists: Lists):
    news = await topic(ada)
    before = await contact(
        ada, "dora@example.com", addresses=[{"channel": "email", "address": "other@example.com"}]
    )
    await subscribe(ada, [before], [news])
    done = await imported(ada, lists, NOTIFUSE, [news])
    assert (done["valid"], done["contacts"]["subscribed"], done["contacts"]["suppressed"]) == (5, 1, 3)
    states = await subscriptions(ada)
    assert (states["Anna"], states["Carl"], states["Emil"]) == ("active", "withdrawn", "withdrawn")
    assert "Bert" not in states
    # Another address of the same contact is not said to bounce.
    assert await blocked(ada) == {"dora": ("hardBounce", "all"), "emil": ("complaint", "all")}


async def test_a_word_that_is_not_known_is_no_guess(ada: Person, lists: Lists):
    done = await imported(ada, lists, NOTIFUSE.replace("complained", "gone fishing"), [], mapping={
        "addresses": [{"channel": "email", "column": "email"}], "status": "status",
    })  # fmt: skip
    assert (done["valid"], done["invalid"]) == (4, 1)
    assert len((await ada.rest("GET", "/contacts")).json()["items"]) == 4
    # A column of this name with other words is a field.
    orders = await imported(ada, lists, "email,status\nzoe@example.com,shipped\n", [])
    assert (orders["contacts"]["mapping"].get("status"), orders["contacts"]["mapping"]["fields"]) == (
        None,
        {"status": "status"},
    )


@pytest.mark.parametrize("status", ContactStatus)
def test_each_status_is_a_word(status: ContactStatus):
    assert status_of("status", status.value.upper()) is status
