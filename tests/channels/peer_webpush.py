"""A push service and the browser behind it: checks VAPID, decrypts with the subscription's private key."""

import base64
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import quote

import http_ece  # type: ignore[import-untyped]
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import jwt

from tests.channels.http_stub import HttpStub, Reply, Seen, Wire
from tests.channels.peer import Received, Scenario

SUBJECT = "mailto:ops@example.com"
LONGEST = 3993  # plain bytes in a body of 4096


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class PushService:
    driver = "webpush"
    supports = frozenset(Scenario)
    # What is left for the body beside {"body":"","tag":"key-<uuid>"}.
    longest = "x" * (LONGEST - len(json.dumps({"body": "", "tag": "key-" + "0" * 36}, separators=(",", ":"))))

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.scenario = Scenario.accept
        self.stub = HttpStub(self.answer)
        self.ours = ec.generate_private_key(ec.SECP256R1())  # the sender's VAPID key
        self.browser = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    @property
    def private_key(self) -> str:
        return b64(self.ours.private_numbers().private_value.to_bytes(32))

    @property
    def secrets(self) -> tuple[str, ...]:
        return (self.private_key,)

    @property
    def dsn(self) -> str:
        return (
            f"webpush://?private_key={self.private_key}&subject={quote(SUBJECT)}"
            "&allow=127.0.0.0/8&services=127.0.0.1&timeout=1.5"
        )

    def subscription(self, path: str = "/push/anna") -> str:
        keys = {"p256dh": b64(point(self.browser)), "auth": b64(self.auth)}
        return json.dumps({"endpoint": self.stub.url + path, "expirationTime": None, "keys": keys})

    @property
    def recipient(self) -> str:
        return self.subscription()

    @property
    def bad_recipient(self) -> str:
        return self.subscription("/push/gone")

    def script(self, scenario: Scenario) -> None:
        self.scenario = scenario
        if scenario is Scenario.hang_before:
            self.stub.die()
        else:
            self.stub.revive()

    def vapid_is_good(self, seen: Seen) -> bool:
        scheme, _, rest = seen.headers["authorization"].partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        try:
            claims = jwt.decode(parts["t"], parts["k"])
        except InvalidSignature:
            return False
        return (
            scheme == "vapid"
            and parts["k"] == b64(point(self.ours))
            and claims["aud"] == self.stub.url
            and claims["sub"] == SUBJECT
            and time.time() < claims["exp"] <= time.time() + 86400
        )

    def answer(self, seen: Seen) -> Reply | Wire:
        if self.scenario is Scenario.bad_credentials or not self.vapid_is_good(seen):
            return Reply.of(401, {"code": 401, "errno": 109, "message": "Request did not validate"})
        if self.scenario is Scenario.refuse or seen.target == "/push/gone":
            return Reply(410, b"push subscription has unsubscribed or expired.")
        if self.scenario is Scenario.transient:
            return Reply(503)
        if self.scenario is Scenario.throttle:
            return Reply(429, b"", {"retry-after": "7"})
        if len(seen.body) > 4096:
            return Reply(413)
        assert seen.headers["content-encoding"] == "aes128gcm"
        assert int(seen.headers["ttl"]) >= 0
        plain = http_ece.decrypt(seen.body, private_key=self.browser, auth_secret=self.auth)
        payload = json.loads(plain)
        to = self.subscription(seen.target)
        self.received.append(
            Received(payload["tag"], to, payload["body"], {"told": payload, "headers": seen.headers})
        )
        if self.scenario is Scenario.hang_after:
            return Wire.hang
        if self.scenario is Scenario.reset_after:
            return Wire.reset
        return Reply(201, b"", {"location": f"{self.stub.url}/message/{len(self.received)}"})


@asynccontextmanager
async def peer() -> AsyncIterator[PushService]:
    service = PushService()
    async with service.stub:
        yield service
