"""The errors of an embedded server, worded for the person who starts it."""

from pathlib import Path


class EmbeddedError(RuntimeError):
    """Any failure of this package."""


class StartFailed(EmbeddedError):
    """The server could not be brought up. The text ends with what to do."""


class AlreadyRunning(EmbeddedError):
    """Another live process runs a server on this folder.

    `pid` is that process, as its lock file says. `url` is the address of its server, with the password (never log
    it), or None while the server is still starting.
    """

    def __init__(self, server: str, folder: Path, pid: int | None, url: str | None) -> None:
        self.pid, self.url = pid, url
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"{server} in {folder} is already run by {who}. "
            "Stop that one first, or give this one another POSTERN_DATA_DIR."
        )
