"""How the files come: pinned, checked, all or none. An npm of the test's own stands in for the registry."""

import json
import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from core.assets import PROJECT, Unavailable, complete, install, pinned_files

GOOD, BAD = b"console.log('good')", b"console.log('bad')"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    for name in ("package.json", "package-lock.json", ".npmrc", "requirements-node.lock"):
        shutil.copyfile(PROJECT / name, made / name)
    pinned = {
        name: {"from": f"package/{name}", "sha256": sha256(GOOD).hexdigest()} for name in ("a.js", "b.js")
    }
    (made / "vendor.json").write_text(json.dumps(pinned))
    return made


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program by the name of npm, first in PATH, and no package index for pip. What it does is written into it."""
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return program


def _does(npm: Path, script: str) -> None:
    npm.write_text(f"#!{sys.executable}\nimport json, pathlib, sys\n{script}\n")
    npm.chmod(0o755)


def _brings(npm: Path, a: bytes, b: bytes) -> None:
    _does(
        npm,
        f"""
assert sys.argv[1:3] == ["ci", "--ignore-scripts"], sys.argv
assert "omit-lockfile-registry-resolved=true" in pathlib.Path(".npmrc").read_text()
assert json.loads(pathlib.Path("package-lock.json").read_text())["lockfileVersion"] == 3
package = pathlib.Path("node_modules/package")
package.mkdir(parents=True)
(package / "a.js").write_bytes({a!r})
(package / "b.js").write_bytes({b!r})
(package / "evil.js").write_bytes({b!r})
""",
    )


def test_only_what_is_wanted_is_taken_and_once(project, npm, tmp_path):
    vendor, said = tmp_path / "vendor", []
    _brings(npm, GOOD, GOOD)
    assert install(said.append, project=project, vendor=vendor)
    assert sorted(path.name for path in vendor.iterdir()) == ["a.js", "b.js"]
    assert (vendor / "a.js").read_bytes() == GOOD
    assert complete(project, vendor)
    _does(npm, "sys.exit('it is asked again')")
    said.clear()
    assert not install(said.append, project=project, vendor=vendor)
    assert said == []
    (vendor / "b.js").write_bytes(BAD)
    _brings(npm, GOOD, GOOD)
    assert install(said.append, project=project, vendor=vendor), "a file that was changed is replaced"
    assert (vendor / "b.js").read_bytes() == GOOD


def test_another_file_than_the_pinned_one_is_refused_and_nothing_is_installed(project, npm, tmp_path):
    _brings(npm, GOOD, BAD)
    with pytest.raises(Unavailable, match=r"package/b\.js differs from the pinned file"):
        install(print, project=project, vendor=tmp_path / "vendor")
    assert not (tmp_path / "vendor").exists()


def test_where_nothing_can_be_had_it_says_why_and_hides_addresses(project, npm, tmp_path):
    _does(
        npm,
        "sys.exit('npm error code ECONNREFUSED\\nnpm error request to https://user:hunter2@registry.test failed')",
    )
    said: list[str] = []
    with pytest.raises(Unavailable) as raised:
        install(said.append, project=project, vendor=tmp_path / "vendor")
    assert "npm failed (npm error code ECONNREFUSED)" in str(raised.value)
    assert "pip, which could install npm, failed (ERROR:" in str(raised.value)
    assert "hunter2" not in f"{raised.value}{said}"
    assert not (tmp_path / "vendor").exists()


def test_pinning_writes_down_what_the_packages_have(project, npm, tmp_path):
    _brings(npm, GOOD, BAD)
    assert install(print, project=project, vendor=tmp_path / "vendor", pin=True)
    assert [file.sha256 for file in pinned_files(project)] == [
        sha256(body).hexdigest() for body in (GOOD, BAD)
    ]
    assert complete(project, tmp_path / "vendor")


def test_the_lock_names_hashes_and_no_registry():
    lock = json.loads((PROJECT / "package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    assert not any("resolved" in entry or entry.get("hasInstallScript") for entry in packages.values())
    ours = json.loads((PROJECT / "package.json").read_text())
    assert lock["packages"][""]["dependencies"] == ours["dependencies"]
    assert all(version[0].isdigit() for version in ours["dependencies"].values()), "exact versions"
    for file in pinned_files(PROJECT):
        assert len(file.sha256) == 64
        package = "/".join(file.source.split("/")[: 2 if file.source.startswith("@") else 1])
        assert f"node_modules/{package}" in packages
