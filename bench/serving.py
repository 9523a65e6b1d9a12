"""A whole installation for a benchmark: embedded servers, a real `postern serve` with its worker, and users."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from bench.gateway import child
from bench.render_pool import client
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services
from tests.support.ports import free_port


@dataclass(frozen=True, slots=True)
class Installation:
    """`users` are clients that have logged in, by name."""

    database_url: str
    users: dict[str, httpx.AsyncClient]


@asynccontextmanager
async def installation(*names: str) -> AsyncIterator[Installation]:
    """Runs an installation with these users until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        postgres, redis = EmbeddedPostgres(Path(folder)), EmbeddedRedis(Path(folder))
        with postgres, redis:
            keys: dict[str, Any] = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
            settings = Settings(_env_file=None, db_string=postgres.url, redis_url=redis.url, **keys)
            await prepare(settings)
            async with services(settings) as opened:
                for name in names:
                    await operator.create_user(
                        opened, f"{name}@bench.test", admin=False, password="bench bench"
                    )
            port = free_port()
            environment = {
                "DB_STRING": postgres.url, "REDIS_URL": redis.url, "POSTERN_SECRET_KEY": "s" * 32,
                "POSTERN_JWT_KEY": "j" * 32, "POSTERN_DATA_DIR": folder, "POSTERN_LOG_LEVEL": "error",
                "POSTERN_SIGNUP_CREDIT": "0",
            }  # fmt: skip
            async with child(port, "/health", environment, "postern", "serve", "--port", str(port)):
                users = {name: await client(port, f"{name}@bench.test") for name in names}
                try:
                    yield Installation(postgres.url, users)
                finally:
                    for http in users.values():
                        await http.aclose()
