"""Switches billing, and works projects and test messages, in tests of purposes."""

from tests.sending_projects.engine.conftest import projects
from tests.support.gateway import gateway
from tests.trial.conftest import working

__all__ = ["gateway", "projects", "working"]
