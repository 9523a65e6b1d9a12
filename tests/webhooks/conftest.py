import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from core.installation import ROOT
from core.settings import Settings
from runtime.services import Services
from tests.conftest import MakeSettings
from tests.support import prefork
from tests.support.people import Person
from tests.webhooks.receiver import Receiver, receiving
from tests.webhooks.world import World

Spawn = Callable[..., prefork.Process]


@pytest.fixture
def settings(make_settings: MakeSettings, request: pytest.FixtureRequest) -> Settings:
    """Receivers are on loopback here, which nobody else may call."""
    mark = request.node.get_closest_marker("settings")
    return make_settings(**{"outbound_allow": ["127.0.0.0/8"], **(mark.kwargs if mark else {})})


@pytest.fixture
async def world(services: Services, ada: Person) -> World:
    """Ada's account, with no webhook yet."""
    made = World(services, ada)
    made.account = await made.make_account()
    return made


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as made:
        yield made


@pytest.fixture
async def spawn(settings: Settings, tmp_path: Path) -> AsyncIterator[Spawn]:
    """Starts worker processes, or others of Postern's commands, and ends those that are left."""
    made: list[prefork.Process] = []

    def start(lease: float = 60, command: str = "worker", **environment: str) -> prefork.Process:
        assert settings.direct_string is not None
        assert settings.redis_url is not None
        with (tmp_path / f"log-{len(made)}").open("wb") as log:
            child = prefork.start(
                ["postern", command],
                cwd=ROOT,
                output=log,
                env={
                    **os.environ,
                    "DB_STRING": settings.direct_string.get_secret_value(),
                    "REDIS_URL": settings.redis_url.get_secret_value(),
                    "POSTERN_SECRET_KEY": "s" * 32,
                    "POSTERN_JWT_KEY": "j" * 32,
                    "POSTERN_DATA_DIR": str(tmp_path),
                    "POSTERN_DATABASE_FILE": str(tmp_path / "database.toml"),
                    "POSTERN_LEASE_SECONDS": str(lease),
                    "POSTERN_OUTBOUND_ALLOW": "127.0.0.0/8",
                    "POSTERN_LOG_LEVEL": "error",
                    **environment,
                },
            )
        made.append(child)
        return child

    yield start
    for child in made:
        if child.poll() is None:
            child.kill()
            await child.ended()
