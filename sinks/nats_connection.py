"""Connects to NATS. Each connection is judged by the guard, bounded in what it reads, and never without its TLS.

The client of NATS neither reconnects nor follows announced servers here: the caller asks for another connection when
one has ended, and each address that it leads to is judged first.
"""

import asyncio
import random
import ssl
import time
from collections.abc import Sequence
from typing import Any, Final

import nats.errors
from nats.aio.client import Client, RawCredentials
from nats.aio.transport import TcpTransport

from core.outbound import Guard, UrlRefused
from core.outbound.guard import Address as IpAddress
from sinks import addresses
from sinks.addresses import Address, Server
from sinks.port import SinkFailed

CONNECT_SECONDS: Final = 5.0
"""Seconds for one server: its name, its connection, TLS and the login."""
MOST_ANNOUNCED: Final = 32
"""Announced servers of a cluster that are remembered."""
_ALL_SECONDS = 15.0  # for all servers together
_ADDRESSES = 4  # of one name that are tried
_MOST_READ = 256 * 1024  # bytes that a server may send at once beyond what was granted
_READ_RATE = 4096.0  # bytes a second that it may send while nothing is published
_PENDING = 8 * 1024 * 1024  # bytes that wait for the socket: twice the driver's window
_CLOSE_SECONDS = 1.0


class GuardedTransport(TcpTransport):
    """A connection to one judged address. With `secure` it writes nothing before TLS, whatever the server says, and
    it reads no more than it was granted: a hostile server can't fill the memory.
    """

    def __init__(self, ip: IpAddress, port: int, *, secure: bool) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._ip, self._port, self._secure = ip, port, secure
        self._encrypted = False
        self._allowance, self._since = float(_MOST_READ), time.monotonic()

    def __bool__(self) -> bool:
        return True  # the client makes no other one

    async def connect(self, uri: Any, buffer_size: int, connect_timeout: int) -> None:
        async with asyncio.timeout(connect_timeout):
            reader, writer = await asyncio.open_connection(str(self._ip), self._port, limit=buffer_size)
        self._bare_io_reader = self._io_reader = reader
        self._bare_io_writer = self._io_writer = writer

    async def connect_tls(
        self, uri: Any, ssl_context: ssl.SSLContext, buffer_size: int, connect_timeout: int
    ) -> None:
        await super().connect_tls(uri, ssl_context, buffer_size, connect_timeout)
        self._encrypted = True

    def write(self, payload: bytes) -> Any:
        self._require_tls()
        return super().write(payload)  # type: ignore[no-untyped-call]

    def writelines(self, payload: list[bytes]) -> Any:
        self._require_tls()
        return super().writelines(payload)  # type: ignore[no-untyped-call]

    def _require_tls(self) -> None:
        if self._secure and not self._encrypted:
            raise nats.errors.SecureConnWantedError

    def grant(self, count: int) -> None:
        """Allows the server to send so many bytes more."""
        self._allowance += count

    async def read(self, buffer_size: int) -> bytes:
        data: bytes = await super().read(buffer_size)
        now = time.monotonic()
        self._allowance += (now - self._since) * _READ_RATE - len(data)
        self._since = now
        if self._allowance < 0:
            raise nats.errors.ProtocolError
        self._allowance = min(self._allowance, _MOST_READ)
        return data

    @property
    def waiting(self) -> int:
        """Returns the bytes that the socket has not taken yet."""
        return 0 if self._io_writer is None else int(self._io_writer.transport.get_write_buffer_size())

    def close(self) -> None:
        """Ends the connection at once: a peer that does not read can't delay it."""
        if self._io_writer is not None:
            self._io_writer.transport.abort()


class _Client(Client):
    """The library's client, which remembers few of the servers that a broker announces.

    It compares each one with all that it has: a hostile broker could announce so many that nothing else runs.
    """

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        announced = info.get("connect_urls")
        room = max(0, MOST_ANNOUNCED - len(self._server_pool))
        few = (
            [each for each in announced if isinstance(each, str)][:room]
            if isinstance(announced, list)
            else []
        )
        await super()._process_info({**info, "connect_urls": few}, initial_connection)


class Connection:
    """A connection to one server of a cluster, which has accepted the login."""

    def __init__(self, client: Client, transport: GuardedTransport, errors: list[Exception]) -> None:
        self.client, self._transport, self._errors = client, transport, errors

    @property
    def open(self) -> bool:
        """Returns whether it has not ended."""
        return self.client.is_connected

    @property
    def drained(self) -> bool:
        """Returns whether the socket has taken all that was published."""
        return not self.client.pending_data_size and not self._transport.waiting

    @property
    def last_error(self) -> str:
        """Returns what the server or the client said last, or an empty text."""
        return str(self._errors[-1])[:200] if self._errors else ""

    def grant(self, count: int) -> None:
        """Allows the server to send so many bytes more."""
        self._transport.grant(count)

    @property
    def announced(self) -> list[str]:
        """Returns the other servers of the cluster, as this one has announced them."""
        return [server.netloc for server in self.client.discovered_servers][:MOST_ANNOUNCED]

    async def close(self) -> None:
        """Ends it, without waiting for the server."""
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.client.close()
        except Exception:  # whatever the library throws: it must end
            self._transport.close()
        else:
            self._transport.close()


async def connect(
    address: Address, credentials: str | None, guard: Guard, others: Sequence[Server] = ()
) -> Connection:
    """Returns a connection to one of the servers; `others` are announced ones, which are tried last.

    Raises SinkFailed: `sink_url_refused`, `broker_refused` or `broker_away`.
    """
    servers = random.sample(address.servers, len(address.servers))
    servers += random.sample(others, len(others))
    failure: SinkFailed | None = None
    try:
        async with asyncio.timeout(_ALL_SECONDS):
            for server in servers:
                try:
                    return await _connect(server, address, credentials, guard)
                except SinkFailed as error:
                    failure = _worse(failure, error)
    except TimeoutError:
        pass
    raise failure or SinkFailed("broker_away", _away("it did not answer in time"))


def _worse(failure: SinkFailed | None, error: SinkFailed) -> SinkFailed:
    """Returns which of two servers' failures its owner should hear of."""
    order = ("broker_away", "sink_url_refused", "broker_refused")
    return error if failure is None or order.index(error.code) > order.index(failure.code) else failure


async def _connect(server: Server, address: Address, credentials: str | None, guard: Guard) -> Connection:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            ips = (await guard.addresses(server.host, server.port))[:_ADDRESSES]
    except UrlRefused as error:
        raise SinkFailed(
            "sink_url_refused",
            f"This address may not be used: {error.reason}. Use a public address, or ask the operator to allow"
            " its network in POSTERN_OUTBOUND_ALLOW.",
            permanent=True,
        ) from None
    except TimeoutError:
        raise SinkFailed("broker_away", _away("its name could not be resolved in time")) from None
    except OSError:
        raise SinkFailed("broker_away", _away("its name does not resolve")) from None
    failure: SinkFailed | None = None
    for ip in ips:
        try:
            return await _login(ip, server, address, credentials, guard)
        except SinkFailed as error:
            failure = _worse(failure, error)
    assert failure is not None
    raise failure


async def _login(
    ip: IpAddress, server: Server, address: Address, credentials: str | None, guard: Guard
) -> Connection:
    transport = GuardedTransport(ip, server.port, secure=address.tls)
    errors: list[Exception] = []

    async def note(error: Exception) -> None:
        errors[:] = [*errors[-9:], error]

    client = _Client()
    client._transport = transport  # noqa: SLF001  the library has no other way to a judged connection
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await client.connect(
                servers=[f"{'tls' if address.tls else 'nats'}://{_in_brackets(ip)}:{server.port}"],
                error_cb=note,
                name="postern",
                allow_reconnect=False,
                connect_timeout=int(CONNECT_SECONDS),
                reconnect_time_wait=0,
                max_reconnect_attempts=1,
                dont_randomize=True,
                ping_interval=20,
                tls=guard.tls,
                tls_hostname=server.name,
                user=address.user,
                password=address.password,
                token=address.token,
                pending_size=_PENDING,
                flush_timeout=CONNECT_SECONDS,
                skip_subject_validation=True,
                **_login_options(credentials),
            )
    except Exception as error:  # the library throws whatever a server's answer makes it throw
        transport.close()
        raise _failed(error, errors, tls=address.tls) from None
    except BaseException:
        transport.close()
        raise
    return Connection(client, transport, errors)


def _in_brackets(ip: IpAddress) -> str:
    return f"[{ip}]" if ip.version == 6 else str(ip)


def _login_options(credentials: str | None) -> dict[str, Any]:
    """Returns the options for the text of a credentials file, or for the seed of an NKey. Raises SinkFailed."""
    if credentials is None:
        return {}
    import nkeys

    text = credentials.replace("\r", "").strip() + "\n"
    lines = text.splitlines()
    is_file = "BEGIN NATS USER JWT" in text and "BEGIN USER NKEY SEED" in text
    seed = next(
        (lines[n + 1] for n, line in enumerate(lines[:-1]) if "BEGIN USER NKEY SEED" in line), text.strip()
    )
    try:
        nkeys.from_seed(bytearray(seed.strip().encode())).wipe()
    except Exception:  # the library throws whatever the text makes it throw
        raise SinkFailed(
            "broker_refused",
            "The credentials can't be read. Paste the whole text of a credentials file (a JWT and a seed), or"
            " the seed of an NKey.",
            permanent=True,
        ) from None
    return {"user_credentials": RawCredentials(text)} if is_file else {"nkeys_seed_str": seed.strip()}


def _failed(error: Exception, errors: Sequence[Exception], *, tls: bool) -> SinkFailed:
    """Returns what a failed connection means."""
    if isinstance(error, SinkFailed):
        return error
    causes = [error, *reversed(errors)]
    text = " ".join(str(each) for each in causes).lower()
    if any(isinstance(each, nats.errors.AuthorizationError) for each in causes) or "authoriz" in text:
        return SinkFailed(
            "broker_refused",
            "The broker refuses the login. Check user and password, the token, or the credentials.",
            permanent=True,
        )
    if any(isinstance(each, nats.errors.SecureConnWantedError) for each in causes):
        return SinkFailed(
            "broker_refused",
            "The server offers no TLS, so nothing was sent. Switch it on there, or use an address with nats://.",
            permanent=True,
        )
    for each in causes:
        if isinstance(each, ssl.SSLCertVerificationError):
            return SinkFailed(
                "broker_refused",
                f"The certificate of the server is not valid: {each.verify_message}. Renew it, or add its authority"
                " with SSL_CERT_FILE.",
                permanent=True,
            )
    if any(isinstance(each, ssl.SSLError) for each in causes) and not tls:
        return SinkFailed("broker_refused", "TLS failed. Check the server's TLS settings.", permanent=True)
    if any(isinstance(each, TimeoutError) for each in causes):
        return SinkFailed("broker_away", _away("it did not answer in time"))
    if any(isinstance(each, ConnectionRefusedError) for each in causes):
        return SinkFailed("broker_away", _away("it refuses connections"))
    return SinkFailed("broker_away", _away("the connection broke, or the server does not speak NATS"))


def _away(why: str) -> str:
    return f"The broker can't be reached: {why}. Check the address, and whether its servers run."


def servers_of(announced: Sequence[str], name: str) -> list[Server]:
    """Returns announced servers, which have certificates for `name`."""
    servers = (addresses.announced(text, name) for text in announced)
    return [server for server in servers if server is not None]
