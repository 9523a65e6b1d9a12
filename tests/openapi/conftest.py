import pytest

from resolvers import test_sending


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sends here what is queued: a trial is not waited for."""
    monkeypatch.setattr(test_sending, "WAIT", 0.1)
