"""What tests of the sending engine share: projects worked by hand, with channels that are open."""

from collections.abc import AsyncIterator

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine.worker import take_events
from postern.services import Services
from tests.support.projects import Projects


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel, events):
        await take_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()
