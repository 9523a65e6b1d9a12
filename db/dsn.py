"""Parses `DB_STRING`, which has libpq's form: hosts, TLS, and the part that may be shown without credentials."""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from core.database_options import BadSettings, DatabaseOptions

PORT = 5432
HOW_TO_WRITE = "Write it like {}, with : / ? # @ in the password percent-encoded (@ is %40)."
_SCHEMES = ("postgres", "postgresql")
_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_ATTRIBUTES = ("read-write", "primary", "any")  # a read-only server is of no use here

Host = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Dsn:
    """A parsed `DB_STRING`."""

    url: str  # for asyncpg
    hosts: tuple[Host, ...]  # in the order in which they are tried; empty: asyncpg's default
    attributes: str  # `target_session_attrs`
    tls: Any  # asyncpg's argument `ssl`; None: the URL decides


def readable(url: str, schemes: tuple[str, ...] = _SCHEMES) -> bool:
    """Returns whether the URL can be parsed. A library's own error may repeat the password, so this comes first."""
    try:
        parts = urlsplit(url)
        several = schemes == _SCHEMES
        if parts.query and several:
            parse_qsl(parts.query, strict_parsing=True)
        hosts = _netloc_hosts(parts, PORT) if several else [("", parts.port or PORT)]
        # An unescaped special character in a password leaves the rest of it in the path, the fragment or the host.
        stray = "@" in parts.path or parts.fragment or parts.netloc.count("@") > 1
        return (
            parts.scheme.partition("+")[0] in schemes
            and not (several and stray)
            and all(0 < port < 65536 for _, port in hosts)
        )
    except ValueError:
        return False


def parse(url: str, options: DatabaseOptions, setting: str = "DB_STRING") -> Dsn:
    """Parses the URL of `setting`. Raises BadSettings, which names the setting and does not repeat the URL."""
    if not readable(url):
        how = HOW_TO_WRITE.format("postgresql://user:password@host/name")
        raise BadSettings(f"{setting} can't be read. {how}")
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    hosts = _hosts(parts, query, setting)
    # With several hosts standbys are skipped by default; libpq would take the first host of any kind.
    attributes = query.pop("target_session_attrs", "read-write" if len(hosts) > 1 else "any")
    if attributes not in _ATTRIBUTES:
        raise BadSettings(
            f"target_session_attrs of {setting} must be {' or '.join(_ATTRIBUTES)}: Postern writes."
        )
    tls = _tls(query, options, setting)
    plain = urlunsplit(("postgresql", parts.netloc, parts.path, urlencode(query), ""))
    return Dsn(plain, hosts, attributes, tls)


def _hosts(parts: SplitResult, query: dict[str, str], setting: str) -> tuple[Host, ...]:
    """Parses `//h1:p1,h2:p2/name`, or `///name?host=h1,h2&port=p1,p2` with one port for each, or one for all."""
    ports = [port for port in query.pop("port", "").split(",") if port]
    if not all(port.isdecimal() and 0 < int(port) < 65536 for port in ports):
        raise BadSettings(f"port of {setting} must be a number from 1 to 65535, or one for each host.")
    host_list = query.pop("host", "")
    if parts.netloc.rpartition("@")[2] or not host_list:
        return tuple(_netloc_hosts(parts, int(ports[0]) if ports else PORT))
    names = host_list.split(",")
    if len(ports) < 2:
        ports = (ports or [str(PORT)]) * len(names)
    if len(ports) != len(names):
        raise BadSettings(f"{setting} must give one port for all hosts, or one for each.")
    return tuple((name, int(port)) for name, port in zip(names, ports, strict=True))


def _netloc_hosts(parts: SplitResult, default: int) -> list[Host]:
    """Returns the hosts in the authority part. Raises ValueError."""
    hosts = []
    for host_and_port in parts.netloc.rpartition("@")[2].split(","):
        if host_and_port:
            parsed = urlsplit(f"//{host_and_port}")
            hosts.append((unquote(parsed.hostname or ""), default if parsed.port is None else parsed.port))
    return hosts


def _tls(query: dict[str, str], options: DatabaseOptions, setting: str) -> Any:
    """Returns asyncpg's `ssl`. The URL takes precedence over database.toml, with libpq's meaning."""
    mode, file = query.get("sslmode"), query.get("sslrootcert")
    if mode is None and file is None:
        return _of_options(options)
    if file == "system":  # the certificate authorities of this machine
        if mode not in (None, "verify-full"):
            raise BadSettings(f"sslrootcert=system of {setting} needs sslmode=verify-full.")
        query.pop("sslmode", None), query.pop("sslrootcert")
        return ssl.create_default_context()
    mode = query["sslmode"] = mode or options.tls
    if mode not in _MODES:
        raise BadSettings(f"sslmode of {setting} must be one of {', '.join(_MODES)}.")
    if file is None and options.tls_ca_file is not None:
        file = query["sslrootcert"] = str(options.tls_ca_file)
    if file is not None:
        _check_certificates(Path(file), setting)
    return None


def _check_certificates(file: Path, setting: str) -> None:
    try:
        ssl.create_default_context(cafile=str(file))
    except (OSError, ssl.SSLError) as error:
        reason = "it holds no certificate" if isinstance(error, ssl.SSLError) else error.strerror
        raise BadSettings(f"{file}, the sslrootcert of {setting}, can't be read: {reason}.") from error


def _of_options(options: DatabaseOptions) -> Any:
    if options.tls in ("require", "verify-full"):
        context = ssl.create_default_context(cafile=str(options.tls_ca_file) if options.tls_ca_file else None)
        if options.tls == "require":
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context
    return {"disable": False, "prefer": "prefer"}[options.tls]


def location(url: str, port: int = PORT) -> str:
    """Returns hosts, ports and database name of a URL, without its credentials."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    hosts = _netloc_hosts(parts, port) or [(query.get("host", "this machine"), int(port))]
    return (
        ",".join(host if host.startswith("/") else netloc(host, number) for host, number in hosts)
        + parts.path
    )


def netloc(host: str, port: int) -> str:
    """Returns host and port as written in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
