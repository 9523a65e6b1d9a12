"""The faults, and the words by which each instrument must name them within a minute."""

import os
import re
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import asyncpg
import redis.asyncio as redis

from tests.instruments.world import World

Break = Callable[[World], AbstractAsyncContextManager[None]]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `names`: the pattern of each instrument that must name it; an instrument that is missing there says
    nothing of it, which `quiet` explains. `also`: what any instrument may say besides, since it follows from the fault.
    """

    title: str
    break_: Break
    names: Mapping[str, str]
    also: str = r"$^"
    quiet: str = ""

    def is_named(self, instrument: str, lines: list[str]) -> bool:
        """Returns whether the instrument names the fault."""
        pattern = self.names.get(instrument)
        return pattern is not None and any(re.search(pattern, line) for line in lines)

    def false_lines(self, instrument: str, lines: list[str]) -> list[str]:
        """Returns the lines that neither name the fault nor follow from it."""
        allowed = [pattern for pattern in (self.names.get(instrument), self.also) if pattern]
        return [line for line in lines if not any(re.search(pattern, line) for pattern in allowed)]


@asynccontextmanager
async def _postgres_down(world: World) -> AsyncIterator[None]:
    async with world.to_postgres.down():
        yield


@asynccontextmanager
async def _postgres_hangs(world: World) -> AsyncIterator[None]:
    async with world.to_postgres.hanging():
        yield


@asynccontextmanager
async def _redis_down(world: World) -> AsyncIterator[None]:
    async with world.to_redis.down():
        yield


@asynccontextmanager
async def _redis_hangs(world: World) -> AsyncIterator[None]:
    async with world.to_redis.hanging():
        yield


@asynccontextmanager
async def _redis_full(world: World) -> AsyncIterator[None]:
    async with redis.from_url(world.redis_url) as client:
        await client.config_set("maxmemory", "1")
        try:
            yield
        finally:
            await client.config_set("maxmemory", "0")


@asynccontextmanager
async def _no_worker(world: World) -> AsyncIterator[None]:
    await world.stop(world.worker)
    try:
        yield
    finally:
        await world.start_worker()


@asynccontextmanager
async def _frozen_worker(world: World) -> AsyncIterator[None]:
    assert world.worker is not None
    os.kill(world.worker.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(world.worker.pid, signal.SIGCONT)


@asynccontextmanager
async def _frozen_api(world: World) -> AsyncIterator[None]:
    assert world.api is not None
    os.kill(world.api.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(world.api.pid, signal.SIGCONT)


def _provider(mode: str) -> Break:
    @asynccontextmanager
    async def broken(world: World) -> AsyncIterator[None]:
        world.provider.mode = mode
        try:
            yield
        finally:
            world.provider.mode = "well"

    return broken


@asynccontextmanager
async def _provider_down(world: World) -> AsyncIterator[None]:
    async with world.to_provider.down():
        yield


@asynccontextmanager
async def _locked(world: World) -> AsyncIterator[None]:
    """Another program holds a lock on the messages, as a migration by hand does."""
    db = await asyncpg.connect(world.postgres_url)
    try:
        async with db.transaction():
            await db.execute("LOCK TABLE messages IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        await db.close()


@asynccontextmanager
async def _bad_allowlist(world: World) -> AsyncIterator[None]:
    file = world.folder / "ip-allowlist.conf"
    file.write_text("mode enforce\n10.0.0.0/99\n")
    try:
        yield
    finally:
        file.unlink()


FAULTS: Final = (
    Fault("PostgreSQL refuses connections", _postgres_down, {}),
    Fault("PostgreSQL hangs", _postgres_hangs, {}),
    Fault("Another program locks the messages", _locked, {}),
    Fault("Redis refuses connections", _redis_down, {}),
    Fault("Redis hangs", _redis_hangs, {}),
    Fault("Redis is full", _redis_full, {}),
    Fault("No worker runs", _no_worker, {}),
    Fault("The worker is frozen", _frozen_worker, {}),
    Fault("The API process is frozen", _frozen_api, {}),
    Fault("The provider hangs", _provider("hangs"), {}),
    Fault("The provider refuses the login", _provider("refuses"), {}),
    Fault("The provider refuses connections", _provider_down, {}),
    Fault("The allowlist has a wrong line", _bad_allowlist, {}),
)
