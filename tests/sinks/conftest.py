from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from runtime.services import Services
from runtime.webhook_documents import register
from schema.webhook_documents import runner
from tests.sinks.world import World
from tests.support.nats import Brokers, running
from tests.support.people import Person
from tests.webhooks.conftest import settings, spawn

__all__ = ["settings", "spawn"]


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[Brokers]:
    """A single server."""
    async with running(tmp_path) as made:
        yield made


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Brokers]:
    """Three servers of one cluster."""
    async with running(tmp_path, 3) as made:
        yield made


@pytest.fixture
def world(services: Services, broker: Brokers, ada: Person) -> World:
    """Ada's world with a single server, in a process that can run documents."""
    register(services, runner)
    return World(services, broker, ada)


@pytest.fixture
def clustered(services: Services, cluster: Brokers, ada: Person) -> World:
    """Ada's world with a cluster."""
    return World(services, cluster, ada)
