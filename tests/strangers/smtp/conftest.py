"""The door of tests/submissions, for clients of others."""

from tests.submissions.conftest import door, settings, token

__all__ = ["door", "settings", "token"]
