"""A program that was written for Resend, as raw HTTP: it has one address and one key."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import orjson

from tests.domains.test_domains import verified
from tests.support.dns import Zone
from tests.support.people import Person

FROM = "Ada <news@ada.example>"
EMAIL = {"from": FROM, "to": "anna@example.com", "subject": "Hello", "text": "Hi Anna"}


async def domain(person: Person, zone: Zone, name: str = "ada.example") -> None:
    """Gives a person the domain that `EMAIL` is sent from."""
    await verified(person, zone, name)


async def call(person: Person, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
    """Calls the door."""
    raw = body if isinstance(body, bytes) else None if body is None else orjson.dumps(body)
    return await person.client.request(
        method,
        f"/doors/resend{path}",
        content=raw,
        headers={**person.headers, "content-type": "application/json", **headers},
    )


async def done(person: Person, method: str, path: str, body: Any = None, **headers: str) -> Any:
    """Returns the JSON of a call that is not refused."""
    answer = await call(person, method, path, body, **headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


async def refused(
    person: Person, method: str, path: str, body: Any = None, **headers: str
) -> tuple[int, str, str]:
    """Returns status, name and message of a call that is refused, in Resend's shape."""
    answer = await call(person, method, path, body, **headers)
    shown = answer.json()
    assert shown.keys() == {"statusCode", "name", "message"}, shown
    assert shown["statusCode"] == answer.status_code >= 400
    return shown["statusCode"], shown["name"], shown["message"]


async def agent(person: Person, *scopes: str, **limits: Any) -> Person:
    """The same user, by an API token, which is what a key of Resend is here."""
    answer = await person.rest(
        "POST", "/api-tokens", json={"name": uuid4().hex, "scopes": [*scopes], **limits}
    )
    assert answer.status_code == 201, answer.text
    return Person(person.id, person.email, person.account_id, answer.json()["token"], person.client)


async def pieces(size: int) -> AsyncIterator[bytes]:
    """A body of some size whose length no header says."""
    left = size
    while left > 0:
        yield b" " * min(left, 65536)
        left -= 65536
