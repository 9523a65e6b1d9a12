"""`make test`: the servers once, the suite in parallel on them, branch coverage printed and held to 90 %."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support import servers  # noqa: E402

HELD = ("resolvers", "core", "runtime", "channels")
AT_LEAST = 90


def main() -> int:
    os.chdir(ROOT)
    workers = str(max(2, min(8, os.cpu_count() or 2)))
    with servers.running():
        tests = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", workers, "--dist", "worksteal", "--cov", "--cov-report=",
             *sys.argv[1:]],
            check=False,
        )  # fmt: skip
    subprocess.run([sys.executable, "-m", "coverage", "report", "--sort=cover"], check=False)
    short = [name for name in HELD if not _held(name)]
    return tests.returncode or len(short)


def _held(name: str) -> bool:
    """Prints the branch coverage of one folder; whether it is enough."""
    report = subprocess.run(
        [sys.executable, "-m", "coverage", "report", f"--fail-under={AT_LEAST}", "--format=total",
         f"--include={name}/*"],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    print(f"branch coverage of {name}: {report.stdout.strip()} % (at least {AT_LEAST} %)")
    return report.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
