"""What can go wrong with an embedded server, in words for the person who starts it."""

from pathlib import Path


class EmbeddedError(RuntimeError):
    """Any failure of this package."""


class StartFailed(EmbeddedError):
    """The server could not be brought up. The text ends with what to do."""


class AlreadyRunning(EmbeddedError):
    """Another live process runs a server on this folder.

    `pid` is that process, as its lock tells. `url` reaches its server (it contains the password: never log
    it), or is None while it still starts.
    """

    def __init__(self, server: str, folder: Path, pid: int | None, url: str | None) -> None:
        self.pid, self.url = pid, url
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"{server} in {folder} is already run by {who}. "
            "Stop that one first, or give this one another POSTERN_DATA_DIR."
        )
