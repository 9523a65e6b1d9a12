"""The receiver of a webhook, in a process of its own: `python -m tests.faults.receiver LOG` prints its port.

It writes the body of each request into a line of LOG before it accepts the request. It refuses one request in a
hundred, and on SIGUSR1 it is down for a while.
"""

import asyncio
import itertools
import os
import signal
import sys
from pathlib import Path

from tests.webhooks.receiver import Call, receiving

_SECONDS = 0.1  # until a request is answered: faults are to meet some that are under way
_REFUSED = 100  # one request of so many
_DOWN_SECONDS = 20.0


async def main(path: str) -> None:
    with Path(path).open("ab", buffering=0) as log:
        async with receiving() as receiver:
            requests = itertools.count(1)
            down = asyncio.Event()

            def answer(call: Call) -> int:
                if next(requests) % _REFUSED == 0:
                    return 500
                log.write(call.body + b"\n")
                receiver.calls.clear()  # the log has them
                receiver.taken.clear()
                return 200

            async def going_down() -> None:
                while True:
                    await down.wait()
                    await receiver.stop()
                    await asyncio.sleep(_DOWN_SECONDS)
                    down.clear()
                    await receiver.start()

            receiver.answer, receiver.delay = answer, _SECONDS
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, down.set)
            going = asyncio.create_task(going_down())
            print(receiver.port, flush=True)
            await asyncio.to_thread(sys.stdin.read)  # until the process that started us ends
            going.cancel()
            os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
