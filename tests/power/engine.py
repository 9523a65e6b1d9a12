"""Measures the power of the simulation and the stepper: plants faults of the sending engine in a copy of the tree.

    python -m tests.power.engine                  all faults
    python -m tests.power.engine report-overtakes one of them

Each is of a kind that was mended once. It is found if the simulation names a seed, or the stepper a schedule.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.power.__main__ import Unusable, planted, scratch
from tests.power.planted import Planted

HISTORIES: Final = "2000"
SCHEDULES: Final = "400"


@dataclass(frozen=True, slots=True)
class EngineFault:
    """A fault, and the scenario of the stepper that is asked; without one the simulation is."""

    fault: Planted
    scenario: str | None = None


def _of(name: str, path: str, before: str, after: str, harm: str, scenario: str | None = None) -> EngineFault:
    return EngineFault(
        Planted(name, path, before, after, ("tests/simulation", "tests/stepper"), harm), scenario
    )


FAULTS: Final = (
    _of(
        "intent-after-dispatch", "engine/sending/stream.py",
        "        try:\n            recorded = await self._groups.commit(decided, withdrawn, chosen)\n",
        "        try:\n            recorded = [messages for _, messages in chosen]\n"
        "            asyncio.create_task(self._groups.commit(decided, withdrawn, chosen))\n",
        "A worker that dies leaves messages that were sent and look as if they were not.",
    ),
    _of(
        "lease-renewed-late", "runtime/leases.py", "_PARTS = 3  #", "_PARTS = 0.9  #",
        "Claims of workers that live expire, and their messages become unknown.",
    ),
    _of(
        "lost-group", "engine/sending/stream.py", "await self._groups.store_apart(decided)", "{}",
        "An outcome that the database refuses takes those of its group with it.",
    ),
    _of(
        "another-sender", "engine/sending/delivery.py",
        "        if message.uncertain:\n            return next(",
        "        if message.uncertain and after:\n            return next(",
        "A message that may have been sent is sent again by a route that does not know its key.",
    ),
    _of(
        "report-overtakes", "engine/sending/stream.py",
        "if await until_stored(self._db, lambda db: db.fetchval(_EARLY)):", "if not stored:",
        "A report that comes before its message's outcome is stored waits for ever.",
    ),
    _of(
        "decided-is-answered", "engine/sending/ask.py",
        "if outcome.result in FINAL and outcome.asked:", "if outcome.result in FINAL:",
        "A message that may have been sent is called failed, and refunded.",
    ),
    _of(
        "outcome-without-claim", "engine/direct/outcomes.py",
        "WHERE m.id = r.id AND m.claim_id = $1 AND m.state", "WHERE m.id = r.id AND $1::uuid IS NOT NULL AND m.state",
        "A worker that has lost its claim overwrites what the next one does.",
        "test_direct_messages and worker-other-reaper and honors",
    ),
    _of(
        "refund-twice", "db/ledger.py",
        "'refund', r.amount, r.reference, r.project_id, 1", "'refund', r.amount, r.entry, r.project_id, 1",
        "A message can be refunded any number of times.",
        "test_direct_messages and worker-report-refund and forgets",
    ),
    _of(
        "cancel-after-dispatch", "engine/direct/canceling.py",
        "    AND handed_at IS NULL AND state IN ('queued', 'sending') ORDER BY",
        "    AND state IN ('queued', 'sending') ORDER BY",
        "A message that was sent is called canceled, and refunded.",
        "test_direct_messages and worker-reaper-cancel and forgets",
    ),
    _of(
        "expired-claim-completes", "engine/projects/batches.py",
        '"SELECT held FROM sending_units WHERE id = $1 AND claim_id = $2 FOR UPDATE", batch, claim',
        '"SELECT held FROM sending_units WHERE id = $1 AND $2::uuid IS NOT NULL FOR UPDATE", batch, claim',
        "A worker that has lost its batch closes it under the next one, with that one's money.",
        "test_projects and worker-other-reaper and forgets",
    ),
    _of(
        "stop-leaves-reserved-money", "engine/projects/batches.py",
        "        if reserved:\n", "        if not reserved:\n",
        "The money of messages that a stop has left unsent is gone.",
        "test_projects and worker-reaper-stop and forgets",
    ),
    _of(
        "stopped-project-sends", "engine/projects/batches.py",
        "WHERE id = $1 AND status = 'running' AND content = $2 FOR KEY SHARE",
        "WHERE id = $1 AND content = $2 FOR KEY SHARE",
        "A project goes on after it was stopped.",
        "test_projects and worker-reaper-stop and forgets",
    ),
)  # fmt: skip


def find(copy: Path, planted_fault: EngineFault) -> tuple[str, str]:
    """Returns whether a fault is `found` or `missed`, and by what. Raises Unusable."""
    begun = time.monotonic()
    with planted(copy, planted_fault.fault):
        environment = {**os.environ, "PYTHONPATH": str(copy), "SCHEDULES": SCHEDULES}
        if planted_fault.scenario is None:
            words = ["-m", "tests.simulation", "--count", HISTORIES, "--processes", "1", "--stop"]
            pattern = r"^(seed \d+): (.*)$"
        else:
            words = [
                "-m",
                "pytest",
                "-q",
                "-x",
                "tests/stepper/test_stepper.py",
                "-k",
                planted_fault.scenario,
            ]
            pattern = r"AssertionError: ((?:schedule|seed) \d*): (.*)$"
        done = subprocess.run(
            [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, check=False
        )
    seconds = f"in {time.monotonic() - begun:.0f} s"
    if done.returncode == 0:
        return "missed", seconds
    if (found := re.search(pattern, done.stdout, re.MULTILINE)) is None:
        raise Unusable(f"the run ended with {done.returncode}:\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    instrument = "simulation" if planted_fault.scenario is None else "stepper"
    return "found", f"{seconds} by the {instrument}, {found[1]}: {found[2][:90]}"


def main(arguments: Sequence[str]) -> int:
    """Returns 1 if fewer than ten of twelve faults are found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.power.engine", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="faults of this file; default: all")
    names = parser.parse_args(arguments).names
    faults = [each for each in FAULTS if not names or each.fault.name in names]
    found = 0
    with scratch() as copy:
        for each in faults:
            try:
                outcome, how = find(copy, each)
            except Unusable as error:
                outcome, how = "error", str(error)
            found += outcome == "found"
            print(f"{each.fault.name:28} {outcome:6} {how}", flush=True)
    print(f"{found} of {len(faults)} are found")
    return int(found * 12 < 10 * len(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
