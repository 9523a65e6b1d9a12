"""The Telegram driver: user accounts over MTProto, with Telethon.

`driver` reads the settings, `connection` keeps one account connected, `login` runs the login, `client` adapts Telethon
to a service, `tcp` is its socket, `updates` stores updates with their position, `peers` finds people, `reading` turns
updates into events, `catch_up` fetches what was missed, `sending` sends, `chats` has the other calls, `errors`
translates errors.
"""

from messengers.telegram import telethon_logs
from messengers.telegram.driver import Telegram, driver

__all__ = ["Telegram", "driver", "telethon_logs"]
