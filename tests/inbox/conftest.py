"""The accounts and events of the tests of chats."""

from tests.chats.conftest import account, host, tell, told

__all__ = ["account", "host", "tell", "told"]
