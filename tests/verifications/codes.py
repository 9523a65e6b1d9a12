"""Starts verifications and reads their codes, which only the sandbox's box has."""

import re
from typing import Any

from channels.sandbox import AcceptedMessage, box
from engine.direct.dispatch import Dispatcher
from tests.support.people import Person

BOX = "codes"
SANDBOX = f"sandbox://{BOX}?deliver=0&codes=1"
CHANNELS = {"channel_sms": SANDBOX, "channel_email": SANDBOX, "channel_push": SANDBOX}
RATES = {
    "limit_verifications": "100000/1",
    "limit_verification_address": "100000/1",
    "limit_verification_ip": "100000/1",
}


async def start(person: Person, to: str = "+14155550100", **body: Any) -> dict[str, Any]:
    """The answer to a start that succeeds."""
    answer = await person.rest("POST", "/verifications", json={"to": to, "channel": "sms", **body})
    assert answer.status_code == 202, answer.text
    started: dict[str, Any] = answer.json()
    return started


async def check(person: Person, id: str, code: str) -> dict[str, Any]:
    answer = await person.rest("POST", f"/verifications/{id}/check", json={"code": code})
    assert answer.status_code == 200, answer.text
    checked: dict[str, Any] = answer.json()
    return checked


def sent() -> list[AcceptedMessage]:
    return [*box(BOX).outbox]


async def code_of(dispatcher: Dispatcher, channel: str = "sms") -> str:
    """Sends what waits, and returns the code of the last message."""
    await dispatcher.drain(channel)
    return re.findall(r"[0-9]{4,8}", sent()[-1].message.body)[0]


def other(code: str) -> str:
    """Another code of the same length."""
    return f"{(int(code) + 1) % 10 ** len(code):0{len(code)}d}"
