"""`python -m tests.instruments`: makes each fault, asks all instruments for a minute, and prints the table."""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.instruments import read
from tests.instruments.faults import FAULTS, Fault
from tests.instruments.read import INSTRUMENTS
from tests.instruments.world import PROMETHEUS, World, world

SECONDS = 60.0
_QUIET_SECONDS = 150.0  # for all to be well again
_PAUSE = 3.0
BACKWARD = ("PosternServerErrors", "PosternHandoversFail", "PosternUnknownOutcomes", "PosternMessagesWait")
"""The alerts that look back over five or ten minutes, or at what a fault has left behind."""


class Result:
    """Holds what the instruments have said of one fault: the seconds until each named it, and false lines."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.after: dict[str, float] = {}
        self.lines: dict[str, list[str]] = {name: [] for name in INSTRUMENTS}
        self.false: dict[str, list[str]] = {}

    @property
    def problems(self) -> list[str]:
        """Returns what must be mended: an instrument that is silent, or that says something false."""
        silent = [f"{name} does not name it" for name in self.fault.names if name not in self.after]
        return silent + [f"{name} says: {line}" for name, lines in self.false.items() for line in lines]

    def row(self) -> str:
        """Returns the row of the table."""
        cells = [f"{self.after[name]:.0f} s" if name in self.after else "–" for name in INSTRUMENTS]
        false = sum(len(lines) for lines in self.false.values())
        return f"| {' | '.join([self.fault.title, *cells, str(false)])} |"


async def _ask(it: World, log: read.Log) -> dict[str, list[str]]:
    doctor, alerts, console = await asyncio.gather(read.doctor(it), read.alerts(it), read.console(it))
    return {"doctor": doctor, "alerts": alerts, "console": console, "log": list(log.read())}


async def observe(it: World, fault: Fault, usual: dict[str, list[str]]) -> Result:
    """Makes a fault, and asks the instruments until all of them have named it or a minute is over."""
    result, log = Result(fault), read.Log(it)
    begun = time.monotonic()
    async with fault.break_(it):
        while True:
            asked_at = time.monotonic() - begun
            said = await _ask(it, log)
            for name, lines in said.items():
                new = [line for line in lines if line not in usual[name]]
                result.lines[name] = [*dict.fromkeys([*result.lines[name], *new])]
                if name not in result.after and fault.is_named(name, new):
                    result.after[name] = asked_at
            if asked_at > SECONDS or set(result.after) >= set(INSTRUMENTS):
                break
            await asyncio.sleep(_PAUSE)
    for name, lines in result.lines.items():
        if false := fault.false_lines(name, lines):
            result.false[name] = false
    return result


def _lasting(said: dict[str, list[str]]) -> dict[str, list[str]]:
    """Returns what the instruments say, with both states of the alerts that look back: these end minutes later."""
    backward = [line for line in said["alerts"] if line.split()[0] in BACKWARD]
    others = [line.replace(" pending", " firing") for line in backward]
    others += [line.replace(" firing", " pending") for line in backward]
    return said | {"alerts": [*said["alerts"], *others]}


async def settle(it: World, usual: dict[str, list[str]]) -> list[str]:
    """Waits until doctor, alerts and console say what they said before, and no message waits for a breaker any more.
    Returns what they say too long.
    """
    until = time.monotonic() + _QUIET_SECONDS
    while True:
        said = await _ask(it, read.Log(it))
        left = [
            line
            for name in ("doctor", "alerts", "console")
            for line in said[name]
            if line not in usual[name] and line.split()[0] not in BACKWARD
        ]
        if (not left and not await it.waits()) or time.monotonic() > until:
            return left
        await asyncio.sleep(_PAUSE)


async def run(arguments: argparse.Namespace) -> int:
    chosen = [
        fault for fault in FAULTS if not arguments.only or arguments.only.lower() in fault.title.lower()
    ]
    if PROMETHEUS is None:
        print("The alert rules are left out: Prometheus is not installed (Debian's package prometheus).")
    problems = 0
    with tempfile.TemporaryDirectory(prefix="postern-instruments-") as folder:
        async with world(Path(folder), debian=arguments.debian) as it:
            await asyncio.sleep(15)  # the first messages are sent, and Prometheus has read some
            usual = await _ask(it, read.Log(it))
            print(
                "| fault |",
                " | ".join(INSTRUMENTS),
                "| false |\n|---|" + "---|" * (len(INSTRUMENTS) + 1),
                flush=True,
            )
            for fault in chosen:
                result = await observe(it, fault, _lasting(await _ask(it, read.Log(it))))
                left = await settle(it, usual)
                print(result.row(), flush=True)
                for problem in [*result.problems, *(f"it stays after the end: {line}" for line in left)]:
                    problems += 1
                    print(f"    {problem}", flush=True)
                if arguments.lines:
                    for name, lines in result.lines.items():
                        for line in lines:
                            print(f"    {name}: {line}", flush=True)
    return min(problems, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="the faults whose title has these words")
    parser.add_argument("--debian", action="store_true", help="with PostgreSQL of Debian's package")
    parser.add_argument("--lines", action="store_true", help="print all that was said")
    sys.exit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
