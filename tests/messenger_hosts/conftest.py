"""Hosts of messenger accounts, in this process and in others."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from runtime.services import Services
from tests.messenger_hosts.farm import Farm


@pytest.fixture
async def farm(services: Services, tmp_path: Path) -> AsyncIterator[Farm]:
    made = Farm(services, tmp_path)
    try:
        yield made
    finally:
        await made.close()
