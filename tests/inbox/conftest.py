"""The accounts and events of the tests of chats."""

from tests.chats.conftest import account, apply, outbox

__all__ = ["account", "apply", "outbox"]
