"""The data folder, which only its owner may read: it contains users' files, keys and the database."""

import os
from pathlib import Path

_OURS = {"postgresql", "redis", "files", "installation", "secrets.json", "secrets.new", ".filled"}
OTHERS = 0o007
"""The permissions of users who are neither the owner nor in the folder's group."""


def private_folder(folder: Path) -> None:
    """Makes the folder with mode 0700, and closes an older one of ours that others can read. Raises OSError.

    A folder that its owner has opened to a group stays open (backups). One with other contents is not ours and is
    left as it is.
    """
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    seen = folder.stat()
    if (
        seen.st_mode & OTHERS
        and seen.st_uid == os.geteuid()
        and {path.name for path in folder.iterdir()} <= _OURS
    ):
        folder.chmod(0o700)
