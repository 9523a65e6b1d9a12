"""Checks the channels' servers, the legacy system and our own port by connecting, without sending anything."""

import asyncio
import errno
import ipaddress
import secrets
import socket
import ssl

from yarl import URL

from channels import BadDsn, Dsn, Kind, connect, parse_list
from channels.exchange import http_target
from channels.port import Target
from core.legacy_bridge import LegacyBridge
from core.outbound import EVERYWHERE, CallFailed, Client
from core.settings import Settings
from postern.doctor.findings import CONNECT_SECONDS, Findings, why
from postern.port_holder import port_holder


async def channels(findings: Findings, settings: Settings) -> None:
    """Checks every configured channel."""
    lists: dict[Kind, str] = {
        "email": settings.channel_email,
        "sms": settings.channel_sms,
        "push": settings.channel_push,
    }
    for kind, text in lists.items():
        try:
            dsns = parse_list(text)
        except BadDsn as error:
            findings.bad(
                kind, str(error), f"Correct POSTERN_CHANNEL_{kind.upper()}; docs/channels.md has examples."
            )
            continue
        for dsn in dsns:
            await _channel(findings, settings, kind, dsn)


async def _channel(findings: Findings, settings: Settings, kind: Kind, text: str) -> None:
    try:
        target = connect(kind, text).target()
        scheme = Dsn.parse(text).scheme
    except (BadDsn, ValueError) as error:  # ValueError: a proxy of the environment that is no URL
        findings.bad(
            kind, str(error), f"Correct POSTERN_CHANNEL_{kind.upper()}; docs/channels.md has the options."
        )
        return
    if scheme == "sandbox":
        if settings.embedded:
            findings.good(kind, "sandbox: nothing leaves")
        else:
            findings.note(
                kind, "sandbox: nothing leaves", f"Set POSTERN_CHANNEL_{kind.upper()} to send for real."
            )
    elif target is None:
        findings.good(kind, f"{scheme}: understood; where it leads can't be tried without a message")
    else:
        await _reach(findings, kind, scheme, target)


async def _reach(findings: Findings, what: str, name: str, target: Target) -> None:
    """Connects, with TLS if the protocol begins with it, and closes the connection."""
    host, port, tls, by_proxy = target
    address = f"{name}: {host}:{port}"
    if by_proxy:
        findings.note(
            what, f"{address} is reached through a proxy, so it was not tried", "Send a message to try it."
        )
        return
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            _, writer = await asyncio.open_connection(
                host, port, ssl=tls, server_hostname=host if tls else None
            )
    except ssl.SSLCertVerificationError as error:
        advice = "Correct the host's name or its certificate; a private authority needs to be trusted here."
        findings.bad(what, f"{address}: its certificate is not accepted ({error.verify_message})", advice)
    except (OSError, TimeoutError) as error:  # ssl.SSLError is an OSError
        advice = "Is the host right, is it up, and does the firewall let us out?"
        findings.bad(what, f"{address} can't be reached ({why(error)})", advice)
    else:
        writer.close()
        findings.good(what, f"{address} answers{' with TLS' if tls else ''}")


async def legacy(findings: Findings, settings: Settings) -> None:
    """Checks the legacy system, if one is configured."""
    if settings.legacy_url is None:
        return
    token = settings.legacy_token.get_secret_value() if settings.legacy_token else None
    try:
        LegacyBridge(settings.legacy_url, prefixes=settings.legacy_prefixes, token=token)
    except ValueError as error:
        findings.bad("legacy", str(error), "Correct POSTERN_LEGACY_URL, _PREFIXES or _TOKEN.")
        return
    await _reach(findings, "legacy", "bridge", http_target(URL(settings.legacy_url))._replace(by_proxy=False))


async def port(findings: Findings, settings: Settings) -> None:
    """Checks that the port of the API is free, or used by Postern itself."""
    if settings.port == 0:
        findings.good("port", "any free one")
        return
    address = f"{settings.host}:{settings.port}"
    try:
        _bind(settings.host, settings.port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE and await _is_postern(settings.host, settings.port):
            findings.good("port", f"{address}: Postern runs there")
        elif error.errno == errno.EADDRINUSE:
            holder = port_holder(settings.port) or "another program"
            findings.bad("port", f"{address} is used by {holder}", "Stop that one, or set POSTERN_PORT.")
        elif error.errno == errno.EACCES:
            findings.bad(
                "port", f"{address} may not be opened by this user", "Use a port above 1023 behind a proxy."
            )
        else:
            findings.bad("port", f"{address} can't be opened ({why(error)})", "Correct POSTERN_HOST.")
    else:
        findings.good("port", f"{address} is free")


def _bind(host: str, port: int) -> None:
    """Tries to bind the address. Raises OSError."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)


async def _is_postern(host: str, port: int) -> bool:
    """Returns whether the server at this address repeats our request id, as Postern does."""
    id = f"doctor-{secrets.token_hex(8)}"
    here = _reachable(host)
    try:
        async with Client(EVERYWHERE, seconds=CONNECT_SECONDS) as client:
            url = URL(f"http://{here}:{port}/health")
            answer = await client.send("GET", url, headers={"x-request-id": id})
    except CallFailed:
        return False
    repeated: str | None = answer.headers.get("x-request-id")
    return repeated == id


def _reachable(host: str) -> str:
    """Returns the host as written in a URL; for "all addresses" the loopback address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"
    return f"[{host}]" if address.version == 6 else host
