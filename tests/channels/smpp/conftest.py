"""A message centre, and a channel that is bound to it."""

from collections.abc import AsyncIterator

import pytest

from tests.channels.peer_smpp import Smsc, peer
from tests.channels.smpp.rig import Rig, rigged
from tests.support.waits import PATIENCE


@pytest.fixture(autouse=True)
def _bound_when_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """An open channel has bound, or was refused, however long that takes here."""
    monkeypatch.setattr("channels.smpp.channel.FIRST_BIND_SECONDS", PATIENCE)


@pytest.fixture
async def smsc() -> AsyncIterator[Smsc]:
    async with peer() as one:
        yield one


@pytest.fixture
async def rig(smsc: Smsc) -> AsyncIterator[Rig]:
    async with rigged(smsc) as rig:
        yield rig
