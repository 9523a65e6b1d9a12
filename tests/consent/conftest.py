"""Projects that are worked by hand, as those of the sending engine's tests."""

from tests.sending_projects.engine.conftest import _unhurried, projects

__all__ = ["_unhurried", "projects"]
