import pytest

from runtime.services import Services
from runtime.webhook_documents import register
from schema.webhook_documents import runner
from tests.event_webhooks.world import World
from tests.support.people import Person
from tests.webhooks.conftest import receiver, settings, spawn

__all__ = ["receiver", "settings", "spawn", "world"]


@pytest.fixture
def world(services: Services, ada: Person) -> World:
    """Returns ada's world, without a webhook, in a process that can run documents."""
    register(services, runner)
    return World(services, ada)
