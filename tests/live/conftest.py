"""Live updates wait for Redis as long as the machine needs: who goes on without it hears of a gap first."""

import pytest

from core import pubsub
from tests.support.waits import PATIENCE


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubsub, "_CONFIRM_SECONDS", PATIENCE)
