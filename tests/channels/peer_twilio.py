"""Twilio's Messages resource, as its documentation shows it, on loopback."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from tests.channels.http_stub import HttpStub, Reply, Seen, Wire
from tests.channels.peer import Received, Scenario

ACCOUNT = "AC" + "0a" * 16
TOKEN = "s3cret-auth/token"
PATH = f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json"


def error(status: int, code: int, message: str, **headers: str) -> Reply:
    more = f"https://www.twilio.com/docs/errors/{code}"
    return Reply.of(
        status, {"code": code, "message": message, "more_info": more, "status": status}, **headers
    )


class Twilio:
    driver = "twilio"
    supports = frozenset(Scenario)
    recipient = "+14155550123"
    bad_recipient = "+15005550001"  # as in Twilio's test credentials: not valid
    longest = "ж" * 1600
    secrets = (TOKEN,)

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.scenario = Scenario.accept
        self.stub = HttpStub(self.answer)

    @property
    def dsn(self) -> str:
        return (
            f"twilio://{ACCOUNT}:s3cret-auth%2Ftoken@127.0.0.1:{self.stub.port}"
            "?scheme=http&from=+15005550006&timeout=1.5&callback=https://gate.example.com"
        )

    def script(self, scenario: Scenario) -> None:
        self.scenario = scenario
        if scenario is Scenario.hang_before:
            self.stub.die()
        else:
            self.stub.revive()

    def answer(self, seen: Seen) -> Reply | Wire:
        basic = base64.b64encode(f"{ACCOUNT}:{TOKEN}".encode()).decode()
        if self.scenario is Scenario.bad_credentials or seen.headers["authorization"] != f"Basic {basic}":
            return error(401, 20003, "Authentication Error - invalid username")
        if (seen.method, seen.target) != ("POST", PATH):
            return error(404, 20404, f"The requested resource {seen.target} was not found")
        form = seen.form
        if self.scenario is Scenario.refuse or form["To"] == self.bad_recipient:
            return error(400, 21211, f"The 'To' number {form['To']} is not a valid phone number.")
        if self.scenario is Scenario.transient:
            return error(503, 20503, "Service is unavailable. Please try again")
        if self.scenario is Scenario.throttle:
            return error(429, 20429, "Too Many Requests", retry_after="7")
        if len(form["Body"]) > 1600:
            return error(400, 21617, "The concatenated message body exceeds the 1600 character limit.")
        self.received.append(Received(None, form["To"], form["Body"], dict(form)))
        if self.scenario is Scenario.hang_after:
            return Wire.hang
        if self.scenario is Scenario.reset_after:
            return Wire.reset
        sid = f"SM{uuid4().hex}"
        return Reply.of(201, {"sid": sid, "status": "queued", "error_code": None, "error_message": None})


@asynccontextmanager
async def peer() -> AsyncIterator[Twilio]:
    twilio = Twilio()
    async with twilio.stub:
        yield twilio
