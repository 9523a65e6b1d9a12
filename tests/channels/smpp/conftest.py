"""A message centre, and a channel that is bound to it."""

from collections.abc import AsyncIterator

import pytest

from tests.channels.peer_smpp import Smsc, peer
from tests.channels.smpp.rig import Rig, rigged


@pytest.fixture
async def smsc() -> AsyncIterator[Smsc]:
    async with peer() as one:
        yield one


@pytest.fixture
async def rig(smsc: Smsc) -> AsyncIterator[Rig]:
    async with rigged(smsc) as one:
        yield one
