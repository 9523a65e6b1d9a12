"""Uploads as forms: what is a form with one file, and how large it may be."""

from typing import Any

import pytest

from runtime.services import Services
from tests.files.forms import FIELD, FILE, form
from tests.files.test_files import MIB
from tests.support.people import Person


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"json": {}}, "multipart_expected"),
        ({}, "multipart_expected"),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, "multipart_expected"),
        (form(FIELD), "bad_multipart"),
        (form(FILE, end=False), "bad_multipart"),
        (form(FILE, FILE), "bad_multipart"),
        (form(FILE, *[FIELD] * 33), "bad_multipart"),
        (form(FILE, FIELD + "x" * 70_000), "bad_multipart"),
        ({"content": b"nonsense", "headers": form()["headers"]}, "bad_multipart"),
        (
            form('Content-Disposition: form-data; name="file"; filename="' + "x" * 9000 + '"\r\n\r\nhi'),
            "bad_multipart",
        ),
    ],
)
async def test_what_is_no_form_with_one_file(ada: Person, services: Services, options: Any, code: str):
    answer = await ada.rest("POST", "/file-uploader", **options)
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0


async def test_fields_beside_the_file(ada: Person):
    assert (await ada.rest("POST", "/file-uploader", **form(FIELD, FILE, FIELD))).status_code == 201


async def test_a_form_in_the_smallest_pieces(ada: Person):
    whole = form(FIELD, FILE)

    async def dripping():
        for byte in whole["content"]:
            yield bytes([byte])

    answer = await ada.rest("POST", "/file-uploader", content=dripping(), headers=whole["headers"])
    assert (answer.status_code, answer.json()["size"]) == (201, 2), answer.text


async def test_only_a_form_may_be_larger(ada: Person):
    content = b"x" * (2 * MIB + 1)
    for path in ("/file-uploader", "/recipient-import", "/messages"):
        answer = await ada.rest("POST", path, content=content, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    answer = await ada.rest("POST", "/messages", files={"file": ("a", content)})
    assert answer.status_code == 413
