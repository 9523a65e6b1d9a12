"""The Telegram driver: its settings, and the connections that it makes."""

from pathlib import Path
from typing import ClassVar, Literal, Protocol

from pydantic import SecretStr
from telethon.crypto import rsa
from telethon.sessions import StringSession

from messengers.port import Account, Sink
from messengers.telegram.addresses import BadTelegram, Dc
from messengers.telegram.connection import TelegramConnection
from shapes.messenger_accounts import MessengerSource

DEFAULT_DC = (2, "149.154.167.51", 443)  # https://core.telegram.org/api/datacenter; it names the others


class Settings(Protocol):
    """The settings that the driver reads."""

    @property
    def telegram_api_id(self) -> int | None: ...
    @property
    def telegram_api_hash(self) -> SecretStr | None: ...
    @property
    def telegram_dc(self) -> str | None: ...
    @property
    def telegram_dc_key(self) -> Path | None: ...


class Telegram:
    """The driver `telegram`."""

    name: ClassVar[str] = "telegram"
    sources: ClassVar[frozenset[MessengerSource]] = frozenset({MessengerSource.telegram})
    codes: ClassVar[frozenset[Literal["qr", "code", "pairing", "password"]]] = frozenset(
        {"qr", "code", "password"}
    )
    idempotent: ClassVar[bool] = True  # Telegram drops a message whose random_id it has seen
    renews: ClassVar[float] = 5.0
    runs_processes: ClassVar[bool] = False

    def __init__(self, api_id: int, api_hash: str, dc: Dc | None = None) -> None:
        self.api_id = api_id
        self.api_hash = api_hash
        self.dc = dc
        self.request_timeout = 20.0  # seconds for one request
        self.pauses = (0.5, 60.0)  # seconds between connections: the first, the longest

    def __repr__(self) -> str:
        return f"Telegram({self.dc or 'production'})"

    def connect(self, account: Account, sink: Sink) -> TelegramConnection:
        return TelegramConnection(self, account, sink)

    def session(self, text: str | None) -> StringSession:
        """Returns the session to start from. An unreadable text counts as none.

        With POSTERN_TELEGRAM_DC set, only the server that it names, and those that this server names, are
        connected to.
        """
        try:
            session = StringSession(text)
        except Exception:  # errors of struct, base64 and ipaddress
            session = StringSession()
        dc = self.dc or Dc(*DEFAULT_DC)
        if not session.server_address or (self.dc is not None and session.dc_id == self.dc.id):
            session.set_dc(dc.id, dc.host, dc.port)
        return session

    async def close(self) -> None:
        """Does nothing: connections share nothing."""


def driver(settings: Settings) -> Telegram:
    """Makes the driver. Raises BadTelegram."""
    if settings.telegram_api_id is None or settings.telegram_api_hash is None:
        raise BadTelegram(
            "The driver telegram needs POSTERN_TELEGRAM_API_ID and POSTERN_TELEGRAM_API_HASH: "
            "make an application at https://my.telegram.org"
        )
    dc = Dc.parse(settings.telegram_dc) if settings.telegram_dc else None
    if settings.telegram_dc_key is not None:
        _trust(settings.telegram_dc_key)
    return Telegram(settings.telegram_api_id, settings.telegram_api_hash.get_secret_value(), dc)


def _trust(path: Path) -> None:
    """Adds a server's key to Telethon's list, which is one per process. Raises BadTelegram."""
    try:
        rsa.add_key(path.read_text(encoding="ascii"), old=False)
    except Exception as error:  # the errors of the rsa package have no common base
        raise BadTelegram(
            f"POSTERN_TELEGRAM_DC_KEY: {path.name} is not an RSA public key in PKCS#1 PEM "
            f'("BEGIN RSA PUBLIC KEY"): {type(error).__name__}'
        ) from error
