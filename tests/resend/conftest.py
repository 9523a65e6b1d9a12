"""The door is on, and Ada has a domain."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.dns_lookup import DnsLookup
from tests.resend.client import domain
from tests.support.dns import Zone, serving_dns
from tests.support.people import Person


@pytest.fixture
async def zone(services: Any) -> AsyncIterator[Zone]:
    async with serving_dns() as made:
        services.single(DnsLookup, lambda: DnsLookup([made.server]))
        yield made


@pytest.fixture
async def sender(ada: Person, zone: Zone) -> Person:
    """Ada, whose domain `ada.example` is verified."""
    await domain(ada, zone)
    return ada
