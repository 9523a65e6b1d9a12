"""Projects whose emails are sent by hand."""

from collections.abc import AsyncIterator

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine.worker import receive_events
from runtime.services import Services
from tests.support.projects import Projects


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel, events):
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()
