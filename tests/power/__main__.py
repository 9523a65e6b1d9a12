"""Measures the power of the tests: plants faults in a copy of the tree, one after the other, and says which are found.

    python -m tests.power                           all faults: `make test`, and `make test-all` for what it misses
    python -m tests.power refund-twice --tier all   one fault and one tier
    python -m tests.power --whole                   all tests of the tier, and not those of a fault's folders alone

The copy is a clone of HEAD in a temporary folder: what is not committed is not in it. Its `origin/main` is HEAD, so the
fault is the change whose tests run whole (tests/support/tiers.py). SEED draws the tenth, as everywhere.

A fault is found if a test fails beside others, fails again alone, and passes alone without the fault.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.installation import ROOT
from tests.power.planted import PLANTED, Planted
from tests.support.tiers import TIER

TIERS: Final = ("test", "all")
NOT_IN_GIT: Final = (".venv", "static/vendor", "console/node_modules", "tests/console/vendor")
"""The folders that a setup makes, which the copy shares with this tree."""
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)
_PASSED: Final = (0, 5)  # 5: the tier has none of these tests


class Unusable(Exception):
    """A fault does not fit the tree, or its tests say nothing about it."""


@contextmanager
def scratch() -> Iterator[Path]:
    """Gives a copy of HEAD, and removes it at the end."""
    with tempfile.TemporaryDirectory(prefix="postern-power-") as folder:
        copy = Path(folder, "tree")
        _git(ROOT, "clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(copy))
        _git(copy, "checkout", "--quiet", "--detach")
        _git(copy, "update-ref", "refs/remotes/origin/main", "HEAD")
        for name in NOT_IN_GIT:
            if (ROOT / name).exists():
                (copy / name).symlink_to((ROOT / name).resolve())
        yield copy


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True)


@contextmanager
def planted(copy: Path, fault: Planted) -> Iterator[None]:
    """Plants a fault in the copy until the end of the block. Raises Unusable."""
    file = copy / fault.path
    text = file.read_text()
    if text.count(fault.before) != 1:
        raise Unusable(f"its text stands {text.count(fault.before)} times in {fault.path}")
    file.write_text(text.replace(fault.before, fault.after))
    try:
        yield
    finally:
        file.write_text(text)


def first_failure(copy: Path, *words: str) -> str | None:
    """Runs tests in the copy. Returns the first that failed, None if all passed. Raises Unusable if the run broke."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    environment.pop(TIER, None)
    done = subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode in _PASSED:
        return None
    if (failed := _FAILED.search(done.stdout)) is None:
        raise Unusable(f"the run ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return failed[1]


def find(copy: Path, fault: Planted, tier: str, tests: Sequence[str]) -> tuple[str, str]:
    """Returns whether a tier has `found` or `missed` a fault, and how. Raises Unusable."""
    begun = time.monotonic()
    with planted(copy, fault):
        test = first_failure(copy, "tests/run.py", tier, "-x", "-q", *tests)
        seconds = f"in {time.monotonic() - begun:.0f} s"
        if test is None:
            return "missed", seconds
        if first_failure(copy, "-m", "pytest", "-q", test) is None:
            return "missed", f"{seconds}; {test} failed beside others, and not alone"
    if first_failure(copy, "-m", "pytest", "-q", test) is not None:
        raise Unusable(f"{test} also fails without the fault")
    return "found", f"{seconds} by {test}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.power", description="Says which planted faults are found."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="faults of tests/power/planted.py; default: all"
    )
    parser.add_argument("--tier", choices=TIERS, help="default: test, and all for what test misses")
    parser.add_argument("--whole", action="store_true", help="all tests of the tier")
    chosen = parser.parse_args(arguments)
    if unknown := {*chosen.names} - {fault.name for fault in PLANTED}:
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    faults = [fault for fault in PLANTED if not chosen.names or fault.name in chosen.names]
    counts: Counter[tuple[str, str]] = Counter()
    with scratch() as copy:
        for fault in faults:
            for tier in (chosen.tier,) if chosen.tier else TIERS:
                try:
                    outcome, how = find(copy, fault, tier, () if chosen.whole else fault.tests)
                except Unusable as error:
                    outcome, how = "error", str(error)
                counts[tier, outcome] += 1
                print(f"{fault.name:28} {tier:4} {outcome:6} {how}", flush=True)
                if outcome != "missed":
                    break
    print(f"\n{'tier':6}{'found':>7}{'missed':>8}{'error':>7}")
    for tier in TIERS:
        print(f"{tier:6}{counts[tier, 'found']:7}{counts[tier, 'missed']:8}{counts[tier, 'error']:7}")
    return int(sum(counts[tier, "found"] for tier in TIERS) < len(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
