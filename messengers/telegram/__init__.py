"""Telegram accounts, by MTProto with Telethon.

`driver` reads the settings, `connection` keeps one account connected, `login` brings it there, `client` is Telethon made
fit for a service, `wire` its socket, `stream` writes down what happens, `peers` finds people, `reading` turns updates
into events, `gaps` fills what was missed, `sending` sends, `chats` has the other calls, `errors` knows what went wrong.
"""

from messengers.telegram import quiet
from messengers.telegram.driver import Telegram, driver

__all__ = ["Telegram", "driver", "quiet"]
