"""Proxies of messenger accounts: from users (`proxyString`), and from the operator's pool (POSTERN_PROXIES_FILE).

An account keeps its proxy until its owner sets another or asks for one (getNewProxy). The outbound guard checks every
proxy when it is set, when it is tested, and when its address is passed to a driver: a name that later resolves to a
forbidden address is refused.

The pool's file has one proxy per line; `#` begins a comment. It is read when it is first needed and again after it
changed. An unreadable line is named in the log (not shown: it may hold a password) and skipped.
"""

import asyncio
import base64
import random
import re
import ssl
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit
from uuid import UUID

import structlog
from python_socks import ProxyError as SocksError
from python_socks import ProxyType
from python_socks.async_.asyncio import Proxy as Socks

from core.errors import BadRequest, Unavailable
from core.outbound import Guard, UrlRefused
from core.vault import Sealed
from messengers.proxy import BadProxy, Proxy, parse
from runtime.services import Services
from shapes.messenger_accounts import MessengerDriver, MessengerSource

__all__ = [
    "BadProxy",
    "Health",
    "Proxy",
    "Refusal",
    "accept",
    "choose_other",
    "for_driver",
    "opened",
    "parse",
    "probe",
    "seal",
]

log = structlog.get_logger("postern.proxies")

MAX_PROXIES = 10_000  # proxies of the pool
MAX_FILE_BYTES = 2 * 1024 * 1024  # bytes of its file
TRY_SECONDS = 5.0  # for one proxy, from the lookup to the answer
AT_ONCE = 5
ROUNDS = 4  # so at most 20 are tested per request
REMEMBERED = 60.0  # seconds for which a test result is valid
_MAX_COUNTED = 20_000  # accounts that are counted to find the least used proxy

# The address that a proxy must reach, by the account's messenger.
_TARGETS = {
    MessengerSource.telegram: ("149.154.167.50", 443),
    MessengerSource.whatsapp: ("web.whatsapp.com", 443),
}
_IN_USE = f"""
SELECT id, proxy_encrypted FROM messenger_accounts
WHERE deleted_at IS NULL AND proxy_encrypted IS NOT NULL AND proxy_shown = ANY($1::text[]) LIMIT {_MAX_COUNTED}
"""  # noqa: S608  our own number


class Account(Protocol):
    """The columns of messenger_accounts that are used here."""

    id: UUID
    source: str
    driver: str
    proxy_encrypted: bytes | None


class Refusal(Exception):
    """A proxy can't be used. `reason` is one sentence without secrets; `temporary`: it may work later."""

    def __init__(self, code: str, reason: str, *, temporary: bool) -> None:
        super().__init__(reason)
        self.code = code  # proxy_refused | proxy_unreachable | proxy_auth | proxy_blocked
        self.reason = reason
        self.temporary = temporary


@dataclass(frozen=True, slots=True)
class Health:
    """The result of a proxy's test."""

    ok: bool
    code: str | None = None
    reason: str | None = None
    at: float = field(default_factory=time.monotonic)

    @property
    def fresh(self) -> bool:
        """Returns whether the result is still valid."""
        return time.monotonic() - self.at < REMEMBERED


async def accept(services: Services, text: str) -> Proxy:
    """Checks a `proxyString`. Store `seal(…)` and `str(proxy)`, which is masked.

    Raises BadRequest `bad_proxy`.
    """
    try:
        proxy = parse(text)
        await _address(services.guard, proxy)
    except BadProxy as error:
        raise BadRequest(f"proxyString: {error}.", code="bad_proxy") from None
    except Refusal as error:
        raise BadRequest(f"proxyString: {error.reason}.", code="bad_proxy") from None
    return proxy


def seal(services: Services, account_id: UUID, proxy: Proxy) -> bytes:
    """Encrypts a proxy for `proxy_encrypted`; `proxy_shown` is `str(proxy)`."""
    return services.vault.seal(proxy.url, _vault_context(account_id))


def opened(services: Services, account: Account) -> Proxy | None:
    """Returns the account's proxy. Raises vault.Sealed after the secret key has changed."""
    if account.proxy_encrypted is None:
        return None
    return parse(services.vault.open(account.proxy_encrypted, _vault_context(account.id)))


async def for_driver(services: Services, account: Account) -> str | None:
    """Returns the value of `port.Account.proxy`, with the address that was just checked.

    An https proxy keeps its name, which its certificate is checked for: it is passed only to a driver that checks
    the address again when it connects. Raises Refusal, vault.Sealed.
    """
    proxy = opened(services, account)
    if proxy is None:
        return None
    if not _supports(account, proxy):
        raise Refusal(
            "proxy_refused",
            f"the driver {account.driver} can't use an https:// proxy; set a socks5:// or http:// proxy",
            temporary=False,
        )
    address = await _address(services.guard, proxy)
    return proxy.url if proxy.scheme == "https" else replace(proxy, host=address).url


def _supports(account: Account, proxy: Proxy) -> bool:
    """Returns whether the driver can use the proxy.

    Telegram's driver has no TLS to proxies, and WhatsApp's library would resolve the name itself, past the guard.
    """
    return proxy.scheme != "https" or account.driver not in (
        MessengerDriver.telegram,
        MessengerDriver.whatsapp,
    )


async def choose_other(services: Services, account: Account) -> Proxy:
    """Returns a working proxy of the pool that the account does not have now; the least used ones are tested first.

    At most 20 are tested, five at a time, 5 s each. Raises Unavailable `proxies_not_configured`,
    `no_healthy_proxy`.
    """
    pool = _pool(services)
    proxies = [proxy for proxy in await pool.read() if _supports(account, proxy)]
    if not proxies:
        raise Unavailable(
            "No proxy pool is configured. Set a proxy with updateAccount (proxyString), or ask the"
            " operator to set POSTERN_PROXIES_FILE.",
            code="proxies_not_configured",
        )
    try:
        current = opened(services, account)
    except Sealed:
        current = None
    others = [proxy for proxy in proxies if current is None or proxy.identity != current.identity]
    used = await _used(services, others)
    # Proxies that failed recently come last; equals are shuffled, so that two concurrent requests get different ones.
    bad = pool.bad()
    order = sorted(others, key=lambda proxy: (proxy.identity in bad, used[proxy.identity], random.random()))
    target = _target(services, account)
    for start in range(0, min(len(order), AT_ONCE * ROUNDS), AT_ONCE):
        tried = order[start : start + AT_ONCE]
        results = await asyncio.gather(*(pool.health(services.guard, proxy, target) for proxy in tried))
        for proxy, health in zip(tried, results, strict=True):
            if health.ok:
                return proxy
    raise Unavailable(
        "No other proxy of the pool works. Try again in a minute, or set a proxy with updateAccount"
        " (proxyString).",
        code="no_healthy_proxy",
    )


async def probe(guard: Guard, proxy: Proxy, target: tuple[str, int]) -> Health:
    """Tests whether the proxy accepts us and reaches `target`, within 5 s. Nothing is sent to the target."""
    try:
        async with asyncio.timeout(TRY_SECONDS):
            address = await _address(guard, proxy)
            if proxy.scheme in ("http", "https"):
                await _through_http(proxy, address, target, guard.tls if proxy.scheme == "https" else None)
            else:
                await _through_socks(proxy, address, target)
    except Refusal as error:
        return Health(False, error.code, error.reason)
    except (TimeoutError, OSError, ValueError, EOFError):
        # The system's message names addresses and does not help the reader.
        return Health(False, "proxy_unreachable", "the proxy can't be reached, or does not answer as one")
    return Health(True)


class Pool:
    """The operator's file, and the test results of its proxies. One per process."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._version: object = None  # the file's state when it was read
        self._proxies: Sequence[Proxy] = ()
        self._health: dict[tuple[Any, ...], Health] = {}
        self._lock = asyncio.Lock()

    async def read(self) -> Sequence[Proxy]:
        """Returns the pool as the file has it now. If the file can't be read, the last pool stays."""
        if self._path is None:
            return ()
        async with self._lock:
            try:
                version, text = await asyncio.to_thread(_read, self._path, self._version)
            except (OSError, ValueError) as error:
                if self._version != str(error):
                    log.warning("the proxies' file can't be read", file=str(self._path), error=str(error))
                self._version = str(error)
                return self._proxies
            if text is not None:
                self._proxies = _parse_file(self._path, text)
                self._version = version
                identities = {proxy.identity for proxy in self._proxies}
                self._health = {key: value for key, value in self._health.items() if key[:-1] in identities}
                log.info("proxies read", file=str(self._path), proxies=len(self._proxies))
            return self._proxies

    def bad(self) -> set[tuple[Any, ...]]:
        """Returns the proxies that failed recently, for any target."""
        return {key[:-1] for key, health in self._health.items() if not health.ok and health.fresh}

    async def health(self, guard: Guard, proxy: Proxy, target: tuple[str, int]) -> Health:
        """Returns the proxy's result for the target, tested at most once per REMEMBERED seconds."""
        key = (*proxy.identity, target)
        health = self._health.get(key)
        if health is None or not health.fresh:
            health = self._health[key] = await probe(guard, proxy, target)
            if not health.ok:
                log.info("a proxy does not work", proxy=str(proxy), code=health.code)
        return health


def _pool(services: Services) -> Pool:
    return services.single(Pool, lambda: Pool(services.settings.proxies_file))


def _read(path: Path, version: object) -> tuple[object, str | None]:
    """Returns the file's text if it changed since `seen`. Raises OSError, ValueError."""
    with path.open("rb") as file:
        status = path.stat()
        now = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
        if now == version:
            return version, None
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"it is larger than {MAX_FILE_BYTES // 2**20} MiB")
    return now, data.decode("utf-8-sig")


def _parse_file(path: Path, text: str) -> Sequence[Proxy]:
    proxies: dict[tuple[Any, ...], Proxy] = {}
    bad: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        # A `#` inside a password is no comment: a comment begins a line or follows a space.
        plain = re.sub(r"(^|\s)#.*", "", line).strip()
        if not plain:
            continue
        try:
            proxy = parse(plain)
        except BadProxy as error:
            bad.append(f"line {number}: {error}")
            continue
        proxies.setdefault(proxy.identity, proxy)
    if bad:
        log.warning(
            "lines of the proxies' file were skipped", file=str(path), lines=bad[:20], skipped=len(bad)
        )
    if len(proxies) > MAX_PROXIES:
        log.warning("the proxies' file is too long", file=str(path), kept=MAX_PROXIES, proxies=len(proxies))
    return list(proxies.values())[:MAX_PROXIES]


async def _used(services: Services, proxies: Iterable[Proxy]) -> Counter[tuple[Any, ...]]:
    """Counts the accounts per proxy. Only values whose masked form matches are decrypted."""
    rows = await services.db.fetch(_IN_USE, list({str(proxy) for proxy in proxies}))
    used: Counter[tuple[Any, ...]] = Counter()
    for number, row in enumerate(rows):
        if number % 500 == 499:
            await asyncio.sleep(0)  # lets other tasks run
        try:
            proxy = opened(services, row)
        except (Sealed, BadProxy):
            continue
        if proxy is not None:
            used[proxy.identity] += 1
    return used


def _target(services: Services, account: Account) -> tuple[str, int]:
    if account.driver == MessengerDriver.whatsapp_cloud:
        url = urlsplit(services.settings.whatsapp_cloud_url)
        return url.hostname or "graph.facebook.com", url.port or (443 if url.scheme == "https" else 80)
    return _TARGETS[MessengerSource(account.source)]


def _vault_context(account_id: UUID) -> str:
    return f"messenger_accounts.proxy:{account_id}"


async def _address(guard: Guard, proxy: Proxy) -> str:
    """Resolves the proxy's address and checks it with the guard. Raises Refusal."""
    host = f"[{proxy.host}]" if ":" in proxy.host else proxy.host
    try:
        guard.check(f"http://{host}:{proxy.port}/")
        async with asyncio.timeout(TRY_SECONDS):
            return str((await guard.addresses(proxy.host, proxy.port))[0])
    except UrlRefused as error:
        reason = error.reason.replace("the URL", "the proxy").replace("a URL", "a proxy")
        raise Refusal("proxy_refused", reason, temporary=False) from None
    except (TimeoutError, OSError):
        raise Refusal("proxy_unreachable", "the proxy's name does not resolve", temporary=True) from None


async def _through_socks(proxy: Proxy, address: str, target: tuple[str, int]) -> None:
    """Connects to the target through SOCKS. Raises Refusal, OSError, TimeoutError."""
    client = Socks(ProxyType.SOCKS5, address, proxy.port, proxy.user, proxy.password or "", rdns=True)
    try:
        (await client.connect(*target, timeout=TRY_SECONDS)).close()
    except SocksError as error:
        if error.error_code is None and re.search(r"malformed|version", str(error), re.IGNORECASE):
            raise ValueError("no SOCKS") from None
        # an error code is the answer to CONNECT, after a successful login
        raise _refused(login=error.error_code is None) from None


async def _through_http(
    proxy: Proxy, address: str, target: tuple[str, int], tls: ssl.SSLContext | None
) -> None:
    """Connects to the target by CONNECT. Raises Refusal, OSError, EOFError, ValueError."""
    authority = f"[{target[0]}]:{target[1]}" if ":" in target[0] else f"{target[0]}:{target[1]}"
    lines = [f"CONNECT {authority} HTTP/1.1", f"Host: {authority}"]
    if proxy.user is not None:
        login = base64.b64encode(f"{proxy.user}:{proxy.password or ''}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {login}")
    reader, writer = await asyncio.open_connection(
        address, proxy.port, ssl=tls, server_hostname=proxy.host if tls else None, limit=8192
    )
    try:
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        await writer.drain()
        status_line = re.match(rb"HTTP/1\.[01] (\d{3})", await reader.readline())
    finally:
        writer.close()
    if status_line is None:
        raise ValueError("no HTTP")
    if not status_line[1].startswith(b"2"):
        raise _refused(login=status_line[1] == b"407")


def _refused(*, login: bool) -> Refusal:
    if login:
        return Refusal("proxy_auth", "the proxy refuses its user and password", temporary=False)
    return Refusal("proxy_blocked", "the proxy does not lead to the messenger", temporary=True)
