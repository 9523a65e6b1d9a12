"""Makes the files of a release: the wheel, the constraints, the SBOM and the file that starts by itself.

Their bytes follow from the commit, the locks and the Python that runs this, so two runs give the same files.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory

from core import assets, console_build
from core.installation import ROOT
from core.version import __version__

BIN = Path(sys.executable).parent
SBOM = f"postern-{__version__}.cdx.json"
LOCKS = ("requirements.lock", "requirements-whatsapp.lock")
_FIRST = f"{sys.version_info.major}.{sys.version_info.minor}.0"
"""The first patch release of this Python. The one file has the packages that any patch release needs."""


def git(*words: str) -> str:
    """Returns what git prints about this checkout. Raises CalledProcessError."""
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: S607


def run(command: str, *words: str | Path) -> None:
    """Runs a program, of this environment if it has it, at the time of the commit. Raises CalledProcessError."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PATH"] = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    environment["SOURCE_DATE_EPOCH"] = git("log", "-1", "--format=%ct").strip()
    subprocess.run([*command.split(), *words], cwd=ROOT, env=environment, umask=0o022, check=True)


def make_wheel(folder: Path) -> None:
    """Builds the wheel, with the guide, the console and the files of other pages. Raises Unavailable without npm."""
    assets.install(print)
    console_build.build(print)
    run("python -m tools.guide")
    with TemporaryDirectory() as name:
        run("uv build --quiet --no-build-isolation --python", sys.executable, "--out-dir", name)
        (built,) = Path(name).glob("*.whl")
        shutil.copy(built, folder)


def constraints(lock: str) -> str:
    """Returns the versions that a lock pins, without their hashes, as `--constraint` reads them."""
    pins = re.findall(r"^[A-Za-z0-9][^\\\n]*==[^\\\n]*", lock, re.MULTILINE)
    return "".join(f"{pin.rstrip()}\n" for pin in pins)


def write_constraints(folder: Path) -> None:
    """Writes `constraints.txt`: the versions that the wheel was tested with."""
    text = "".join(constraints((ROOT / lock).read_text(encoding="utf-8")) for lock in LOCKS)
    (folder / "constraints.txt").write_text(text, encoding="utf-8")


def make_environment(folder: Path) -> Path:
    """Makes an environment with the locked packages, whose hashes are checked. Returns its Python."""
    python = folder / "bin" / "python"
    run("uv venv --quiet --python", sys.executable, folder)
    run(
        "uv pip install --quiet --require-hashes --no-deps --requirement requirements.lock",
        *("--python", python, "--python-version", _FIRST),
    )
    return python


def write_sbom(folder: Path, python: Path) -> None:
    """Writes which packages an environment has, with their licences and what needs what, in CycloneDX's format."""
    run(
        "cyclonedx-py environment --output-reproducible --pyproject pyproject.toml --output-file",
        *(folder / SBOM, python),
    )


def add_to_sbom(folder: Path, sdks: Sequence[Path]) -> None:
    """Adds the SDKs, with their hashes, to the folder's SBOM."""
    path = folder / SBOM
    sbom = json.loads(path.read_text(encoding="utf-8"))
    for sdk in sdks:
        kind = "pypi" if sdk.suffix == ".whl" else "npm"
        id = f"pkg:{kind}/postern-sdk@{__version__}"
        hashed = {"alg": "SHA-256", "content": sha256(sdk.read_bytes()).hexdigest()}
        licence = {"license": {"id": "Apache-2.0", "acknowledgement": "declared"}}
        sbom["components"].append(
            {
                "type": "library",
                "bom-ref": id,
                "name": "postern-sdk",
                "version": __version__,
                "purl": id,
                "hashes": [hashed],
                "licenses": [licence],
            }
        )
        sbom["dependencies"].append({"ref": id})
    path.write_text(json.dumps(sbom, indent=2), encoding="utf-8")


def make_one_file(folder: Path, python: Path) -> None:
    """Installs the folder's wheel into an environment, and packs that into `postern.pex`.

    pip finds the wheel by its name: its path would be recorded, and would make the bytes depend on the folder.
    """
    run(
        "python -m pip --disable-pip-version-check --python",
        *(python, "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--find-links", folder),
        f"postern=={__version__}",
    )
    (site,) = python.parent.parent.glob("lib/python*/site-packages")
    names = sorted(str(package.name) for package in distributions(path=[str(site)]))
    with TemporaryDirectory() as cache:
        run(
            "pex --venv --console-script postern --venv-repository",
            *(python, "--pex-root", cache, "--output-file", folder / "postern.pex"),
            *names,
        )
