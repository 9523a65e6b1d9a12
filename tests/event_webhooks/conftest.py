from collections.abc import AsyncIterator

import pytest

from core.settings import Settings
from runtime.services import Services
from runtime.webhook_documents import register
from schema.webhook_documents import runner
from tests.conftest import MakeSettings
from tests.event_webhooks.world import World
from tests.support.people import Person
from tests.webhooks.receiver import Receiver, receiving


@pytest.fixture
def settings(make_settings: MakeSettings, request: pytest.FixtureRequest) -> Settings:
    """Receivers are on loopback here, which nobody else may call."""
    mark = request.node.get_closest_marker("settings")
    return make_settings(**{"outbound_allow": ["127.0.0.0/8"], **(mark.kwargs if mark else {})})


@pytest.fixture
def world(services: Services, ada: Person) -> World:
    """Ada, who has no webhook yet, in a process that can run documents."""
    register(services, runner)
    return World(services, ada)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as made:
        yield made
