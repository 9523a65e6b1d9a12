"""A Telegram server in small: MTProto over real sockets, with a world of people behind it.

`wire` frames packets, `handshake` makes keys, `link` encrypts and numbers messages, `world` knows people and their
messages, `methods` answers requests, `telegram` puts them together. TL types are Telethon's own.
"""

from tests.telegram.server.telegram import Telegram, running
from tests.telegram.server.world import Person

__all__ = ["Person", "Telegram", "running"]
