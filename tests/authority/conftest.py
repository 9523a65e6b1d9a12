"""One database a test process, whose world is made by the first test and undone by each."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from core.settings import Settings
from resolvers.messenger_accounts import account_states
from runtime.services import Services
from runtime.viewers.token_use import TokenUses
from tests.authority.effects import Effects
from tests.authority.world import World, made
from tests.conftest import MakeSettings
from tests.doors.conftest import no_worker
from tests.support import servers
from tests.support.people import People

__all__ = ["no_worker"]

_WORLDS: dict[str, World] = {}
"""The world of this process's database."""


@pytest.fixture(scope="session")
def _shared(_databases: servers.Databases) -> Iterator[str]:
    name = f"authority_{uuid4().hex}"
    yield _databases.create(name)
    _databases.drop(name)


@pytest.fixture
def database(_shared: str) -> str:
    """The URL of the database that the tests of this folder share."""
    return _shared


@pytest.fixture(scope="session")
def _data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("authority")


@pytest.fixture(autouse=True)
def _no_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out when a credential was last used, which is written later, beside some other call."""
    for name in ("used", "refused", "hook_used"):
        monkeypatch.setattr(TokenUses, name, lambda *_: None)


@pytest.fixture(autouse=True)
def _no_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets calls give up at once that wait until a messenger account has connected."""
    for name in ("START_SECONDS", "STOP_SECONDS"):
        monkeypatch.setattr(account_states, name, 0.05)


@pytest.fixture
def settings(make_settings: MakeSettings, _data_dir: Path) -> Settings:
    return make_settings(
        data_dir=_data_dir,
        sandbox_moment=0.05,
        qr_attempts=1000,
        access_token_seconds=86_400,
        limit_login="100000/60",
    )


@pytest.fixture
async def world(database: str, services: Services, people: People) -> World:
    if database not in _WORLDS:
        _WORLDS[database] = await made(services, people, await people.make("admin@example.com", admin=True))
    return _WORLDS[database]


@pytest.fixture
async def effects(database: str, world: World, services: Services) -> AsyncIterator[Effects]:
    connected = await Effects.connect(database)
    await connected.undone()
    yield connected
    await connected.undone()
    await connected.close()
