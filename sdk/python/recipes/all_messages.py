"""Reads all messages, page after page, with asyncio: `python all_messages.py`."""

import asyncio
from collections import Counter

from postern_sdk import AsyncPostern, aiterate


async def main() -> None:
    statuses: Counter[str] = Counter()
    async with AsyncPostern() as postern:
        # `limit` is 100 at most; 3 to show that there are pages.
        async for message in aiterate(postern.messages.list, limit=3):
            statuses[message.status] += 1
            print(message.id)
    print(dict(statuses))


asyncio.run(main())
