"""Chooses the system user that an embedded server runs as, and lets that user reach the server's files.

PostgreSQL refuses to run as root. If this process is root, each data folder gets an unprivileged numeric user of its
own. The owner of the folder is the only record of that user; nothing is added to the system's user database, and
no parent folder is opened for the user. The server reaches its data through an inherited working directory
(`/proc/self/cwd`). Programs that the user cannot reach, in a checkout under /root for example, are copied once.
"""

import grp
import hashlib
import importlib.util
import os
import pwd
import random
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.installation import advice
from postern.embedded.errors import StartFailed
from postern.embedded.processes import user_ids

# Above what `useradd` hands out in practice, below systemd's own ranges (60001 and up, systemd.io/UIDS-GIDS) and
# below 65536, the end of the ids that a rootless container commonly has.
FREE_IDS = range(50_000, 60_000)
COPY_FOLDERS = [Path("/var/cache"), Path(tempfile.gettempdir())]  # for copied programs
OWN_SERVERS = "Run postern as an ordinary user, or set DB_STRING and REDIS_URL to use servers of your own."


@dataclass(frozen=True)
class Account:
    """A system user other than the one that this process runs as."""

    uid: int
    gid: int

    @property
    def nameless(self) -> bool:
        """Returns whether this user id was chosen by `unused`, so that no other program runs as it."""
        return self.uid in FREE_IDS and not _user_name(self.uid)

    def own(self, tree: Path) -> None:
        """Gives a folder of ours, with all its contents, to this user. Raises StartFailed."""
        try:
            for parent, _, files in os.walk(tree):
                for path in [parent, *(os.path.join(parent, file) for file in files)]:  # noqa: PTH118 — 1,000 files
                    os.chown(path, self.uid, self.gid, follow_symlinks=False)
        except OSError as error:
            raise StartFailed(
                f"root cannot give {tree} to another user here: {error.strerror}. {OWN_SERVERS}"
            ) from error
        if tree.stat().st_uid != self.uid:
            raise StartFailed(
                f"{tree} is on a file system that cannot give it to another user. {OWN_SERVERS} "
                "Another POSTERN_DATA_DIR, on a local disk, would do as well."
            )


def account_of(folder: Path) -> Account | None:
    """Returns the user that the server of this folder runs as; None means the user of this process.

    That is the owner of the folder, or a new user if the owner is root. Raises StartFailed if this process is not
    root and the folder belongs to another user.
    """
    owner = folder.stat()
    if os.geteuid() == owner.st_uid != 0:
        return None
    if os.geteuid() != 0:
        raise StartFailed(
            f"{folder} belongs to user {_user_name(owner.st_uid) or owner.st_uid}, who ran postern here before. "
            "Run it as that user (or as root), or choose another POSTERN_DATA_DIR."
        )
    if owner.st_uid == 0:
        account = unused()
        account.own(folder)
        return account
    return Account(owner.st_uid, owner.st_gid or owner.st_uid)


def account_with_name() -> Account | None:
    """Returns a user that has a name, for programs that need one; None if this process's own user has one.

    initdb and a single-user PostgreSQL look their user up in the system's database, and fail without an entry.
    """
    if os.geteuid() != 0:
        if not _user_name(os.geteuid()):
            raise StartFailed(
                f"User {os.geteuid()} has no name on this system, and PostgreSQL's initdb needs one. "
                "Add a line for it to /etc/passwd, or set DB_STRING and REDIS_URL to use servers of your own."
            )
        return None
    entries = [entry for entry in pwd.getpwall() if entry.pw_uid != 0]
    entries.sort(key=lambda entry: entry.pw_name != "nobody")
    if not entries:
        raise StartFailed(
            f"This system has no user but root, and PostgreSQL refuses to run as root. {OWN_SERVERS}"
        )
    return Account(entries[0].pw_uid, entries[0].pw_gid)


def as_user(account: Account | None) -> dict[str, Any]:
    """Returns the arguments that make `subprocess` run a program as this user."""
    return {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}


def reachable(program: Path, root: Path, name: str, parts: list[str], account: Account | None) -> Path:
    """Returns a path at which `account` can execute the program: its own, or that in a copy of `parts` of `root`.

    The copy is named after `name` and belongs to root. It is reused, and made anew when the program changes.
    """
    if account is None or _runs(account, program, "--version"):
        return program
    if not _runs(account, "/bin/sh", "-c", "exit 0"):
        raise StartFailed(f"root cannot become another user here (without CAP_SETUID?). {OWN_SERVERS}")
    programs = [root / part for part in parts if (root / part).is_file()]
    file_stats = [(part.name, part.stat().st_size, part.stat().st_mtime_ns) for part in programs]
    digest = hashlib.sha256(repr(file_stats).encode()).hexdigest()[:12]
    for folder in COPY_FOLDERS:
        copy = folder / f"postern-{name}-{digest}"
        try:
            if not copy.exists():
                _copy(root, parts, copy)
        except OSError:
            continue
        seen = copy.lstat()
        copied = copy / program.relative_to(root)
        # The folder is shared: another user could have put the copy there.
        if seen.st_uid == os.geteuid() and not seen.st_mode & 0o022 and _runs(account, copied, "--version"):
            return copied
    raise StartFailed(
        f"The unprivileged user that {program.name} runs as can execute neither {program} nor a copy of it "
        f"under {' or '.join(map(str, COPY_FOLDERS))} (full, read-only or mounted noexec?). {OWN_SERVERS}"
    )


def _copy(root: Path, parts: list[str], copy: Path) -> None:
    fresh = Path(tempfile.mkdtemp(prefix=f"{copy.name}.", dir=copy.parent))
    try:
        for part in parts:
            source, target = root / part, fresh / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, symlinks=True)
            elif source.exists():  # a wheel contains only the libraries of its own platform
                shutil.copy2(source, target)
        for parent, _, files in os.walk(fresh):  # the files may have been installed under any umask
            Path(parent).chmod(0o755)
            for file in files:
                path = Path(parent, file)
                if not path.is_symlink():
                    path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
        fresh.rename(copy)  # atomic; fails if another process was faster
    except OSError:
        shutil.rmtree(fresh, ignore_errors=True)
        if not copy.exists():
            raise


def _runs(account: Account, *words: str | Path) -> bool:
    """Returns whether this user can run the program. It tries: modes, ACLs, mounts and libraries all decide it."""
    try:
        done = subprocess.run(  # noqa: S603 — our own arguments
            words, **as_user(account), cwd="/", env={}, capture_output=True, timeout=30, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def unused() -> Account:
    """Returns a user id that no process and no name uses. Raises StartFailed."""
    taken = user_ids()
    for uid in random.sample(FREE_IDS, 1000):
        if uid not in taken and not _user_name(uid) and not _group_name(uid):
            return Account(uid, uid)
    raise StartFailed(
        f"No unused user id was found between {FREE_IDS.start} and {FREE_IDS.stop}. {OWN_SERVERS}"
    )


def _user_name(uid: int) -> str | None:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return None


def _group_name(gid: int) -> str | None:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return None


def here(folder: Path) -> str:
    """Returns a name of the working directory that needs no right on its parents; its path if there is no /proc."""
    return "/proc/self/cwd" if Path("/proc/self/cwd").exists() else str(folder)


def site_packages(package: str) -> Path:
    """Returns the folder where a wheel was installed, without importing the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise StartFailed(
            f"The Python package {package} is not installed: {advice('embedded')}. "
            "Or set DB_STRING and REDIS_URL to use servers of your own."
        )
    return Path(spec.origin).absolute().parent.parent
