"""TCP servers and relays on loopback. They leave neither tasks nor open connections behind."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Filter = Callable[[bytes], Awaitable[bytes]]


@asynccontextmanager
async def serving(
    handler: Handler, host: str = "127.0.0.1", port: int = 0, **options: Any
) -> AsyncIterator[int]:
    """Runs `handler` for each connection, closes the connection when it returns, and yields the port.

    At the end, handlers that still run are cancelled, and their connections aborted. Then the error of a handler is
    raised, unless it is an OSError or an IncompleteReadError. `options` are those of asyncio.start_server.
    """
    connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
    ending = False

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            await handler(reader, writer)

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if ending:  # while its TLS handshake was going on
            writer.transport.abort()
            return
        task = asyncio.create_task(serve(reader, writer))
        connections[task] = writer
        # In a callback, because a task that is cancelled before its first step does not run its `finally`.
        task.add_done_callback(lambda _: writer.close())

    address = (None, None) if "sock" in options else (host, port)
    server = await asyncio.start_server(accept, *address, **options)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        ending = True
        server.close()
        for task, writer in connections.items():
            if not task.done():
                writer.transport.abort()
                task.cancel()
        for outcome in await asyncio.gather(*connections, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Handles a connection by closing it at once."""


async def unchanged(data: bytes) -> bytes:
    return data


async def relay(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    host: str,
    port: int,
    *,
    first: bytes = b"",
    to_server: Filter = unchanged,
    to_client: Filter = unchanged,
) -> None:
    """Connects a client to a server, until one of them closes its connection.

    The server gets `first` before everything else. Each piece of data is replaced by what the filter of its direction
    returns, which may wait.
    """
    server_reader, server_writer = await asyncio.open_connection(host, port)
    try:
        server_writer.write(first)
        await asyncio.gather(_pour(reader, server_writer, to_server), _pour(server_reader, writer, to_client))
    finally:
        writer.close()
        server_writer.transport.abort()


class Network:
    """A relay to a server, on which connections go silent without being closed; `serve` handles one connection."""

    def __init__(self, host: str, port: int) -> None:
        self._there = host, port
        self._gates: list[asyncio.Event] = []
        self._silent = False  # for new connections, too
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        gate = asyncio.Event()
        if not self._silent:
            gate.set()
        self._gates.append(gate)

        async def through_gate(data: bytes) -> bytes:
            await gate.wait()
            return data

        await relay(reader, writer, *self._there, to_server=through_gate, to_client=through_gate)

    def silence(self, *, new: bool = False) -> int:
        """Silences the open connections, and with `new` those that come later. Returns how many are open."""
        self._silent = new
        for gate in self._gates:
            gate.clear()
        return len(self._gates)

    def restore(self) -> None:
        """Lets all connections go on; what was written meanwhile arrives late."""
        self._silent = False
        for gate in self._gates:
            gate.set()


async def _pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter, through: Filter) -> None:
    """Closes `sink` at the end of `source`, which ends the other direction too."""
    with suppress(OSError):
        while data := await source.read(1 << 16):
            sink.write(await through(data))
            await sink.drain()
    sink.close()
