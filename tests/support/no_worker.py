"""Where nobody works on the queue: what waits for a worker's result gives up at once."""

import pytest

from resolvers import trial


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sends here what is queued: a trial is not waited for."""
    monkeypatch.setattr(trial, "WAIT", 0.1)
