"""One subscription to channels of Redis, which begins anew whenever Redis is back.

Messages between two connections are lost. `on_subscribed` is therefore called for every confirmation by Redis: a
subscriber must then read again the state that a lost message may have changed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any, AnyStr, Generic

import redis.asyncio as redis
import structlog
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_random

from core.store import DOWN
from core.tasks import end

log = structlog.get_logger("postern.subscriber")

_PING_SECONDS = 3.0  # seconds without a message after which Redis is asked whether it is there
_MOST_SILENT = 2  # such periods in a row after which the connection is given up
_PAUSE = wait_random(0.25, 0.5)  # seconds before Redis is tried again


def _nothing(*_: Any) -> None: ...


class Subscriber(Generic[AnyStr]):
    """Passes the messages of its channels to `on_message`, from `open` to `close`, or as long as `run` runs.

    The callbacks must not wait. `on_subscribed` gets the name of a channel each time that Redis confirms it, and
    `on_lost` is called after each connection or failed attempt, and at the end. Names and messages are bytes, or texts
    if the client decodes.
    """

    def __init__(
        self,
        client: "redis.Redis",
        on_message: Callable[[AnyStr, AnyStr], None],
        *,
        channels: Iterable[AnyStr] = (),
        on_subscribed: Callable[[AnyStr], None] = _nothing,
        on_lost: Callable[[], None] = _nothing,
    ) -> None:
        self._client = client
        self._on_message: Callable[[AnyStr, AnyStr], None] = on_message
        self._on_subscribed: Callable[[AnyStr], None] = on_subscribed
        self._on_lost = on_lost
        self._channels: set[AnyStr] = set(channels)
        self._confirmed: set[AnyStr] = set()  # channels whose subscription Redis has confirmed
        self._confirmation = asyncio.Condition()
        self._connection: Any = None
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Starts listening in a task, unless it has started."""
        if self._task is None:
            self._task = asyncio.create_task(self.run())

    async def close(self) -> None:
        """Stops the task of `open`."""
        if self._task is not None:
            await end((self._task,))
            self._task = None

    async def subscribe(self, *channels: AnyStr) -> None:
        """Adds channels. Those added while Redis is away are subscribed when it is back."""
        self._channels.update(channels)
        if self._connection is not None and (new := set(channels) - self._confirmed):
            await self._say(self._connection.subscribe, new)

    async def unsubscribe(self, *channels: AnyStr) -> None:
        """Removes channels."""
        self._channels.difference_update(channels)
        self._confirmed.difference_update(channels)
        if channels and self._connection is not None:
            await self._say(self._connection.unsubscribe, channels)

    async def confirmed(self, *channels: AnyStr) -> None:
        """Waits until Redis has confirmed these channels, or all channels if none is named."""
        async with self._confirmation:
            await self._confirmation.wait_for(
                lambda: self._confirmed.issuperset(channels or self._channels) and bool(self._confirmed)
            )

    async def run(self) -> None:
        """Listens until it is cancelled, on one connection after another."""
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(
                Exception
            ),  # a bug, too, must not leave the listeners waiting for ever
            wait=_PAUSE,
            before_sleep=_log,
            reraise=True,
        )
        await retrying(self._listen)

    async def _say(self, call: Callable[..., Awaitable[Any]], channels: Iterable[AnyStr]) -> None:
        """Subscribes or unsubscribes, ignoring a lost connection: a new connection subscribes to all channels."""
        # redis-py raises AttributeError if the connection is closed while a command is written to it.
        with suppress(*DOWN, AttributeError):
            await call(*channels)

    async def _listen(self) -> None:
        """Runs one connection. Raises an error of Redis when it is lost, or nothing has arrived for too long."""
        try:
            async with self._client.pubsub() as connection:
                await connection.subscribe(*(names := {*self._channels}))
                self._connection = connection
                if late := self._channels - names:  # added while the subscription was sent
                    await connection.subscribe(*late)
                if left := names - self._channels:
                    await connection.unsubscribe(*left)
                await self._read(connection)
        finally:
            self._connection = None
            self._confirmed.clear()
            self._on_lost()

    async def _read(self, connection: Any) -> None:
        silent, complained = 0, False
        while silent < _MOST_SILENT:
            message: Any = await connection.get_message(timeout=_PING_SECONDS)
            if message is None:
                silent += 1
                await connection.ping()
                continue
            silent = 0
            try:
                await self._handle(message)
            except Exception:  # a foreign message or a bug: later messages must still be passed on
                if not complained:  # logged once a connection
                    log.exception("a message of Redis can't be read", channel=str(message["channel"]))
                complained = True
        raise redis.TimeoutError("Redis does not answer a subscriber.")

    async def _handle(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "subscribe":
                # Redis confirms again after the client has reconnected by itself: messages in between are lost.
                self._on_subscribed(message["channel"])
                async with self._confirmation:
                    self._confirmed.add(message["channel"])
                    self._confirmation.notify_all()
            case "message":
                self._on_message(message["channel"], message["data"])


def _log(state: RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, DOWN):
        log.debug("redis is away; messages of other processes wait for it", error=error)
    else:
        log.error("a subscription broke off; it begins anew", exc_info=error)
