"""Tests the build of the console: once for each source, by a pinned npm, all or nothing. A fake npm stands in."""

import os
import re
import sys
from pathlib import Path

import pytest

from core.console_build import SOURCE, build
from core.npm import Unavailable

_NPM = """
import pathlib, sys
assert not pathlib.Path("node_modules").exists(), "only the source is copied"
if sys.argv[1] == "ci":
    assert {"--omit=dev", "--ignore-scripts"} <= set(sys.argv), sys.argv
else:
    assert sys.argv[1:] == ["run", "build"], sys.argv
    dist = pathlib.Path("dist")
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text(pathlib.Path("src/page.txt").read_text())
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "src").mkdir(parents=True)
    (folder / "node_modules" / "a").mkdir(parents=True)
    (folder / "package-lock.json").write_text("{}")
    (folder / "src" / "page.txt").write_text("first")
    return folder


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs by the names of npm and node, first in PATH, and no package index for pip."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    _does(folder / "npm", _NPM)
    _does(folder / "node", "print('v22.1.0')")
    return folder / "npm"


def _does(program: Path, script: str) -> None:
    program.write_text(f"#!{sys.executable}\nimport sys\n{script}\n")
    program.chmod(0o755)


def test_it_is_built_once_for_each_source(source, npm, tmp_path):
    target, said = tmp_path / "vendor" / "console", []
    assert build(said.append, source=source, target=target)
    assert (target / "index.html").read_text() == "first"
    assert not build(said.append, source=source, target=target)
    assert said == ["Building the web console …"]
    (source / "node_modules" / "b").mkdir()
    assert not build(said.append, source=source, target=target), "what is installed is no source"
    (source / "src" / "page.txt").write_text("second")
    assert build(said.append, source=source, target=target)
    assert (target / "index.html").read_text() == "second"
    assert [path.name for path in target.parent.iterdir()] == ["console"]


def test_a_build_that_fails_leaves_the_console_as_it_was(source, npm, tmp_path):
    target = tmp_path / "console"
    assert build(print, source=source, target=target)
    (source / "src" / "page.txt").write_text("second")
    _does(npm, "sys.exit('npm error code E1\\nnpm error https://user:hunter2@registry.test')")
    with pytest.raises(Unavailable) as raised:
        build(print, source=source, target=target)
    assert "npm failed (npm error code E1)" in str(raised.value)
    assert "hunter2" not in str(raised.value)
    assert (target / "index.html").read_text() == "first"


def test_a_build_that_fails_says_what_the_error_is_and_not_that_there_is_one(source, npm, tmp_path):
    _does(
        npm,
        "print('error during build:\\nin documents.ts\\nError: no operation Ships', file=sys.stderr); sys.exit(1)",
    )
    with pytest.raises(Unavailable) as raised:
        build(print, source=source, target=tmp_path / "console")
    assert "npm failed (Error: no operation Ships)" in str(raised.value)


@pytest.mark.parametrize(
    ("version", "reason"), [("v20.18.1", "Node.js is older than 20.19"), ("", "is not installed")]
)
def test_an_old_node_is_not_used(source, npm, tmp_path, version, reason):
    _does(npm.with_name("node"), f"print({version!r})")
    with pytest.raises(Unavailable, match=reason):
        build(print, source=source, target=tmp_path / "console")


def test_an_installation_without_source_builds_nothing(tmp_path):
    assert not build(print, source=tmp_path, target=tmp_path / "console")


def test_the_lock_names_no_registry_and_pins_every_package():
    lock = (SOURCE / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert len(re.findall('"integrity": "sha512-', lock)) > 100
