"""A route that needs a credential asks for it before it says what is wrong with the request."""

import re

import pytest

from tests.support.described import openapi
from tests.support.people import Person

UUID = "01890000-0000-7000-8000-000000000000"
SECURED = [
    (method.upper(), path)
    for path, item in openapi()["paths"].items()
    for method, described in item.items()
    if described["security"] == [{"bearer": []}] and not path.startswith("/graphql")
]


def _path(pattern: str, value: str) -> str:
    return re.sub(r"\{[^}]+\}", value, pattern)


def test_there_are_many():
    assert len(SECURED) > 150


@pytest.mark.parametrize("credential", [None, "Bearer pst_unknown"])
async def test_invalid_requests_of_strangers_are_unauthenticated(client, credential: str | None):
    headers = {"authorization": credential} if credential else {}
    wrong = []
    for method, pattern in SECURED:
        answers = [
            await client.request(method, _path(pattern, UUID), params={"nonsense": "1"}, headers=headers),
            await client.request(method, _path(pattern, "no%20id"), headers=headers),
        ]
        if method in ("POST", "PUT", "PATCH"):
            json = {**headers, "content-type": "application/json"}
            answers += [
                await client.request(method, _path(pattern, UUID), content=body, headers=json)
                for body in (b"{", b"[]", b'{"nonsense": 1}')
            ]
        wrong += [
            (method, pattern, answer.status_code, answer.text[:80])
            for answer in answers
            if answer.status_code != 401
        ]
    assert not wrong, wrong


async def test_who_is_known_learns_what_is_wrong(ada: Person):
    answer = await ada.rest("POST", "/messages", json={"nonsense": 1}, params={"other": "1"})
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
