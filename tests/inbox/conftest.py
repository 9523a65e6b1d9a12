"""The accounts and events of the tests of chats."""

from tests.chats.conftest import account, apply, host, outbox

__all__ = ["account", "apply", "host", "outbox"]
