"""A small disk of its own for what a product stores: a tmpfs, which can be filled up without harm to other programs."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

_MEGABYTE = 1 << 20


class Disk:
    def __init__(self, folder: Path, megabytes: int = 400) -> None:
        self.folder, self.megabytes = folder, megabytes
        self.mounted = False
        self._filler = folder / "filler"

    def mount(self) -> None:
        """Mounts the disk; without the right to do so the folder is an ordinary one, and is never full."""
        self.folder.mkdir(parents=True)
        if os.geteuid() == 0:
            options = f"size={self.megabytes}m,mode=755"
            done = subprocess.run(
                ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)],
                check=False,
                capture_output=True,
            )
            self.mounted = done.returncode == 0

    def fill(self) -> None:
        with suppress(OSError), self._filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * _MEGABYTE)
        with suppress(OSError), self._filler.open("ab", buffering=0) as file:
            while True:
                file.write(b"\0" * 512)

    def clear(self) -> None:
        self._filler.unlink(missing_ok=True)

    def unmount(self) -> None:
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False, capture_output=True)
