"""The wheel: what is in it, and that it runs in an environment of its own, started in any folder."""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.installation import EXTRAS, ROOT
from core.version import __version__
from tests.install.environment import build, files, install, locked
from tests.process.serve import serving
from tests.support.waits import eventually

OURS = {
    "channels", "core", "db", "engine", "messengers", "postern", "resolvers", "rest", "runtime", "schema", "shapes",
    "doors",
    "sinks",
    "static",
}  # fmt: skip
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that the embedded servers' own user can reach, unlike pytest's."""
    made = Path(tempfile.mkdtemp(prefix="postern-install-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def wheel(place: Path) -> Path:
    return build(place / "dist")


@pytest.mark.slow
def test_the_wheel_has_every_file_of_our_packages_and_nothing_else(wheel: Path):
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"postern-{__version__}.dist-info/METADATA").decode()
    outside = {f"postern-{__version__}.data", f"postern-{__version__}.dist-info"}
    assert {name.split("/")[0] for name in names} == OURS | outside
    there = {
        path.relative_to(ROOT).as_posix()
        for package in OURS
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {name for name in names if name.split("/")[0] in OURS} == there
    assert {name for name in names if "/share/" in name} == {
        f"postern-{__version__}.data/data/share/postern/{name}"
        for name in ("requirements.lock", "database.toml.example")
    }
    assert f"Version: {__version__}\n" in metadata


@pytest.mark.slow
def test_it_serves_from_any_folder(wheel: Path, place: Path):
    bin = install(wheel, place / "environment")
    folder = place / "elsewhere"
    (folder / "db").mkdir(parents=True)
    (folder / "db/__init__.py").write_text("raise RuntimeError('this is not our db')\n")
    own = ("env", "-u", "PYTHONPATH", "-u", "POSTERN_DATA_DIR")
    command = [*own, str(bin / "postern")]

    completed = subprocess.run(
        [*command, "--version"], cwd=folder, capture_output=True, text=True, timeout=60, check=True
    )
    assert completed.stdout == f"postern {__version__}\n"

    with serving(folder, "--demo", command=command) as running:
        assert (folder / "data/secrets.json").is_file(), "the data is in the current folder"
        headers = running.login()
        answer = running.client.post("/graphql", json={"query": "{ me { email } }"}, headers=headers)
        assert answer.json()["data"] == {"me": {"email": "demo@postern.test"}}
        for path in ("/docs", "/graphql", "/openapi.json"):
            shown = running.client.get(path, headers={"accept": "text/html, */*"})
            assert shown.status_code == 200, path
        to = "delivered+installed@sandbox.postern.test"
        running.send(headers, to)
        eventually(lambda: running.states(headers)[to] == "delivered", "its worker sends")
        assert "Traceback" not in running.said()
        checked = subprocess.run(
            [*command, "doctor"], cwd=folder, capture_output=True, text=True, timeout=120, check=False
        )
        assert re.search(r"✓ packages +\d+ as in requirements.lock", checked.stdout), checked.stdout
        assert running.stop() == 0


def test_no_locked_package_has_a_name_of_ours_or_of_python():
    """Our packages are at the top of site-packages, and our child processes look there first."""
    taken: dict[str, str] = {}
    for package in locked():
        for top in {file.parts[0] for file in files(package)}:
            if not top.endswith((".dist-info", ".pth")):
                taken.setdefault(top.split(".")[0], package.name)
    assert len(taken) > 100
    clashes = taken.keys() & (OURS | sys.stdlib_module_names)
    assert not clashes, {name: taken[name] for name in clashes}


def test_the_packages_are_those_of_the_project():
    include = PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    assert {pattern.removesuffix("*") for pattern in include} == OURS
    assert set(PROJECT["tool"]["importlinter"]["root_packages"]) == OURS - {"static"} | {"killtest"}


def test_the_extras_are_those_of_the_project():
    extras = PROJECT["project"]["optional-dependencies"]
    assert extras.pop("all") == ["postern[embedded,telegram,ai,nats]"]
    assert {name: tuple(packages) for name, packages in extras.items()} == dict(EXTRAS)
