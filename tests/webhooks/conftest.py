from collections.abc import AsyncIterator

import pytest

from core.settings import Settings
from runtime.services import Services
from tests.conftest import MakeSettings
from tests.support.people import Person
from tests.webhooks.receiver import Receiver, receiving
from tests.webhooks.world import World


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
