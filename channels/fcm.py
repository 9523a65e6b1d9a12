"""Push by Firebase Cloud Messaging, HTTP v1. `to` is the device's registration token.

`fcm://?credentials=/path/service-account.json`. Options: `project` (else the file's), `timeout` (seconds for
one request, 15), `base` (https://fcm.googleapis.com). The access token comes from the file's own `token_uri`.

`subject` is the notification's title and `metadata.data` its data (values become strings). FCM does not drop a
message that is sent twice, but devices do: our key is the notification's tag (Android, Web) and collapse id (iOS), so
a message that had to be repeated after an `unknown` outcome is shown once.
"""

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

import orjson
from google.auth import transport
from google.auth.exceptions import GoogleAuthError, RefreshError, TransportError
from google.oauth2 import service_account
from yarl import URL

from channels.batch import each
from channels.dsn import BadDsn, Dsn
from channels.exchange import Answer, by_status, exchange, http_target, provider_client, words
from channels.port import Event, HookRequest, Outcome, Outgoing, Result, Sink, Target
from core.json_text import dumps
from core.outbound import CallFailed, Client, Response, UrlRefused

SCOPE = "https://www.googleapis.com/auth/firebase.messaging"
# "If no retry-after header is set, default to 60 seconds" (Firebase, "Manage messaging at scale", on 429).
QUOTA_SECONDS = 60.0

# https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode
CODES: dict[str, tuple[Result, str, str]] = {
    "UNREGISTERED": (Result.refused, "unregistered", "the app is no longer installed, or its token changed"),
    "SENDER_ID_MISMATCH": (
        Result.refused,
        "sender_mismatch",
        "the token belongs to another Firebase project",
    ),
    "QUOTA_EXCEEDED": (Result.throttled, "throttled", "too many messages"),
    "UNAVAILABLE": (Result.transient, "unavailable", "the service is overloaded"),
    "THIRD_PARTY_AUTH_ERROR": (
        Result.misconfigured,
        "bad_credentials",
        "the project's APNs certificate or Web Push key is missing or not valid",
    ),
}


class FcmChannel:
    """Push messages through one Firebase project."""

    name: ClassVar[str] = "fcm"
    batch = 50
    idempotent = False
    reports_delivery = False

    def __init__(
        self,
        *,
        credentials: service_account.Credentials,
        project: str,
        base: str = "https://fcm.googleapis.com",
        timeout: float = 15.0,
    ) -> None:
        self._credentials = credentials
        self._url = URL(f"{base}/v1/projects/{project}/messages:send")
        self._timeout = timeout
        self._refreshing: asyncio.Task[None] | None = None
        self._client: Client | None = None

    @classmethod
    def from_dsn(cls, dsn: Dsn, kind: str) -> Self:
        """Reads the service-account file. Raises BadDsn."""
        path = dsn.required("credentials", "/etc/postern/service-account.json")
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - a plain path, read once at start
                info = orjson.loads(file.read(1 << 20))
            make = service_account.Credentials.from_service_account_info
            credentials = make(info, scopes=[SCOPE])  # type: ignore[no-untyped-call]
        except OSError as error:
            raise BadDsn(f"fcm: the file of option credentials cannot be read: {error.strerror}") from None
        except (ValueError, TypeError, AttributeError, GoogleAuthError):
            raise BadDsn(
                "fcm: the file in option credentials is not a service-account key; download one in the Firebase"
                " console (Project settings, Service accounts)"
            ) from None
        project = dsn.text("project") or info.get("project_id")
        if not isinstance(project, str) or not re.fullmatch(r"[a-z0-9:.-]{1,100}", project):
            raise BadDsn(
                "fcm: the service-account file names no project; add for example ?project=my-project"
            )
        base = dsn.text("base", "https://fcm.googleapis.com").rstrip("/")
        if urlsplit(base).scheme not in ("http", "https") or not urlsplit(base).netloc:
            raise BadDsn("fcm: option base must be a URL such as https://fcm.googleapis.com")
        return cls(
            credentials=credentials,
            project=project,
            base=base,
            timeout=dsn.number("timeout", 15.0, at_least=0.05, at_most=120),
        )

    def target(self) -> Target | None:
        return http_target(self._url)

    async def open(self, sink: Sink) -> None:
        headers = {"Content-Type": "application/json"}
        self._client = provider_client(self._url, connections=100, headers=headers)

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        return await each(self._send, batch)

    async def close(self) -> None:
        if self._refreshing is not None:
            self._refreshing.cancel()
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def hook(self, request: HookRequest) -> list[Event]:
        return []

    async def _send(self, message: Outgoing) -> Outcome:
        assert self._client is not None, "open the channel first"
        data = message.metadata.get("data") or {}
        try:
            content = orjson.dumps({"message": _message(message, data)})
        except (TypeError, AttributeError):
            return Outcome(
                Result.refused,
                code="invalid_content",
                reason="metadata.data must be an object of JSON values",
                asked=False,
            )
        answer = await self._post(content)
        if isinstance(answer, Answer) and answer.status == 401 and _code(answer.json) not in CODES:
            # The token was revoked before it expired, so nothing was accepted: try once more with a new one.
            answer = await self._post(content)
        return answer if isinstance(answer, Outcome) else _outcome(answer)

    async def _post(self, content: bytes) -> Answer | Outcome:
        assert self._client is not None
        if (failure := await self._refresh_if_due()) is not None:
            return failure
        token = self._credentials.token
        headers = {"Authorization": f"Bearer {token}"}
        answer = await exchange(self._client, self._url, headers=headers, body=content, seconds=self._timeout)
        if isinstance(answer, Answer) and answer.status == 401 and self._credentials.token == token:
            self._credentials.token = None  # unless another sender has already fetched a new one
        return answer

    async def _refresh_if_due(self) -> Outcome | None:
        """Makes sure that the access token is valid for some minutes. One refresh serves all waiting senders."""
        if self._credentials.valid:
            return None
        if self._refreshing is None:
            self._refreshing = asyncio.create_task(self._refresh())
            self._refreshing.add_done_callback(self._refreshed)
        try:
            async with asyncio.timeout(self._timeout):
                await asyncio.shield(self._refreshing)
        except TimeoutError:
            reason = f"no access token within {self._timeout:g} s; nothing was sent"
            return Outcome(Result.transient, code="connect_timeout", reason=reason)
        except RefreshError as error:
            why = words(str(error.args[0]) if error.args else "")
            if error.retryable:
                return Outcome(
                    Result.transient, code="unavailable", reason=f"no access token: {why}", asked=False
                )
            return Outcome(
                Result.misconfigured,
                code="bad_credentials",
                reason=f"Google refuses the service account: {why}",
                asked=False,
            )
        except GoogleAuthError:
            reason = "no connection to the token server; nothing was sent"
            return Outcome(Result.transient, code="connect_failed", reason=reason)
        return None

    async def _refresh(self) -> None:
        """Lets google-auth get a new token, in a thread, since it blocks."""
        # A little shorter than the senders wait, so that they get the real error.
        request = _Request(asyncio.get_running_loop(), self._timeout * 0.9)
        await asyncio.to_thread(self._credentials.refresh, request)

    def _refreshed(self, task: "asyncio.Task[None]") -> None:
        self._refreshing = None
        if not task.cancelled():
            task.exception()  # marks it as retrieved, even if every sender has stopped waiting


class _Request(transport.Request):
    """Makes google-auth's requests with our client. It is called in a thread, and the client runs in the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._loop = loop
        self._seconds = seconds

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **_: Any,
    ) -> "_Response":
        """Raises TransportError if there is no response."""
        call = asyncio.run_coroutine_threadsafe(self._send(url, method, body, headers), self._loop)
        try:
            return _Response(call.result())
        except (CallFailed, UrlRefused) as error:
            raise TransportError(error.reason) from error  # type: ignore[no-untyped-call]
        except ValueError as error:  # a token_uri that is no URL, or a proxy that can't be used
            raise TransportError(str(error)) from error  # type: ignore[no-untyped-call]

    async def _send(
        self, url: str, method: str, body: bytes | None, headers: Mapping[str, str] | None
    ) -> Response:
        async with provider_client(URL(url), connections=1, headers={}) as client:
            return await client.send(method, URL(url), headers=headers, body=body, seconds=self._seconds)


class _Response(transport.Response):
    """A response, by the names that google-auth has for its parts."""

    def __init__(self, response: Response) -> None:
        self._response = response

    @property
    def status(self) -> int:
        return self._response.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._response.headers

    @property
    def data(self) -> bytes:
        return self._response.body


def _message(message: Outgoing, data: Mapping[str, Any]) -> dict[str, Any]:
    # APNs allows 64 bytes for a collapse id.
    tag = message.key if len(message.key.encode()) <= 64 else hashlib.sha256(message.key.encode()).hexdigest()
    return {
        "token": message.to,
        "notification": {"body": message.body} | ({"title": message.subject} if message.subject else {}),
        "data": {name: _text(value) for name, value in data.items()},
        "android": {"notification": {"tag": tag}},
        "apns": {"headers": {"apns-collapse-id": tag}},
        "webpush": {"notification": {"tag": tag}},
    }


def _text(value: Any) -> str:
    """Returns a data value as text, as FCM requires; other values become JSON."""
    return value if isinstance(value, str) else dumps(value).decode()


def _outcome(answer: Answer) -> Outcome:
    payload = answer.json
    name = payload.get("name")
    if answer.status == 200 and isinstance(name, str):
        return Outcome(Result.sent, provider_message_id=name)
    code = _code(payload)
    error = payload.get("error")
    message = words(error.get("message")) if isinstance(error, dict) else ""
    summary = f"FCM answered {answer.status}" + (f" {code}" if code else "")
    if answer.status == 404 and isinstance(error, dict):
        code = "UNREGISTERED"
    if code in CODES:
        result, ours, text = CODES[code]
        wait = answer.retry_after if result in (Result.throttled, Result.transient) else None
        if result is Result.throttled and wait is None:
            wait = QUOTA_SECONDS
        return Outcome(result, code=ours, reason=f"{summary}: {text}", retry_after=wait)
    reason = f"{summary}: {message}" if message else summary
    if answer.status == 400:
        return Outcome(Result.refused, code=_argument(payload, message), reason=reason)
    outcome = by_status(answer, reason)
    if outcome.result is Result.throttled and outcome.retry_after is None:
        return Outcome(outcome.result, code=outcome.code, reason=reason, retry_after=QUOTA_SECONDS)
    return outcome


def _details(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    error = payload.get("error")
    details = error.get("details") if isinstance(error, dict) else None
    return [detail for detail in details if isinstance(detail, dict)] if isinstance(details, list) else []


def _code(payload: Mapping[str, Any]) -> str | None:
    """Returns FCM's own error code, or else the general status of Google's APIs."""
    for detail in _details(payload):
        if isinstance(code := detail.get("errorCode"), str):
            return code
    error = payload.get("error")
    status = error.get("status") if isinstance(error, dict) else None
    return status if isinstance(status, str) else None


def _argument(payload: Mapping[str, Any], message: str) -> str:
    """Returns our code for INVALID_ARGUMENT: it is about the recipient, the size or the rest."""
    fields = [
        violation.get("field")
        for detail in _details(payload)
        for violation in detail.get("fieldViolations") or ()
        if isinstance(violation, dict)
    ]
    if "message.token" in fields or "registration token" in message:
        return "invalid_recipient"
    return "too_long" if "too big" in message else "invalid_content"
