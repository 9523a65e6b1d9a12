"""Forms that answer as soon as they are stored, projects that are worked by hand, and a browser."""

from tests.consent.conftest import _soon
from tests.sending_projects.engine.conftest import _unhurried, projects
from tests.support.browser import browser, live

__all__ = ["_soon", "_unhurried", "browser", "live", "projects"]
