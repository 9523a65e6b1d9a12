"""The IP allowlist: which client addresses may send requests at all.

Three pieces, each usable alone: `Allowlist` (a parsed list, immutable), `AllowlistFile` (the list that is in
force, reloaded when its file changes) and `AllowlistMiddleware` (the gate in front of the whole application).

The client address is the value of `x-real-ip` and nothing else: no other header, and never the socket's peer. So
the gate is only as good as the proxy in front of it, which must set that header on every request and drop the
caller's own. A deployment without such a proxy has no use for this list.
"""

import asyncio
import hashlib
import ipaddress
import json
import os
import re
import stat
import threading
import time
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import quote

import structlog

from core.http.refusals import Refusals
from core.json_text import instant

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_LINES = 200_000
MAX_BYTES = 16 * 1024 * 1024
UNCHECKED_PATHS = frozenset({"/", "/health", "/health/v2"})

_LONGEST_ADDRESS = len("0000:0000:0000:0000:0000:ffff:255.255.255.255")
_LONGEST_ENTRY = _LONGEST_ADDRESS + len("/128")
_LOGGED_ADDRESS = 100  # characters
_LOGGED_PATH = 500
_LOGGED_METHOD = 20
_DECISIONS = 4096  # decisions remembered per middleware: enough for the clients of a proxy, and bounded against an attacker
_FRESH = 2.0  # seconds; a file system's clock may have this resolution (FAT), so a younger file is read again
_SETTLED = 0.3  # seconds without a write after which a last line without a newline counts as complete
_SOON = 0.2  # seconds until a file that is being written is looked at again
_SMALL = 64 * 1024  # bytes that are parsed in a few milliseconds, on the event loop itself

log = structlog.get_logger(__name__)


class AllowlistMode(StrEnum):
    """What happens to an address that is not on the list."""

    Off = "Off"  # observe: the line is logged, the request goes on
    Enforce = "Enforce"  # 403

    @classmethod
    def parse(cls, text: str) -> Self:
        """Returns the mode of this name, in any case. Raises ValueError if no mode has it."""
        for mode in cls:
            if mode.value.casefold() == text.strip().casefold():
                return mode
        raise ValueError(
            f"{text!r} is not a mode of the IP allowlist; write Off (observe) or Enforce (block)"
        )


class BadAllowlist(ValueError):
    """A list that can't be used as a whole. `line` is None if the reason concerns no single line."""

    def __init__(self, name: str, line: int | None, reason: str) -> None:
        self.name, self.line, self.reason = name, line, reason
        super().__init__(f"{name}{'' if line is None else f':{line}'}: {reason}")


class AllowlistUnusable(RuntimeError):
    """Enforce is set and there is no usable list: the service must not start."""


class _Range(NamedTuple):
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class Allowlist:
    """A set of networks, as sorted ranges that neither overlap nor touch: one lookup is one bisection.

    IPv4-mapped IPv6 (`::ffff:10.0.0.0/104`) is IPv4 on both sides. A wider IPv6 network (`::/0`) contains no
    IPv4 address: all of IPv4 is written `0.0.0.0/0`.
    """

    entries: int = 0  # as written, before merging
    v4_first: tuple[int, ...] = ()
    v4_last: tuple[int, ...] = ()
    v6_first: tuple[int, ...] = ()
    v6_last: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str, name: str) -> Self:
        """Parses one address or strict CIDR a line; `#` comments, blank lines and a BOM are allowed.

        Raises BadAllowlist, with `name` and the line number, at the first line that is anything else.
        """
        lines = text.removeprefix("\ufeff").split("\n")
        if len(lines) > MAX_LINES + 1:  # the last newline is followed by an empty "line"
            raise BadAllowlist(name, None, f"has more than {MAX_LINES} lines; merge addresses into CIDRs")
        v4: list[_Range] = []
        v6: list[_Range] = []
        for number, line in enumerate(lines, 1):
            entry = line.partition("#")[0].strip(" \t\r")
            if not entry:
                continue
            try:
                version, network = _network(entry)
            except ValueError as error:
                raise BadAllowlist(name, number, str(error)) from None
            (v4 if version == 4 else v6).append(network)
        return cls(len(v4) + len(v6), *_merged(v4), *_merged(v6))

    def contains(self, ip: str) -> bool:
        """Whether `ip`, one strict address text (no port, list, space, scope id or leading zero), is on the list."""
        try:
            version, number = _address(ip)
        except ValueError:
            return False
        return self.contains_number(version, number)

    def contains_number(self, version: int, number: int) -> bool:
        """`contains` for an address that is already a number; `version` is 4 or 6."""
        first, last = (self.v4_first, self.v4_last) if version == 4 else (self.v6_first, self.v6_last)
        at = bisect_right(first, number) - 1
        return at >= 0 and number <= last[at]

    @property
    def everyone(self) -> bool:
        """Whether one of the two families is allowed entirely; the caller warns, as this is usually a mistake."""
        whole_v4 = self.v4_first[:1] == (0,) and self.v4_last[0] == 2**32 - 1
        whole_v6 = self.v6_first[:1] == (0,) and self.v6_last[0] == 2**128 - 1
        return whole_v4 or whole_v6


def _address(text: str) -> tuple[int, int]:
    """Returns 4 or 6, and the address as a number. Raises ValueError for anything but one plain address."""
    if len(text) > _LONGEST_ADDRESS:
        raise ValueError("is too long for an address")
    if ":" not in text:
        return 4, int(ipaddress.IPv4Address(text))
    if "%" in text:
        raise ValueError("carries a scope id (%…), which means nothing off its own link; remove it")
    number = int(ipaddress.IPv6Address(text))
    return (4, number & 0xFFFF_FFFF) if number >> 32 == 0xFFFF else (6, number)


def _network(entry: str) -> tuple[int, _Range]:
    """Returns the range of one entry. Raises ValueError with a sentence that says what to write instead."""
    quoted = ascii(entry[:_LONGEST_ENTRY])
    if len(entry) > _LONGEST_ENTRY or re.search(r"[\s,;]", entry):
        raise ValueError(f"{quoted} is not one address or CIDR; write one a line")
    text, slash, prefix = entry.partition("/")
    if "-" in text:
        raise ValueError(f"{quoted} is a range; write it as CIDRs, such as 10.0.0.0/24")
    try:
        version, number = _address(text)
    except ValueError as error:
        raise ValueError(f"{quoted} is not an IPv4 or IPv6 address or CIDR ({error})") from None
    written_bits = 128 if ":" in text else 32
    if not slash:
        return version, _Range(number, number)
    if not re.fullmatch(r"0|[1-9][0-9]{0,2}", prefix) or int(prefix) > written_bits:
        raise ValueError(
            f"{quoted}: after the slash stands the number of network bits, 0 to {written_bits}; no mask"
        )
    free = written_bits - int(prefix)
    if version == 4 and free > 32:  # ::ffff:0:0/90 and the like: wider than the mapped block, so it is IPv6
        version, number = 6, int(ipaddress.IPv6Address(text))
    host = (1 << free) - 1
    if number & host:
        network: Any = ipaddress.IPv4Address if version == 4 else ipaddress.IPv6Address
        bits = (32 if version == 4 else 128) - free
        raise ValueError(
            f"{quoted} has host bits set; write {network(number & ~host)}/{bits} for the network, "
            f"or {network(number)} for the one address"
        )
    return version, _Range(number, number | host)


def _merged(ranges: Iterable[_Range]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first: list[int] = []
    last: list[int] = []
    for start, end in sorted(ranges):
        if last and start <= last[-1] + 1:
            last[-1] = max(last[-1], end)
        else:
            first.append(start)
            last.append(end)
    return tuple(first), tuple(last)


class _Stamp(NamedTuple):
    """What changes with every new version of a file and can be compared without reading it."""

    mtime_ns: int
    ctime_ns: int  # changes also if mtime is set back, and on chmod
    size: int
    inode: int
    device: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        return cls(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev)

    @property
    def age(self) -> float:
        """Seconds since the last write. Absolute, because another machine's clock may put the write in the future."""
        return abs(time.time() - self.mtime_ns / 1e9)


def _stamp(path: Path) -> _Stamp | None:
    try:
        return _Stamp.of(path.stat())
    except OSError:
        return None


class AllowlistFile:
    """The list in use. `current` is only ever replaced as a whole, by a list that parsed without an error.

    Whatever happens to the file later, the last good list stays in use: a missing, unreadable or broken file
    neither opens nor closes the gate. Each such change is logged once and counted in `reload_errors`; `error` is
    the present reason, or None if the file and the list agree.
    """

    def __init__(self, path: str | os.PathLike[str], mode: AllowlistMode) -> None:
        """Loads the file. Raises AllowlistUnusable if the mode is Enforce and the list can't be used."""
        self.path = Path(path)
        self.mode = mode
        self.current = Allowlist()
        self.loaded_at: datetime | None = None
        self.reload_errors = 0
        self.error: str | None = None
        self._stamp: _Stamp | None = None  # of the content last read; None: the file could not be read
        self._stamp_ambiguous = (
            False  # read so soon after a write that a second write may have the same stamp
        )
        self._unfinished = False  # the file was being written when it was last read
        self._digest = b""
        self._reported: tuple[_Stamp | None, str] | None = None
        self._lock = threading.Lock()
        if mode is AllowlistMode.Off and _stamp(self.path) is None:
            log.info("ip-allowlist file missing", file=str(self.path), mode=mode.value, entries=0)
            return
        self.reload()
        if mode is AllowlistMode.Enforce and self.error is not None:
            raise AllowlistUnusable(
                f"IP_ALLOWLIST_MODE is Enforce, but {self.error}. Give IP_ALLOWLIST_FILE a readable file with one "
                "address or CIDR a line, or set IP_ALLOWLIST_MODE=Off to observe without blocking."
            )

    @property
    def entries(self) -> int:
        return self.current.entries

    def reload(self) -> bool:
        """Reads the file, changed or not (SIGHUP). Returns True if a new list took effect."""
        return self._load(wait_for_writer=False)

    def reload_if_changed(self) -> bool:
        """Reads the file if it looks changed. Returns True if a new list took effect.

        A file that was written just now and whose last line has no newline is left for the next call: a writer
        that has got as far as `10.0.0.0/1` may be about to write `10.0.0.0/16`.
        """
        return self._looks_changed() and self._load(wait_for_writer=True)

    async def watch(self, interval: float = 1.0) -> None:
        """Calls `reload_if_changed` every `interval` seconds until cancelled.

        Polling, not inotify: the latter misses network file systems and the symlink swap of Kubernetes.
        """
        pause = interval
        while True:
            await asyncio.sleep(pause)
            try:
                now = _stamp(self.path)
                if now is not None and now.size > _SMALL and self._looks_changed():
                    await asyncio.to_thread(self.reload_if_changed)
                else:
                    self.reload_if_changed()
            except Exception:  # an error in one look must not end the watch
                log.exception("ip-allowlist watch failed; it goes on", file=str(self.path))
            pause = min(interval, _SOON) if self._unfinished else interval

    def _looks_changed(self) -> bool:
        return self._stamp_ambiguous or _stamp(self.path) != self._stamp

    def _load(self, *, wait_for_writer: bool) -> bool:
        with self._lock:
            stamp: _Stamp | None = None
            try:
                stamp, content = self._read()
                incomplete = not content.endswith(b"\n") and stamp.age < _SETTLED
                self._unfinished = wait_for_writer and incomplete
                if self._unfinished:
                    return False
                self._stamp, self._stamp_ambiguous = stamp, stamp.age < _FRESH
                digest = hashlib.blake2b(content).digest()
                if digest == self._digest:
                    self._settle_error()
                    return False
                fresh = self._parse(content)
            except BadAllowlist as error:
                self._keep(stamp, str(error))
                return False
            except OSError as error:
                self._stamp, self._stamp_ambiguous = None, False
                self._keep(None, f"{self.path}: can't be read ({error.strerror or type(error).__name__})")
                return False
            before, self.current, self._digest = self.current, fresh, digest
            self.loaded_at = datetime.now(UTC)
            self._settle_error()
        log.info(
            "ip-allowlist loaded",
            file=str(self.path),
            mode=self.mode.value,
            entries=fresh.entries,
            entries_before=before.entries,
        )
        if fresh.everyone:
            log.warning(
                "ip-allowlist allows everyone: it holds 0.0.0.0/0, ::/0 or their halves", file=str(self.path)
            )
        return True

    def _read(self) -> tuple[_Stamp, bytes]:
        # Non-blocking, so that a named pipe at this path can't hang the service.
        descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise BadAllowlist(str(self.path), None, "is not a regular file")
            with open(descriptor, "rb", closefd=False) as file:
                content = file.read(MAX_BYTES + 1)
        finally:
            os.close(descriptor)
        # The stamp is from before the read: a write during the read shows as a change at the next look.
        return _Stamp.of(status), content

    def _parse(self, content: bytes) -> Allowlist:
        name = str(self.path)
        if len(content) > MAX_BYTES:
            raise BadAllowlist(
                name, None, f"is larger than {MAX_BYTES // 1024**2} MiB; merge addresses into CIDRs"
            )
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise BadAllowlist(name, line, "is not UTF-8 text; save the file as UTF-8") from None
        fresh = Allowlist.parse(text, name)
        if not fresh.entries and self.mode is AllowlistMode.Enforce:
            # This also catches a file that was truncated and is not written yet.
            raise BadAllowlist(name, None, "contains no address, so every request would be refused")
        return fresh

    def _keep(self, stamp: _Stamp | None, reason: str) -> None:
        self.error = reason
        if self._reported != (stamp, reason):
            self._reported = (stamp, reason)
            self.reload_errors += 1
            log.error(
                "ip-allowlist not loaded; the last good list stays", reason=reason, entries=self.entries
            )

    def _settle_error(self) -> None:
        self.error = self._reported = None


class AllowlistMiddleware:
    """The gate: pure ASGI, for HTTP and WebSockets. It must be the outermost layer.

    Only the three exact paths of UNCHECKED_PATHS pass unchecked, as written on the request line: `/health/`,
    `//health` and `/%68ealth` are checked. The body of a request is never read.
    """

    def __init__(self, app: App, allowlist: AllowlistFile, refusals: Refusals | None = None) -> None:
        """`refusals` also records what the log says, for administrators."""
        self._app = app
        self._allowlist = allowlist
        self._refusals = refusals
        self._decided_by = allowlist.current
        self._decisions: dict[bytes, bool] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not _is_unchecked(scope):
            claims: list[bytes] = [value for name, value in scope["headers"] if name == b"x-real-ip"]
            if not self._allows(claims):
                enforcing = self._allowlist.mode is AllowlistMode.Enforce
                action = "block" if enforcing else "would-block"
                address, path = _logged_address(claims), _logged_path(scope)
                # The whole line is the event, because the specification fixes its form (§5, rule 5).
                log.warning(f"ip-allowlist {action} ip={address} path={path}")  # noqa: G004
                if self._refusals is not None:
                    method = _one_word(str(scope.get("method", "WEBSOCKET")), _LOGGED_METHOD)
                    reason = reason_against(claims, self._allowlist.current) or "notListed"
                    self._refusals.record(address, method, path, reason, blocked=enforcing)
                if enforcing:
                    await _refuse(scope, receive, send)
                    return
        await self._app(scope, receive, send)

    def _allows(self, claims: list[bytes]) -> bool:
        if len(claims) != 1 or len(claims[0]) > _LONGEST_ADDRESS:
            return False
        claim, current = claims[0], self._allowlist.current
        if current is not self._decided_by:
            self._decided_by, self._decisions = current, {}
        decision = self._decisions.get(claim)
        if decision is None:
            if len(self._decisions) >= _DECISIONS:
                self._decisions.clear()
            decision = self._decisions[claim] = current.contains(claim.decode("latin-1"))
        return decision


def reason_against(claims: list[bytes], allowlist: Allowlist) -> str | None:
    """Returns why a request with these values of x-real-ip is not allowed (an AllowlistReason); None if it is."""
    if len(claims) != 1:
        return "severalHeaders" if claims else "noHeader"
    try:
        version, number = _address(claims[0].decode("latin-1"))
    except ValueError:
        return "unreadable"
    return None if allowlist.contains_number(version, number) else "notListed"


def _is_unchecked(scope: Scope) -> bool:
    # `path` is decoded and `raw_path` is what was sent (servers may omit it): both must be the exact string.
    path = scope["path"]
    return path in UNCHECKED_PATHS and scope.get("raw_path") in (None, path.encode())


def _one_word(text: str, limit: int) -> str:
    """Returns `text` as one printable ASCII word of bounded length, so that no caller can forge a log line or field."""
    word = re.sub(r"[^!-~]", lambda match: quote(match[0], errors="replace", safe=""), text[:limit])
    return word if len(text) <= limit else f"{word}..."


def _logged_address(claims: list[bytes]) -> str:
    joined = b",".join(claims[:4]).decode("latin-1")
    return _one_word(joined, _LOGGED_ADDRESS) or "-"


def _logged_path(scope: Scope) -> str:
    # As it was sent: a decoded path can contain spaces, and so a second "ip=".
    raw: bytes | None = scope.get("raw_path")
    return _one_word(scope["path"] if raw is None else raw.decode("latin-1"), _LOGGED_PATH)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers 403 with the gateway's error envelope. A WebSocket is refused before its handshake is accepted."""
    prefix = "" if scope["type"] == "http" else "websocket."
    if prefix:
        await receive()  # websocket.connect
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            # By the ASGI standard a close before the accept is a 403; 1008 is "policy violation" (RFC 6455 §7.4.1).
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
    body = _envelope(scope["path"])
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": f"{prefix}http.response.start", "status": 403, "headers": headers})
    await send({"type": f"{prefix}http.response.body", "body": body})


def _envelope(path: str) -> bytes:
    return json.dumps(
        {
            "statusCode": 403,
            "message": "This address is not on the service's IP allowlist; ask its operator to add it.",
            "error": "Forbidden",
            "timestamp": instant(datetime.now(UTC), "milliseconds"),
            "path": path[:_LOGGED_PATH],
            "code": "ip_not_allowed",
        }
    ).encode()
