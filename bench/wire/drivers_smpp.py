"""The SMPP driver alone against npm smpp's server, beside npm smpp's own client; both with a window of 10.

`python -m bench.wire.drivers_smpp [--messages 10000] [--rounds 3]`. Server and clients are processes of their own.
"""

import argparse
import subprocess
from uuid import uuid4

import uvloop

from bench.wire import drivers
from channels import connect
from channels.port import Outgoing, Result

WINDOW = 10
TEXT = "Hello Anna, your order 4711 has left our warehouse and should arrive within three days."
GOALS = {"npm smpp's client": 0.9}


async def postern(port: int, count: int) -> None:
    channel = connect("sms", f"smpp://bench:bench@127.0.0.1:{port}?from=Acme&window={WINDOW}")
    await channel.open(drivers.no_events)

    async def send(number: int) -> None:
        id = uuid4()
        [outcome] = await channel.send([Outgoing(id, str(id), f"+1415555{number % 10_000:04}", TEXT)])
        assert outcome.result is Result.sent, outcome

    await drivers.measured(send, count, WINDOW)
    await channel.close()


def main(count: int, rounds: int) -> None:
    try:
        command = drivers.node("smpp_server.js")
    except drivers.NotRun as missing:
        print(f"not run: {missing}")
        return
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().split()[1])
        try:
            others = {"npm smpp's client": lambda: drivers.node("smpp_client.js", port, count, WINDOW, TEXT)}
            own = drivers.role("bench.wire.drivers_smpp", "postern", port, count)
            drivers.contest(own, others, GOALS, rounds)
        finally:
            server.terminate()


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.wire.drivers_smpp")
    parse.add_argument("--messages", type=int, default=10_000)
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--role", nargs=3, help=argparse.SUPPRESS)
    arguments = parse.parse_args()
    if arguments.role:
        uvloop.run(postern(*map(int, arguments.role[1:])))
    else:
        main(arguments.messages, arguments.rounds)
