"""Promotional direct emails can be unsubscribed from: by their headers, and by a link where the text asks for one."""

import re
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import pytest

from channels.sandbox import box
from tests.support.people import Person
from tests.unsubscribe.test_unsubscribe import ONE_CLICK

MAIL = {
    "to": "Anna@example.com",
    "channel": "email",
    "body": "Off: {{ unsubscribe_url }} {{ name }} {{unsubscribe_url}}",
    "metadata": {
        "subject": "{{ unsubscribe_url }}",
        "html": '<a href="{{ unsubscribe_url }}">off</a> {{ name }}',
    },
}


async def sent(person: Person, drain: Any, **fields: Any) -> Any:
    answer = await person.rest("POST", "/messages", json={**MAIL, **fields})
    assert answer.status_code == 202, answer.text
    assert answer.json()["body"] == MAIL["body"]
    await drain("email")
    id = UUID(answer.json()["id"])
    return next(accepted.message for accepted in box().outbox if accepted.message.id == id)


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_a_promotional_email_has_a_link_and_headers(
    ada: Person, bob: Person, drain: Any, client: httpx.AsyncClient
):
    message = await sent(ada, drain, category="promotional")
    assert message.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = message.headers["List-Unsubscribe"].strip("<>")
    assert link.startswith("https://postern.example.com/unsubscribe/")
    assert (
        message.body == f"Off: {link} {{{{ name }}}} {link}"
    )  # a link however it is spaced, and no template
    assert re.fullmatch(r"<direct\.owner-[0-9a-f]{32}\.postern\.example\.com>", message.headers["List-Id"])
    assert message.html == message.metadata["html"] == f'<a href="{link}">off</a> {{{{ name }}}}'
    assert message.subject == "{{ unsubscribe_url }}"
    page = await client.get(urlsplit(link).path)
    assert page.status_code == 200 and "Unsubscribe?" in page.text
    assert (await client.post(urlsplit(link).path, data=ONE_CLICK)).status_code == 200
    rows = (await ada.rest("GET", "/block/list")).json()["items"]
    assert [(row["phone"], row["reason"], row["scope"]) for row in rows] == [
        ("Anna@example.com", "unsubscribed", "promotional")
    ]
    assert (await bob.rest("GET", "/block/count")).json() == {"count": 0}
    answer = await ada.rest("POST", "/messages", json={**MAIL, "category": "promotional"})
    assert answer.json()["code"] == "recipient_blocked"
    # A transactional one is still sent, as it is.
    message = await sent(ada, drain)
    html = MAIL["metadata"]["html"]  # type: ignore[index]
    assert (message.headers, message.body, message.html) == ({}, MAIL["body"], html)


async def test_a_promotional_message_of_another_channel_is_as_it_is(ada: Person, drain: Any):
    body = {
        "to": "+14155550100",
        "channel": "sms",
        "body": "{{ unsubscribe_url }}",
        "category": "promotional",
    }
    id = (await ada.rest("POST", "/messages", json=body)).json()["id"]
    await drain("sms")
    message = next(accepted.message for accepted in box().outbox if accepted.message.id == UUID(id))
    assert (message.body, message.headers) == ("{{ unsubscribe_url }}", {})
