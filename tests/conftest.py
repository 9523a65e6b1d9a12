"""Fixtures that every test may use. All of them stand on a real PostgreSQL and a real Redis."""

import gc
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

import httpx
import pytest
import structlog

from channels import Kind
from core import logs
from core.passwords import Passwords
from core.settings import Settings
from engine.direct.dispatch import Dispatcher
from postern.app import Application, make_app
from runtime.services import Services
from tests.support import compiled, servers
from tests.support.people import People, Person
from tests.support.servers import PATIENT

pytest_plugins = [  # each after those that it imports
    "tests.support.tiers", "tests.support.spending", "tests.support.outcome", "tests.support.tracing",
    "tests.support.turns", "tests.support.hosts",
]  # fmt: skip

MakeSettings = Callable[..., Settings]

logs.configure("info", "json")
gc.disable()  # until all tests are collected: imports make many objects and drop hardly any


def pytest_configure(config: pytest.Config) -> None:
    """Enables garbage collection where no tests are collected: other processes run them."""
    if getattr(config.option, "dist", "no") != "no":
        gc.enable()


def pytest_collection_finish() -> None:
    """Excludes what the imports have made from garbage collection, which would look at all of it again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _servers() -> Iterator[None]:
    with servers.running():
        yield


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """A test may configure logging, as some commands do within its process; the next one finds it as it was."""
    before = structlog.get_config()
    yield
    if structlog.get_config() != before:
        logs.configure("info", "json")


@pytest.fixture(scope="session")
def _databases(_servers: None) -> Iterator[servers.Databases]:
    made = servers.Databases()
    yield made
    made.close()


@pytest.fixture
def database(_databases: servers.Databases) -> Iterator[str]:
    """The URL of a fresh, migrated database."""
    name = f"test_{uuid4().hex}"
    yield _databases.create(name)
    _databases.drop(name)


@pytest.fixture
def make_settings(database: str, tmp_path: Path) -> MakeSettings:
    """Settings that know the test's servers and nothing of the machine's environment; changes by name."""

    def make(**changes: Any) -> Settings:
        limits = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("POSTERN_LIMIT")}
        os.environ.update(limits)
        if not (options := tmp_path / "database.toml").exists():
            options.write_text(PATIENT)
        return Settings(
            _env_file=None,
            **{
                **({} if "db_string" in changes else servers.urls(database)),
                "redis_url": servers.redis_url(),
                "secret_key": "s" * 32,
                "jwt_key": "j" * 32,
                "data_dir": tmp_path,
                "database_file": options,
                "ip_allowlist_file": tmp_path / "ip-allowlist.conf",
                "graphiql": True,
                "console": True,
                "limit_documents": "100000/60",
                "limit_documents_global": "100000/60",
                "limit_register": "1000/60",
                "limit_login": "1000/60",
                "limit_messages": "100000/60",
                "lease_seconds": 30,  # a process that stands still for a moment keeps its claims
                # Messages stay `sent` unless a test asks for reports.
                **dict.fromkeys((f"channel_{kind}" for kind in get_args(Kind)), "sandbox://?deliver=0"),
                **changes,
            },
        )

    return make


@pytest.fixture
def settings(make_settings: MakeSettings, request: pytest.FixtureRequest) -> Settings:
    """The default settings; `@pytest.mark.settings(name=value)` changes them."""
    mark = request.node.get_closest_marker("settings")
    return make_settings(**(mark.kwargs if mark else {}))


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[Application]:
    """The whole application, allowlist and request log included, in this process."""
    made = make_app(settings)
    made.services.passwords = Passwords(memory_kib=64)  # the real cost is tested where it matters
    if settings.redis_url and settings.redis_url.get_secret_value() == servers.redis_url():
        servers.patient(made.services.store.client)
    await made.services.store.client.flushdb()
    compiled.share(made.services.db)
    async with made.api.router.lifespan_context(made.api):
        yield made
    compiled.keep(made.services.db)


@pytest.fixture
def services(app: Application) -> Services:
    return app.services


@pytest.fixture
async def client(app: Application) -> AsyncIterator[httpx.AsyncClient]:
    """Speaks to the application without a socket; a failure inside is a 500 here, as it would be outside."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://postern.test") as made:
        yield made


@pytest.fixture
def people(services: Services, client: httpx.AsyncClient) -> People:
    return People(services, client)


@pytest.fixture
async def ada(people: People) -> Person:
    """A user with 100 USD."""
    return await people.make("ada@example.com", credit="100")


@pytest.fixture
async def bob(people: People) -> Person:
    """Another user, who must see nothing of ada's."""
    return await people.make("bob@example.com", credit="100")


@pytest.fixture
async def admin(people: People) -> Person:
    return await people.make("admin@example.com", admin=True)


@pytest.fixture
async def dispatcher(services: Services) -> AsyncIterator[Dispatcher]:
    """A worker's, with channels that are open."""
    from engine.worker import receive_events

    made = Dispatcher(services, worker="test")

    async def sink(channel: Any, events: Any) -> None:
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield made
    await services.routes.close()


@pytest.fixture
def drain(dispatcher: Dispatcher) -> Callable[[str], Awaitable[int]]:
    """Sends what is queued on a channel, as a worker would."""

    async def drained(channel: str, *, lingers: bool = False) -> int:
        # A worker finds what was queued again with an earlier time half a second later: it looks at everything then.
        dispatcher._floors.clear()
        return await dispatcher.drain(channel, lingers=lingers)

    return drained
