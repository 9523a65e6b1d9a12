"""Accounts of the sandbox, and a host that keeps them connected."""

from collections.abc import AsyncIterator

import pytest

from engine.messengers.host import Host, hosting
from runtime.services import Services


@pytest.fixture
async def host(services: Services) -> AsyncIterator[Host]:
    async with hosting(services) as made:
        yield made
