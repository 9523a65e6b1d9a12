from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.settings import Settings
from runtime.services import Services
from runtime.webhook_documents import register
from schema.webhook_documents import runner
from tests.conftest import MakeSettings
from tests.event_sinks.world import World
from tests.support.nats import Brokers, running
from tests.support.people import Person


@pytest.fixture
def settings(make_settings: MakeSettings, request: pytest.FixtureRequest) -> Settings:
    """Brokers are on loopback here, where nobody else may connect to."""
    mark = request.node.get_closest_marker("settings")
    return make_settings(**{"outbound_allow": ["127.0.0.0/8"], **(mark.kwargs if mark else {})})


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[Brokers]:
    """Returns a real server of NATS with JetStream, which knows one user."""
    more = 'authorization { users: [{ user: "postern", password: "secret" }] }'
    async with running(tmp_path, more=more, user="postern", password="secret") as brokers:
        yield brokers


@pytest.fixture
def world(services: Services, ada: Person, broker: Brokers) -> World:
    """Returns ada with a broker, without a sink, in a process that can run documents."""
    register(services, runner)
    return World(services, ada, broker)
