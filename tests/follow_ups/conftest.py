"""Projects that follow each other, worked by hand."""

from collections.abc import AsyncIterator

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine.worker import receive_events
from runtime.services import Services
from tests.follow_ups.made import Followed
from tests.support.people import Person
from tests.support.projects import Projects


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel, events):
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()


@pytest.fixture
def followed(projects: Projects, ada: Person) -> Followed:
    return Followed(projects, ada)
