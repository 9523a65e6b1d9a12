"""Holds what all connections of the door share: room for connections, memory for mails, and the operations."""

import asyncio
import time
from collections import Counter
from typing import Any, Final, Protocol
from uuid import UUID

import structlog
from aiosmtpd.smtp import Envelope, Session
from starlette.requests import HTTPConnection

from core.clock import steady
from core.errors import AppError
from core.http.allowlist import AllowlistFile, AllowlistMode
from core.ids import uuid7
from core.metrics import SMTP_REFUSED, SMTP_SUBMISSIONS
from doors.smtp.replies import NOT_NOW, is_final, login_reply_to, reply_to
from resolvers import submissions
from resolvers.submissions import MOST_RECIPIENTS, Submission
from runtime.context import Context
from runtime.database_errors import translate
from runtime.services import Services

log = structlog.get_logger("postern.smtp")

MOST_CONNECTIONS: Final = 500
_MOST_OF_ADDRESS: Final = 100
_SILENT: Final = 3.0  # seconds after which a silent connection makes room for a new one
_MOST_REFUSED: Final = 1000  # recipients of one connection


class Connection(Protocol):
    """A connection, as the door sees it."""

    peer: str | None
    token: str | None
    owner_id: UUID | None
    context: Context | None
    recipients: list[str]
    refused: int
    received_at: float
    is_taking: bool

    def begin(self) -> None:
        """Begins a mail."""

    def hang_up(self) -> None:
        """Closes it when all that is written has been sent."""

    def close(self) -> None:
        """Closes it."""

    def abort(self) -> None:
        """Ends it at once."""


class Budget:
    """The octets of mails in memory, of which an owner has at most half."""

    def __init__(self, most: int) -> None:
        self._most, self._used = most, 0
        self._of_owner: Counter[UUID] = Counter()

    def take(self, owner_id: UUID, octets: int) -> bool:
        """Takes octets for an owner, or none. Returns whether there were so many."""
        if self._used + octets > self._most or self._of_owner[owner_id] + octets > self._most // 2:
            return False
        self._used += octets
        self._of_owner[owner_id] += octets
        return True

    def has(self, owner_id: UUID, octets: int) -> bool:
        """Returns whether there are so many octets for an owner."""
        return self._used + octets <= self._most and self._of_owner[owner_id] + octets <= self._most // 2

    def give_back(self, owner_id: UUID, octets: int) -> None:
        """Gives octets back that were taken."""
        self._used -= octets
        self._of_owner[owner_id] -= octets
        if self._of_owner[owner_id] <= 0:
            del self._of_owner[owner_id]


class Door:
    """The hooks of the server, for all connections."""

    def __init__(self, services: Services, most_connections: int = MOST_CONNECTIONS) -> None:
        """Raises AllowlistUnusable."""
        settings = services.settings
        self.services = services
        self.most_octets = settings.smtp_mail_bytes
        self.budget = Budget(settings.smtp_memory_bytes)
        self.allowlist = AllowlistFile.of(settings)
        self.connections: set[Connection] = set()
        self.submitting: set[asyncio.Task[str]] = set()
        self._most = most_connections

    def __dir__(self) -> list[str]:
        """Returns the names of the hooks, which the library looks for at each connection."""
        return _HOOKS

    # Connections

    def refusal_of(self, new: Connection) -> str | None:
        """Returns the reply to a connection that may not stay; None: it may. If all places are taken, the longest
        silent one is closed: first one that has not logged in.
        """
        if (
            self.allowlist.mode is AllowlistMode.Enforce
            and new.peer is not None
            and not self.allowlist.current.contains(new.peer)
        ):
            SMTP_REFUSED.labels("allowlist").inc()
            log.warning("an address that the allowlist does not have was refused", ip=new.peer)
            return "554 5.7.1 Your address is not on the allowlist"
        if sum(each.peer == new.peer for each in self.connections) >= _MOST_OF_ADDRESS:
            SMTP_REFUSED.labels("address").inc()
            return "421 4.7.0 Too many connections from your address"
        if len(self.connections) < self._most or self._make_room():
            return None
        SMTP_REFUSED.labels("connections").inc()
        return "421 4.3.2 Too many connections"

    def _make_room(self) -> bool:
        before = steady() - _SILENT
        silent = [each for each in self.connections if each.received_at < before and not each.is_taking]
        if not silent:
            return False
        longest = min(silent, key=lambda each: (each.owner_id is not None, each.received_at))
        longest.close()
        self.connections.discard(longest)
        return True

    # Operations

    def context_of(self, connection: Connection, token: str) -> Context:
        """Returns a context in which operations run for the holder of an API token."""
        scope: dict[str, Any] = {
            "type": "http",
            "headers": [],
            "client": (connection.peer or "-", 0),
            "postern": {"request_id": str(uuid7()), "headers": {}},
        }
        context = Context(self.services, HTTPConnection(scope))
        context.credential = f"Bearer {token}"
        return context

    async def log_in(self, connection: Connection, token: str) -> str | None:
        """Logs a connection in. Returns the reply if it is refused."""
        try:
            viewer = await submissions.log_in(self.context_of(connection, token), token)
        except AppError as error:
            SMTP_REFUSED.labels("login").inc()
            log.info("a login was refused", ip=connection.peer, code=error.code)
            return login_reply_to(error)
        connections = sum(each.owner_id == viewer.id for each in self.connections)
        if connections >= self._most // 2:
            SMTP_REFUSED.labels("owner").inc()
            return "421 4.7.0 Too many connections of yours"
        connection.token, connection.owner_id = token, viewer.id
        return None

    async def handle_MAIL(  # noqa: N802  the library calls it so
        self, server: Connection, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Begins a mail. The sender is not used: answers and bounces come back to ours."""
        size = next((text[5:] for text in options if text.startswith("SIZE=")), "0")
        assert server.owner_id is not None
        if not self.budget.has(server.owner_id, int(size)):
            return "452 4.3.1 Too many mails are in memory; try again later"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        server.begin()
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802  likewise
        self, server: Connection, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accepts one recipient, unless it is blocked or no address."""
        if len(server.recipients) >= MOST_RECIPIENTS:
            return f"452 4.5.3 A mail has at most {MOST_RECIPIENTS} recipients"
        assert server.context is not None
        reply = "250 2.1.5 OK"
        try:
            to = await submissions.check(server.context, address)
        except Exception as error:
            reply = self._reply_to(error, "a recipient can't be looked at")
            server.refused += 1
        else:
            envelope.rcpt_tos.append(address)
            if to not in server.recipients:
                server.recipients.append(to)
        if is_final(reply) or server.refused >= _MOST_REFUSED:
            server.hang_up()
        return reply

    async def submit(self, connection: Connection, content: bytes, octets: int) -> str:
        """Returns the reply to a whole mail: 250 only if all of its messages are committed. Gives back its octets.

        It goes on if the connection is lost meanwhile; then the client submits the mail again, and it is the same.
        """
        assert connection.context is not None
        assert connection.owner_id is not None
        submission = Submission(content, tuple(connection.recipients))
        work = self._submit(connection.context, connection.owner_id, submission, octets)
        task = asyncio.create_task(work)
        self.submitting.add(task)
        task.add_done_callback(self.submitting.discard)
        return await asyncio.shield(task)

    async def _submit(self, context: Context, owner_id: UUID, submission: Submission, octets: int) -> str:
        begun = time.perf_counter()
        try:
            single = submissions.is_single(await context.viewer(), submission)
            submitted = await (submissions.submit_single if single else submissions.submit)(
                context, submission
            )
        except Exception as error:
            reply, result = self._reply_to(error, "a mail can't be taken"), "refused"
            if isinstance(error, AppError) and error.code in ("recipient_blocked", "invalid_recipient"):
                # It was accepted, and is blocked since: without it the others are taken when the client asks again.
                reply = reply if len(submission.recipients) == 1 else f"451{reply[3:]}"
        else:
            result = "new" if submitted.new else "again"
            reply = f"250 2.0.0 OK {context.request_id}"
        finally:
            self.budget.give_back(owner_id, octets)
        result = "deferred" if reply.startswith("4") else result
        SMTP_SUBMISSIONS.labels(result).inc()
        log.info(
            "mail",
            id=context.request_id,
            owner=str(owner_id),
            result=result,
            reply=reply.partition(":")[0][:60],
            recipients=len(submission.recipients),
            octets=len(submission.raw),
            ms=round((time.perf_counter() - begun) * 1000, 1),
        )
        return reply

    def _reply_to(self, error: Exception, what: str) -> str:
        """Returns the reply to a command that has failed, and logs what no client can help."""
        if isinstance(error, AppError):
            return reply_to(error)
        if isinstance(away := translate(error), AppError):
            return reply_to(away)
        log.error(what, error=f"{type(error).__name__}: {error}"[:200], exc_info=error)
        return NOT_NOW

    async def handle_exception(self, error: Exception) -> str:
        """Answers a connection in which something unexpected was raised."""
        return self._reply_to(error, "a connection broke")


_HOOKS: Final = [name for name in vars(Door) if name.startswith("handle_")]
