"""Holds what tests of this folder share: projects made through the door."""

from tests.sending_projects.conftest import projects

__all__ = ["projects"]
