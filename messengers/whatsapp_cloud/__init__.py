"""The WhatsApp Cloud driver, by Meta's official HTTP API (Graph API, Cloud API).

There is no connection to keep and no login: the account needs only its credentials (`CloudCredentials`). `start` asks
Meta for the number; the host's probes ask again every minute. Incoming events arrive at `/hooks/whatsapp-cloud/<account
id>` (`hook.py`, `engine/messengers/cloud_hooks.py`), never through this connection.

Meta has no idempotency key: a request that was sent and not answered is Uncertain, and the report that carries its item
(`biz_opaque_callback_data`) gives the result. Meta offers no history and no lookup, and shows typing only as the answer
to an incoming message.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, ClassVar, Final, Literal, TypeVar

import aiohttp
import structlog
from cachetools import LRUCache
from pydantic import ValidationError

from core.outbound import Client
from messengers.port import (
    Account,
    Action,
    Change,
    Lost,
    Media,
    Message,
    MessengerError,
    Outgoing,
    Person,
    Refused,
    Sent,
    Sink,
    Throttled,
    Uncertain,
    Unreachable,
    Unsupported,
    WrongStep,
)
from messengers.whatsapp_cloud import messages
from messengers.whatsapp_cloud.errors import Ended
from messengers.whatsapp_cloud.graph import Graph, Token
from messengers.whatsapp_cloud.values import phone_or_id
from shapes.chats import ChatMessageStatus, ContentKind
from shapes.messenger_accounts import AccountState, CloudCredentials, MessengerSource

T = TypeVar("T")
log = structlog.get_logger("postern.messengers")

LARGEST: Final = 50 * 1024 * 1024  # bytes of the largest file that is downloaded
_FIELDS = "display_phone_number,verified_name"
_MOST_READ = 10_000  # threads whose newest read message is remembered
_CLOSE_SECONDS = 4.0
_NOT_SENT_YET = ("held_for_quality_assessment", "paused")  # of a template; a later report gives the result
_NO_LOGIN = "This account has no login; it uses its credentials."


class CloudDriver:
    """The driver `whatsapp-cloud`. One per process."""

    name: ClassVar[str] = "whatsapp-cloud"
    sources: ClassVar[frozenset[MessengerSource]] = frozenset({MessengerSource.whatsapp})
    codes: ClassVar[frozenset[Literal["qr", "code", "pairing", "password"]]] = frozenset()
    idempotent: ClassVar[bool] = False
    renews: ClassVar[float] = 20.0  # Meta shows it for 25 seconds
    runs_processes: ClassVar[bool] = False

    def __init__(self, url: str, *, pauses: Sequence[float] = (2, 5, 15, 60, 300)) -> None:
        self.graph = Graph(url)
        self.pauses = pauses  # seconds between attempts while an account starts; the last value repeats

    def connect(self, account: Account, sink: Sink) -> "CloudConnection":
        return CloudConnection(self, account, sink)

    async def close(self) -> None:
        await self.graph.close()


def driver(settings: Any) -> CloudDriver:
    """Makes the driver from the service's settings."""
    return CloudDriver(settings.whatsapp_cloud_url)


class CloudConnection:
    """The port's `Connection` of one number; see the module's docstring."""

    def __init__(self, driver: CloudDriver, account: Account, sink: Sink) -> None:
        self._driver, self._account, self._sink = driver, account, sink
        self._client: Client | None = None
        self._credentials: CloudCredentials | None = None
        self._starting: asyncio.Task[None] | None = None
        # thread → the newest message that was marked as read
        self._last_read: LRUCache[str, str] = LRUCache(_MOST_READ)

    async def start(self) -> None:
        try:
            self._credentials = CloudCredentials.model_validate(dict(self._account.credentials))
        except ValidationError:
            reason = "This account has no Meta credentials. Set `credentials` and start it again."
            await self._sink.changed(Change(AccountState.failed, code="credentials_missing", reason=reason))
            return
        self._client = self._driver.graph.join(self._account.proxy)
        self._starting = asyncio.create_task(self._start())

    async def _start(self) -> None:
        """Asks Meta for the number until it gives a definite answer."""
        tries = 0
        try:
            while True:
                change, pause = await self._look()
                await self._sink.changed(change)
                if change.state is not AccountState.reconnecting:
                    return
                pauses = self._driver.pauses
                await asyncio.sleep(
                    max(pause, pauses[min(tries, len(pauses) - 1)] * random.uniform(0.8, 1.2))
                )
                tries += 1
        except Lost:
            await self.close()
        except Exception:
            log.exception("a WhatsApp Cloud account could not start", account=str(self._account.id))
            reason = "The driver failed. The operator finds the error in the log."
            with suppress(Lost):
                await self._sink.changed(Change(AccountState.failed, code="crashed", reason=reason))

    async def _look(self) -> tuple[Change, float]:
        """Returns the state to report, and the shortest pause that Meta asks for."""
        try:
            me = await self._me()
        except Ended as error:
            return error.change, 0
        except Throttled as error:
            wait = (error.until - datetime.now(UTC)).total_seconds()
            change = Change(
                AccountState.reconnecting, code=error.code, reason=error.reason, until=error.until
            )
            return change, wait
        except Refused as error:
            return Change(AccountState.failed, code=error.code, reason=error.reason), 0
        except MessengerError as error:
            return Change(AccountState.reconnecting, code=error.code, reason=error.reason), 0
        return Change(AccountState.working, me=me), 0

    async def close(self) -> None:
        starting, self._starting = self._starting, None
        if starting is not None and starting is not asyncio.current_task():
            starting.cancel()
            await asyncio.wait({starting}, timeout=_CLOSE_SECONDS)
        client, self._client = self._client, None
        if client is not None:
            try:
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await self._driver.graph.leave(self._account.proxy)
            except Exception as error:  # the client is dropped in any case
                log.info("a pool could not be closed in good order", error=type(error).__name__)

    async def forget(self) -> None:
        """Closes the connection. There is no session to end; the credentials belong to the owner."""
        await self.close()

    async def code(self, code: str) -> None:
        raise WrongStep(_NO_LOGIN)

    async def password(self, password: str) -> None:
        raise WrongStep(_NO_LOGIN)

    async def send(self, message: Outgoing) -> Sent:
        messages.check(message)
        messages.recipient(message.to)
        uploaded = [await self._upload(file) for file in message.media]
        first: Sent | None = None
        for body in messages.parts(message, uploaded):
            try:
                answer = await self._messages(body, effect=True)
                sent = _sent(answer, message.to)
            except MessengerError as error:
                if first is None:
                    raise
                raise Uncertain(f"Only a part of the message was taken. {error.reason}") from error
            first = first or sent
        assert first is not None, "a checked message has a part"
        return first

    async def history(self, thread: str, limit: int, before: str | None = None) -> Sequence[Message]:
        return []

    async def person(self, to: str) -> Person | None:
        raise Unsupported(
            "Meta's API has no lookup of phone numbers. Send a message; its status shows whether it arrived."
        )

    async def me(self) -> Person:
        return await self._reporting_end(self._me)

    async def act(self, to: str, action: Action) -> None:
        """Shows typing, as the answer to the last read message."""
        messages.recipient(to)
        self._open()
        if action == "none":
            return  # typing ends by itself
        if action == "recording":
            raise Unsupported("Meta's API can show typing, but not recording.")
        if (id := self._last_read.get(to.removeprefix("+"))) is None:
            raise Unsupported(
                "Meta's API shows typing only in answer to a message that was marked as read. Turn on autoRead"
                " (setConfig)."
            )
        await self._send_read_status(id, typing=True)

    async def read(self, thread: str, provider_id: str) -> None:
        id = messages.wamid(provider_id)
        await self._send_read_status(id)
        self._last_read[thread] = id

    async def fetch(self, thread: str, provider_id: str, index: int) -> Media:
        media = provider_id.partition("#")[2]
        if not media or index != 0:
            raise Refused(
                "This message has no file that Meta stores. Read the message again.", code="media_unavailable"
            )

        async def get() -> Media:
            client, credentials = self._open()
            token, graph = Token(credentials.access_token), self._driver.graph
            where = await graph.call(
                client, token, "GET", media, params={"phone_number_id": credentials.phone_number_id}
            )
            size = where.get("file_size")
            if isinstance(size, int) and size > LARGEST:
                raise Refused(
                    f"The file is larger than {LARGEST >> 20} MiB. Open it in the messenger itself.",
                    code="media_too_large",
                )
            data = await graph.download(client, token, str(where.get("url")), LARGEST)
            mime = str(where.get("mime_type") or "application/octet-stream").split(";")[0].strip()
            return Media(_kind(mime), data, mime)

        return await self._reporting_end(get)

    async def probe(self) -> bool:
        try:
            async with asyncio.timeout(5):
                await self._me()
        except Ended:
            return False
        except Throttled:
            return True  # a rate limit shows that the credentials are valid
        except TimeoutError:
            raise Unreachable("Meta did not answer in time.") from None
        return True

    def _open(self) -> tuple[Client, CloudCredentials]:
        if self._client is None or self._credentials is None:
            raise WrongStep("The account is stopped. Start it first.")
        return self._client, self._credentials

    async def _call(self, method: str, path: str, *, effect: bool = False, **sent: Any) -> dict[str, Any]:
        """Calls the number's API; `path` is below the number."""
        client, credentials = self._open()
        full_path = f"{credentials.phone_number_id}{path}"
        token = Token(credentials.access_token)
        return await self._driver.graph.call(client, token, method, full_path, effect=effect, **sent)

    async def _me(self) -> Person:
        profile = await self._call("GET", "", params={"fields": _FIELDS})
        _, credentials = self._open()
        digits = "".join(char for char in str(profile.get("display_phone_number") or "") if char.isdigit())
        name = profile.get("verified_name")
        return Person(
            id=credentials.phone_number_id,
            phone=phone_or_id(digits) if digits else None,
            first_name=name if isinstance(name, str) else None,
        )

    async def _messages(self, body: dict[str, Any], *, effect: bool) -> dict[str, Any]:
        async def post() -> dict[str, Any]:
            return await self._call("POST", "/messages", effect=effect, json=body)

        return await self._reporting_end(post)

    async def _send_read_status(self, id: str, *, typing: bool = False) -> None:
        body: dict[str, Any] = {"messaging_product": "whatsapp", "status": "read", "message_id": id}
        if typing:
            body["typing_indicator"] = {"type": "text"}
        await self._messages(body, effect=False)

    async def _upload(self, file: Media) -> str:
        name = file.name or file.kind.value

        form = aiohttp.FormData({"messaging_product": "whatsapp", "type": file.mime})
        form.add_field("file", BytesIO(file.data), filename=name, content_type=file.mime)

        async def post() -> dict[str, Any]:
            return await self._call("POST", "/media", form=form)

        id = (await self._reporting_end(post)).get("id")
        if not isinstance(id, str):
            raise Unreachable("Meta's answer to the upload can't be read; nothing was sent.")
        return id

    async def _reporting_end(self, call: Callable[[], Awaitable[T]]) -> T:
        """Runs a call, and reports an error that ends the whole account."""
        try:
            return await call()
        except Ended as error:
            await self._sink.changed(error.change)
            raise


def _sent(answer: dict[str, Any], to: str) -> Sent:
    """Returns the accepted message. Raises Uncertain if it was accepted under an id that can't be read."""
    try:
        id = answer["messages"][0]["id"]
        pending = answer["messages"][0].get("message_status") in _NOT_SENT_YET
    except (KeyError, IndexError, TypeError, AttributeError):
        id, pending = None, False
    if not isinstance(id, str) or not id:
        raise Uncertain(
            "Meta's answer can't be read, so the message may have been sent. Its delivery report will"
            " show it."
        )
    try:
        contact = answer["contacts"][0]
        thread = contact.get("wa_id") or contact.get("user_id")
    except (KeyError, IndexError, TypeError, AttributeError):
        thread = None
    status = ChatMessageStatus.pending if pending else ChatMessageStatus.server
    return Sent(id, thread if isinstance(thread, str) else to.removeprefix("+"), datetime.now(UTC), status)


def _kind(mime: str) -> ContentKind:
    return {"image": ContentKind.image, "video": ContentKind.video, "audio": ContentKind.audio}.get(
        mime.partition("/")[0], ContentKind.file
    )
