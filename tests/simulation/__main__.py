"""Runs random histories of the sending core, and prints what does not hold, with the seeds that repeat it.

python -m tests.simulation                     ten thousand histories, on all processors
python -m tests.simulation --first 5 --count 1 --trace   one history, step by step
"""

import argparse
import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final

from tests.simulation.history import Result, many, run

COUNT: Final = 10_000
_PART: Final = 50  # histories of one task of a process


def main(arguments: Sequence[str]) -> int:
    """Returns 1 if something does not hold."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=COUNT, help="how many histories")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--stop", action="store_true", help="end with the first history that breaks something"
    )
    parser.add_argument("--trace", action="store_true", help="print each step")
    chosen = parser.parse_args(arguments)
    seeds = range(chosen.first, chosen.first + chosen.count)
    if chosen.trace:
        for seed in seeds:
            result = run(seed, traced=True)
            print(*result.trace, sep="\n")
            _show(result)
            digest = hashlib.sha256("\n".join(result.trace).encode()).hexdigest()
            print(f"seed {seed}: {len(result.trace)} steps, digest {digest[:16]}")
        return 0
    begun = time.monotonic()
    bad, states, hours, done = 0, Counter[str](), 0.0, 0
    parts = [seeds[at : at + _PART] for at in range(0, len(seeds), _PART)]
    with ProcessPoolExecutor(chosen.processes) as pool:
        for part, seconds in pool.map(partial(_timed, stop=chosen.stop), parts):
            for result in part:
                bad += bool(result.violations)
                _show(result)
                states.update(result.states)
            done += len(part)
            hours += seconds
            if bad and chosen.stop:
                pool.shutdown(cancel_futures=True)
                break
    took = time.monotonic() - begun
    print(
        f"{done} histories, {bad} with a violation, in {took:.0f} s: {done / took * 60:.0f} a minute,"
        f" {done / hours * 60:.0f} a minute of one processor; messages: {dict(states)}"
    )
    return int(bad > 0)


def _timed(part: range, *, stop: bool) -> tuple[list[Result], float]:
    begun = time.process_time()
    return many(part, stop=stop), time.process_time() - begun


def _show(result: Result) -> None:
    if result.violations:
        print(f"seed {result.seed}: {'; '.join(result.violations[:3])}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
