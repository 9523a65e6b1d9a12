"""The settings of the door: where it listens, and the certificate that it shows."""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from core.database_options import BadSettings
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class Listener:
    """An address of the door."""

    host: str
    port: int
    implicit_tls: bool

    @property
    def text(self) -> str:
        """Returns the address as the setting has it."""
        return f"{'smtps' if self.implicit_tls else 'smtp'}://{self.host}:{self.port}"


def listeners(settings: Settings) -> Sequence[Listener]:
    """Returns the addresses of the setting. Raises BadSettings."""
    made = []
    for text in settings.smtp_listen:
        scheme, separator, where = text.rpartition("://")
        host, colon, port = where.rpartition(":")
        if (
            scheme not in ("smtp", "smtps", "")
            or not colon
            or not host
            or not port.isdigit()
            or int(port) > 65535
        ):
            raise BadSettings(
                f"POSTERN_SMTP_LISTEN has {text!r}; write host:port for STARTTLS, such as 0.0.0.0:587, or"
                " smtps://host:port for TLS from the first byte, such as smtps://0.0.0.0:465."
            )
        made.append(Listener(host.strip("[]"), int(port), separator != "" and scheme == "smtps"))
    return made


def require_usable(settings: Settings) -> None:
    """Raises BadSettings if the door is switched on and can't be used as it is set."""
    if settings.smtp_listen:
        Certificate(settings)


def is_loopback(host: str | None) -> bool:
    """Returns whether an address is of this machine alone."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


class Certificate:
    """The certificate, which is read again when its file changes. `context` is None without one."""

    def __init__(self, settings: Settings) -> None:
        """Raises BadSettings."""
        self._file = settings.smtp_certificate
        self._key = settings.smtp_certificate_key
        self.context: ssl.SSLContext | None = None
        self._stamp: tuple[int, ...] = ()
        if self._file is None:
            if not settings.smtp_plain or not all(is_loopback(each.host) for each in listeners(settings)):
                raise BadSettings(
                    "POSTERN_SMTP_LISTEN needs a certificate: set POSTERN_SMTP_CERTIFICATE, and"
                    " POSTERN_SMTP_CERTIFICATE_KEY if the key is in another file. Without one, mail programs of this"
                    " machine alone can be served: POSTERN_SMTP_PLAIN=1, and a loopback address such as 127.0.0.1:2587."
                )
            if any(each.implicit_tls for each in listeners(settings)):
                raise BadSettings("smtps:// in POSTERN_SMTP_LISTEN needs POSTERN_SMTP_CERTIFICATE.")
            return
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            self._load(self._file)
        except (OSError, ValueError) as error:  # ssl.SSLError included
            raise BadSettings(
                f"POSTERN_SMTP_CERTIFICATE: {self._file} and its key can't be read as PEM: {error}."
            ) from error

    def _load(self, file: Path) -> None:
        assert self.context is not None
        stamp = self._stamp_of(file)
        self.context.load_cert_chain(file, self._key)
        self._stamp = stamp

    def _stamp_of(self, file: Path) -> tuple[int, ...]:
        return tuple(each.stat().st_mtime_ns for each in (file, self._key) if each is not None)

    def reload_if_changed(self) -> bool:
        """Reads the files again if they have changed; new connections get them. Raises OSError, and then the earlier
        certificate stays.
        """
        if self._file is None or self._stamp_of(self._file) == self._stamp:
            return False
        self._load(self._file)
        return True
