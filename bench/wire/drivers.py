"""Holds what the benchmarks of drivers share: programs that print a report, and the table of their medians."""

import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from channels.port import Event

NODE = Path(__file__).with_name("node")
ROOT = Path(__file__).parent.parent.parent
SECONDS = 300.0  # that one program may take


class NotRun(Exception):
    """A component is missing; the message says which."""


@dataclass(frozen=True, slots=True)
class Report:
    """Holds what one program measured. Its start and its warm-up do not count."""

    messages: int
    seconds: float
    cpu: float  # processor seconds of its process

    @property
    def rate(self) -> float:
        return self.messages / self.seconds


def run(command: Sequence[str]) -> Report:
    """Runs a program to its end and returns the report that it printed among its log. Raises RuntimeError."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment
    )
    reports = [line for line in done.stdout.splitlines() if line.startswith('{"messages"')]
    if done.returncode or not reports:
        raise RuntimeError(f"{command[:3]} failed: {done.stderr[-500:]}")
    return Report(**json.loads(reports[-1]))


def role(module: str, name: str, *arguments: object) -> list[str]:
    """Returns the command that runs one contestant of a bench in Python."""
    return [sys.executable, "-m", module, "--role", name, *map(str, arguments)]


def node(script: str, *arguments: object) -> list[str]:
    """Returns the command of a script in `node/`, which is installed from its lock file first. Raises NotRun."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program is None or npm is None:
        raise NotRun("node and npm are not installed here")
    if not (NODE / "node_modules/.package-lock.json").exists():
        words = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        if subprocess.run(words, cwd=NODE, check=False, timeout=SECONDS).returncode:
            raise NotRun("npm ci failed")
    return [program, str(NODE / script), *map(str, arguments)]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def measured(send: Callable[[int], Awaitable[Any]], count: int, slots: int, batch: int = 1) -> None:
    """Sends a tenth of `count` to warm up, then `count` messages, `slots` at a time; prints the report.

    `send` gets the number of the message, or of the first of a `batch`.
    """

    async def burst(total: int) -> None:
        numbers = iter(range(0, total, batch))

        async def one_slot() -> None:
            for number in numbers:
                await send(number)

        await asyncio.gather(*(one_slot() for _ in range(slots // batch)))

    await burst(-(-count // 10))
    begun, worked = time.perf_counter(), time.process_time()
    await burst(count)
    report = Report(count, time.perf_counter() - begun, time.process_time() - worked)
    print(json.dumps({"messages": report.messages, "seconds": report.seconds, "cpu": report.cpu}))


async def no_events(channel: object, events: Sequence[Event]) -> None:
    raise AssertionError("nothing comes in")


def contest(
    ours: list[str], others: dict[str, Callable[[], list[str]]], goals: dict[str, float], rounds: int
) -> None:
    """Runs all in turn, a few rounds long, and prints the medians beside the ratios to ours.

    A ratio is the median of the rounds' own ratios, because the machine may be busier in one round than in another.
    """
    commands = {"postern": ours}
    for name, command in others.items():
        try:
            commands[name] = command()
        except NotRun as missing:
            print(f"{name:<36} not run: {missing}")
    reports: dict[str, list[Report]] = {name: [] for name in commands}
    for number in range(rounds):
        order = list(commands) if number % 2 == 0 else list(reversed(commands))
        for name in order:
            reports[name].append(run(commands[name]))
    for name, its in reports.items():
        rate = statistics.median(report.rate for report in its)
        cpu = statistics.median(report.cpu / report.messages for report in its) * 1000
        line = f"{name:<36} {rate:8,.0f} messages/s  {cpu:6.3f} ms of processor a message"
        if name != "postern":
            pairs = zip(reports["postern"], its, strict=True)
            ratio = statistics.median(our.rate / report.rate for our, report in pairs)
            line += f"  postern / this {ratio:5.2f}"
            if name in goals:
                line += f" (goal {goals[name]:g}: {'reached' if ratio >= goals[name] else 'MISSED'})"
        print(line)
