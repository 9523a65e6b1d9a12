from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from pydantic import SecretStr

from core.settings import Settings
from engine.restore import fence
from runtime.services import Services, services
from tests.sending_projects.engine.conftest import projects
from tests.support import servers
from tests.support.gateway import gateway
from tests.webhooks.conftest import spawn

__all__ = ["gateway", "projects", "spawn"]

Opened = Callable[..., AbstractAsyncContextManager[Services]]


@pytest.fixture
async def beating(services: Services) -> Services:
    """An installation whose worker has run: the row is there, and the beat is kept outside."""
    await fence.beat(services)
    return services


@pytest.fixture
def opened(settings: Settings) -> Opened:
    """Opens the services of another process, on another database if it is named."""

    @asynccontextmanager
    async def open_other(url: str | None = None, **changes: Any) -> AsyncIterator[Services]:
        changes |= {} if url is None else {"db_string": SecretStr(url)}
        async with services(settings.model_copy(update=changes)) as made:
            servers.patient(made.store.client)
            yield made

    return open_other
