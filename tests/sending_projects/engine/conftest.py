"""Holds what tests of the sending engine share: projects worked by hand, with channels that are open."""

from collections.abc import AsyncIterator

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine.projects import batch_run, preparation
from engine.worker import receive_events
from runtime.services import Services
from tests.support.projects import Projects
from tests.support.waits import PATIENCE


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that stands still for a moment cuts no visit short, and no unit in two."""
    monkeypatch.setattr(batch_run, "CYCLE_SECONDS", PATIENCE)
    monkeypatch.setattr(preparation, "_RENDERING", PATIENCE)


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel, events):
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()
