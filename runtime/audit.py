"""The audit: who changed what, and what was refused (decision 0057).

    operation ──► `scope` says who it is ──► db/audit_scope.py: every transaction has it as a setting
                                         └──► triggers of the tables write an entry for each row that changes

So a change and its entry are in one transaction, whichever way the row was changed. What changes no row of such a table
is written by `record`, in the transaction of the operation. Refusals have a short transaction of their own.
"""

import hmac
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
import structlog
from cachetools import TTLCache

from core.errors import AppError, Forbidden, Unauthenticated
from core.ids import least_uuid7
from core.vault import Sealed
from db import audit_scope
from runtime.services import Services
from runtime.viewers import SessionCookie, Viewer

if TYPE_CHECKING:
    from runtime.context import Context

log = structlog.get_logger("postern.audit")

UNAUDITED: dict[str, str] = {
    **dict.fromkeys(
        ("messages.send", "submissions.submit", "submissions.submit_single", "trial.send", "chats.send"),
        "messages have rows of their own, and come by the thousand",
    ),
    **dict.fromkeys(
        (
            "verifications.start",
            "verifications.resend",
            "verifications.check",
            "verifications.cancel",
            "verification_pages.enter",
        ),
        "verifications have rows of their own, and come by the thousand",
    ),
    "events.deliver": "reports come by the thousand; the blocks that they make are audited by the resolver",
    **dict.fromkeys(
        ("events.channel", "hooks.receive", "hooks.receive_cloud"), "receipts come by the thousand"
    ),
    "unsubscribe.confirm": "recipients do it by the thousand, and the block or the proof of consent is its row",
    **dict.fromkeys(
        (
            "signups.sign_up",
            "signups.confirm",
            "preferences.save",
            "topic_subscriptions.subscribe",
            "topic_subscriptions.unsubscribe",
        ),
        "the proof of consent has a row for each change, with the user who made it",
    ),
    **dict.fromkeys(
        ("self_service.ask", "self_service.confirm"),
        "people do it for themselves, whose addresses the audit must not have; the erasure or the export is its row",
    ),
    "segments.count": "it stores how many contacts there are now, and nothing that anybody has said",
    **dict.fromkeys(
        ("webhooks.try_now", "webhooks.test"),
        "it changes when something is tried, and nothing of the webhook",
    ),
    "event_sinks.test": "it publishes an event, and changes nothing of the sink",
    **dict.fromkeys(
        ("inbox.read", "inbox.close", "inbox.reopen", "chat_labels.put"),
        "it is done to chats by the thousand",
    ),
}
"""Operations whose changes are not audited, with the reason."""

_LOGINS = frozenset(
    {"auth.login", "auth.exchange", "console.log_in", "auth.accept_invitation", "auth.reset_password"}
)
_HALF = "second_factor_required"  # the password was right, and the code follows
_MINUTE = 60.0
_MOST = 10_000  # refusals that this process knows of the last minute

_KEY_ID = UUID("00000000-0000-7000-8000-000000000057")
_MAKE_KEY = "INSERT INTO audit_keys (id, secret_encrypted) VALUES ($1, $2) ON CONFLICT DO NOTHING"
_READ_KEY = "SELECT secret_encrypted FROM audit_keys WHERE id = $1"
_HASHED = 8  # bytes of an HMAC

_ENTRY = "SELECT postern_audit_entry($1::text::jsonb, $2, $3, $4, $5::text::jsonb)"
_OF_SCOPE = "SELECT postern_audit_entry(current_setting('postern.audit')::jsonb, $1, $2, $3, $4::text::jsonb)"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('audit:' || $1, 0))"
# The id is compared, too: the primary key begins with it.
_IS_NEW = """
SELECT NOT EXISTS (
  SELECT FROM audit_entries
  WHERE created_at > now() - interval '1 minute' AND id >= $1 AND operation = $2 AND result = $3
    AND actor_id IS NOT DISTINCT FROM $4 AND token_id IS NOT DISTINCT FROM $5
    AND ($6::text IS NULL OR ip = $6) AND ($7::text IS NULL OR object_id = $7)
)
"""


class Hasher:
    """Hashes texts by the key of the audit. Equal texts have equal hashes, so an address can be looked for by it."""

    def __init__(self, key: bytes | None) -> None:
        self._key = key
        self.blocks: dict[str, str] = {}
        if key is not None:
            padded = key.ljust(64, b"\0")
            inner, outer = (bytes(byte ^ pad for byte in padded) for pad in (0x36, 0x5C))
            self.blocks = {"inner": inner.hex(), "outer": outer.hex()}

    def hash(self, text: str) -> str:
        """Returns the HMAC of a text, as the triggers write it."""
        if self._key is None:
            return "***"
        return "hmac:" + hmac.digest(self._key, text.encode(), "sha256")[:_HASHED].hex()


class _Audit:
    """Keeps what a process knows for the audit: the key, and the refusals of the last minute."""

    def __init__(self) -> None:
        self.hasher: Hasher | None = None
        self.written: TTLCache[tuple[Any, ...], bool] = TTLCache(_MOST, _MINUTE)


async def hasher(services: Services) -> Hasher:
    """Returns the hasher of this installation. The first call makes its key, or reads it."""
    audit = services.single(_Audit, _Audit)
    if audit.hasher is None:
        context = f"audit_keys.secret:{_KEY_ID}"
        sealed = await services.db.fetchval(_READ_KEY, _KEY_ID)
        if sealed is None:
            made = services.vault.seal(secrets.token_hex(32), context)
            await services.db.fetch(_MAKE_KEY, _KEY_ID, made)
            sealed = await services.db.fetchval(_READ_KEY, _KEY_ID)
        try:
            audit.hasher = Hasher(bytes.fromhex(services.vault.open(sealed, context)))
        except Sealed:
            log.warning("the key of the audit can't be opened: addresses are written as ***")
            audit.hasher = Hasher(None)
    return audit.hasher


async def about(ctx: "Context", viewer: Viewer | None, operation: str) -> dict[str, Any]:
    """Returns what an entry tells of the caller of an operation."""
    caller: dict[str, Any] = {
        "operation": operation,
        "kind": _kind(ctx, viewer, operation),
        "ip": ctx.address_text,
        "request": ctx.request_id,
        **(await hasher(ctx.services)).blocks,
    }
    if viewer is None:
        caller["public"] = True  # a login, for example: the actor is who owns the row
        return caller
    token = viewer.token_id or viewer.limited_by
    caller["actor"] = str(viewer.actor_id)
    if token is not None:
        caller["token"] = str(token)
    if viewer.session_id is not None:
        caller["session"] = str(viewer.session_id)
    return caller


def _kind(ctx: "Context", viewer: Viewer | None, operation: str) -> str:
    if viewer is not None and viewer.token_id is not None:
        return "token"
    return (
        "console" if isinstance(ctx.credential, SessionCookie) or operation.startswith("console.") else "user"
    )


async def scope(ctx: "Context", viewer: Viewer | None, operation: str) -> Any:
    """Returns a context manager in which the changes of the operation are audited."""
    if operation in UNAUDITED:
        return nullcontext()
    return audit_scope.audited(orjson.dumps(await about(ctx, viewer, operation)).decode())


@contextmanager
def command(name: str, hashing: Hasher) -> Iterator[None]:
    """Has the changes of a command of the command line audited."""
    caller = {"operation": f"cli.{name}", "kind": "cli", **hashing.blocks}
    with audit_scope.audited(orjson.dumps(caller).decode()):
        yield


async def record(
    connection: Any,
    owner_id: UUID | None,
    type: str,
    object_id: Any,
    changes: Mapping[str, Any] | None = None,
) -> None:
    """Writes an entry of the running operation, in the transaction of this asyncpg connection.

    It is for changes that no trigger tells of: of thousands of rows at once, or of rows that are none of the models'.
    """
    if audit_scope.about() is None:
        return
    id = None if object_id is None else str(object_id)
    await connection.execute(_OF_SCOPE, owner_id, type, id, orjson.dumps(changes or {}).decode())


async def refused(ctx: "Context", viewer: Viewer | None, operation: str, error: AppError) -> None:
    """Writes an entry for a refused login, or a `forbidden` operation: one a minute for each caller and operation.

    It never fails: the answer is the same without it.
    """
    try:
        if operation in _LOGINS:
            if isinstance(error, Unauthenticated | Forbidden) and error.code != _HALF:
                await _refused_login(ctx, operation, error)
        elif isinstance(error, Forbidden) and viewer is not None:
            changes = {key: [None, value] for key, value in error.details.items() if key == "permission"}
            subject = ("operation", None, viewer.id)
            await write_once(ctx, viewer, operation, subject, refusal=error.code, changes=changes)
    except Exception as failed:
        log.warning(
            "a refusal was not audited", operation=operation, error=f"{type(failed).__name__}: {failed}"[:200]
        )


async def _refused_login(ctx: "Context", operation: str, error: AppError) -> None:
    login = ctx.attempted_login
    owner = None if login is None else login.user_id
    object_id = None if login is None else (await hasher(ctx.services)).hash(login.email)
    await write_once(ctx, None, operation, ("login", object_id, owner), refusal=error.code, by_address=True)


async def write_once(
    ctx: "Context",
    viewer: Viewer | None,
    operation: str,
    subject: tuple[str, Any, UUID | None],
    *,
    refusal: str | None = None,
    changes: Mapping[str, Any] | None = None,
    by_address: bool = False,
) -> None:
    """Writes an entry in a transaction of its own, unless there is one of the last minute: by the same caller and, with
    `by_address`, from the same address, whatever it is about; else about the same object.

    `subject` is the type of the object, its id, and its owner.
    """
    type, object_id, owner = subject
    caller = await about(ctx, viewer, operation)
    caller.pop("public", None)
    result = "done" if refusal is None else "refused"
    caller |= {"result": result, "code": refusal}
    id = None if object_id is None else str(object_id)
    same_ip, same_object = (caller["ip"], None) if by_address else (None, id)
    actor = None if viewer is None else viewer.actor_id
    token = None if caller.get("token") is None else UUID(caller["token"])
    key = (operation, result, actor, token, same_ip, same_object)
    written = ctx.services.single(_Audit, _Audit).written
    if key in written:
        return
    least = least_uuid7(ctx.services.db.now() - timedelta(seconds=2 * _MINUTE))
    async with ctx.services.db.transaction() as connection:
        await connection.execute(_LOCK, repr(key))
        if await connection.fetchval(_IS_NEW, least, operation, result, actor, token, same_ip, same_object):
            text = orjson.dumps({name: value for name, value in caller.items() if value is not None}).decode()
            await connection.execute(_ENTRY, text, owner, type, id, orjson.dumps(changes or {}).decode())
    written[key] = True
