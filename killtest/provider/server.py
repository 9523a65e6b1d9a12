"""Holds the part that the servers of all protocols share: connections that can be broken, and the sequence of an
attempt.
"""

import asyncio
from contextlib import suppress
from typing import ClassVar
from weakref import WeakSet

from killtest.provider.recorder import ACCEPTING, ANSWERING, Attempt, Decision, Recorder


class Broken(Exception):
    """The connection is broken on purpose."""


_ENDINGS = (
    Broken, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError,
    asyncio.CancelledError,  # the run has ended
)  # fmt: skip


class Provider:
    protocol: ClassVar[str]

    def __init__(self, recorder: Recorder, port: int = 0) -> None:
        self.recorder, self.port = recorder, port
        self.connections: set[asyncio.StreamWriter] = set()
        self._aborted: WeakSet[asyncio.StreamWriter] = (
            WeakSet()
        )  # connections that the provider itself has reset
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, limit=1 << 20)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Closes the port and resets all connections, as if the provider's machine had died."""
        if self._server is not None:
            self._server.close()
        self.reset()

    def reset(self) -> None:
        for writer in list(self.connections):
            self._aborted.add(writer)
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.add(writer)
        with suppress(*_ENDINGS):
            await self.serve(reader, writer)
        self.connections.discard(writer)
        writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError

    async def attempt(
        self,
        address: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        answers: dict[Decision, bytes],
    ) -> None:
        """Does with a message what the recorder decides. `answers` has the bytes for accept, busy and refuse.

        A message is accepted when the provider begins to answer, or would. One that had arrived when the sender went
        away is accepted, too; one that had when the provider reset the connection is not. Raises Broken if the
        connection ends with the message.
        """
        await self.recorder.opened()
        await self.recorder.think()
        await self.recorder.opened()
        if writer in self._aborted:
            raise Broken
        attempt = self.recorder.begin(address) or Attempt(0, 0, 0, Decision.accept)
        decision = attempt.decision
        attempt.accepted = decision in ACCEPTING
        if decision is Decision.hang:
            await asyncio.sleep(self.recorder.hang_seconds)
        elif decision is Decision.half:
            whole = answers[Decision.accept]
            writer.write(whole[: max(1, len(whole) // 2)].rstrip(b"\r\n"))
            await writer.drain()
            await asyncio.sleep(0.05)  # the part must leave before the reset discards it
        elif decision in {Decision.busy, Decision.refuse}:
            writer.write(answers[decision])
            await writer.drain()
            return
        elif decision in ANSWERING:
            writer.write(answers[Decision.accept])
            await writer.drain()
            attempt.answered = not (writer.transport.is_closing() or reader.at_eof())
            if decision is Decision.accept:
                return
            await asyncio.sleep(0.05)
        raise Broken
