"""The file: what stays in force while somebody edits, breaks, swaps or removes it."""

import asyncio
import contextlib
import os
import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from core.http.allowlist import MAX_BYTES, AllowlistFile, AllowlistMode, AllowlistUnusable
from core.http.allowlist import file as module
from tests.support.waits import PATIENCE, until

OFF, ENFORCE = AllowlistMode.Off, AllowlistMode.Enforce


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "ip-allowlist.conf"
    path.write_text("192.0.2.1\n")
    return path


def holds(file: AllowlistFile) -> set[str]:
    return {ip for ip in ("192.0.2.1", "192.0.2.2", "192.0.2.3") if file.current.contains(ip)}


def open_files(folder: Path) -> list[Path]:
    """Returns the open files below the folder alone: what else this process has open comes and goes."""
    files = []
    for path in Path("/dev/fd").iterdir():
        with contextlib.suppress(OSError):  # the one by which we look
            files.append(path.readlink())
    return [file for file in files if file.is_relative_to(folder)]


@contextlib.asynccontextmanager
async def watching(file, interval=0.02):
    task = asyncio.create_task(file.watch(interval))
    yield task
    assert not task.done(), "the watch ended"
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


# --- at start


def test_loads_at_once(path):
    file = AllowlistFile(path, ENFORCE)
    assert holds(file) == {"192.0.2.1"}
    assert (file.entries, file.reload_errors, file.error) == (1, 0, None)
    assert file.loaded_at is not None


def broken(path, how):
    path.unlink()
    match how:
        case "missing":
            pass
        case "empty":
            path.write_text("")
        case "only comments":
            path.write_text("# 192.0.2.1\n")
        case "a bad line":
            path.write_text("192.0.2.1\n192.0.2\n")
        case "not UTF-8":
            path.write_bytes(b"192.0.2.1\n# caf\xe9\n")
        case "too large":
            path.write_bytes(b"#" * (MAX_BYTES + 1))
        case "a directory":
            path.mkdir()
        case "a named pipe":
            os.mkfifo(path)
        case "a dangling link":
            path.symlink_to(path.parent / "nowhere")
        case "a link to itself":
            path.symlink_to(path)


BROKEN = {
    "missing": "No such file",
    "empty": "contains no address",
    "only comments": "contains no address",
    "a bad line": "ip-allowlist.conf:2: '192.0.2' is not",
    "not UTF-8": "ip-allowlist.conf:2: is not UTF-8",
    "too large": "larger than 16 MiB",
    "a directory": "not a regular file",
    "a named pipe": "not a regular file",
    "a dangling link": "No such file",
    "a link to itself": "symbolic links",
}


@pytest.mark.parametrize("how", BROKEN)
def test_enforce_refuses_to_start_on_a(path, how):
    broken(path, how)
    with pytest.raises(AllowlistUnusable) as caught:
        AllowlistFile(path, ENFORCE)
    assert BROKEN[how] in str(caught.value)
    assert str(path) in str(caught.value)
    assert "IP_ALLOWLIST_MODE=Off" in str(caught.value)


@pytest.mark.parametrize("how", BROKEN)
def test_off_starts_with_the_empty_list_on_a(path, how):
    broken(path, how)
    with capture_logs() as logs:
        file = AllowlistFile(path, OFF)
    assert file.entries == 0
    is_absence = how in ("missing", "empty", "only comments", "a dangling link", "a link to itself")
    assert [entry["log_level"] for entry in logs] == ["info" if is_absence else "error"]
    assert file.reload_errors == (0 if is_absence else 1)


def test_off_takes_the_file_when_it_comes(path):
    path.rename(path.with_suffix(".later"))
    file = AllowlistFile(path, OFF)
    assert not file.reload_if_changed()
    path.with_suffix(".later").rename(path)
    assert file.reload_if_changed()
    assert holds(file) == {"192.0.2.1"}


def test_a_list_that_lets_everyone_in_is_said_aloud(path):
    path.write_text("0.0.0.0/0\n")
    with capture_logs() as logs:
        AllowlistFile(path, ENFORCE)
    assert [entry["log_level"] for entry in logs] == ["info", "warning"]


# --- later


def test_a_change_takes_effect_and_nothing_else_does(path):
    file = AllowlistFile(path, ENFORCE)
    first = file.current
    assert not file.reload_if_changed()
    path.write_text("192.0.2.1\n192.0.2.2\n")
    assert file.reload_if_changed()
    assert holds(file) == {"192.0.2.1", "192.0.2.2"}
    assert file.current is not first
    second = file.current
    os.utime(path)
    assert not file.reload_if_changed()
    assert not file.reload()
    assert file.current is second


def test_an_old_unchanged_file_is_not_read(path, monkeypatch):
    os.utime(path, (1_700_000_000, 1_700_000_000))
    file = AllowlistFile(path, ENFORCE)
    monkeypatch.setattr(file, "_read", lambda: pytest.fail("read"))
    assert not file.reload_if_changed()


def test_a_rewrite_that_leaves_mtime_size_and_inode_alone_is_seen(path):
    file = AllowlistFile(path, ENFORCE)
    before = path.stat()
    path.write_text("192.0.2.2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_ino == before.st_ino
    assert file.reload_if_changed()
    assert holds(file) == {"192.0.2.2"}


def test_a_second_write_in_the_same_tick_is_seen(path, monkeypatch):
    file = AllowlistFile(path, ENFORCE)
    path.write_text("192.0.2.2\n")
    monkeypatch.setattr(module, "_stamp", lambda _: file._stamp)  # the file system's clock did not move
    assert file.reload_if_changed()
    assert holds(file) == {"192.0.2.2"}


@pytest.mark.parametrize("how", BROKEN)
def test_the_last_good_list_stays_when_the_file_becomes(path, how):
    file = AllowlistFile(path, ENFORCE)
    good, loaded_at = file.current, file.loaded_at
    broken(path, how)
    time.sleep(module._SETTLED + 0.02 if how == "empty" else 0)
    with capture_logs() as logs:
        assert not file.reload_if_changed()
        for _ in range(5):
            assert not file.reload_if_changed()
        assert not file.reload()
    assert file.current is good
    assert file.loaded_at == loaded_at
    assert file.error is not None
    assert BROKEN[how] in file.error
    assert file.reload_errors == 1
    assert [(entry["log_level"], entry["entries"]) for entry in logs] == [("error", 1)]
    assert BROKEN[how] in logs[0]["reason"]
    assert open_files(path.parent) == []
    # and back
    if path.is_dir():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    path.write_text("192.0.2.1\n192.0.2.3\n")
    assert file.reload_if_changed()
    assert file.error is None
    assert holds(file) == {"192.0.2.1", "192.0.2.3"}


def test_the_same_good_content_again_clears_the_error(path):
    file = AllowlistFile(path, ENFORCE)
    good = file.current
    path.write_text("nonsense\n")
    file.reload_if_changed()
    assert file.error is not None
    path.write_text("192.0.2.1\n")
    assert not file.reload_if_changed()
    assert file.current is good
    assert file.error is None


def test_each_new_trouble_is_logged(path):
    file = AllowlistFile(path, ENFORCE)
    with capture_logs() as logs:
        for text in ("nonsense\n", "192.0.2.1\nnonsense again\n"):
            path.write_text(text)
            file.reload_if_changed()
        path.unlink()
        file.reload_if_changed()
    assert len(logs) == file.reload_errors == 3


def test_an_unreadable_file_is_tried_until_it_can_be_read(path, monkeypatch):
    file = AllowlistFile(path, ENFORCE)
    path.write_text("192.0.2.2\n")
    with monkeypatch.context() as patch:
        if os.geteuid() == 0:  # root reads what it likes

            def refuse(*_):
                raise PermissionError(13, "Permission denied")

            patch.setattr(os, "open", refuse)
        path.chmod(0)
        for _ in range(3):
            assert not file.reload_if_changed()
    assert holds(file) == {"192.0.2.1"}
    assert (file.error, file.reload_errors) == (f"{path}: can't be read (Permission denied)", 1)
    path.chmod(0o600)
    assert file.reload_if_changed()
    assert holds(file) == {"192.0.2.2"}


def test_a_line_cut_in_the_middle_of_a_write_is_not_believed(path, monkeypatch):
    """`128.0.0.0/1` is half of the Internet, and the first half of `128.0.0.0/16`."""
    monkeypatch.setattr(module, "_SETTLED", PATIENCE)
    file = AllowlistFile(path, ENFORCE)
    with path.open("w") as half:
        half.write("192.0.2.1\n128.0.0.0/1")
        half.flush()
        assert not file.reload_if_changed()
        assert not file.current.contains("129.0.0.1")
        half.write("6\n")
    assert file.reload_if_changed()
    assert file.current.contains("128.0.255.1")
    assert not file.current.contains("129.0.0.1")


@pytest.mark.alone
def test_a_last_line_without_newline_counts_once_the_writer_is_gone(path):
    file = AllowlistFile(path, ENFORCE)
    path.write_text("192.0.2.2")
    assert not file.reload_if_changed()
    time.sleep(module._SETTLED + 0.02)
    assert file.reload_if_changed()
    assert holds(file) == {"192.0.2.2"}


def test_sighup_does_not_wait(path):
    file = AllowlistFile(path, ENFORCE)
    path.write_text("192.0.2.2")
    assert file.reload()
    assert holds(file) == {"192.0.2.2"}


# --- watched


async def test_the_watch_sees_every_way_of_changing_a_file(path, tmp_path):
    file = AllowlistFile(path, ENFORCE)
    async with watching(file):
        with path.open("a") as appended:
            appended.write("192.0.2.2\n")
        await until(lambda: holds(file) == {"192.0.2.1", "192.0.2.2"})
        path.write_text("192.0.2.2")  # in place, no newline
        await until(lambda: holds(file) == {"192.0.2.2"})
        (tmp_path / "new").write_text("192.0.2.3\n")
        (tmp_path / "new").rename(path)  # as editors do
        await until(lambda: holds(file) == {"192.0.2.3"})
        path.write_text("nonsense\n")
        await until(lambda: file.error is not None)
        path.unlink()
        await until(lambda: "No such file" in (file.error or ""))
        assert holds(file) == {"192.0.2.3"}
        for version in ("1", "2"):  # as Kubernetes mounts a config map
            (tmp_path / version).mkdir()
            (tmp_path / version / "list").write_text(f"192.0.2.{version}\n")
        (tmp_path / "data").symlink_to("1")
        path.symlink_to("data/list")
        await until(lambda: holds(file) == {"192.0.2.1"})
        (tmp_path / "data.new").symlink_to("2")
        (tmp_path / "data.new").replace(tmp_path / "data")
        await until(lambda: holds(file) == {"192.0.2.2"})
    assert file.error is None


async def test_a_writer_that_dawdles_never_opens_the_gate(path, monkeypatch):
    # This one dawdles for milliseconds, and the machine perhaps for more.
    monkeypatch.setattr(module, "_SETTLED", PATIENCE)
    file = AllowlistFile(path, ENFORCE)
    opened = False
    async with watching(file, interval=0.005):
        with path.open("w") as slow:
            for character in "192.0.2.1\n128.0.0.0/16\n192.0.2.2\n":
                slow.write(character)
                slow.flush()
                await asyncio.sleep(0.006)
                opened |= file.current.contains("129.0.0.1") or file.entries == 0
        await until(lambda: file.entries == 3)
    assert not opened


async def test_a_large_list_leaves_the_loop_alone(path):
    file = AllowlistFile(path, ENFORCE)
    async with watching(file):
        new = path.with_suffix(".new")
        new.write_text("".join(f"10.{n >> 8}.{n & 255}.0/24\n" for n in range(50_000)))
        new.rename(path)
        await until(lambda: file.entries == 50_000)
    assert file.current.contains("10.195.79.255")


async def test_the_watch_outlives_a_surprise(path, monkeypatch):
    file = AllowlistFile(path, ENFORCE)
    seen = []

    def surprise():
        seen.append(1)
        raise MemoryError

    monkeypatch.setattr(file, "reload_if_changed", surprise)
    with capture_logs() as logs:
        async with watching(file):
            await until(lambda: len(seen) > 2)
    assert "watch failed" in logs[0]["event"]
