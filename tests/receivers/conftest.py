"""A mail server that answers by the domain of the recipient, and a worker that sends by it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

import engine.projects  # noqa: F401  registers the jobs
from core.ids import uuid7
from core.settings import Settings
from engine.receivers.rules import receivers_of
from engine.worker import receive_events
from runtime.services import Services
from tests.conftest import MakeSettings
from tests.support.gateway import gateway
from tests.support.projects import Projects
from tests.support.receiving import Receiving, receiving

__all__ = ["gateway"]

SetRule = Callable[..., Awaitable[None]]

_RULE = """
INSERT INTO receiver_rules (id, domain, provider_class, in_flight, per_minute, warm_up_from, warm_up, pauses)
VALUES ($1, 'example.com', $2, $3, $4, CASE WHEN $5::int[] IS NOT NULL THEN now() END, $5, $6)
"""


@pytest.fixture
async def server() -> AsyncIterator[Receiving]:
    async with receiving() as running:
        yield running


@pytest.fixture
def settings(make_settings: MakeSettings, server: Receiving) -> Settings:
    dsn = f"smtp://127.0.0.1:{server.port}?from=news@example.com&starttls=off&pool=8"
    return make_settings(channel_email=dsn)


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel: Any, events: Any) -> None:
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()


@pytest.fixture
def rule(services: Services) -> SetRule:
    async def make(provider: str | None = None, **limits: Any) -> None:
        names = ("in_flight", "per_minute", "warm_up")
        values = [limits.get(name) for name in names]
        await services.db.fetchval(_RULE, uuid7(), provider, *values, limits.get("pauses", True))
        await receivers_of(services).refresh()

    return make
