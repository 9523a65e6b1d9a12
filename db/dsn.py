"""`DB_STRING`: whether it can be read, the form that asyncpg takes, and what may be shown of it."""

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from postern.settings import BadSettings

_SCHEMES = ("postgres", "postgresql")
HOW_TO_WRITE = "Write it like {}, with : / ? # @ in the password percent-encoded (@ is %40)."


def readable(url: str, schemes: tuple[str, ...] = _SCHEMES) -> bool:
    """Asked before any library reads a URL: a library's error may repeat a part of the password."""
    try:
        parts = urlsplit(url)
        return parts.scheme.partition("+")[0] in schemes and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def normalise(url: str) -> str:
    """`postgres://…` and `postgresql+driver://…` in the plain form that libpq and asyncpg know.

    Raises BadSettings, which does not repeat the URL.
    """
    if not readable(url):
        raise BadSettings(
            f"DB_STRING can't be read. {HOW_TO_WRITE.format('postgresql://user:password@host/name')}"
        )
    parts = urlsplit(url)
    query = urlencode([(key, value) for key, value in parse_qsl(parts.query) if key != "sslmode"])
    return urlunsplit(("postgresql", parts.netloc, parts.path, query, ""))


def place(url: str, port: int) -> str:
    """Host, port and name of a URL, without its credentials."""
    parts = urlsplit(url)
    return f"{parts.hostname or 'this machine'}:{parts.port or port}{parts.path}"
