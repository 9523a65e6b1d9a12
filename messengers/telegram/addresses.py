"""The data center to connect to."""

from dataclasses import dataclass
from ipaddress import ip_address


class BadTelegram(ValueError):
    """The settings are not usable; the message names the setting and says what to do."""


@dataclass(frozen=True, slots=True)
class Dc:
    """A data center's id and address."""

    id: int
    host: str  # an IP address: a session stores no names
    port: int

    @classmethod
    def parse(cls, text: str) -> "Dc":
        """Parses `2@127.0.0.1:443` or `2@[::1]:443`. Raises BadTelegram."""
        number, at, address = text.partition("@")
        host, colon, port = address.rpartition(":")
        try:
            if not at or not colon or not 1 <= int(number) <= 99_999 or not 1 <= int(port) <= 65_535:
                raise ValueError
            return cls(int(number), ip_address(host.strip("[]")).compressed, int(port))
        except ValueError:
            raise BadTelegram(
                "POSTERN_TELEGRAM_DC is written id@address:port, for example 2@149.154.167.40:443"
            ) from None
