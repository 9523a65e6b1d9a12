"""`python .ci/lock_difference.py requirements-dev.lock`: leaves out of a lock what requirements.lock has.

`make lock` compiles both with the same versions, and `make setup` installs requirements.lock first. So the second one
needs no packages but its own.
"""

import re
import sys
from pathlib import Path

BASE = Path("requirements.lock")

_ENTRY = re.compile(r"^[^\s#].*(?:\n[ \t]+.*)*\n?", re.MULTILINE)  # a requirement, and its lines with hashes


def entries(lock: str) -> list[str]:
    """Returns the requirements of a lock, each with its hashes."""
    return _ENTRY.findall(lock)


def difference(lock: str, base: str) -> str:
    """Returns the lock without the requirements that stand in `base` just so: same version, marker and hashes."""
    known = set(entries(base))
    return "".join(entry for entry in entries(lock) if entry not in known)


def main(path: Path) -> None:
    """Rewrites the lock."""
    path.write_text(difference(path.read_text("utf-8"), BASE.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
