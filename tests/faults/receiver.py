"""The receiver of a webhook, in a process of its own: `python -m tests.faults.receiver LOG` prints its port.

It writes the body of each request into a line of LOG before it accepts the request.
"""

import asyncio
import os
import sys
from pathlib import Path

from tests.webhooks.receiver import Call, receiving

_SECONDS = 0.1  # until a request is answered: faults are to meet some that are under way


async def main(path: str) -> None:
    with Path(path).open("ab", buffering=0) as log:
        async with receiving() as receiver:

            def accept(call: Call) -> int:
                log.write(call.body + b"\n")
                receiver.calls.clear()  # the log has them
                receiver.taken.clear()
                return 200

            receiver.answer, receiver.delay = accept, _SECONDS
            print(receiver.port, flush=True)
            await asyncio.to_thread(sys.stdin.read)  # until the process that started us ends
            os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
