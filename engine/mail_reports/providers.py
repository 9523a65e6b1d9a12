"""Takes reports of mail providers by HTTP: verified and read by the channel, classified and recorded here.

/hooks/smtp/email ──► the channel's `mail_hook` ──► MailEvent ──► the message, by our token
                          │ certificates, nonces                   classes ──► recording, in groups

Callbacks that come while others of the same provider are committed are committed together (runtime/group_commit.py). So
a provider has one session of the database, however many callbacks it makes at once.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import structlog
from cachetools import TTLCache

from channels.port import BadHook, BadSignature, HookFailed, HookRequest, MailEvent, MailHook, MailRecipient
from core.errors import RateLimited
from core.outbound import CallFailed, Client, UrlRefused
from core.rate_limits import Limit
from engine.mail_reports import reference
from engine.mail_reports.classes import Failure, classify
from engine.mail_reports.recording import Received, Rules, commit
from engine.mail_reports.report import MOST_RECIPIENTS, RecipientReport, visible
from runtime.group_commit import GroupCommit, NotStarted
from runtime.services import Services
from shapes.mail_reports import MailReportType

log = structlog.get_logger("postern.mail_reports")

_TOGETHER: Final = 100  # reports of one transaction
_WAITS: Final = 5.0  # seconds until a callback's reports are being committed
_DAY: Final = 86_400
_SECONDS: Final = 10.0  # of a call to the provider's server
_MOST_OCTETS: Final = 32 * 1024  # of its answers
_LONGEST_ID: Final = 255
_FAILURES: Final = frozenset({MailReportType.bounce, MailReportType.delay})
# Callbacks without a signature can name certificates that do not exist: each client has calls of its own.
_CALLS: Final = Limit("hook-documents", 20, 60.0)
_ONCE: Final = Limit("hook-nonces", 1, _DAY)


class ProviderServers:
    """Calls to the providers' own servers, and the documents that they answered."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._cached: TTLCache[str, bytes] = TTLCache(32, ttl=_DAY)
        self._lock = asyncio.Lock()

    async def document(self, services: Services, client: str, url: str) -> bytes:
        """Returns a document, which is kept for a day. Raises HookFailed."""
        # Cached documents are returned without the lock: callbacks that name documents of their own could hold it all
        # the time.
        if (document := self._cached.get(url)) is not None:
            return document
        async with self._lock:
            if (document := self._cached.get(url)) is None:
                document = self._cached[url] = await self.get(services, client, url)
            return document

    async def get(self, services: Services, client: str, url: str) -> bytes:
        """Gets an address for this client. Raises HookFailed."""
        if not (await services.limiter.take(_CALLS, client)).allowed:
            raise HookFailed("too many calls to the provider's server")
        try:
            response = await self._client.send("GET", url)
        except (CallFailed, UrlRefused) as error:
            raise HookFailed(f"the provider's server does not answer: {error}") from error
        if response.status != 200 or response.truncated:
            raise HookFailed(f"the provider's server answered {response.status}")
        return response.body

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()


class _Tools:
    """The things that the check of one callback needs."""

    def __init__(self, services: Services, client: str) -> None:
        self._services, self._client, self._nonces = services, client, list[str]()

    @property
    def _servers(self) -> ProviderServers:
        """Returns the calls of this process. Most providers need none, and certificates take long to load."""
        services = self._services
        return services.single(
            ProviderServers,
            lambda: ProviderServers(Client(services.guard, seconds=_SECONDS, most=_MOST_OCTETS)),
            ProviderServers.close,
        )

    @property
    def now(self) -> float:
        return self._services.db.now().timestamp()

    @property
    def tolerance(self) -> float:
        return float(self._services.settings.hook_tolerance_seconds)

    async def document(self, url: str) -> bytes:
        return await self._servers.document(self._services, self._client, url)

    async def call(self, url: str) -> None:
        await self._servers.get(self._services, self._client, url)

    async def first_use(self, nonce: str) -> bool:
        first = (await self._services.limiter.take(_ONCE, nonce)).allowed
        if first:
            self._nonces.append(nonce)
        return first

    async def release(self) -> None:
        """Makes the nonces of this callback unused again, since the provider will repeat it."""
        for nonce in self._nonces:
            await self._services.limiter.draw(_ONCE, nonce, need=0, want=0, back=1)


class _Recording(GroupCommit[Sequence[Received], int]):
    """The reports of callbacks that this process commits together."""

    def __init__(self, services: Services) -> None:
        super().__init__(self._commit, seconds=_WAITS)
        self._services, self._rules = services, Rules.of(services.settings)

    async def _commit(self, callbacks: Sequence[Sequence[Received]]) -> list[int]:
        # If a later transaction fails, all come again, and those that were committed by then change nothing.
        received = [item for callback in callbacks for item in callback]
        for start in range(0, len(received), _TOGETHER):
            await commit(self._services, received[start : start + _TOGETHER], self._rules)
        return [len(callback) for callback in callbacks]


async def receive(services: Services, hook: MailHook, request: HookRequest, client: str) -> int:
    """Applies a callback and returns how many of its reports were about messages of ours. All are committed then.

    `client`: the address that called, by which calls to the provider's servers are bounded.

    Raises BadSignature, BadHook, HookFailed, RateLimited, and the errors of the database: the provider has to call
    again.
    """
    tools = _Tools(services, client)
    try:
        events = await hook.receive(request, tools)
        return await _record(services, hook.source, events, len(request.body))
    except (BadSignature, BadHook):
        raise
    except BaseException:
        await tools.release()
        raise


async def _record(services: Services, source: str, events: Sequence[MailEvent], size: int) -> int:
    keys, now = services.keys(reference.KEY), services.db.now()
    received = [item for event in events if (item := _received(keys, source, event, now)) is not None]
    if len(received) < len(events):
        log.info("reports about no message of ours", source=source, count=len(events) - len(received))
    if not received:
        return 0
    recording = services.single(_Recording, lambda: _Recording(services), _Recording.close)
    try:
        return await recording.join(source, received, size)
    except NotStarted:
        raise RateLimited(
            "Too many callbacks wait until they are stored. Call again in a moment.",
            headers={"Retry-After": "1"},
        ) from None


def _received(keys: Sequence[bytes], source: str, event: MailEvent, now: datetime) -> Received | None:
    """Returns a report of a message of ours; None if its token is not of ours."""
    id = reference.read(keys, event.token) if event.token is not None else event.message_id
    if id is None or not event.recipients:
        return None
    recipients = tuple(_report(event, recipient) for recipient in event.recipients[:MOST_RECIPIENTS])
    at = min(event.at or now, now)
    return Received(id, recipients, source, event.id[:_LONGEST_ID].replace("\0", ""), at)


def _report(event: MailEvent, recipient: MailRecipient) -> RecipientReport:
    if event.type not in _FAILURES:
        return RecipientReport(event.type, None, recipient.address, None, None, None)
    words = Failure(recipient.status, recipient.diagnostic, provider_type=recipient.provider_type)
    classified = classify(words)
    diagnostic = visible(recipient.diagnostic)
    return RecipientReport(
        event.type,
        recipient.klass or classified.klass,
        recipient.address,
        classified.status,
        classified.code,
        diagnostic,
    )
