"""The SMPP driver alone against npm smpp's server, beside npm smpp's own client; both with a window of 10.

`python -m bench.wire.drivers_smpp [--messages 10000] [--rounds 3]`. Server and clients are processes of their own.
The server leaves Nagle's algorithm on, or switches it off, or answers after 20 ms. The driver gets ten messages one by
one, or, in "batches", ten at a time.
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
NPM = "npm smpp's client"
SERVERS = {"Nagle": (0.6, "nagle", 0), "no delay": (0.7, "nodelay", 0), "20 ms": (0.9, "nodelay", 20)}
"""The goal for each server, and its arguments."""


async def postern(port: int, count: int, batch: int) -> None:
    channel = connect("sms", f"smpp://bench:bench@127.0.0.1:{port}?from=Acme&window={WINDOW}")
    await channel.open(drivers.no_events)

    def message(number: int) -> Outgoing:
        id = uuid4()
        return Outgoing(id, str(id), f"+1415555{number % 10_000:04}", TEXT)

    async def send(number: int) -> None:
        outcomes = await channel.send([message(number + offset) for offset in range(batch)])
        assert all(outcome.result is Result.sent for outcome in outcomes), outcomes

    await drivers.measured(send, count, WINDOW, batch)
    await channel.close()


def main(count: int, rounds: int) -> None:
    for name, (goal, *arguments) in SERVERS.items():
        print(name)
        contest(count if name != "20 ms" else count // 5, rounds, goal, arguments)


def contest(count: int, rounds: int, goal: float, arguments: list[str | int]) -> None:
    try:
        command = drivers.node("smpp_server.js", 0, *arguments)
    except drivers.NotRun as missing:
        print(f"not run: {missing}")
        return
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().split()[1])
        try:
            others = {
                NPM: lambda: drivers.node("smpp_client.js", port, count, WINDOW, TEXT),
                "postern in batches": lambda: drivers.role(
                    "bench.wire.drivers_smpp", "postern", port, count, WINDOW
                ),
            }
            own = drivers.role("bench.wire.drivers_smpp", "postern", port, count, 1)
            drivers.contest(own, others, {NPM: goal}, rounds)
        finally:
            server.terminate()


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.wire.drivers_smpp")
    parse.add_argument("--messages", type=int, default=10_000)
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--role", nargs=4, help=argparse.SUPPRESS)
    arguments = parse.parse_args()
    if arguments.role:
        uvloop.run(postern(*map(int, arguments.role[1:])))
    else:
        main(arguments.messages, arguments.rounds)
