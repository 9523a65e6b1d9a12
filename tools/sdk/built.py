"""Builds the SDKs once for all processes, and packs them. They are as new as their sources."""

import shutil
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from core.installation import ROOT
from core.version import __version__
from tools.release.artefacts import run
from tools.sdk import advice, document, generators, python, typescript

WHEEL = f"postern_sdk-{__version__}-py3-none-any.whl"
TARBALL = f"postern-sdk-{__version__}.tgz"
_FOLDER = ROOT / "build" / "sdk"
_SOURCES = (ROOT / "sdk", ROOT / "tools" / "sdk", generators.LOCKS / "package-lock.json",
            generators.LOCKS / "requirements.lock", document.SOURCE, advice.PAGE)  # fmt: skip


def built(language: str) -> Path:
    """Returns the folder of the built `python` or `typescript` SDK. Builds it if a source has changed since. Raises
    Unavailable, WrongLock and Incomplete.
    """
    make: Callable[[Path], None] = {"python": python.make, "typescript": typescript.make}[language]
    _FOLDER.mkdir(parents=True, exist_ok=True)
    folder, digest = _FOLDER / language, _digest()
    with generators.alone(_FOLDER / f"{language}.lock"):
        done = folder / ".done"
        if not done.exists() or done.read_text() != digest:
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            done.write_text(digest)
    return folder


def pack(dist: Path) -> list[Path]:
    """Makes the wheel and the package for npm, and returns their paths. Raises Unavailable, WrongLock and
    Incomplete.
    """
    with TemporaryDirectory() as name:
        source, made = Path(name) / "python", Path(name) / "made"
        python.make(source)
        run(
            "uv build --quiet --wheel --no-build-isolation --python",
            *(sys.executable, "--out-dir", made, source),
        )
        shutil.copy(made / WHEEL, dist)
    with TemporaryDirectory() as name:
        source = Path(name) / "typescript"
        typescript.make(source)
        typescript.run(source, "pack", "--ignore-scripts", "--pack-destination", str(dist))
    return [dist / WHEEL, dist / TARBALL]


def _digest() -> str:
    total = sha256(__version__.encode())
    for source in _SOURCES:
        for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if path.is_file() and "__pycache__" not in path.parts:
                total.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return total.hexdigest()
