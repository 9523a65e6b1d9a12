"""Lets trials give up at once in tests where no worker serves the queue."""

import pytest

from resolvers import trial


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes trials give up after a moment, because no worker sends what is queued."""
    monkeypatch.setattr(trial, "WAIT", 0.1)
