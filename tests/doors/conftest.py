import pytest

from resolvers import trial


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sends here what is queued: a trial is not waited for."""
    monkeypatch.setattr(trial, "WAIT", 0.1)
