"""The release before: a database that its processes use is upgraded under load (test_under_load.py).

    # At a release: the commit that is checked out is what later ones are upgraded from.
    python -m tests.migrations.release

Its code comes from the history of this checkout.
"""

import io
import subprocess
import tarfile
from pathlib import Path

from core.installation import ROOT

BEFORE = Path(__file__).with_name("release_before.txt")


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True, timeout=60).stdout


def unpack(folder: Path) -> str | None:
    """Puts the code of that release into a folder. Returns why it can't."""
    commit = BEFORE.read_text().strip()
    try:
        code = _git("archive", commit)
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or b""
        return f"commit {commit} is not in this checkout's history: {said.decode().strip() or error}"
    with tarfile.open(fileobj=io.BytesIO(code)) as archive:
        archive.extractall(folder, filter="data")
    return None


if __name__ == "__main__":
    BEFORE.write_bytes(_git("rev-parse", "HEAD"))
