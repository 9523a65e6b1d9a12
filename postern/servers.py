"""PostgreSQL and Redis of a command: the operator's own, or embedded ones."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import structlog
from pydantic import SecretStr

from core.settings import Settings
from postern.embedded import AlreadyRunning, EmbeddedError, EmbeddedPostgres, EmbeddedRedis
from postern.secrets import load_or_make

log = structlog.get_logger("postern.process")


@asynccontextmanager
async def embedded(settings: Settings) -> AsyncIterator[Settings]:
    """Yields the settings with the addresses of servers: the operator's, or embedded ones that run until it ends.

    Raises BadSettings, EmbeddedError.
    """
    if not settings.embedded:
        settings.require_own_servers()
        yield settings
        return
    folder = settings.data_dir
    postgres, redis = EmbeddedPostgres(folder), EmbeddedRedis(folder)
    try:
        await _both(postgres.start, redis.start)
        keeping = asyncio.create_task(_keep_alive(postgres, redis))
        try:
            yield _complete(settings, postgres.url, redis.url)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
    finally:
        await _both(redis.stop, postgres.stop)


async def _both(*steps: Callable[[], None]) -> None:
    """Runs the steps concurrently, each to its end; then raises the first error."""
    done = await asyncio.gather(*(asyncio.to_thread(step) for step in steps), return_exceptions=True)
    for error in done:
        if error is not None:
            raise error


@asynccontextmanager
async def attached(settings: Settings) -> AsyncIterator[Settings]:
    """Like `embedded`, but also works beside a `postern serve` that runs already. For short commands."""
    try:
        async with embedded(settings) as complete:
            yield complete
    except AlreadyRunning:
        postgres, redis = [
            await _address(server(settings.data_dir)) for server in (EmbeddedPostgres, EmbeddedRedis)
        ]
        yield _complete(settings, postgres, redis)


async def _address(server: EmbeddedPostgres | EmbeddedRedis) -> str:
    """Returns the address of a server that another process runs. Raises EmbeddedError if none does, or not yet."""
    try:
        await asyncio.to_thread(server.start)
    except AlreadyRunning as running:
        if running.url is not None:
            return running.url
    else:
        await asyncio.to_thread(server.stop)
    raise EmbeddedError("The servers are just being started or stopped. Try again in a moment.")


def _complete(settings: Settings, db_string: str, redis_url: str) -> Settings:
    secrets = load_or_make(settings.data_dir)
    return settings.model_copy(
        update={
            "graphiql": settings.explorable,
            "console": settings.has_console,
            "db_string": SecretStr(db_string),
            "redis_url": SecretStr(redis_url),
            "secret_key": settings.secret_key or secrets.secret_key,
            "jwt_key": settings.jwt_key or secrets.jwt_key,
        }
    )


async def _keep_alive(*servers: Any) -> None:
    while True:
        await asyncio.sleep(1.0)
        for server in servers:
            try:
                if await asyncio.to_thread(server.ensure):
                    log.warning(
                        "an embedded server had died and was started again", server=type(server).__name__
                    )
            except Exception as error:  # the next round tries again; the message says what to do
                log.error("an embedded server can't be started", error=str(error))
