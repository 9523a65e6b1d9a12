"""SMS by Twilio's Programmable Messaging API, and by other services with the same API.

`twilio://ACCOUNT_SID:AUTH_TOKEN@host?from=+14155550100`; the host is api.twilio.com unless given. Options:

- `from`: a number, a short code or sender name, or a Messaging Service (`MG…`), for messages that name no sender;
- `callback`: our public base URL; Twilio then reports deliveries to `/hooks/twilio/sms` below it (a URL with
  a path of its own is used as it is);
- `account` and `auth_token`: for an API key (`SK…:secret`), the account it belongs to, and the account's auth
  token, with which Twilio signs its callbacks;
- `timeout`: seconds for one message, 15; `scheme=http`: for a server without TLS.

Twilio's Messages resource has no idempotency key, so a message without a response stays `unknown`. So does one with a
500, 502 or 504: Twilio calls them retryable in general, but messages are known to have been accepted in spite of one.
A 5xx with a specific Twilio code is trusted. A 503 means that the request was not processed.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import ClassVar, Self
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import aiohttp
from yarl import URL

from channels.batch import about_sender, each
from channels.dsn import BadDsn, Dsn
from channels.exchange import Answer, by_status, exchange_with_provider, http_target, provider_client, words
from channels.port import (
    BadHook,
    BadSignature,
    Event,
    HookRequest,
    Inbound,
    NoPublicUrl,
    Outcome,
    Outgoing,
    Receipt,
    Result,
    Sink,
    Target,
)
from channels.provider_fields import Part, Provider, ProviderField
from core.outbound import EVERYWHERE, Client, Guard

# The codes of https://www.twilio.com/docs/api/errors, with our outcome and a text for people.
CODES: dict[int, tuple[Result, str, str]] = {
    14107: (Result.throttled, "throttled", "too many messages a second"),
    20003: (Result.misconfigured, "bad_credentials", "wrong account SID or auth token"),
    20005: (Result.misconfigured, "account_inactive", "the account is not active"),
    20006: (Result.misconfigured, "bad_credentials", "the credentials may not do this"),
    20404: (Result.misconfigured, "wrong_address", "no such account"),
    20429: (Result.throttled, "throttled", "too many requests"),
    20503: (Result.transient, "unavailable", "the service is unavailable"),
    21211: (Result.refused, "invalid_recipient", "the recipient's number is not valid"),
    21212: (Result.misconfigured, "invalid_sender", "the sender is not valid"),
    21214: (Result.refused, "unreachable", "the recipient's number cannot be reached"),
    21217: (Result.refused, "invalid_recipient", "the recipient's number is not valid"),
    21265: (Result.refused, "invalid_recipient", "a short code cannot receive messages"),
    21266: (Result.refused, "invalid_recipient", "the recipient is the sender"),
    21408: (Result.refused, "region_not_permitted", "messages to this region are not enabled"),
    21602: (Result.refused, "invalid_content", "the message is empty"),
    21603: (Result.misconfigured, "invalid_sender", "the sender is missing"),
    21604: (Result.refused, "invalid_recipient", "the recipient is missing"),
    21605: (Result.refused, "too_long", "the message is too long"),
    21606: (Result.misconfigured, "invalid_sender", "the sender cannot send messages, or is not yours"),
    21608: (Result.refused, "recipient_not_allowed", "a trial account reaches verified numbers only"),
    21609: (Result.misconfigured, "invalid_callback", "the callback URL is not valid"),
    21610: (Result.refused, "opted_out", "the recipient has opted out"),
    21611: (Result.throttled, "throttled", "the sender's queue is full"),
    21612: (Result.refused, "unreachable", "this sender cannot reach this recipient"),
    21614: (Result.refused, "not_mobile", "the recipient is not a mobile number"),
    21617: (Result.refused, "too_long", "the message is longer than 1600 characters"),
    21619: (Result.refused, "invalid_content", "the message is empty"),
    21635: (Result.refused, "not_mobile", "the recipient is a landline"),
    21654: (Result.misconfigured, "invalid_sender", "the sender is not valid for this"),
    21659: (Result.misconfigured, "invalid_sender", "the sender is not a Twilio number"),
    21660: (Result.misconfigured, "invalid_sender", "the sender belongs to another account"),
    21701: (Result.misconfigured, "invalid_sender", "no such Messaging Service"),
    21703: (Result.misconfigured, "invalid_sender", "the Messaging Service has no sender"),
    21704: (Result.misconfigured, "invalid_sender", "the Messaging Service has no sender for this"),
    21705: (Result.misconfigured, "invalid_sender", "the Messaging Service SID is not valid"),
    30001: (Result.throttled, "throttled", "the queue is full"),
    30002: (Result.misconfigured, "account_inactive", "the account is suspended"),
    30003: (Result.transient, "unreachable_handset", "the handset is off or out of reach"),
    30004: (Result.refused, "blocked", "the recipient's carrier blocks the message"),
    30005: (Result.refused, "invalid_recipient", "the recipient's number does not exist"),
    30006: (Result.refused, "not_mobile", "a landline, or a carrier that cannot be reached"),
    30007: (Result.refused, "filtered", "the carrier filtered the message"),
    30008: (Result.refused, "failed", "the carrier did not say why"),
    30034: (Result.misconfigured, "invalid_sender", "the sender is not registered (A2P 10DLC)"),
    30036: (Result.refused, "expired", "the validity period ended"),
    63016: (Result.refused, "outside_window", "outside the window for free-form messages"),
}

_MOVES = {
    "sent": Result.sent,
    "delivered": Result.delivered,
    "read": Result.delivered,
    "undelivered": Result.refused,
    "failed": Result.refused,
    "canceled": Result.refused,
}
# Twilio has the message, which `send` has already reported.
_ALREADY_REPORTED = frozenset({"accepted", "scheduled", "queued", "sending", "partially_delivered"})


class TwilioChannel:
    """Messages through one Twilio account."""

    name: ClassVar[str] = "twilio"
    batch = 10
    idempotent = False

    def __init__(
        self,
        *,
        base: str,
        account: str,
        user: str,
        password: str,
        sender: str,
        auth_token: str,
        callback: str | None = None,
        timeout: float = 15.0,
    ) -> None:
        self._url = URL(f"{base}/2010-04-01/Accounts/{account}/Messages.json")
        self._authorization = aiohttp.encode_basic_auth(user, password)
        self._secrets = (password, auth_token)
        self._sender = {
            "MessagingServiceSid" if re.fullmatch(r"MG[0-9a-fA-F]{32}", sender) else "From": sender
        }
        self._auth_token = auth_token
        self.reports_delivery = callback is not None
        self._callback = {"StatusCallback": callback} if callback else {}
        self._timeout = timeout
        self._guard: Guard = EVERYWHERE
        self._client: Client | None = None

    @classmethod
    def from_dsn(cls, dsn: Dsn, kind: str) -> Self:
        """Raises BadDsn."""
        if not dsn.user or not dsn.password:
            raise BadDsn("twilio: write twilio://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com?from=+14155550100")
        account = dsn.text("account", dsn.user)
        if not re.fullmatch(r"[A-Za-z0-9]{1,64}", account):
            raise BadDsn(
                "twilio: the account SID is letters and digits (AC…); with an API key, add ?account=AC…"
            )
        if dsn.user.startswith("SK") and account == dsn.user:
            raise BadDsn("twilio: an API key (SK…) needs its account; add ?account=AC…")
        host = f"[{dsn.host}]" if dsn.host and ":" in dsn.host else dsn.host or "api.twilio.com"
        scheme = dsn.text("scheme", "https", allowed=("https", "http"))
        channel = cls(
            base=f"{scheme}://{host}" + (f":{dsn.port}" if dsn.port else ""),
            account=account,
            user=dsn.user,
            password=dsn.password,
            sender=dsn.required("from", "+14155550100"),
            auth_token=dsn.text("auth_token", dsn.password),
            callback=_callback(dsn.text("callback"), dsn.hook_name or kind),
            timeout=dsn.number("timeout", 15.0, at_least=0.05, at_most=120),
        )
        channel._guard = dsn.guard
        return channel

    def target(self) -> Target | None:
        return http_target(self._url)

    async def open(self, sink: Sink) -> None:
        self._client = provider_client(
            self._url,
            guard=self._guard,
            connections=50,
            headers={
                "Accept": "application/json",
                "Authorization": self._authorization,
                "Content-Type": "application/x-www-form-urlencoded",
            },
        )

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        return await each(self._send, batch)

    async def close(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def hook(self, request: HookRequest) -> list[Event]:
        """Parses a status callback or an incoming text, signed with the account's auth token."""
        if not request.public:
            raise NoPublicUrl("Twilio's signature covers the URL")
        fields = _fields(request)
        self._check_signature(request, fields)
        first: dict[str, str] = {}
        for name, value in fields or parse_qsl(urlsplit(request.url).query, keep_blank_values=True):
            first.setdefault(name, value)
        return _events(first)

    async def _send(self, message: Outgoing) -> Outcome:
        assert self._client is not None, "open the channel first"
        sender = self._sender if message.sender is None else {"From": message.sender}
        form = {"To": message.to, "Body": message.body, **sender, **self._callback}
        body = urlencode(form).encode()
        answer = await exchange_with_provider(self._client, self._url, body=body, seconds=self._timeout)
        return about_sender(message, answer if isinstance(answer, Outcome) else self._outcome(answer))

    def _outcome(self, answer: Answer) -> Outcome:
        payload = answer.json
        sid = payload.get("sid")
        if answer.status in (200, 201) and isinstance(sid, str):
            if payload.get("status") in ("failed", "undelivered") and isinstance(
                payload.get("error_code"), int
            ):
                return self._failed(payload["error_code"], payload.get("error_message"), answer, sid)
            return Outcome(Result.sent, provider_message_id=sid)
        if answer.status == 201:  # created, although the response has no readable id
            return Outcome(Result.sent, reason="Twilio took the message; its answer could not be read")
        code = payload.get("code")
        return self._failed(code if isinstance(code, int) else None, payload.get("message"), answer)

    def _failed(self, code: int | None, message: object, answer: Answer, sid: str | None = None) -> Outcome:
        if code in CODES:
            result, ours, text = CODES[code]
            wait = answer.retry_after if result in (Result.throttled, Result.transient) else None
            return Outcome(result, sid, code=ours, reason=f"Twilio {code}: {text}", retry_after=wait)
        text = words(message)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        summary = f"Twilio answered {answer.status}" + (f", code {code}" if code else "")
        return by_status(answer, f"{summary}: {text}" if text else summary)

    def _check_signature(self, request: HookRequest, fields: list[tuple[str, str]]) -> None:
        """Raises BadSignature unless the signature is valid (https://www.twilio.com/docs/usage/security).

        It is an HMAC-SHA1 of the URL and the sorted form fields. Another body is covered by its SHA-256 in the URL.
        """
        received = request.headers.get("x-twilio-signature", "").encode("latin-1", "replace")
        digest = dict(parse_qsl(urlsplit(request.url).query)).get("bodySHA256")
        if digest is not None:
            body = hashlib.sha256(request.body).hexdigest()
            if not hmac.compare_digest(body.encode(), digest.lower().encode("utf-8", "replace")):
                raise BadSignature("the body does not match its bodySHA256")
            fields = []
        elif request.body and not fields:
            raise BadSignature("the signature does not cover the body")
        right = [
            hmac.compare_digest(received, signature(self._auth_token, url, fields))
            for url in _spellings(request.url)
        ]
        if not any(right):
            raise BadSignature("X-Twilio-Signature is missing or wrong")


def signature(auth_token: str, url: str, fields: Sequence[tuple[str, str]]) -> bytes:
    """Returns the X-Twilio-Signature of a request; a field with several values counts once for each value."""
    text = url + "".join(name + value for name, value in sorted(set(fields)))
    mac = hmac.new(auth_token.encode(), text.encode("utf-8", "surrogatepass"), hashlib.sha1)
    return base64.b64encode(mac.digest())


def _spellings(url: str) -> list[str]:
    """Returns the URL with and without its default port, as Twilio signs either of them."""
    parts = urlsplit(url)
    host, colon, port = parts.netloc.rpartition(":")
    default = 443 if parts.scheme == "https" else 80
    other = host if colon and port.isdigit() else f"{parts.netloc}:{default}"
    return [url, urlunsplit(parts._replace(netloc=other))]


def _fields(request: HookRequest) -> list[tuple[str, str]]:
    """Returns the form's fields; none if the body is not a form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return []
    try:
        text = request.body.decode("ascii")
        return parse_qsl(text, keep_blank_values=True, max_num_fields=300, errors="strict")
    except ValueError:  # covers UnicodeDecodeError
        raise BadSignature("the form cannot be read, so its signature cannot be checked") from None


def _events(fields: dict[str, str]) -> list[Event]:
    sid = fields.get("MessageSid") or fields.get("SmsSid")
    if not sid:
        raise BadHook("no MessageSid: neither a message nor a report about one")
    status = fields.get("MessageStatus") or fields.get("SmsStatus") or ""
    if status in ("received", "receiving") or (not status and "Body" in fields):
        sender, to = fields.get("From"), fields.get("To")
        if not sender or not to:
            raise BadHook("an incoming message without From or To")
        return [Inbound(sender=sender, to=to, body=fields.get("Body", ""), provider_message_id=sid)]
    if status in _ALREADY_REPORTED:
        return []
    if (result := _MOVES.get(status)) is None:
        raise BadHook(f"unknown MessageStatus {words(status)}")
    if result is not Result.refused:
        return [Receipt(sid, result)]
    code = fields.get("ErrorCode", "")
    number = int(code) if re.fullmatch(r"[0-9]{1,6}", code) else 0
    _, ours, text = CODES.get(number, (result, status, f"the message is {status}"))
    return [
        Receipt(sid, result, code=ours, reason=f"Twilio {number}: {text}" if number else f"Twilio: {text}")
    ]


def _callback(url: str | None, hook_name: str) -> str | None:
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise BadDsn("twilio: option callback must be our public URL, for example https://gate.example.com")
    if parts.path in ("", "/"):
        parts = parts._replace(path=f"/hooks/twilio/{hook_name}")
    return urlunsplit(parts)


PROVIDERS = (
    Provider(
        "twilio",
        "Twilio",
        "Programmable Messaging, or another service with the same API",
        "twilio",
        frozenset({"sms"}),
        (
            ProviderField(
                "user", "Account SID", "or an API key SID (SK…)", Part.user, required=True, example="AC…"
            ),
            ProviderField(
                "password",
                "Auth token",
                "or the API key's secret",
                Part.password,
                secret=True,
                required=True,
                example="…",
            ),
            ProviderField(
                "from",
                "Sender",
                "a number, a short code, a name, or a Messaging Service (MG…)",
                required=True,
                example="+14155550100",
            ),
            ProviderField("account", "Account of the API key", "only with an API key", example="AC…"),
            ProviderField(
                "auth_token",
                "Auth token of the account",
                "only with an API key: Twilio signs its reports with it",
                secret=True,
            ),
            ProviderField(
                "callback",
                "Public address",
                "where Twilio reports deliveries: the public URL of this installation",
                example="https://post.example.com",
            ),
        ),
    ),
)
