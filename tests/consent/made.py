"""Contacts, topics and subscriptions of a test."""

from collections.abc import Sequence
from typing import Any

from tests.support.people import Person


async def contact(person: Person, address: str = "anna@example.com", **values: Any) -> str:
    """Adds a contact with an email address, and returns its uuid."""
    addresses = [{"channel": "email", "address": address}, *values.pop("addresses", ())]
    answer = await person.rest("POST", "/contacts", json={"addresses": addresses, **values})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


async def topic(person: Person, key: str = "news", **values: Any) -> str:
    """Adds a topic, which asks nobody unless the test says so, and returns its uuid."""
    answer = await person.rest("POST", "/topics", json={"key": key, "name": key, "optIn": "none", **values})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def subscribe(
    person: Person, contacts: Sequence[str], topics: Sequence[str], expected: int = 200, **values: Any
) -> Any:
    body = {"contactUuids": contacts, "topicUuids": topics, "channel": "email", **values}
    answer = await person.rest("POST", "/topic-subscriptions", json=body)
    assert answer.status_code == expected, answer.text
    return answer.json()


async def withdraw(person: Person, contacts: Sequence[str], topics: Sequence[str] = (), **values: Any) -> Any:
    body = {"contactUuids": contacts, "topicUuids": [*topics], **values}
    answer = await person.rest("POST", "/topic-subscriptions/withdraw", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def states(person: Person, **where: str) -> list[str]:
    """The states of subscriptions, oldest first."""
    answer = await person.rest("GET", "/topic-subscriptions", params=where)
    return [item["state"] for item in reversed(answer.json()["items"])]


async def history(person: Person, **where: str) -> list[tuple[str, str]]:
    """The history of subscriptions, oldest first."""
    answer = await person.rest("GET", "/consents", params={"limit": "100", **where})
    return [(item["action"], item["source"]) for item in reversed(answer.json()["items"])]
