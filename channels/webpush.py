"""Push to browsers (RFC 8030), encrypted for the subscription (RFC 8291), signed by VAPID (RFC 8292).

`webpush://?private_key=/path/vapid.pem&subject=mailto:ops@example.com`; `private_key` may also be the key itself,
as the 32 bytes in base64url. `to` is the browser's PushSubscription as JSON. Options: `ttl` (seconds for which the
push service keeps a message for an unreachable device, a day), `timeout` (seconds for one message, 15), `allow`
(comma-separated CIDRs that endpoints may use although they are not public), `services` (hosts or `.suffixes` of push
services, see below).

The page's service worker receives `{title, body, data, tag}`. `tag` is our key, to be passed to
`showNotification`, and the request's Topic is derived from it, so that a repeated message is shown once.
`metadata` may have `data`, `ttl`, `urgency` (very-low, low, normal, high) and `topic`.

A user chooses the subscription, so the outbound guard checks its endpoint, and its server can't declare our credentials
wrong: it can refuse its own message, but not stop all others. Only a 401 of a known push service means that our key is
wrong.
"""

import base64
import binascii
import hashlib
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import http_ece  # type: ignore[import-untyped]
import orjson
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from py_vapid import Vapid02, VapidException
from yarl import URL

from channels.batch import each
from channels.dsn import BadDsn, Dsn
from channels.exchange import MAX_BYTES, Answer, by_status, exchange, words
from channels.port import Event, HookRequest, Outcome, Outgoing, Result, Sink, Target
from core import outbound
from core.outbound import Client, Guard, UrlRefused

# RFC 8030 §7.2: every push service accepts 4096 bytes; RFC 8291 §4 and RFC 8188 need 86 for the header, 16 for
# the tag and 1 for the delimiter.
LONGEST = 4096 - 86 - 16 - 1
DAY = 86400
WEEKS = 28 * DAY  # the longest time for which push services keep a message
TOKEN_SECONDS = DAY // 2  # RFC 8292 §2: at most 24 h
MOST_TOKENS = 1000
CONNECTIONS = 200  # to all push services together
LONGEST_WAIT = 3600.0  # bounds a Retry-After, as a user chooses the endpoint
SERVICES = (
    "fcm.googleapis.com",
    "jmt17.google.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
URGENCIES = ("very-low", "low", "normal", "high")


class _Unusable(Exception):
    """This message can never be sent. The text is the reason."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.outcome = Outcome(Result.refused, code=code, reason=reason, asked=False)


@dataclass(frozen=True, slots=True)
class _Subscription:
    endpoint: URL
    p256dh: bytes
    auth: bytes


class WebPushChannel:
    """Push messages signed with one VAPID key."""

    name: ClassVar[str] = "webpush"
    batch = 50
    idempotent = False
    reports_delivery = False

    def __init__(
        self,
        *,
        private_key: ec.EllipticCurvePrivateKey,
        subject: str,
        guard: Guard | None = None,
        services: Sequence[str] = SERVICES,
        ttl: int = DAY,
        timeout: float = 15.0,
    ) -> None:
        """`guard` is the service's own by default. Raises VapidException if `subject` is not a contact."""
        self._vapid = Vapid02(private_key)
        self._subject = subject
        self._guard = guard
        self._services = tuple(services)
        self._ttl = ttl
        self._timeout = timeout
        self._tokens: dict[str, tuple[float, str]] = {}
        self._client: Client | None = None
        self._authorization(
            "https://push.example.com"
        )  # fails now if the subject is invalid, not at a message

    @classmethod
    def from_dsn(cls, dsn: Dsn, kind: str) -> Self:
        """Raises BadDsn."""
        key = _private_key(dsn.required("private_key", "/etc/postern/vapid.pem"))
        subject = dsn.required("subject", "mailto:ops@example.com")
        try:
            allow = dsn.text("allow")
            guard = Guard(allow.split(",")) if allow else None
            services = dsn.text("services")
            return cls(
                private_key=key,
                subject=subject,
                guard=guard,
                services=services.split(",") if services else SERVICES,
                ttl=dsn.integer("ttl", DAY, at_least=0, at_most=WEEKS),
                timeout=dsn.number("timeout", 15.0, at_least=0.05, at_most=120),
            )
        except VapidException:
            raise BadDsn(
                "webpush: option subject must say how to reach you: mailto:ops@example.com or https://example.com"
            ) from None
        except BadDsn:
            raise
        except ValueError as error:
            raise BadDsn(f"webpush: option allow: {error}") from None

    def target(self) -> Target | None:
        return None  # each browser names its own server

    async def open(self, sink: Sink) -> None:
        self._client = Client(self._guard or outbound.shared(), most=MAX_BYTES, connections=CONNECTIONS)

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        return await each(self._send, batch)

    async def close(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def hook(self, request: HookRequest) -> list[Event]:
        return []

    async def _send(self, message: Outgoing) -> Outcome:
        assert self._client is not None, "open the channel first"
        try:
            subscription = _subscription(message.to, self._guard or outbound.shared())
            body = _encrypted(_payload(message), subscription)
            headers = self._headers(message, subscription.endpoint)
            answer = await exchange(
                self._client, subscription.endpoint, headers=headers, body=body, seconds=self._timeout
            )
        except _Unusable as error:
            return error.outcome
        except UrlRefused as error:
            return Outcome(
                Result.refused, code="invalid_recipient", reason=f"the endpoint: {error.reason}", asked=False
            )
        return (
            answer
            if isinstance(answer, Outcome)
            else self._outcome(answer, subscription.endpoint.raw_host or "")
        )

    def _headers(self, message: Outgoing, endpoint: URL) -> dict[str, str]:
        metadata = message.metadata
        ttl = metadata.get("ttl", self._ttl)
        if not isinstance(ttl, int) or isinstance(ttl, bool) or not 0 <= ttl <= WEEKS:
            raise _Unusable("invalid_content", f"metadata.ttl must be a whole number from 0 to {WEEKS}")
        urgency = metadata.get("urgency", "normal")
        if urgency not in URGENCIES:
            raise _Unusable("invalid_content", f"metadata.urgency must be one of {', '.join(URGENCIES)}")
        topic = metadata.get("topic")
        if topic is None:
            topic = base64.urlsafe_b64encode(hashlib.sha256(message.key.encode()).digest())[:32].decode()
        elif not isinstance(topic, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", topic):
            raise _Unusable("invalid_content", "metadata.topic must be 1 to 32 letters, digits, - or _")
        return {
            "Authorization": self._authorization(str(endpoint.origin())),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(ttl),
            "Urgency": urgency,
            "Topic": topic,
        }

    def _authorization(self, origin: str) -> str:
        """Returns the VAPID header for a push service; signed once for many messages, as RFC 8292 §5 allows."""
        now = time.time()
        good_until, header = self._tokens.get(origin, (0.0, ""))
        if now < good_until:
            return header
        claims = {"aud": origin, "sub": self._subject, "exp": int(now) + TOKEN_SECONDS}
        try:
            header = str(self._vapid.sign(claims)["Authorization"])
        except VapidException:
            if not self._tokens:
                raise  # the constructor's call: the subject is invalid
            raise _Unusable("invalid_recipient", "the endpoint's host must be a name") from None
        if len(self._tokens) >= MOST_TOKENS:  # users choose the origins, so their number has no bound
            self._tokens.clear()
        self._tokens[origin] = (now + TOKEN_SECONDS / 2, header)
        return header

    def _outcome(self, answer: Answer, host: str) -> Outcome:
        if 200 <= answer.status < 300:
            where = answer.headers.get("location") or answer.headers.get("apns-id")
            return Outcome(Result.sent, provider_message_id=where[:512] if where else None)
        text = words(answer.body[:1000].decode("utf-8", "replace"))
        reason = f"the push service answered {answer.status}" + (f": {text}" if text else "")
        if answer.status in (404, 410):
            return Outcome(Result.refused, code="unregistered", reason=reason)
        outcome = by_status(answer, reason)
        if outcome.result is Result.misconfigured:
            ours = answer.status == 401 or "BadJwtToken" in text  # Apple sends the latter with a 403
            if not (ours and self._is_service(host)):
                # A 403 of a known service means that the subscription was made with another key.
                code = "key_mismatch" if answer.status in (401, 403) else "rejected"
                return Outcome(Result.refused, code=code, reason=reason)
        if outcome.retry_after is not None:
            return replace(outcome, retry_after=min(outcome.retry_after, LONGEST_WAIT))
        return outcome

    def _is_service(self, host: str) -> bool:
        return any(
            host == service or (service.startswith(".") and host.endswith(service))
            for service in self._services
        )


def _subscription(to: str, guard: Guard) -> _Subscription:
    """Parses a recipient. Raises _Unusable, UrlRefused."""
    try:
        subscription = orjson.loads(to)
        endpoint, keys = subscription["endpoint"], subscription["keys"]
        p256dh, auth = _base64(keys["p256dh"]), _base64(keys["auth"])
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), p256dh)
        if not isinstance(endpoint, str) or len(p256dh) != 65 or len(auth) != 16:
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise _Unusable(
            "invalid_recipient",
            "the recipient is not a push subscription; send JSON.stringify(subscription): {endpoint, "
            "keys{p256dh, auth}}",
        ) from None
    return _Subscription(guard.check(endpoint), p256dh, auth)


def _base64(text: Any) -> bytes:
    """Decodes base64url or base64, padded or not. Raises ValueError, TypeError."""
    if not isinstance(text, str):
        raise TypeError
    plain = text.rstrip("=").replace("+", "-").replace("/", "_")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError from error


def _payload(message: Outgoing) -> bytes:
    """Returns the data that the service worker receives. Raises _Unusable."""
    content = {
        "title": message.subject,
        "body": message.body,
        "data": message.metadata.get("data"),
        "tag": message.key,
    }
    try:
        payload = orjson.dumps({name: value for name, value in content.items() if value is not None})
    except TypeError:
        raise _Unusable("invalid_content", "metadata.data must be JSON") from None
    if len(payload) > LONGEST:
        raise _Unusable("too_long", f"the message has {len(payload)} bytes; Web Push carries {LONGEST}")
    return payload


def _encrypted(payload: bytes, subscription: _Subscription) -> bytes:
    """Encrypts by RFC 8291: one record, with a new key pair for each message."""
    encrypted: bytes = http_ece.encrypt(
        payload,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=subscription.p256dh,
        auth_secret=subscription.auth,
        version="aes128gcm",
    )
    return encrypted


def _private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Reads the key from a PEM file, or from the 32 bytes in base64. Raises BadDsn, without repeating the text."""
    try:
        number = _base64(text)
        if len(number) == 32:
            return ec.derive_private_key(int.from_bytes(number), ec.SECP256R1())
    except ValueError:
        pass  # so it is a path
    try:
        pem = Path(text).read_bytes()
    except (OSError, ValueError):
        raise BadDsn(
            "webpush: option private_key is neither a readable file nor 32 bytes in base64; make a key with"
            " openssl ecparam -name prime256v1 -genkey -noout -out vapid.pem"
        ) from None
    try:
        key = load_pem_private_key(pem, password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
            raise TypeError
    except (ValueError, TypeError):
        raise BadDsn("webpush: the file of option private_key holds no P-256 private key in PEM") from None
    return key
