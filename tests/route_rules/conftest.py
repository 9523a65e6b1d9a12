"""Two providers of SMS on loopback, `north` and `sms-2`, and a worker that sends by them."""

from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

import engine.projects  # noqa: F401  registers the jobs
from core.settings import Settings
from engine.worker import receive_events
from runtime.services import Services
from tests.channels import peer_post
from tests.channels.peer import patient
from tests.channels.peer_post import Provider
from tests.conftest import MakeSettings
from tests.route_rules.made import add
from tests.support.gateway import gateway
from tests.support.people import Person
from tests.support.projects import Projects

__all__ = ["gateway"]


@pytest.fixture
async def providers() -> AsyncIterator[list[Provider]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(peer_post.peer()) for _ in range(2)]


@pytest.fixture
def settings(make_settings: MakeSettings, providers: list[Provider]) -> Settings:
    north, second = (patient(provider.dsn) for provider in providers)
    reports = "receipts=whsec_" + b64encode(bytes(32)).decode().replace(
        "+", "%2B"
    )  # else the doctor notes both
    sms = f"{north}&name=north&{reports}, {second}&{reports}"
    return make_settings(channel_sms=sms, outbound_allow=["127.0.0.1/32"])


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel, events):
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()


@pytest.fixture
async def rules(admin: Person) -> None:
    """Messages to Germany go by `north`, and by `sms-2` if that can't take them."""
    await add(admin, "49", "north", priority=1)
    await add(admin, "49", "sms-2", priority=2)
