"""Integers in the query string are digits; Python's notation is refused, as the OpenAPI document says."""

import re

import pytest

from tests.support.described import openapi
from tests.support.people import Person

INTEGERS = [
    (path, parameter["name"])
    for path, item in openapi()["paths"].items()
    for parameter in item.get("get", {}).get("parameters", ())
    if path != "/screenshot"  # its signed link is the vendor's, and is refused as a whole
    and parameter["in"] == "query"
    and '"integer"' in str(parameter["schema"]).replace("'", '"')
]


def test_there_are_many():
    assert len(INTEGERS) > 30


@pytest.mark.parametrize("text", ["1_0", "+5", " 5 ", "٥", "1.0", ""])
async def test_other_notations_are_refused(admin: Person, text: str):
    for pattern, name in INTEGERS:
        path = re.sub(r"\{[^}]+\}", "01890000-0000-7000-8000-000000000000", pattern)
        answer = await admin.rest("GET", path, params={name: text})
        assert answer.status_code == 400, (path, name, answer.text)
        body = answer.json()
        assert body["code"] == "validation_failed"
        assert any(sentence.startswith(f"{name}:") for sentence in body["message"]), (path, body)


async def test_digits_are_taken(ada: Person):
    for text, page in (("5", 5), ("05", 5)):
        answer = await ada.rest("GET", "/messages", params={"limit": text})
        assert answer.json()["meta"]["limit"] == page
