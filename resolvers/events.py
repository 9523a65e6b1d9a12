"""Incoming hooks (contract §3): what a user's engines report, authenticated by any of three proofs."""

import asyncio
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import exists, func, or_, select, true, update
from sqlalchemy.orm import aliased

from core import webhook_signatures
from core.errors import BadRequest, Conflict, NotFound, TooLarge, Unauthenticated
from core.ids import uuid7
from core.tokens import digest, new_secret
from core.vault import Sealed
from db import audit_scope, models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import Query, columns, p
from db.session import driver_connection
from engine.credentials import Maker
from engine.hooks import bodies, hook_events
from engine.hooks.bodies import Event
from engine.hooks.hook_events import Change, Counts
from engine.mail_reports.recording import Rules
from resolvers.auth.token_rows import maker_of
from runtime import audit
from runtime.operation import Op, operation, require
from runtime.owner_slots import owner_slots
from runtime.permissions import Permission
from runtime.viewers import Viewer
from shapes.audit import AuditActorKind
from shapes.events import (
    ChannelEvent,
    ChannelHook,
    DeliverEvents,
    HookAnswer,
    HookCredential,
    HookSecret,
    IssuedHookSecret,
)
from shapes.members import MOST_MEMBERS
from shapes.users import UserStatus

MOST_BYTES = 1024 * 1024
"""The largest body of a hook, in bytes."""

_SHORT = 16 * 1024
"""The bytes of a body that is read at once, in about 2 ms; a thread reads a longer one."""

VALID_SECRETS = 2
MOST_KEYS = 10
_NEEDED = (Permission.hooks_write, Permission.hooks_report)  # to make a secret or a key
_KEY_PREFIX = "pst_hook_"  # the log masks every string that begins with pst_

_LISTS = Listing(
    models.HookSecret,
    filters={("revoked", "eq"): models.HookSecret.revoked_at.is_not(None) == p("revoked_eq_")},
    without=("value",),
)
_ROW = models.HookSecret
_MINE = _ROW.user_id == p("user_id")
_MADE_BY = _ROW.created_by == p("created_by")
_MAKER = aliased(models.User)
_IS_MAKER_ACTIVE = or_(
    _ROW.created_by.is_(None),
    exists()
    .where(_MAKER.id == _ROW.created_by, _MAKER.status == UserStatus.active.value)
    .where(models.Membership.owner_id == _ROW.user_id, models.Membership.member_id == _ROW.created_by),
)
_IS_TOKEN_ALIVE = or_(
    _ROW.api_token_id.is_(None),
    exists().where(
        models.ApiToken.id == _ROW.api_token_id,
        models.ApiToken.revoked_at.is_(None),
        func.coalesce(models.ApiToken.expires_at > func.now(), true()),
    ),
)
_VALID = Query(
    _ROW,
    select(*columns(_ROW))
    .join(models.User, models.User.id == _ROW.user_id)
    .where(
        _ROW.user_id == p("user_id"),
        _ROW.revoked_at.is_(None),
        models.User.status == UserStatus.active.value,
        _IS_MAKER_ACTIVE,
        _IS_TOKEN_ALIVE,
    )
    .order_by(_ROW.id.desc())
    .limit(VALID_SECRETS * (1 + MOST_MEMBERS) + MOST_KEYS),
)


@dataclass(frozen=True, slots=True, repr=False)
class Delivery:
    """A request to a hook. `body` is raw, because the signature covers its bytes; `headers` have lower-case names."""

    body: bytes
    headers: Mapping[str, str]
    key: str | None = None


@dataclass(frozen=True, slots=True)
class _Proof:
    """Says for which user a request reports, and by what it was proved."""

    owner_id: UUID
    credential: models.HookSecret | None = None  # the hook secret or hook key; None: a token or a login
    request_id: str | None = None  # of a signed request


@operation(Permission.public, "outside")
async def deliver(op: Op, user_id: UUID | None, delivery: Delivery | DeliverEvents) -> HookAnswer:
    """Receives delivery reports, statuses and replies from a user's messaging engine. Every event of the batch is
    processed. They move the shown status of the user's messages, and no money. A token needs `hooks:report`.

    `user_id` None means the authenticated caller. Blocks that it makes are audited. Raises Unauthenticated, Forbidden,
    BadRequest (no JSON), TooLarge (more than 1000 events).
    """
    proof = await _proof(op, user_id, delivery)
    body = delivery.body if isinstance(delivery, Delivery) else orjson.dumps(delivery.events)
    settings = op.services.settings
    async with owner_slots(op.services).slot(proof.owner_id):
        events = await _read(body, proof.request_id)
        with audit_scope.audited(await _about(op, proof)):
            counts = await hook_events.receive(
                op.db, proof.owner_id, events, settings.stop_words, Rules.of(settings)
            )
    return _answer(counts)


@operation(Permission.public, "outside")
async def channel(op: Op, reported: ChannelEvent, request: Delivery | None = None) -> HookAnswer:
    """Reports that one of your sender identities was connected, disconnected, blocked or deleted. A token needs
    `hooks:report`.

    The newest event wins. Raises Unauthenticated, Forbidden.
    """
    user_id = reported.engine_user_uuid if isinstance(reported, ChannelHook) else None
    proof = await _proof(op, user_id, request)
    change = Change(
        key=f"channel:{proof.request_id}" if proof.request_id else None,
        status=reported.event.value,
        source=reported.source.lower(),
        login=reported.login,
        at=reported.at,
    )
    async with owner_slots(op.services).slot(proof.owner_id):
        return _answer(await hook_events.follow(op.db, proof.owner_id, change))


@operation(Permission.hooks_write, "read")
async def hook_secrets(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.HookSecret]:
    """Lists your hook secrets and hook keys, newest first, without their secret values."""
    conditions, values = _seen(op)
    return await _LISTS.page(op.db, page_args, where, *conditions, **values)


@operation(Permission.hooks_write, "read")
async def hook_secrets_of(
    op: Op, users: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.HookSecret] | None]:
    """Returns one page of hook secrets and keys for the caller, and None for every other user."""
    if op.viewer.id not in users:
        return [None for _ in users]
    conditions, values = _seen(op)
    own = await _LISTS.page(op.db, page_args, where, *conditions, **values)
    return [own if id == op.viewer.id else None for id in users]


@operation(Permission.hooks_write, "read")
async def hook_secret(op: Op, id: UUID) -> models.HookSecret:
    """Returns one of your hook secrets or keys, without its secret value. Raises NotFound."""
    conditions, values = _seen(op)
    (row,) = await _LISTS.by_ids(op.db, [id], None, *conditions, **values)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.hooks_write)
async def rotate_hook_secret(op: Op) -> IssuedHookSecret:
    """Creates a new secret for your engines to sign with; the previous one stays valid until the next rotation.

    The secrets of the owner and of each member are rotated apart. It also needs `hooks:report`, since the holder of
    a secret reports.
    """
    require(op.viewer, Permission.hooks_report)
    await _lock(op)
    maker = await maker_of(op, await driver_connection(op.session), *_NEEDED)
    issued = await _issue(op, maker, HookCredential.secret, webhook_signatures.new_secret())
    row = models.HookSecret
    living = (
        row.user_id == op.viewer.id,
        row.kind == HookCredential.secret.value,
        row.created_by.is_not_distinct_from(maker.member_id),
        row.revoked_at.is_(None),
    )
    newest = select(row.id).where(*living).order_by(row.id.desc()).limit(VALID_SECRETS)
    await op.session.execute(
        update(row)
        .where(*living, row.id.not_in(newest))
        .values(revoked_at=func.now())
        .execution_options(synchronize_session=False)
    )
    return issued


@operation(Permission.hooks_write)
async def create_hook_key(op: Op) -> IssuedHookSecret:
    """Creates a key for the `key` query parameter, for engines that can neither sign nor send a header. Raises Conflict
    if there are too many.

    It also needs `hooks:report`, since the holder of a key reports.
    """
    require(op.viewer, Permission.hooks_report)
    await _lock(op)
    row = models.HookSecret
    living = await op.session.scalar(
        select(func.count())
        .select_from(row)
        .where(row.user_id == op.viewer.id, row.kind == HookCredential.key.value, row.revoked_at.is_(None))
    )
    if living is not None and living >= MOST_KEYS:
        raise Conflict(
            f"You have {MOST_KEYS} hook keys, the most that a user may have. Revoke one first.",
            code="too_many_hook_keys",
        )
    maker = await maker_of(op, await driver_connection(op.session), *_NEEDED)
    return await _issue(op, maker, HookCredential.key, new_secret(_KEY_PREFIX))


@operation(Permission.hooks_write)
async def revoke_hook_secret(op: Op, id: UUID) -> models.HookSecret:
    """Revokes a hook secret or key; it is rejected from now on. It stays in the list. Raises NotFound."""
    row = await op.session.get(models.HookSecret, id, with_for_update=True)
    is_mine = row is not None and row.user_id == op.viewer.id
    if row is None or not is_mine or (op.viewer.person is not None and row.created_by != op.viewer.actor_id):
        raise _unknown()
    row.revoked_at = row.revoked_at or op.services.db.now()
    return row


def _seen(op: Op) -> tuple[tuple[Any, ...], dict[str, UUID]]:
    """Returns the conditions for the hook secrets and keys that the caller sees, with their values: all of the user, or
    those that the caller has made as a member.
    """
    if op.viewer.person is None:
        return (_MINE,), {"user_id": op.viewer.id}
    return (_MINE, _MADE_BY), {"user_id": op.viewer.id, "created_by": op.viewer.actor_id}


def _unknown() -> NotFound:
    return NotFound(
        "There is no hook secret or hook key with this id among yours. Check the id.",
        code="hook_secret_not_found",
    )


async def _lock(op: Op) -> None:
    """Locks the user's row, which keeps two concurrent requests from both creating the last allowed key."""
    await op.session.execute(
        select(models.User.id).where(models.User.id == op.viewer.id).with_for_update(key_share=True)
    )


async def _issue(op: Op, maker: Maker, kind: HookCredential, secret: str) -> IssuedHookSecret:
    id = uuid7()
    # HMAC needs the secret itself, so a secret is encrypted; of a key the digest is enough.
    signs = kind is HookCredential.secret
    value = op.services.vault.seal(secret, _vault_context(id)) if signs else digest(secret)
    row = models.HookSecret(
        id=id,
        user_id=op.viewer.id,
        kind=kind.value,
        hint=secret.rstrip("=")[-4:],
        value=value,
        created_by=maker.member_id,
        api_token_id=maker.token_id,
    )
    op.session.add(row)
    await op.session.flush()
    await op.session.refresh(row)
    return IssuedHookSecret(secret=secret, hook_secret=HookSecret.model_validate(row))


async def _proof(op: Op, user_id: UUID | None, delivery: Any) -> _Proof:
    """Returns for which user the request reports. Any of three proofs is enough: a signature, a key, or a token or
    login with the permission to report.

    Raises Unauthenticated, with one text for a wrong proof and for an unknown user, and Forbidden.
    """
    if user_id is None:
        viewer = await op.ctx.viewer()
    elif isinstance(delivery, Delivery) and (proof := await _of_credential(op, user_id, delivery)):
        return proof
    else:
        viewer = await _viewer_of(op, user_id)
    require(viewer, Permission.hooks_report)
    return _Proof(viewer.id)


async def _of_credential(op: Op, user_id: UUID, delivery: Delivery) -> _Proof | None:
    """Returns the proof by one of the user's hook secrets or hook keys; None: there is none."""
    rows = await _VALID.all(op.db, user_id=user_id)
    secrets: dict[str, models.HookSecret | None] = {
        secret: row for row in rows if (secret := _opened(op, row)) is not None
    }
    tolerance = op.services.settings.hook_tolerance_seconds
    now = op.services.db.now().timestamp()

    def signed() -> tuple[str, models.HookSecret] | None:
        # An unknown user is checked against a random secret, so that the response time does not show who exists.
        for secret, row in (secrets or {webhook_signatures.new_secret(): None}).items():
            id = webhook_signatures.verify([secret], delivery.headers, delivery.body, tolerance, now)
            if id and row is not None:
                return id, row
        return None

    # The members of an owner may have 200 secrets together, each of which takes 2 ms for the largest body.
    is_long = len(secrets) * len(delivery.body) > MOST_BYTES
    if proof := await asyncio.to_thread(signed) if is_long else signed():
        op.ctx.hook_used(proof[1].id)
        return _Proof(user_id, proof[1], proof[0])
    key_digest = digest(delivery.key or "")
    keys = [row for row in rows if row.kind == HookCredential.key]
    matching = [row for row in keys if hmac.compare_digest(row.value, key_digest)]
    if not delivery.key or not matching:
        return None
    op.ctx.hook_used(matching[0].id)
    return _Proof(user_id, matching[0])


async def _viewer_of(op: Op, user_id: UUID) -> Viewer:
    """Returns the caller, who must be this user or act for it. Raises Unauthenticated."""
    try:
        viewer = await op.ctx.viewer()
    except Unauthenticated:
        viewer = None
    if viewer is None or viewer.id != user_id:
        raise Unauthenticated(
            "The request is not authenticated. Sign it with a hook secret of this user (Standard"
            f" Webhooks, at most {op.services.settings.hook_tolerance_seconds} s old), send a token of"
            " this user, or pass one of this user's hook keys as ?key=."
        )
    return viewer


async def _about(op: Op, proof: _Proof) -> str:
    """Returns what the audit tells of the reporter: the hook secret or hook key, or else the caller."""
    if proof.credential is None:
        caller = await audit.about(op.ctx, await op.ctx.viewer(), "events.deliver")
    else:
        kinds = {
            HookCredential.secret: AuditActorKind.hook_secret,
            HookCredential.key: AuditActorKind.hook_key,
        }
        caller = await audit.about(op.ctx, None, "events.deliver")
        del caller["public"]  # the engine reports, and not the user who owns the rows
        kind = kinds[HookCredential(proof.credential.kind)]
        caller |= {"kind": kind.value, "token": str(proof.credential.id)}
    return orjson.dumps(caller).decode()


def _opened(op: Op, row: models.HookSecret) -> str | None:
    if row.kind != HookCredential.secret:
        return None
    try:
        return op.services.vault.open(row.value, _vault_context(row.id))
    except Sealed:  # sealed under another POSTERN_SECRET_KEY; a rotation replaces it
        return None


def _vault_context(id: UUID) -> str:
    return f"hook_secrets:{id}"


async def _read(body: bytes, request_id: str | None) -> list[Event | None]:
    """Returns the events of a body. Raises TooLarge, BadRequest."""
    try:
        if len(body) <= _SHORT:
            return bodies.read(body, request_id)
        return await asyncio.to_thread(bodies.read, body, request_id)
    except bodies.TooMany as error:
        raise TooLarge(str(error)) from error
    except bodies.BadBody as error:
        raise BadRequest(
            f"The hook's body can't be read: {error}. Correct it and send it again.", code="bad_hook"
        ) from error


def _answer(counts: Counts) -> HookAnswer:
    return HookAnswer(accepted=counts.accepted, duplicates=counts.duplicates, unknown=counts.unknown)
