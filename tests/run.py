"""Runs the suite in parallel on one PostgreSQL and one Redis.

    python tests/run.py unit             `make unit`: what needs no server
    python tests/run.py test             `make test`: what a change touches, and a part of the rest
    python tests/run.py all              `make test-all`: everything, with more examples of each property
    python tests/run.py --coverage       `make coverage`: the same with branch coverage, some folders held to 90 %
    python tests/run.py test --module=people   `make test MODULE=people`: those of one module of core/modules.py
    python tests/run.py tests/blocks     the tests that are named, whatever their kind

tests/support/tiers.py says which tests a tier has. Further arguments are pytest's.

Tests that fail are run again, one after another and beside nothing else, if they are few: on a machine that has less
time than its processes want, something waits too long now and then. They are named as unsteady, so that they are
mended; a test that fails again fails the run.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import get_args

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.modules import MODULES  # noqa: E402
from shapes.purposes import Module  # noqa: E402
from tests.support import outcome, servers, spending, tiers  # noqa: E402
from tests.support.examples import FACTOR, THOROUGH  # noqa: E402

_MODULE = "--module="
AGAIN = 25
"""The most failed tests that are run again, some two in a thousand: more of them are no accident."""
COVERED = ("resolvers", "core", "runtime", "channels")
AT_LEAST = 90


def main(arguments: list[str]) -> int:
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes of ours start during a run
    if arguments and arguments[0] in get_args(tiers.Tier):
        os.environ[tiers.TIER] = arguments.pop(0)
    if arguments and arguments[0].startswith(_MODULE):
        arguments[:1] = _of_module(arguments[0].removeprefix(_MODULE))
    if tiers.tier() == "unit":
        os.environ[servers.NONE] = "1"
        return _pytest(["-q", *arguments])
    if os.environ.get(tiers.TIER) == "all" or "--coverage" in arguments:
        os.environ.setdefault(FACTOR, str(THOROUGH))
    tiers.seed()  # all processes of the run draw by the same
    if "--coverage" not in arguments:
        with servers.running():
            return _twice(arguments)
    arguments.remove("--coverage")
    with servers.running():
        status = _pytest(["--cov", "--cov-report=", *arguments])
    subprocess.run([sys.executable, "-m", "coverage", "report", "--sort=cover"], check=False)
    return status or sum(not _is_covered(name) for name in COVERED)


def _of_module(name: str) -> list[str]:
    """Returns the folders with the tests of a module."""
    if name not in list(Module):
        sys.exit(f"There is no module {name}. Choose one of {', '.join(Module)}.")
    parts = MODULES[Module(name)]
    names = dict.fromkeys((*parts.stems, *parts.switched, *parts.packages, *parts.tests))
    folders = [f"tests/{folder}" for folder in names]
    return [folder for folder in folders if Path(folder).is_dir()]


def _pytest(arguments: list[str]) -> int:
    # Two for each processor, as a test also waits for processes, servers and clocks: one more than processors left a
    # third of them idle.
    workers = str(max(2, min(8, 2 * (os.cpu_count() or 1))))
    command = [sys.executable, "-m", "pytest", "-n", workers, "--dist", "worksteal", *arguments]
    return subprocess.run(command, check=False).returncode


def _twice(arguments: list[str]) -> int:
    """Runs the tests, and once more, alone, those that failed. Returns the status."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "outcome")
        os.environ[outcome.FILE] = str(file)
        status = _pytest(arguments)
        del os.environ[outcome.FILE]
        ended = json.loads(file.read_text()) if file.exists() else {"failed": [], "seconds": 0}
    failed = ended["failed"]
    if (
        status == pytest.ExitCode.OK
        and tiers.tier() == "test"
        and ended["seconds"] > 3 * sum(spending.BUDGET.values())
    ):
        print(
            "\nThe tests take three times their budget. Mark what is many times alike `rotating` (CONTRIBUTING.md)."
        )
        return 1
    if status != pytest.ExitCode.TESTS_FAILED or not 0 < len(failed) <= AGAIN:
        return status
    print(f"\nRunning {len(failed)} failed tests again, one after another.", flush=True)
    if status := subprocess.run([sys.executable, "-m", "pytest", "-q", *failed], check=False).returncode:
        return status
    print("\nUnsteady: these tests failed beside others and passed alone.", *failed, sep="\n  ")
    print(
        f"{ended['passed'] + len(failed)} passed, {len(failed)} of them at the second try, {ended['skipped']} skipped"
        f" in {time.monotonic() - begun:.2f}s"
    )
    return 0


def _is_covered(name: str) -> bool:
    """Prints the branch coverage of one folder, and returns whether it is enough."""
    report = subprocess.run(
        [sys.executable, "-m", "coverage", "report", f"--fail-under={AT_LEAST}", "--format=total",
         f"--include={name}/*"],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    print(f"branch coverage of {name}: {report.stdout.strip()} % (at least {AT_LEAST} %)")
    return report.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
