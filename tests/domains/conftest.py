"""A DNS of the test's own, which the service asks."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.dns_lookup import DnsLookup
from tests.support.dns import Zone, serving_dns


@pytest.fixture
async def zone(services: Any) -> AsyncIterator[Zone]:
    async with serving_dns() as made:
        services.single(DnsLookup, lambda: DnsLookup([made.server]))
        yield made
