"""Any of Apprise's services: `apprise:` and an Apprise URL, for example `apprise:mailto://me:password@gmail.com`.

`{to}` in the URL is replaced by the recipient, percent-encoded; a URL without it sends everything to the address that
it names. The sender is the URL's: one that an SMS names is not passed on, and an email that names one is refused.
Timeouts are Apprise's own, in its URL: `cto` to connect, `rto` to read (4 s each).

Apprise returns success or failure, and logs the reason. So a failure is `transient`, whatever its cause, with one
exception that its log shows: the request was sent and no response came, which is `unknown`.
"""

import asyncio
import logging
import re
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar, Self
from urllib.parse import quote, unquote

from apprise import Apprise, AppriseAsset, NotifyFormat
from apprise.result import AppriseResult, AppriseResultStatus

from channels.batch import each
from channels.dsn import BadDsn, Dsn
from channels.mailbox import Mailbox
from channels.port import Event, HookRequest, Outcome, Outgoing, Result, Sink, Target

DEADLINE = 60.0  # seconds for a message that Apprise's own timeouts do not end
WORKERS = 8  # threads, and so messages at once, as Apprise is synchronous
_THREADS = "apprise-channel"
_EXAMPLES = {"email": "someone@example.com", "sms": "+14155550100", "push": "token"}

# How requests describes a request without a response. "Max retries exceeded" is a failed connect.
_NO_ANSWER = re.compile(
    r"Read timed out|Connection aborted|RemoteDisconnected|IncompleteRead|Connection broken"
)


class _NotFromOurThreads(logging.Filter):
    """Drops urllib3's log lines: they contain the paths of URLs, which are the password in many services."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.threadName or "").startswith(_THREADS)


_hush = _NotFromOurThreads()


def _silence_logs() -> None:
    """Keeps the logs of Apprise and its HTTP client out of ours, as they contain URLs and messages.

    The reason of an outcome has all useful details. It can be called more than once.
    """
    logger = logging.getLogger("apprise")
    logger.propagate = False
    logger.setLevel(logging.DEBUG)  # set once, since capturing would change it for all threads
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    for name in ("urllib3.connectionpool", "urllib3.util.retry"):
        logging.getLogger(name).addFilter(_hush)


class AppriseChannel:
    """One Apprise URL. Makes a service instance for each message: they are cheap, and not thread-safe."""

    name: ClassVar[str] = "apprise"
    idempotent = False
    reports_delivery = False

    def __init__(self, url: str, kind: str) -> None:
        self.batch = WORKERS
        self._url, self._kind = url, kind
        self._to_addresses = kind == "email" and "{to}" in url
        self._secrets = _secrets(url)
        # Apprise's own threads and deadline are off: it runs in our threads and under our deadline.
        self._asset = AppriseAsset(async_mode=False, service_timeout=0, secure_logging=True)
        self._slots = asyncio.Semaphore(WORKERS)
        self._threads: ThreadPoolExecutor | None = None

    @classmethod
    def from_dsn(cls, dsn: Dsn, kind: str) -> Self:
        """Raises BadDsn."""
        _silence_logs()
        channel = cls(dsn.path, kind)
        with warnings.catch_warnings():
            # Apprise loads its services with the first URL, and one of them imports a deprecated module.
            warnings.simplefilter("ignore", DeprecationWarning)
            usable = channel._service(_EXAMPLES[kind]) is not None
        if not usable:
            raise BadDsn(
                "apprise: Apprise cannot use the URL after apprise: (an unknown service, or a part"
                " that is missing or malformed); compare it with that service's page on https://appriseit.com"
            )
        return channel

    def __repr__(self) -> str:
        return f"<AppriseChannel {self._url.partition(':')[0]}>"

    def target(self) -> Target | None:
        return None  # its library chooses

    async def open(self, sink: Sink) -> None:
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix=_THREADS)

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        if (threads := self._threads) is None:
            raise RuntimeError(
                "the apprise channel is not open: call open() first, and not send() after close()"
            )
        return await each(lambda message: self._send_message(threads, message), batch)

    async def close(self) -> None:
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)  # running calls end by Apprise's timeouts

    def hook(self, request: HookRequest) -> list[Event]:
        return []

    async def _send_message(self, threads: ThreadPoolExecutor, message: Outgoing) -> Outcome:
        if message.sender is not None and self._kind == "email":
            reason = "an Apprise URL has its sender, and a message can't name another one"
            return Outcome(Result.refused, code="sender_unsupported", reason=reason, asked=False)
        async with self._slots:
            call = threads.submit(self._notify, message)
            try:
                return await asyncio.wait_for(asyncio.wrap_future(call), DEADLINE)
            except TimeoutError:
                begun = not call.cancel()  # an earlier call may still hold the thread that this one waits for
                result = Result.unknown if begun else Result.transient
                return Outcome(result, code="timeout", reason=f"Apprise did not answer within {DEADLINE:g} s")

    def _service(self, to: str) -> "Apprise | None":
        """Returns Apprise with the service for this recipient; None if URL and recipient make no valid service."""
        service = Apprise.instantiate(self._url.replace("{to}", quote(to, safe="")), asset=self._asset)
        if service is None:
            return None
        apprise = Apprise(asset=self._asset)
        apprise.add(service)
        return apprise

    def _notify(self, message: Outgoing) -> Outcome:
        """Sends one message, in one of our threads."""
        # Checked here, because Apprise drops an invalid address and then writes to the sender instead.
        apprise = None if self._to_addresses and not _is_address(message.to) else self._service(message.to)
        if apprise is None:
            reason = "the service can make nothing of this recipient"
            return Outcome(Result.refused, code="invalid_recipient", reason=reason, asked=False)
        if not message.body:
            return Outcome(
                Result.refused,
                code="invalid_content",
                reason="Apprise sends no message without a text",
                asked=False,
            )
        shows_html = apprise[0].resolve_format(NotifyFormat.HTML) is NotifyFormat.HTML
        html = message.html if shows_html else None
        answer = apprise.notify(
            body=html or message.body,
            title=message.subject or "",
            body_format=NotifyFormat.HTML if html else NotifyFormat.TEXT,
            log_level=logging.DEBUG,
        )
        return self._outcome(answer)

    def _outcome(self, answer: AppriseResult) -> Outcome:
        attempts = [attempt for result in answer for attempt in result.attempts]
        # Not `bool(answer)`: that also calls a failure of a service with ?optional=yes a success.
        if any(attempt.status is AppriseResultStatus.SUCCESS for attempt in attempts):
            return Outcome(Result.sent)
        entries = [entry for attempt in attempts for entry in attempt.logs]
        messages = [entry.message for entry in entries if entry.level in ("WARNING", "ERROR", "CRITICAL")]
        reason = self._masked(
            messages[-1] if messages else "the service did not take the message, and did not say why"
        )
        if any(_NO_ANSWER.search(entry.message) for entry in entries):
            return Outcome(Result.unknown, code="timeout", reason=f"handed over, but not confirmed: {reason}")
        return Outcome(Result.transient, code="not_taken", reason=reason)

    def _masked(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return " ".join(text.split())[:500]


def _is_address(text: str) -> bool:
    try:
        Mailbox.parse(text)
    except ValueError:
        return False
    return True


def _secrets(url: str) -> list[str]:
    """Returns every part of the URL after its scheme, longest first: only the service knows which is secret."""
    rest = url.partition("://")[2].replace("{to}", "/")
    parts = {part for part in re.split(r"[/:@?&=,;#]+", rest) if len(part) > 2}
    return sorted(parts | {unquote(part) for part in parts}, key=len, reverse=True)
