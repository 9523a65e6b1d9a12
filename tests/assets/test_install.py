"""Tests how the files of the pages are fetched: pinned, checked, all or none. A fake npm stands in for the registry."""

import base64
import io
import json
import os
import re
import sys
import tarfile
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

import pytest

from core.assets import FOLDERS, complete, install, pinned_files, pinned_packages
from core.npm import Unavailable

GOOD, BAD = b"console.log('good')", b"console.log('bad')"


def packed(**files: bytes) -> bytes:
    """An archive as npm's registry has them: all files are in a folder."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, body in files.items():
            entry = tarfile.TarInfo(f"package/dist/{name}.js")
            entry.size = len(body)
            archive.addfile(entry, io.BytesIO(body))
    return buffer.getvalue()


def pins(name: str, archive: bytes, *files: str) -> dict[str, Any]:
    """The entry of a package in `vendor.json`, whose files have GOOD in them."""
    digest = base64.b64encode(sha512(archive).digest()).decode()
    return {
        name: {
            "version": "1.2.3",
            "integrity": f"sha512-{digest}",
            "files": {
                f"{file}.js": {"from": f"dist/{file}.js", "sha256": sha256(GOOD).hexdigest()}
                for file in files
            },
        }
    }


ARCHIVE = packed(a=GOOD, b=GOOD, evil=BAD)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    (made / "vendor.json").write_text(json.dumps(pins("@some/package", ARCHIVE, "a", "b")))
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


def _brings(npm: Path, archive: bytes) -> None:
    _does(
        npm,
        f"""
assert sys.argv[1] == "pack" and "--ignore-scripts" in sys.argv, sys.argv
assert sys.argv[-1] == "@some/package@1.2.3", sys.argv
pathlib.Path("some-package-1.2.3.tgz").write_bytes({archive!r})
""",
    )


def test_only_what_is_pinned_is_taken_and_once(project, npm, tmp_path):
    vendor, lines = tmp_path / "vendor", []
    _brings(npm, ARCHIVE)
    assert install(lines.append, folders=[project], vendor=vendor)
    assert sorted(path.name for path in vendor.iterdir()) == ["a.js", "b.js"]
    assert (vendor / "a.js").read_bytes() == GOOD
    assert complete(project, vendor)
    _does(npm, "sys.exit('it is asked again')")
    lines.clear()
    assert not install(lines.append, folders=[project], vendor=vendor)
    assert lines == []
    (vendor / "b.js").write_bytes(BAD)
    _brings(npm, ARCHIVE)
    assert install(lines.append, folders=[project], vendor=vendor), "a file that was changed is replaced"
    assert (vendor / "b.js").read_bytes() == GOOD


def test_only_the_page_that_misses_a_file_is_fetched(project, npm, tmp_path):
    other, vendor = tmp_path / "other", tmp_path / "vendor"
    other.mkdir()
    vendor.mkdir()
    (other / "vendor.json").write_text(json.dumps(pins("other", b"", "c")))
    (vendor / "c.js").write_bytes(GOOD)
    _brings(npm, ARCHIVE)  # refuses to be asked for another package last
    assert install(print, folders=[project, other], vendor=vendor)
    assert complete(project, vendor)


@pytest.mark.parametrize(
    ("archive", "pinned", "reason"),
    [
        (packed(a=GOOD, b=GOOD), ARCHIVE, "the npm package @some/package differs from the pinned one"),
        (packed(a=GOOD, b=BAD), packed(a=GOOD, b=BAD), r"dist/b\.js of .* differs from the pinned file"),
        (packed(a=GOOD), packed(a=GOOD), r"the npm package @some/package has no file dist/b\.js"),
    ],
)
def test_another_package_or_file_than_the_pinned_one_is_refused(
    project, npm, tmp_path, archive, pinned, reason
):
    (project / "vendor.json").write_text(json.dumps(pins("@some/package", pinned, "a", "b")))
    _brings(npm, archive)
    with pytest.raises(Unavailable, match=reason):
        install(print, folders=[project], vendor=tmp_path / "vendor")
    assert not (tmp_path / "vendor").exists()


def test_where_nothing_can_be_had_it_says_why_and_hides_addresses(project, npm, tmp_path):
    _does(
        npm,
        "sys.exit('npm error code ECONNREFUSED\\nnpm error request to https://user:hunter2@registry.test failed')",
    )
    lines: list[str] = []
    with pytest.raises(Unavailable) as raised:
        install(lines.append, folders=[project], vendor=tmp_path / "vendor")
    assert "npm failed (npm error code ECONNREFUSED)" in str(raised.value)
    assert "pip, which could install npm, failed (ERROR:" in str(raised.value)
    assert "hunter2" not in f"{raised.value}{lines}"
    assert not (tmp_path / "vendor").exists()


def test_pinning_writes_down_what_the_packages_have(project, npm, tmp_path):
    archive = packed(a=GOOD, b=BAD)
    _brings(npm, archive)
    assert install(print, folders=[project], vendor=tmp_path / "vendor", pin=True)
    assert [file.sha256 for file in pinned_files(project)] == [
        sha256(body).hexdigest() for body in (GOOD, BAD)
    ]
    assert pinned_packages(project)[0].integrity == pins("x", archive)["x"]["integrity"]
    assert complete(project, tmp_path / "vendor")


def test_what_can_not_be_pinned_leaves_the_pins_as_they_were(project, npm, tmp_path):
    before = (project / "vendor.json").read_bytes()
    _brings(npm, packed(a=BAD))
    with pytest.raises(Unavailable, match="has no file"):
        install(print, folders=[project], vendor=tmp_path / "vendor", pin=True)
    assert (project / "vendor.json").read_bytes() == before


def test_every_package_and_file_is_pinned_by_its_hash():
    names = [file.name for folder in FOLDERS for file in pinned_files(folder)]
    assert len(set(names)) == len(names), "the pages share a folder"
    for package in [package for folder in FOLDERS for package in pinned_packages(folder)]:
        assert re.fullmatch(r"\d+\.\d+\.\d+", package.version), "an exact version"
        assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", package.integrity)
        assert all(re.fullmatch("[0-9a-f]{64}", file.sha256) for file in package.files)
