"""The data folder: for the user alone who runs us. Files of users, keys and database lie in it."""

import os
from pathlib import Path

_OURS = {"postgresql", "redis", "files", "secrets.json", "secrets.new", ".filled"}
OTHERS = 0o007
"""The rights of everybody who is neither the owner nor in the folder's group."""


def private_folder(folder: Path) -> None:
    """Makes the folder, 0700. An older one of ours that everybody can read is closed. Raises OSError.

    A folder that its owner has opened to a group stays so (backups), and one that holds other things is not ours.
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
