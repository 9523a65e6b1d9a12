"""`python .ci/install.py requirements.lock`: pip, with one line that says how far it is.

A first installation takes a minute or more, and pip is either silent meanwhile or prints hundreds of lines.
"""

import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

_PIP = (
    "-m",
    "pip",
    "install",
    "--disable-pip-version-check",
    "--no-input",
    "--progress-bar",
    "off",
    "--require-hashes",
    # A lock names every package. Without this, pip 23 looks for the newest coverage where pytest-cov asks for
    # coverage[toml], and refuses it because the lock has no hash of it.
    "--no-deps",
)
_KEPT = 20  # lines of pip's that are shown when it fails


def packages(lock: Path) -> int:
    return len(re.findall(r"^[A-Za-z0-9][\w.\[\]-]*==", lock.read_text(encoding="utf-8"), re.MULTILINE))


def progress(lines: Iterable[str], total: int, show: Callable[[str], object]) -> list[str]:
    """Shows a line for each package as pip comes to it. The last lines of pip's come back, for a failure."""
    seen, last = 0, deque[str](maxlen=_KEPT)
    for line in lines:
        last.append(line.rstrip())
        if found := re.match(r"Collecting (\S+)|Requirement already satisfied: (\S+)", line):
            seen += 1
            show(f"  {min(seen, total)} of {total}: {found[1] or found[2]}")
        elif line.startswith("Installing collected packages"):
            show(f"  unpacking {total} packages …")
    return list(last)


def _shown() -> Callable[[str], object]:
    if sys.stdout.isatty():
        return lambda text: print(f"\r\x1b[K{text}", end="", flush=True)
    every = 10  # in a log a line now and then is enough

    def line(text: str) -> None:
        number = re.match(r"  (\d+) of", text)
        if number is None or int(number[1]) % every == 0:
            print(text, flush=True)

    return line


def main(lock: Path) -> int:
    command = [sys.executable, *_PIP, "-r", str(lock)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        last = progress(pip.stdout, packages(lock), _shown())
    if sys.stdout.isatty():
        print("\r\x1b[K", end="")
    if pip.returncode:
        print(*last, sep="\n", file=sys.stderr)
    return pip.returncode


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
