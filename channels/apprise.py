"""Any of Apprise's services: `apprise:` and an Apprise URL, for example `apprise:mailto://me:password@gmail.com`.

`{to}` in the URL becomes the recipient, percent-encoded; a URL without it sends everything to the place that
it names. Time-outs are Apprise's own, in its URL: `cto` to connect, `rto` to read (4 s each).

Apprise answers yes or no, and why only in its log. So a no is `transient`, whatever the cause was, with one
exception that the log does tell: the request had left and its answer did not come, which is `unknown`.
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
from channels.port import Event, HookRequest, Outcome, Outgoing, Result, Sink

DEADLINE = 60.0  # seconds for a hand-over that Apprise's own time-outs do not end
WORKERS = 8  # Apprise is synchronous: so many threads, so many hand-overs at once
_THREADS = "apprise-channel"
_EXAMPLES = {"email": "someone@example.com", "sms": "+14155550100", "push": "token"}

# requests' words for a request whose answer never came. "Max retries exceeded" is a failed connect.
_NO_ANSWER = re.compile(
    r"Read timed out|Connection aborted|RemoteDisconnected|IncompleteRead|Connection broken"
)


class _NotFromOurThreads(logging.Filter):
    """urllib3 logs the paths of URLs, and in many of Apprise's services the path is the password."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.threadName or "").startswith(_THREADS)


_hush = _NotFromOurThreads()


def _silence_logs() -> None:
    """Keep what Apprise and its HTTP client log out of ours: it holds URLs, and messages.

    What is worth knowing of it becomes an outcome's reason. Safe to call more than once.
    """
    logger = logging.getLogger("apprise")
    logger.propagate = False
    logger.setLevel(logging.DEBUG)  # for all threads at once: a capture would change it back and forth
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    for name in ("urllib3.connectionpool", "urllib3.util.retry"):
        logging.getLogger(name).addFilter(_hush)


class AppriseChannel:
    """One Apprise URL, a service instance a message: they are cheap, and not made for several threads."""

    name: ClassVar[str] = "apprise"
    idempotent = False

    def __init__(self, url: str, kind: str) -> None:
        self.batch = WORKERS
        self._url = url
        self._to_addresses = kind == "email" and "{to}" in url
        self._secrets = _secrets(url)
        # No threads of Apprise's own and no deadline of its own: it runs in ours, under ours.
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

    async def open(self, sink: Sink) -> None:
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix=_THREADS)

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        if (threads := self._threads) is None:
            raise RuntimeError(
                "the apprise channel is not open: call open() first, and not send() after close()"
            )
        return await each(lambda message: self._one(threads, message), batch)

    async def close(self) -> None:
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)  # what still runs ends by its own time-outs

    def hook(self, request: HookRequest) -> list[Event]:
        return []

    async def _one(self, threads: ThreadPoolExecutor, message: Outgoing) -> Outcome:
        async with self._slots:
            call = threads.submit(self._notify, message)
            try:
                return await asyncio.wait_for(asyncio.wrap_future(call), DEADLINE)
            except TimeoutError:
                begun = not call.cancel()  # an earlier call may still hold the thread that this one waits for
                result = Result.unknown if begun else Result.transient
                return Outcome(result, code="timeout", reason=f"Apprise did not answer within {DEADLINE:g} s")

    def _service(self, to: str) -> "Apprise | None":
        """Apprise with the one service that the URL and the recipient make; None where they make none."""
        service = Apprise.instantiate(self._url.replace("{to}", quote(to, safe="")), asset=self._asset)
        if service is None:
            return None
        apprise = Apprise(asset=self._asset)
        apprise.add(service)
        return apprise

    def _notify(self, message: Outgoing) -> Outcome:
        """One hand-over, start to end, in a thread of ours."""
        # Checked here because Apprise drops an address that it cannot use, and then writes to the sender himself.
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
        said = [entry.message for entry in entries if entry.level in ("WARNING", "ERROR", "CRITICAL")]
        reason = self._masked(
            said[-1] if said else "the service did not take the message, and did not say why"
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
    """Every part of the URL after its scheme, longest first: which of them is secret, only the service knows."""
    rest = url.partition("://")[2].replace("{to}", "/")
    parts = {part for part in re.split(r"[/:@?&=,;#]+", rest) if len(part) > 2}
    return sorted(parts | {unquote(part) for part in parts}, key=len, reverse=True)
