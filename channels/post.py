"""Sends by providers without a driver: each message is one JSON POST to an address of the operator's choice.

`post://user:password@sms.example.com/send?idempotent=1` (HTTPS; `scheme=http` for a server without TLS). The
request has the header `Idempotency-Key` (the same for every attempt after one with an uncertain outcome) and the body

    {"id", "key", "channel", "to", "body", "subject", "html", "replyTo", "metadata"}

and `from`, if the message names its sender: the From of an email, or the name or number of an SMS. An email that was
submitted as a whole also has `mail`: its octets as base64.

Any 2xx means that it was accepted; `{"id": "…"}` in the response is the provider's id, otherwise the message's id is
used. docs/channels.md explains other statuses: 429 and 503 are retried (Retry-After counts), 401, 403 and 404 are a
wrong configuration, other 4xx are refusals, and after 500, 502, 504 or no response the outcome is `unknown`. Options:
`idempotent` (the server drops a second request with the same key; only then is a message with an uncertain outcome
sent again), `connections` (10), `timeout` (seconds of one message, 15), `token` (sent as Bearer, instead of user and
password), `receipts` (a secret, `whsec_…`, by which the server signs its delivery reports: channels/post_receipts.py).
"""

import base64
from collections.abc import Sequence
from typing import ClassVar, Self

import aiohttp
import orjson
from yarl import URL

from channels import post_receipts
from channels.batch import each
from channels.dsn import BadDsn, Dsn
from channels.exchange import Answer, by_status, exchange_with_provider, http_target, provider_client, words
from channels.port import BadSignature, Event, HookRequest, Outcome, Outgoing, Result, Sink, Target
from channels.provider_fields import Part, Provider, ProviderField
from core import webhook_signatures
from core.outbound import EVERYWHERE, Client, Guard


class PostChannel:
    """Messages through one HTTP server of the operator's choice."""

    name: ClassVar[str] = "post"

    def __init__(
        self,
        kind: str,
        url: str,
        *,
        authorization: str | None,
        secrets: Sequence[str],
        idempotent: bool,
        connections: int,
        timeout: float,
        receipts: str | None = None,
    ) -> None:
        self.batch = connections
        self.idempotent = idempotent
        self.reports_delivery = receipts is not None
        self._kind, self._url, self._authorization = kind, URL(url), authorization
        self._secrets = secrets
        self._receipts = receipts
        self._timeout = timeout
        self._guard: Guard = EVERYWHERE
        self._client: Client | None = None

    @classmethod
    def from_dsn(cls, dsn: Dsn, kind: str) -> Self:
        """Raises BadDsn."""
        if not dsn.host:
            raise BadDsn("post: write post://user:password@sms.example.com/send")
        host = f"[{dsn.host}]" if ":" in dsn.host else dsn.host
        scheme = dsn.text("scheme", "https", allowed=("https", "http"))
        token, receipts = dsn.text("token"), _receipts(dsn)
        authorization = f"Bearer {token}" if token else None
        if dsn.user:
            authorization = aiohttp.encode_basic_auth(dsn.user, dsn.password or "")
        channel = cls(
            kind,
            f"{scheme}://{host}" + (f":{dsn.port}" if dsn.port else "") + (dsn.path or "/"),
            authorization=authorization,
            secrets=[secret for secret in (dsn.password, token, receipts) if secret],
            idempotent=dsn.flag("idempotent"),
            connections=dsn.integer("connections", 10, at_least=1, at_most=500),
            timeout=dsn.number("timeout", 15.0, at_least=0.05, at_most=120),
            receipts=receipts,
        )
        channel._guard = dsn.guard
        return channel

    def target(self) -> Target | None:
        return http_target(self._url)

    async def open(self, sink: Sink) -> None:
        self._client = provider_client(
            self._url,
            guard=self._guard,
            connections=self.batch,
            headers={
                "Accept": "application/json",
                "Content-Type": "application/json",
                **({"Authorization": self._authorization} if self._authorization else {}),
            },
        )

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        return await each(self._send, batch)

    async def close(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    @property
    def takes_receipts(self) -> bool:
        """Returns whether the server can report the results of the messages that it took."""
        return self._receipts is not None

    def hook(self, request: HookRequest) -> list[Event]:
        """Returns the server's delivery reports. Without a secret no signature is right."""
        secret = self._receipts or webhook_signatures.new_secret()
        id = webhook_signatures.verify(
            [secret], request.headers, request.body, request.tolerance, request.now
        )
        if id is None or self._receipts is None:
            raise BadSignature("the signature is missing or wrong")
        return [*post_receipts.read(request.body, id)]

    async def _send(self, message: Outgoing) -> Outcome:
        assert self._client is not None, "open the channel first"
        content = orjson.dumps(
            {
                **({} if message.sender is None else {"from": message.sender}),
                "id": str(message.id),
                "key": message.key,
                "channel": self._kind,
                "to": message.to,
                "body": message.body,
                "subject": message.subject,
                "html": message.html,
                "replyTo": message.reply_to,
                "metadata": dict(message.metadata),
                **({} if message.mail is None else {"mail": base64.b64encode(message.mail).decode()}),
            }
        )
        headers = {"Idempotency-Key": message.key}
        answer = await exchange_with_provider(
            self._client, self._url, headers=headers, body=content, seconds=self._timeout
        )
        return answer if isinstance(answer, Outcome) else self._outcome(message, answer)

    def _outcome(self, message: Outgoing, answer: Answer) -> Outcome:
        if 200 <= answer.status < 300:
            id = answer.json.get("id")
            id_is_usable = isinstance(id, str) and 0 < len(id) <= 255 and "\x00" not in id
            return Outcome(Result.sent, id if id_is_usable else str(message.id))
        text = words(answer.json.get("message"))
        for secret in self._secrets:
            text = text.replace(secret, "***")
        summary = f"the provider answered {answer.status}"
        return by_status(answer, f"{summary}: {text}" if text else summary)


def _receipts(dsn: Dsn) -> str | None:
    """Returns the secret of the server's delivery reports, or None. Raises BadDsn."""
    secret = dsn.text("receipts")
    if secret is not None:
        try:
            webhook_signatures.key_of(secret)
        except webhook_signatures.BadSecret:
            raise BadDsn(
                "post: option receipts must be whsec_ and the base64 of 24 to 64 random bytes, percent-encoded"
            ) from None
    return secret


PROVIDERS = (
    Provider(
        "http",
        "A service of your own by HTTP",
        "gets each message as JSON by POST",
        "post",
        frozenset({"email", "sms", "push"}),
        (
            ProviderField(
                "host", "Server", "name of the server", Part.host, required=True, example="sms.example.com"
            ),
            ProviderField("port", "Port", "default 443", Part.port, example="443"),
            ProviderField("path", "Path", "of the URL", Part.path, default="/", example="/send"),
            ProviderField("token", "Bearer token", "sent with each message", secret=True),
            ProviderField("user", "User", "for Basic authentication instead", Part.user),
            ProviderField("password", "Password", "of the user", Part.password, secret=True),
            ProviderField(
                "receipts",
                "Secret of reports",
                "by which its delivery reports are signed",
                secret=True,
                example="whsec_…",
            ),
            ProviderField(
                "idempotent",
                "Drops repetitions",
                "1: it drops a second message with the same key",
                default="0",
                choices=("0", "1"),
            ),
        ),
    ),
)
