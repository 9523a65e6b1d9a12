"""The listeners of the door, from their start to the end of the process."""

import asyncio
import socket
from contextlib import suppress
from typing import Final

import structlog

from core.database_options import BadSettings
from core.tasks import end
from doors.smtp.connection import Connection
from doors.smtp.door import Door
from doors.smtp.tls import Certificate, Listener, listeners
from runtime.services import Services

log = structlog.get_logger("postern.smtp")

_HANDSHAKE: Final = 10.0  # seconds
_LAST: Final = 0.5  # seconds for the ends of connections
_LOOK: Final = 10.0  # seconds between two looks at the certificate's file


async def serve(services: Services, stop: asyncio.Event) -> None:
    """Takes mails until `stop` is set, and answers those that are being written. Raises BadSettings."""
    settings = services.settings
    certificate, door = Certificate(settings), Door(services)
    watches = [asyncio.create_task(_watch(certificate)), asyncio.create_task(door.allowlist.watch())]
    servers: list[asyncio.Server] = []
    try:
        for listener in listeners(settings):
            servers.append(await _listen(door, listener, certificate))
            log.info("listening for mails", address=listener.text, tls=certificate.context is not None)
        await stop.wait()
    finally:
        for server in servers:
            server.close()
        for connection in [*door.connections]:
            if not connection.is_taking:
                connection.close()
        if door.submitting:
            await asyncio.wait(door.submitting, timeout=settings.shutdown_seconds / 2)
            await asyncio.sleep(0)  # their replies are written
        for connection in [*door.connections]:
            connection.close()
        await _until_closed(door)
        await end(watches)


async def _until_closed(door: Door) -> None:
    """Waits a moment for the ends of connections, and aborts those that their clients keep open."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_LAST):
            while door.connections:  # noqa: ASYNC110  each ends by itself
                await asyncio.sleep(0.01)
    for connection in [*door.connections]:
        connection.abort()
    await asyncio.sleep(0)


async def _listen(door: Door, listener: Listener, certificate: Certificate) -> asyncio.Server:
    """Begins to listen. Raises BadSettings."""
    loop, hostname = asyncio.get_running_loop(), socket.getfqdn()
    implicit = certificate.context if listener.implicit_tls else None
    starttls = None if listener.implicit_tls else certificate.context

    def connection() -> Connection:
        return Connection(door, hostname, starttls)

    try:
        return await loop.create_server(
            connection,
            listener.host,
            listener.port,
            ssl=implicit,
            ssl_handshake_timeout=None if implicit is None else _HANDSHAKE,
            backlog=1024,
        )
    except OSError as error:
        raise BadSettings(
            f"POSTERN_SMTP_LISTEN: can't listen at {listener.text}: {error.strerror or error}. Another process may,"
            " or only root may listen on ports below 1024."
        ) from error


async def _watch(certificate: Certificate) -> None:
    """Shows a new certificate to new connections soon after its file has changed."""
    while True:
        await asyncio.sleep(_LOOK)
        with suppress(FileNotFoundError):  # between the two steps of a renewal
            try:
                if certificate.reload_if_changed():
                    log.info("the certificate was read again")
            except (OSError, ValueError) as error:
                log.error(
                    "the certificate's file has changed and can't be read; the earlier one stays",
                    error=str(error),
                )
