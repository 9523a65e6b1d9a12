"""The only use of neonize's API. It is imported in the child process alone.

neonize is a ctypes binding to a Go library: a nil pointer in it ends the process. Its own helpers that fetch URLs, run
ffmpeg or ask libmagic are not used; messages are built from its protocol buffers.
"""

import ctypes
import importlib
import importlib.util
import logging
from pathlib import Path
from types import ModuleType
from typing import Any

from messengers.whatsapp.shapes import Shapes


class NotInstalled(Exception):
    """The message says what is missing and how to get it."""


HOW = "Run: make setup-whatsapp (or pip install 'neonize>=0.5'); libmagic comes from the system's packages."


def missing() -> str | None:
    """Returns the reason that keeps the library from being loaded, or None. Does not load it."""
    if importlib.util.find_spec("neonize") is None:
        return "neonize is not installed."
    if importlib.util.find_spec("magic") is None:
        return "python-magic, which neonize needs, is not installed."
    if not _has_libmagic():
        return "The system's libmagic is missing (Debian: apt install libmagic1; Alpine: apk add libmagic)."
    spec = importlib.util.find_spec("neonize")
    # Without its binary neonize would download one when it is imported.
    if spec is None or spec.origin is None or not any(Path(spec.origin).parent.glob("neonize-*")):
        return "neonize is installed without its binary for this system."
    return None


def _has_libmagic() -> bool:
    """Returns whether libmagic is found, by the search that python-magic uses."""
    from ctypes.util import find_library

    if any(find_library(name) for name in ("magic", "magic1")):
        return True
    try:
        ctypes.CDLL("libmagic.so.1")
    except OSError:
        return False
    return True


class Library:
    """The loaded modules of neonize. Raises NotInstalled."""

    def __init__(self) -> None:
        try:
            client = _module("neonize.client")
            self.proto = _module("neonize.proto.Neonize_pb2")
            self.e2e = _module("neonize.proto.waE2E.WAWebProtobufsE2E_pb2")
            self.enums = _module("neonize.utils.enum")
            companion = _module("neonize.proto.waCompanionReg.WAWebProtobufsCompanionReg_pb2")
            log = _module("neonize.utils.log")
            self.version = str(_module("neonize").__version__)
        except (ImportError, OSError) as error:
            raise NotInstalled(
                f"The WhatsApp library can't be loaded ({type(error).__name__}). {HOW}"
            ) from None
        log.log.setLevel(logging.CRITICAL)  # Go's log lines contain phone numbers
        logging.disable(logging.WARNING)
        self.shapes = Shapes(self.proto, self.e2e)
        self._client = client
        self._props = companion.DeviceProps(os="Postern", platformType=companion.DeviceProps.CHROME)
        self.error: type[Exception] = client.NeonizeError

    def client(self, file: Path) -> Any:
        """Makes a client of the device in that file. `on_login` is called with the login's result: success, timeout,
        error, err-…

        The library has no event for this result: neonize passes it to a private method that prints it. That
        method is overridden here.
        """

        def on_login_status(self: Any, uuid: int, status: int) -> None:
            self.on_login(ctypes.string_at(status).decode(errors="replace"))

        kind = type("Client", (self._client.NewClient,), {"_NewClient__onLoginStatus": on_login_status})
        return kind(str(file), props=self._props, uuid="postern")

    def proxy(self, address: str | None) -> Any:
        """Makes neonize's proxy settings, or None."""
        return self._client.ProxySettings(proxy_address=address) if address else None

    def upload(self, client: Any, kind: str, data: bytes) -> Any:
        """Uploads a file as the media type of its kind."""
        names = {"image": "MediaImage", "video": "MediaVideo", "audio": "MediaAudio", "voice": "MediaAudio"}
        return client.upload(data, self.enums.MediaType[names.get(kind, "MediaDocument")])


def _module(name: str) -> ModuleType:
    return importlib.import_module(name)
