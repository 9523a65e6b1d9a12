"""Firebase Cloud Messaging v1 and Google's token server, on one loopback port."""

import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jose import jwt

from tests.channels.http_stub import HttpStub, Reply, Seen, Wire
from tests.channels.peer import Received, Scenario

PROJECT = "postern-test"
EMAIL = f"sender@{PROJECT}.iam.gserviceaccount.com"
AUDIENCE = "https://oauth2.googleapis.com/token"  # whatever the file's token_uri is
SCOPE = "https://www.googleapis.com/auth/firebase.messaging"


@cache
def key() -> tuple[str, str]:
    """The service account's key pair in PEM; one for all tests, since RSA keys take their time."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return (
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode(),
        private.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode(),
    )


def error(
    code: int, status: str, message: str, *, fcm: str | None = None, field: str | None = None, **headers: str
) -> Reply:
    details: list[dict[str, Any]] = []
    if fcm:
        details.append({"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": fcm})
    if field:
        violations = [{"field": field, "description": message}]
        details.append({"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations})
    return Reply.of(
        code, {"error": {"code": code, "message": message, "status": status, "details": details}}, **headers
    )


class Firebase:
    driver = "fcm"
    supports = frozenset(Scenario)
    recipient = "fcm-device-token:APA91b" + "x" * 130
    bad_recipient = "gone-device-token"
    longest = "ж" * 2000

    def __init__(self, directory: str) -> None:
        self.received: list[Received] = []
        self.scenario = Scenario.accept
        self.stub = HttpStub(self.answer)
        self.tokens: list[str] = []  # every one that was given out; the last is good
        self.expires_in = 3600
        self.path = Path(directory) / "service-account.json"

    @property
    def secrets(self) -> tuple[str, ...]:
        return (key()[0].splitlines()[1], *self.tokens)

    @property
    def dsn(self) -> str:
        return f"fcm://?credentials={self.path}&base={self.stub.url}&timeout=1.5"

    def write_credentials(self, **changed: str | None) -> None:
        info = {
            "type": "service_account",
            "project_id": PROJECT,
            "private_key_id": "1",
            "private_key": key()[0],
            "client_email": EMAIL,
            "token_uri": f"{self.stub.url}/token",
        } | changed
        self.path.write_text(json.dumps({name: value for name, value in info.items() if value is not None}))

    def script(self, scenario: Scenario) -> None:
        self.scenario = scenario
        if scenario is Scenario.hang_before:
            self.stub.die()
        else:
            self.stub.revive()

    def answer(self, seen: Seen) -> Reply | Wire:
        return self.grant(seen) if seen.target == "/token" else self.take(seen)

    def grant(self, seen: Seen) -> Reply | Wire:
        [assertion] = parse_qs(seen.body.decode())["assertion"]
        claims = jwt.decode(assertion, key()[1], algorithms=["RS256"], audience=AUDIENCE)
        assert (claims["iss"], claims["scope"]) == (EMAIL, SCOPE)
        self.tokens.append(f"ya29.secret-{len(self.tokens)}")
        return Reply.of(
            200,
            {"access_token": self.tokens[-1], "expires_in": self.expires_in, "token_type": "Bearer"},
        )

    def take(self, seen: Seen) -> Reply | Wire:
        if (seen.method, seen.target) != ("POST", f"/v1/projects/{PROJECT}/messages:send"):
            return Reply(404, b"<html>Not found</html>")
        if (
            self.scenario is Scenario.bad_credentials
            or seen.headers["authorization"] != f"Bearer {self.tokens[-1]}"
        ):
            return error(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
        message = seen.json["message"]
        if self.scenario is Scenario.refuse or message["token"] == self.bad_recipient:
            return error(404, "NOT_FOUND", "Requested entity was not found.", fcm="UNREGISTERED")
        if self.scenario is Scenario.transient:
            return error(503, "UNAVAILABLE", "The service is currently unavailable.", fcm="UNAVAILABLE")
        if self.scenario is Scenario.throttle:
            return error(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", fcm="QUOTA_EXCEEDED", retry_after="7")
        size = len(json.dumps([message["notification"], message["data"]], ensure_ascii=False).encode())
        if size > 4096:
            return error(400, "INVALID_ARGUMENT", "Android message is too big", fcm="INVALID_ARGUMENT")
        assert all(isinstance(value, str) for value in message["data"].values())
        tag = message["android"]["notification"]["tag"]
        assert (
            tag == message["apns"]["headers"]["apns-collapse-id"] == message["webpush"]["notification"]["tag"]
        )
        self.received.append(Received(tag, message["token"], message["notification"]["body"], message))
        if self.scenario is Scenario.hang_after:
            return Wire.hang
        if self.scenario is Scenario.reset_after:
            return Wire.reset
        number = len(self.received)
        return Reply.of(200, {"name": f"projects/{PROJECT}/messages/0:{number}"})


@asynccontextmanager
async def peer() -> AsyncIterator[Firebase]:
    with tempfile.TemporaryDirectory() as directory:
        firebase = Firebase(directory)
        async with firebase.stub:
            firebase.write_credentials()
            yield firebase
