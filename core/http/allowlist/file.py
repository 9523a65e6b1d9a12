"""The list in use: it is read from its file, and read again whenever the file changes."""

import asyncio
import hashlib
import os
import stat
import threading
import time
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol, Self

import structlog

from core.http.allowlist.networks import Allowlist, BadAllowlist

log = structlog.get_logger(__name__)

MAX_BYTES = 16 * 1024 * 1024
_FRESH = 2.0  # seconds; a file system's clock may have this resolution (FAT), so a younger file is read again
_SETTLED = 0.3  # seconds without a write after which a last line without a newline counts as complete
_SOON = 0.2  # seconds until a file that is being written is looked at again
_SMALL = 64 * 1024  # bytes that are parsed in a few milliseconds, on the event loop itself


class AllowlistMode(StrEnum):
    """Says what happens to an address that is not on the list."""

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


class AllowlistUnusable(RuntimeError):
    """Enforce is set and there is no usable list: the service must not start."""


class AllowlistSettings(Protocol):
    """The settings that the list needs: core/settings.py imports this file."""

    ip_allowlist_file: Path
    ip_allowlist_mode: AllowlistMode

    @property
    def model_fields_set(self) -> set[str]:
        """Returns the names of the settings that the operator has set."""


class _Stamp(NamedTuple):
    """Identifies a version of a file: every change of the file changes it, and it is compared without reading the
    file.
    """

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

    def __init__(
        self, path: str | os.PathLike[str], mode: AllowlistMode, *, is_default: bool = False
    ) -> None:
        """Loads the file. Raises AllowlistUnusable if the mode is Enforce and the list can't be used.

        `is_default`: the operator has named no file, so a missing one is no list if the mode is Off. A named one that
        is missing is an empty list (contract §9.8).
        """
        self.path = Path(path)
        self.mode = mode
        self._is_default = is_default
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
            missing = "ip-allowlist file missing"
            none = "ip-allowlist not in use: there is no file, so nothing would be blocked"
            log.info(none if is_default else missing, file=str(self.path), mode=mode.value, entries=0)
            return
        self.reload()
        if mode is AllowlistMode.Enforce and self.error is not None:
            raise AllowlistUnusable(
                f"IP_ALLOWLIST_MODE is Enforce, but {self.error}. Give IP_ALLOWLIST_FILE a readable file with one "
                "address or CIDR a line, or set IP_ALLOWLIST_MODE=Off to observe without blocking."
            )

    @classmethod
    def of(cls, settings: AllowlistSettings) -> Self:
        """Loads the file that the settings name, or the default one. Raises AllowlistUnusable."""
        is_default = "ip_allowlist_file" not in settings.model_fields_set
        return cls(settings.ip_allowlist_file, settings.ip_allowlist_mode, is_default=is_default)

    @property
    def absent(self) -> bool:
        """Returns whether there is no list, since no file was named, and the default one was never there."""
        return self._is_default and self.mode is AllowlistMode.Off and self.loaded_at is None

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
