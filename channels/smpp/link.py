"""Holds one bound connection to an SMSC: framing, window, keep-alive. See binding.py for how it comes back."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Self

import smpp34
import structlog

from channels.port import LostConnection, Outcome, Result
from channels.smpp import codec, status
from channels.smpp.codec import Command, Frame
from channels.smpp.connection import Connection
from core.outbound import EVERYWHERE, Guard

log = structlog.get_logger("channels.smpp")

MOST_UNTAKEN: Final = (
    500  # deliver_sm that wait for the sink; further ones are answered with a temporary error
)
FAREWELL_SECONDS: Final = 2.0
CLOSED_BY_US: Final = "closed by us"

Deliver = Callable[[smpp34.DeliverSm], Awaitable[None]]


class BindRefused(Exception):
    """The SMSC answered the bind with a command_status."""

    def __init__(self, command_status: int) -> None:
        super().__init__(status.describe(command_status))
        self.command_status = command_status


class NotSent(Exception):
    """The request was not sent; `outcome` is that of its message."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.code)
        self.outcome = outcome


class Unanswered(Exception):
    """The request was sent and no answer came."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.code)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Login:
    """Address and credentials for the bind, and the timeouts of the connection in seconds."""

    host: str
    port: int
    system_id: str
    password: str = field(repr=False)
    system_type: str
    tls: ssl.SSLContext | None
    guard: Guard
    window: int  # submit_sm without an answer at once
    timeout: float  # of connect and bind together, and of each answer
    enquire_link: float  # silence after which an enquire_link is sent
    reconnect_min: float
    reconnect_max: float


class _Waiting(NamedTuple):
    """A request without an answer."""

    command: Command
    answer: asyncio.Future[Frame]
    deadline: float  # loop time
    end: int  # of its octets among all that the link has written


class Link:
    """A bound session. It ends once, from either side; then `ended` is set, and nothing can be sent any more."""

    def __init__(self, login: Login, deliver: Deliver) -> None:
        self.ended = asyncio.Event()
        self._login = login
        self._connection = Connection(self._received, self._end)
        self._rest = b""  # octets of a PDU that has not arrived completely
        self._deliver = deliver
        self._loop = asyncio.get_running_loop()
        self._window = asyncio.Semaphore(login.window)
        self.room = login.window  # requests that the window takes; less than none if some wait for it
        self._sequence = 0
        self._waiting: dict[int, _Waiting] = {}  # in the order of their deadlines: all have one timeout
        self._timer: asyncio.TimerHandle | None = None  # of the oldest of them, when it was set
        self._untaken: set[asyncio.Task[None]] = set()
        self._lost_connection = LostConnection()  # of all outcomes when it ends
        self._leaving = False  # one side has sent unbind
        self._received_at = self._loop.time()
        self._answer_missing = asyncio.Event()  # an answer is missing: send an enquire_link at once
        self._keeping_alive: asyncio.Task[None] | None = None

    @classmethod
    async def bind(cls, login: Login, role: Command, deliver: Deliver) -> Self:
        """Connects and binds in `login.timeout` seconds. Raises OSError, TimeoutError, BindRefused, UrlRefused."""
        async with asyncio.timeout(login.timeout):
            link = cls(login, deliver)
            await _connect(login, link._connection)
            try:
                body = codec.bind_body(login.system_id, login.password, login.system_type)
                answer = await link._ask(role, lambda sequence: codec.pdu(role, sequence, body=body))
                if answer.status != status.OK:
                    raise BindRefused(answer.status)
            except (NotSent, Unanswered) as lost:
                await link.let_go()
                if lost.outcome.code == "timeout":
                    raise TimeoutError from None
                raise ConnectionResetError("the connection was closed before the bind was answered") from None
            except BaseException:
                await link.let_go()
                raise
        if not link.ended.is_set():
            link._keeping_alive = asyncio.create_task(link._keep_alive())
        return link

    @property
    def usable(self) -> bool:
        return not (self._leaving or self.ended.is_set() or not self._connection.usable)

    async def submit(self, build: Callable[[int], bytes]) -> Frame:
        """Sends the submit_sm that `build` makes of a sequence number, within the window. Returns its answer.

        Raises NotSent, Unanswered.
        """
        self.room -= 1
        try:
            await self._enter_window()
            try:
                if not self.usable:
                    raise self._not_sent()
                answer = await self._ask(Command.submit_sm, build)
            except Unanswered:
                self._answer_missing.set()
                raise
            finally:
                self._window.release()
        finally:
            self.room += 1
        if answer.status == status.WRONG_BIND_STATE:  # the SMSC has lost our bind, so a new one is needed
            self._end("the SMSC says that we are not bound")
        return answer

    async def _enter_window(self) -> None:
        """Raises NotSent."""
        if not self._window.locked():
            await self._window.acquire()  # does not wait, so it needs no timer
            return
        try:
            async with asyncio.timeout(self._login.timeout):
                await self._window.acquire()
        except TimeoutError:
            raise NotSent(
                later("window_full", "The SMSC has not answered the previous messages yet.")
            ) from None

    async def close(self) -> None:
        """Waits for pending requests, unbinds and disconnects. Bounded by the timeout of an answer."""
        self._leaving = True
        with suppress(TimeoutError, NotSent, Unanswered):
            async with asyncio.timeout(self._login.timeout):
                while not self.ended.is_set() and (pending := self._pending()):
                    await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                if not self.ended.is_set():
                    async with asyncio.timeout(FAREWELL_SECONDS):
                        await self._ask(Command.unbind, lambda sequence: codec.pdu(Command.unbind, sequence))
        await self.let_go()

    def _pending(self) -> list[asyncio.Future[Frame] | asyncio.Task[None]]:
        return [
            *(request.answer for request in self._waiting.values() if not request.answer.done()),
            *self._untaken,
        ]

    async def let_go(self) -> None:
        """Closes the connection, if it is open, and cancels its tasks."""
        self._end(CLOSED_BY_US)
        tasks = [*self._untaken, *([self._keeping_alive] if self._keeping_alive else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._connection.closed.wait()

    async def _ask(self, command: Command, build: Callable[[int], bytes]) -> Frame:
        """Sends a request and returns its answer. Raises NotSent; Unanswered if the request may have arrived."""
        self._sequence = self._sequence % codec.LAST_SEQUENCE + 1
        sequence = self._sequence
        octets = build(sequence)
        answer: asyncio.Future[Frame] = self._loop.create_future()
        if self.ended.is_set() or not self._connection.usable:
            raise self._not_sent()
        self._connection.write(octets)
        deadline = self._loop.time() + self._login.timeout
        self._waiting[sequence] = _Waiting(command, answer, deadline, self._connection.written)
        if self._timer is None:
            self._start_timer()
        try:
            return await answer
        finally:
            del self._waiting[sequence]

    def _start_timer(self) -> None:
        """Sets the timer to the deadline of the oldest request that has no answer."""
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                self._timer = self._loop.call_at(waiting.deadline, self._check_deadlines)
                return

    def _check_deadlines(self) -> None:
        """Gives up requests that were not answered in time. One timer serves all: mostly its request was answered."""
        self._timer = None
        now = self._loop.time()
        for waiting in self._waiting.values():
            if waiting.deadline > now:
                break
            if not waiting.answer.done():
                reason = f"The SMSC did not answer within {self._login.timeout:g} s."
                waiting.answer.set_exception(
                    Unanswered(Outcome(Result.unknown, code="timeout", reason=reason))
                )
        self._start_timer()

    def _write(self, octets: bytes) -> None:
        if not self.ended.is_set() and self._connection.usable:
            self._connection.write(octets)

    def _respond(self, request: Frame, *, command_status: int = status.OK, body: bytes = b"") -> None:
        self._write(
            codec.pdu(request.command | codec.RESPONSE, request.sequence, status=command_status, body=body)
        )

    def _received(self, octets: bytes) -> None:
        """Handles octets; after the end of the link only answers, as requests that get no response come again."""
        bad: str | None = None
        try:
            frames, self._rest = codec.frames(self._rest + octets)
        except codec.BadFrame as error:
            frames, self._rest = error.before, b""
            bad = f"{error}; the stream cannot be read on"
        self._received_at = self._loop.time()
        for frame in frames:
            if frame.is_response or not self.ended.is_set():
                self._receive(frame)
        if bad is not None:
            self._end(bad, readable=False)

    def _receive(self, frame: Frame) -> None:
        if frame.is_response:
            waiting = self._waiting.get(frame.sequence)
            expected = waiting and frame.command in {waiting.command | codec.RESPONSE, Command.generic_nack}
            if waiting and expected and not waiting.answer.done():
                waiting.answer.set_result(frame)
            else:  # too late (its message is `unknown` already), or never requested
                log.info("smpp_stray_answer", command=hex(frame.command), status=hex(frame.status))
        elif frame.command in (Command.deliver_sm, Command.data_sm):
            if len(self._untaken) >= MOST_UNTAKEN:
                self._respond(frame, command_status=status.QUEUE_FULL, body=b"\0")
                return
            task = asyncio.create_task(self._receive_deliver(frame))
            self._untaken.add(task)
            task.add_done_callback(self._untaken.discard)
        elif frame.command == Command.enquire_link:
            self._respond(frame)
        elif frame.command == Command.unbind:
            self._respond(frame)
            self._leaving = True
            # Answers to accepted requests may still come; then the SMSC closes the connection, or we do.
            self._loop.call_later(self._login.timeout, self._end, "the SMSC unbound us")
        else:
            nack = codec.pdu(Command.generic_nack, frame.sequence, status=status.INVALID_COMMAND)
            self._write(nack)

    async def _receive_deliver(self, frame: Frame) -> None:
        """Answers only when the sink has accepted it: if this process dies before, the SMSC delivers it again."""
        try:
            await self._deliver(codec.read_deliver(frame))
        except codec.BadPdu as error:
            log.warning("smpp_malformed_deliver_sm", error=str(error), octets=len(frame.octets))
            answer = status.RECEIVER_REJECTS
        except (
            Exception
        ) as error:  # of the sink, such as a database that is down. Its text may contain the message.
            log.warning("smpp_deliver_sm_not_taken", error=type(error).__name__)
            answer = status.RECEIVER_TEMPORARY
        else:
            answer = status.OK
        self._respond(frame, command_status=answer, body=b"\0")

    async def _keep_alive(self) -> None:
        with suppress(NotSent, Unanswered):
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(self._received_at + self._login.enquire_link):
                        await self._answer_missing.wait()
                self._answer_missing.clear()
                await self._ask(
                    Command.enquire_link, lambda sequence: codec.pdu(Command.enquire_link, sequence)
                )
        self._end("the SMSC does not answer enquire_link")

    def _end(self, why: str, *, readable: bool = True) -> None:
        """Ends the link: answers that have arrived count, and a request that never left was not sent.

        `readable`: what has arrived can be read.
        """
        if self.ended.is_set():
            return
        self.ended.set()
        write_log = log.debug if why == CLOSED_BY_US else log.info
        write_log("smpp_link_ended", host=self._login.host, why=why)
        left = self._connection.left()
        if readable:
            self._connection.drain()
        self._connection.abort()
        if self._timer is not None:
            self._timer.cancel()
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                # The SMSC can accept no PDU without its last octet.
                waiting.answer.set_exception(self._unanswered() if waiting.end <= left else self._not_sent())
        if self._keeping_alive is not None:
            self._keeping_alive.cancel()

    def _unanswered(self) -> Unanswered:
        reason = "The connection to the SMSC was lost before it answered."
        outcome = Outcome(Result.unknown, code="connection_lost", reason=reason)
        return Unanswered(replace(outcome, lost_connection=self._lost_connection))

    def _not_sent(self) -> NotSent:
        reason = "The connection to the SMSC was lost before sending."
        return NotSent(replace(later("connection_lost", reason), lost_connection=self._lost_connection))


def later(code: str, reason: str) -> Outcome:
    """Returns the outcome of a message that was not sent, and that may be sent later."""
    return Outcome(Result.transient, code=code, reason=reason)


async def _connect(login: Login, connection: Connection) -> None:
    """Raises OSError, UrlRefused."""
    loop = asyncio.get_running_loop()
    if login.guard is EVERYWHERE:
        await loop.create_connection(lambda: connection, login.host, login.port, ssl=login.tls)
        return
    # The very address that was judged is connected to: the name may mean another one a second later.
    address = (await login.guard.addresses(login.host, login.port))[0]
    name = login.host if login.tls else None
    await loop.create_connection(
        lambda: connection, str(address), login.port, ssl=login.tls, server_hostname=name
    )
