"""Projects that are worked by hand, as those of the sending engine's tests."""

import pytest

from resolvers import signups
from tests.sending_projects.engine.conftest import _unhurried, projects

__all__ = ["_unhurried", "projects"]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers sign-ups as soon as they are stored."""
    monkeypatch.setattr(signups, "ANSWER_SECONDS", 0.001)
