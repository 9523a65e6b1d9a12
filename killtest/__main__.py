"""Runs the kill test: `python -m killtest --adapter postfix --seed 1 --people 300`."""

import argparse
import asyncio
import json
import os
import platform
import signal
import sys
from pathlib import Path
from typing import Any

from killtest.adapters import ADAPTERS
from killtest.report import remarkable, table
from killtest.run import Options, Run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m killtest", description=__doc__)
    parser.add_argument(
        "--adapter", action="append", choices=[*ADAPTERS, "all"], help="a product; may be repeated"
    )
    parser.add_argument("--seed", type=int, action="append", help="a seed; may be repeated (1, 2 and 3)")
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--span", type=float, default=60.0, help="seconds of submissions")
    parser.add_argument(
        "--quiet", type=float, default=240.0, help="seconds in which the product may finish after them"
    )
    parser.add_argument("--no-faults", action="store_true", help="only the provider misbehaves")
    parser.add_argument("--logs", type=Path, help="a folder for the logs of the products")
    parser.add_argument("--json", type=Path, help="a file to which the results are appended")
    parser.add_argument("--table", type=Path, help="prints the table of such a file, and runs nothing")
    arguments = parser.parse_args()
    if arguments.table is not None:
        _print(json.loads(arguments.table.read_text())["runs"])
        return 0
    if not arguments.adapter:
        parser.error("--adapter or --table is needed")
    signal.signal(signal.SIGTERM, _end)
    names = list(ADAPTERS) if "all" in arguments.adapter else arguments.adapter
    seeds = arguments.seed or [1, 2, 3]
    results: list[dict[str, Any]] = []
    invalid = False
    for name in names:
        if problem := ADAPTERS[name].missing():
            print(f"{name}: not run, because {problem}.")
            continue
        for seed in seeds:
            options = Options(
                seed,
                arguments.people,
                arguments.span,
                arguments.quiet,
                arguments.logs,
                not arguments.no_faults,
            )
            result = asyncio.run(Run(ADAPTERS[name], options).run())
            if result["counts"]["not_accepted"] == options.number:
                print(
                    f"{name} seed {seed}: invalid, because it accepted nothing. See its logs: --logs FOLDER."
                )
                invalid = True
                continue
            results.append(result)
            counts = {column: number for column, number in result["counts"].items() if number}
            quiet = (
                f"quiet after {result['quiet_after']} s" if result["quiet_after"] is not None else "not quiet"
            )
            print(
                f"{name} seed {seed}: {counts}, money {result['money']}, {quiet}, load {result['load']}",
                flush=True,
            )
    if arguments.json is not None:
        _store(arguments.json, results)
    _print(results)
    return int(invalid)


def _end(*_: object) -> None:
    """Ends a run like Ctrl-C, so that it ends its processes, too. A second signal does not disturb that."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def _store(file: Path, results: list[dict[str, Any]]) -> None:
    """Adds the results to the file; a run with the same adapter and seed is replaced."""
    before = json.loads(file.read_text())["runs"] if file.exists() else []
    new = {(run["adapter"], run["seed"]) for run in results}
    runs = [run for run in before if (run["adapter"], run["seed"]) not in new] + [
        remarkable(run) for run in results
    ]
    machine = {
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "python": platform.python_version(),
    }
    lines = ",\n".join(json.dumps(run, separators=(",", ":")) for run in runs)
    file.write_text(f'{{"machine": {json.dumps(machine)}, "runs": [\n{lines}\n]}}\n')


def _print(results: list[dict[str, Any]]) -> None:
    for pattern in (False, True):
        if any(bool(run["pattern"]) is pattern for run in results):
            print(f"\n{table(results, pattern=pattern)}")


if __name__ == "__main__":
    sys.exit(main())
