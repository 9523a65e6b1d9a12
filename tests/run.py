"""Runs the suite in parallel on one PostgreSQL and one Redis.

    python tests/run.py                  `make test`: everything
    python tests/run.py --coverage       `make coverage`: everything, with branch coverage, some folders held to 90 %,
                                         and with more examples of each property
    python tests/run.py --quick          `make quick`: what needs no server and is answered within a minute

Further arguments are pytest's.

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

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support import outcome, servers  # noqa: E402
from tests.support.examples import FACTOR, THOROUGH  # noqa: E402

AGAIN = 25
"""The most failed tests that are run again, some two in a thousand: more of them are no accident."""
COVERED = ("resolvers", "core", "runtime", "channels")
AT_LEAST = 90
QUICK = (
    "allowlist/test_gate.py", "assets", "channels/smpp/test_in.py", "channels/smpp/test_receipts.py",
    "channels/smpp/test_text.py", "channels/smtp/test_answers.py", "channels/smtp/test_mail.py",
    "channels/test_apprise.py", "channels/test_batch.py", "channels/test_dsn.py",
    "channels/test_sandbox.py", "channels/test_smtp_parts.py", "channels/test_twilio.py",
    "channels/test_webpush.py", "common", "docs/test_docs.py", "doors/test_contents.py",
    "doors/test_cost.py", "doors/test_documents.py", "doors/test_lengths.py", "doors/test_matrix.py",
    "embedded/test_account.py", "engine/test_dispatch.py", "engine/test_schedules.py",
    "events/test_reading.py", "events/test_replies.py", "frame/test_redact.py",
    "frame/test_request_line.py", "frame/test_retry.py", "frame/test_routes.py", "hosts/test_dsn.py",
    "imports/test_headers.py", "imports/test_reading.py", "install/test_containers.py",
    "install/test_installation.py", "legacy/test_bridge_out.py", "outbound/test_check.py",
    "proxies/test_text.py", "sdl", "sending_projects/test_moves.py", "sending_projects/test_texts.py",
    "statistics/test_intervals.py", "whatsapp/test_states.py",
)  # fmt: skip


def main(arguments: list[str]) -> int:
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes of ours start during a run
    if "--quick" in arguments:
        arguments.remove("--quick")
        os.environ[servers.NONE] = "1"
        return _pytest([*(f"tests/{path}" for path in QUICK), "-q", *arguments])
    if "--coverage" not in arguments:
        with servers.running():
            return _twice(arguments)
    arguments.remove("--coverage")
    os.environ.setdefault(FACTOR, str(THOROUGH))
    with servers.running():
        status = _pytest(["--cov", "--cov-report=", *arguments])
    subprocess.run([sys.executable, "-m", "coverage", "report", "--sort=cover"], check=False)
    return status or sum(not _is_covered(name) for name in COVERED)


def _pytest(arguments: list[str]) -> int:
    # One more than processors, as a test also waits for processes, servers and clocks. Each has servers, a browser and
    # processes of its own: two for each processor make tests wait longer than they have time.
    workers = str(max(2, min(8, 1 + (os.cpu_count() or 1))))
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
        ended = json.loads(file.read_text()) if file.exists() else {"failed": []}
    failed = ended["failed"]
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
