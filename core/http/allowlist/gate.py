"""The gate: refuses or logs each request from an address that is not on the list."""

import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import structlog

from core.http.allowlist.file import AllowlistFile, AllowlistMode
from core.http.allowlist.networks import LONGEST_ADDRESS, reason_against
from core.http.refusals import Refusals
from core.json_text import instant
from core.logs import redact, without_addresses

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

UNCHECKED_PATHS = frozenset({"/", "/health", "/health/v2"})

_LOGGED_ADDRESS = 100  # characters
_LOGGED_PATH = 500
_LOGGED_METHOD = 20
# decisions remembered per middleware: enough for the clients of a proxy, and bounded against an attacker
_DECISIONS = 4096

log = structlog.get_logger(__name__)


class AllowlistMiddleware:
    """The gate: pure ASGI, for HTTP and WebSockets. It must be the outermost layer.

    Only the three exact paths of UNCHECKED_PATHS pass unchecked, as written on the request line: `/health/`,
    `//health` and `/%68ealth` are checked. The body of a request is never read.
    """

    def __init__(self, app: App, allowlist: AllowlistFile, refusals: Refusals | None = None) -> None:
        """`refusals` also records the lines of the log, for administrators."""
        self._app = app
        self._allowlist = allowlist
        self._refusals = refusals
        self._decided_by = allowlist.current
        self._decisions: dict[bytes, bool] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not self._allowlist.absent and not _is_unchecked(scope):
            claims: list[bytes] = [value for name, value in scope["headers"] if name == b"x-real-ip"]
            if not self._allows(claims):
                enforcing = self._allowlist.mode is AllowlistMode.Enforce
                action = "block" if enforcing else "would-block"
                address, path = _logged_address(claims), _logged_path(scope)
                # The whole line is the event, because the specification fixes its form (§5, rule 5).
                log.warning(f"ip-allowlist {action} ip={address} path={path}")  # noqa: G004
                if self._refusals is not None:
                    method = _as_word(str(scope.get("method", "WEBSOCKET")), _LOGGED_METHOD)
                    reason = reason_against(claims, self._allowlist.current) or "notListed"
                    self._refusals.record(address, method, path, reason, blocked=enforcing)
                if enforcing:
                    await _refuse(scope, receive, send)
                    return
        await self._app(scope, receive, send)

    def _allows(self, claims: list[bytes]) -> bool:
        if len(claims) != 1 or len(claims[0]) > LONGEST_ADDRESS:
            return False
        claim, current = claims[0], self._allowlist.current
        if current is not self._decided_by:
            self._decided_by, self._decisions = current, {}
        decision = self._decisions.get(claim)
        if decision is None:
            if len(self._decisions) >= _DECISIONS:
                self._decisions.clear()
            decision = self._decisions[claim] = current.contains(claim.decode("latin-1"))
        return decision


def _is_unchecked(scope: Scope) -> bool:
    # `path` is decoded and `raw_path` is as it was sent (servers may omit it): both must be the exact string.
    path = scope["path"]
    return path in UNCHECKED_PATHS and scope.get("raw_path") in (None, path.encode())


def _as_word(text: str, limit: int) -> str:
    """Returns `text` as one printable ASCII word of bounded length, so that no caller can forge a log line or field."""
    word = re.sub(r"[^!-~]", lambda match: quote(match[0], errors="replace", safe=""), text[:limit])
    return word if len(text) <= limit else f"{word}..."


def _logged_address(claims: list[bytes]) -> str:
    joined = b",".join(claims[:4]).decode("latin-1")
    return _as_word(joined, _LOGGED_ADDRESS) or "-"


def _logged_path(scope: Scope) -> str:
    # As it was sent, unless it has a credential or an address of a recipient, which may be escaped. Spaces of a decoded
    # path are escaped again, so that none makes a second "ip=".
    raw: bytes | None = scope.get("raw_path")
    masked = without_addresses(redact(scope["path"]))
    if masked != scope["path"] or raw is None:
        return _as_word(masked, _LOGGED_PATH)
    return _as_word(raw.decode("latin-1"), _LOGGED_PATH)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers 403 with the gateway's error envelope. A WebSocket is refused before its handshake is accepted."""
    prefix = "" if scope["type"] == "http" else "websocket."
    if prefix:
        await receive()  # websocket.connect
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            # By the ASGI standard a close before the accept is a 403; 1008 is "policy violation" (RFC 6455 §7.4.1).
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
    body = _envelope(scope["path"])
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": f"{prefix}http.response.start", "status": 403, "headers": headers})
    await send({"type": f"{prefix}http.response.body", "body": body})


def _envelope(path: str) -> bytes:
    return json.dumps(
        {
            "statusCode": 403,
            "message": "This address is not on the service's IP allowlist; ask its operator to add it.",
            "error": "Forbidden",
            "timestamp": instant(datetime.now(UTC), "milliseconds"),
            "path": path[:_LOGGED_PATH],
            "code": "ip_not_allowed",
        }
    ).encode()
