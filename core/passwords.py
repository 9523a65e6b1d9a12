"""Passwords: argon2id, hashed off the event loop, bounded in concurrency and in length."""

import asyncio
import os
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

T = TypeVar("T")


_SLOTS = max(2, os.cpu_count() or 2)
# A thread pool of its own: a login never waits for other work in the loop's default pool.
_THREADS = ThreadPoolExecutor(_SLOTS, "postern-passwords")


class Passwords:
    """Hashes with OWASP's argon2id parameters (Password Storage Cheat Sheet): 46 MiB, one pass, parallelism 1."""

    def __init__(self, memory_kib: int = 47104) -> None:
        self._hasher = _hasher(memory_kib)
        self._slots = asyncio.Semaphore(_SLOTS)
        self._dummy = _nobodys(memory_kib)

    async def hash(self, password: str) -> str:
        """Returns the argon2id hash of a password."""
        async with self._slots:
            return await self._beside(self._hasher.hash, normal(password))

    async def verify(self, stored: str | None, password: str) -> bool:
        """Returns whether the password matches. Takes equally long for `None` (no such user, or no password yet)."""
        async with self._slots:
            matches = await self._beside(self._check, stored or self._dummy, normal(password))
        return matches and stored is not None

    async def _beside(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(_THREADS, work, *arguments)

    def outdated(self, stored: str) -> bool:
        """Returns whether a hash was made with other parameters and should be made again."""
        return self._hasher.check_needs_rehash(stored)

    def _check(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (Argon2Error, InvalidHashError):
            return False


def _hasher(memory_kib: int) -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=memory_kib, parallelism=1)


@cache
def _nobodys(memory_kib: int) -> str:
    """Returns a hash that is verified for unknown login addresses, so that they take as long as known ones."""
    return _hasher(memory_kib).hash(os.urandom(16).hex())


def normal(password: str) -> str:
    """Applies NFKC: systems may encode the same typed characters differently (NIST SP 800-63B §3.1.1.2)."""
    return unicodedata.normalize("NFKC", password)
