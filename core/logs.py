"""Logging: one structlog pipeline, JSON on a pipe and pretty on a terminal. Logs no secret and no body."""

import logging
import re
import sys
from collections.abc import MutableMapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Any, Literal

import orjson
import structlog

from core.json_text import dumps

_OPENAI = ("openai", "httpx2", "httpcore2")  # these also log prompts and headers
_SECRET_KEYS = re.compile(
    r"(password|passwd|secret|token|authorization|cookie|api_?key|credential)", re.IGNORECASE
)
_BEARER = re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]+")
# The scheme before it is left out: a search for its beginning would be quadratic on `a.a.a.a…`.
_URL_PASSWORD = re.compile(r"(://[^\s:/@]*):[^\s@/]+@")
_QUERY_SECRET = re.compile(r"(?i)([?&](?:token|key|access_token|signature|sig)=)[^&\s]+")
_API_TOKEN = re.compile(r"\bpst_[A-Za-z0-9_-]{8,}")
_HOOK_SECRET = re.compile(r"\bwhsec_[A-Za-z0-9+/=%]{8,}")
# PostgreSQL quotes the row that it refused, possibly over several lines. The match ends at what SQLAlchemy or a
# traceback writes after it.
_REFUSED_ROW = re.compile(r"\bDETAIL:  .*?(?=\nHINT:|\n\[SQL|\n\nThe above|\n\nDuring|\Z)", re.DOTALL)


_LONGEST_PATH = 1024  # characters of a request's path in its line
_LONGEST_ERROR = 300  # characters of an error's text


def redact(text: str) -> str:
    """Masks credentials, as far as they look like one, inside free text (URLs, exception messages).

    Callers write much of that text, so each pattern takes linear time: none reads a character twice.
    """
    # Every log line passes here, so the patterns run only if a plain search finds their fixed part.
    if "earer" in text or "EARER" in text:
        text = _BEARER.sub(r"\1***", text)
    if "://" in text:
        text = _URL_PASSWORD.sub(r"\1:***@", text)
    if "=" in text:
        text = _QUERY_SECRET.sub(r"\1***", text)
    if "pst_" in text:
        text = _API_TOKEN.sub("pst_***", text)
    if "whsec_" in text:
        text = _HOOK_SECRET.sub("whsec_***", text)
    if "DETAIL:" in text:
        text = _REFUSED_ROW.sub("DETAIL:  ***", text)
    return text


# The last part of these routes is an address, whatever it looks like.
_BLOCKED = re.compile(r"^(/block/(?:unblock/)?)(?!count$|list$|unblock$).+", re.DOTALL)
# Elsewhere, a part of a path that is an email address or a phone. A uuid has more than 24 characters.
_ADDRESS = re.compile(r"(?<=/)(?:[^/]*@[^/]*|\+?[0-9 ().-]{7,24})(?=/|\Z)")


# The holder of a link in a message may use it.
_LINK = re.compile(r"^(/(?:your-data|preferences|opt-in|unsubscribe|undo|web-copy|l)/)([^/]{8})[^/]+")


def without_addresses(path: str) -> str:
    """Masks the addresses of recipients in a request's path, and the ends of the tokens in links of theirs
    and of users."""
    if (link := _LINK.match(path)) is not None:
        path = f"{path[: link.end(2)]}...{path[link.end() :]}"
    if path.startswith("/block/"):
        return _BLOCKED.sub(r"\1***", path)
    return _ADDRESS.sub("***", path)


@cache
def _secret(key: str) -> bool:
    return _SECRET_KEYS.search(key) is not None


def _redact(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key, value in event.items():
        if isinstance(value, Enum):  # the pretty renderer would show the name of its class
            value = event[key] = value.value  # noqa: PLW2901
        elif isinstance(value, BaseException) and key != "exc_info":
            # Errors of time-outs and of closed connections often have no text.
            text = (
                redact(str(value)) or type(value).__name__
            )  # before it is cut, which could cut a password's pattern
            value = event[key] = text[:_LONGEST_ERROR]  # noqa: PLW2901
        if type(value) is str:
            event[key] = "***" if _secret(key) else redact(value)
        elif value is not None and _secret(key):
            event[key] = "***"
    return event


def _json(_: Any, __: str, event: MutableMapping[str, Any]) -> str:
    return dumps(event).decode()


class _RequestLog:
    """Writes the log line of every request without the pipeline, whose steps take longer for these nine known
    fields than reading a user's row. The output is identical."""

    def __init__(self) -> None:
        self.pipeline: list[Any] = []  # as configured; tests empty it to capture the lines themselves
        self.enabled = True
        self._slow = structlog.get_logger("postern.request")
        self._writer = structlog.WriteLogger(sys.stderr)
        self._stream: Any = sys.stderr

    def write(
        self, *, request_id: str, method: str, path: str, status: int, ms: float, user_id: str | None
    ) -> None:
        path = without_addresses(
            redact(path)
        )  # before it is shortened, which could cut the pattern of a password
        if len(path) > _LONGEST_PATH:
            path = f"{path[:_LONGEST_PATH]}…"
        fields = {"method": method, "path": path, "status": status, "ms": ms, "user_id": user_id}
        if not self.pipeline or self.pipeline[-1] is not _json:
            self._slow.info("request", **fields)
            return
        if not self.enabled:
            return
        fields["method"] = redact(method)
        fields["event"], fields["request_id"] = "request", redact(request_id)
        fields["level"], fields["timestamp"] = "info", datetime.now(UTC)
        if self._stream is not sys.stderr:
            self._stream, self._writer = sys.stderr, structlog.WriteLogger(sys.stderr)
        self._writer.msg(orjson.dumps(fields, option=orjson.OPT_UTC_Z).decode())


_request_log = _RequestLog()
request_line = _request_log.write


def configure(level: str = "info", form: Literal["auto", "json", "pretty"] = "auto") -> None:
    """Sets up one pipeline to standard error: our logs use it directly, those of libraries through `logging`."""
    pretty = form == "pretty" or (form == "auto" and sys.stderr.isatty())
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    # Tracebacks become text before they are redacted; the renderer's own would show every local variable.
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    tail: list[Any] = [structlog.processors.format_exc_info, _redact, plain if pretty else _json]
    _request_log.pipeline = [*shared, *tail]
    _request_log.enabled = logging.getLevelNamesMapping()[level.upper()] <= logging.INFO
    structlog.configure(
        processors=_request_log.pipeline,
        logger_factory=_to_standard_error,
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        cache_logger_on_first_use=False,
    )
    handler = _StandardError()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *tail],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # Their request lines would repeat ours, and with the whole query string.
    for noisy in ("uvicorn", "websockets", "httpx", "httpcore", "alembic", "aiosmtplib", "apprise", *_OPENAI):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # a caller's malformed form is no warning
    # While the database is down it logs every failed heartbeat with a traceback; engine/worker.py logs it once.
    logging.getLogger("pgqueuer").setLevel(logging.CRITICAL)
    logging.getLogger("asyncio").addFilter(_is_no_cancelled_connection)


def _is_no_cancelled_connection(record: logging.LogRecord) -> bool:
    """Returns whether a line of asyncio is about anything else than a connection to PostgreSQL whose opening was
    cancelled. asyncpg leaves a future behind then, which no code can retrieve.
    """
    text = record.getMessage()
    return not (
        text.startswith("Future exception was never retrieved")
        and "unexpected connection_lost() call" in text
    )


class _StandardError(logging.StreamHandler[Any]):
    """Writes to the standard error of the moment, not to that of the start."""

    @property
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, _: Any) -> None: ...


def _to_standard_error(*_: Any) -> structlog.WriteLogger:
    """Returns a logger on the present standard error: tests and daemons replace it."""
    return structlog.WriteLogger(sys.stderr)
