"""Connects the client: every new connection is judged in its own connect step, whatever led to it."""

import asyncio
import select
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import AddrInfoType, Connection
from aiohttp.tracing import Trace

from core.outbound.errors import UrlRefused
from core.outbound.guard import Guard, parse_address
from core.outbound.progress import Stage, current

CONNECT_SECONDS = 5.0  # for the connection and TLS, with one address; the lookup has the same time again
ADDRESSES_TRIED = 4

# Opens a connection to a host (a name or address) and port through a proxy.
Dial = Callable[[str, int], Awaitable[socket.socket]]


class Connector(aiohttp.TCPConnector):
    """aiohttp's pool of connections, with the guard's judgement.

    Names are resolved by the guard, so that one forbidden address refuses the whole name. A literal address is never
    resolved, and a resolved one could be changed on the way: so the address is judged once more where its socket is
    made. With `dial` the connections go through a proxy, whose address `dial` judges.
    """

    def __init__(
        self, guard: Guard, *, connections: int, idle_seconds: float, dial: Dial | None = None
    ) -> None:
        super().__init__(
            ssl=guard.tls,
            limit=connections,
            keepalive_timeout=idle_seconds,
            use_dns_cache=False,
            resolver=_Resolver(guard),
            socket_factory=self._open_socket,
            timeout_ceil_threshold=60.0,  # aiohttp rounds longer timeouts up to whole seconds
        )
        self._guard = guard
        self._dial = dial

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's signature
    ) -> Connection:
        """Returns a connection. One of the pool that the server has ended in the meantime is not taken.

        aiohttp knows of an end only when the event loop has seen it; a request that is written before would be lost.
        """
        progress = current.get()
        while True:
            connection = await super().connect(req, traces, timeout)
            transport = connection.transport
            if progress.stage is Stage.connecting or not _has_ended(transport):
                progress.connected(transport)
                return connection
            connection.close()

    async def _create_connection(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's signature
    ) -> ResponseHandler:
        """Makes a connection; aiohttp documents this method as the one to override."""
        progress = current.get()
        progress.stage = Stage.connecting
        try:
            async with asyncio.timeout(2 * CONNECT_SECONDS):
                if self._dial is not None:
                    return await self._dialled(req, self._dial)
                return await super()._create_connection(req, traces, timeout)
        except (OSError, aiohttp.ClientError):
            if progress.refused is not None:
                raise progress.refused from None
            raise

    async def _dialled(self, req: aiohttp.ClientRequest, dial: Dial) -> ResponseHandler:
        host, port = req.url.raw_host, req.url.port
        assert host is not None
        assert port is not None
        sock = await dial(host, port)
        secure = req.is_ssl()
        protocol: ResponseHandler
        try:
            _, protocol = await self._loop.create_connection(
                self._factory,
                sock=sock,
                ssl=self._guard.tls if secure else None,
                server_hostname=host.rstrip(".") if secure else None,
            )
        except ssl.CertificateError as error:
            raise aiohttp.ClientConnectorCertificateError(req.connection_key, error) from error
        except OSError as error:
            raise aiohttp.ClientConnectorError(req.connection_key, error) from error
        return protocol

    def _open_socket(self, info: AddrInfoType) -> socket.socket:
        """Makes the socket for an address, if the guard allows it. Raises OSError if not: aiohttp tries the next
        one.
        """
        family, kind, protocol, _, address = info
        try:
            self._guard.judge(parse_address(str(address[0])))
        except UrlRefused as error:
            current.get().refused = error
            raise PermissionError(error.reason) from None
        return socket.socket(family, kind, protocol)


class _Resolver(AbstractResolver):
    """Resolves names as the guard does: to allowed addresses only, or not at all."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        addresses = (await self._guard.addresses(host, port))[:ADDRESSES_TRIED]
        return [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=socket.AF_INET if address.version == 4 else socket.AF_INET6,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        """There is nothing to close."""


def _has_ended(transport: asyncio.Transport | None) -> bool:
    """Returns whether an idle connection has something to read: its end, or octets without a request."""
    sock: Any = None if transport is None else transport.get_extra_info("socket")
    if sock is None or sock.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(sock.fileno(), select.POLLIN)
    return bool(poll.poll(0))
