"""Workers that can be killed, for people who are erased."""

from tests.webhooks.conftest import settings, spawn

__all__ = ["settings", "spawn"]
