"""Senders: the names, numbers and addresses that messages are sent from. Users ask for them, administrators decide."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg
from sqlalchemy import select

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.lists.filters import comparisons
from db.models.senders import STATE
from db.query import Query, columns, p
from engine.domains import approval
from engine.sms import approved_senders, senders
from resolvers.recipient_addresses import normalise
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.messages import MessageChannel
from shapes.senders import (
    MOST_SENDERS,
    NewSender,
    SenderChoice,
    SenderDecision,
    SenderDecisionKind,
    SenderKind,
    SenderPatch,
    SenderState,
)

_ROW = models.Sender
_LISTS = Listing(
    _ROW,
    filters={
        **comparisons("value", _ROW.value_key),
        **comparisons("state", STATE, ("eq", "in_", "not_in")),
    },
)
_MINE = _ROW.owner_id == p("owner_id")
_BY_ID = Query(_ROW, select(*columns(_ROW)).where(_ROW.id == p("id")))

_LOCK_OWNER = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"
_COUNT = "SELECT count(*) FROM senders WHERE owner_id = $1"
_DOMAIN = "SELECT id FROM domains WHERE owner_id = $1 AND name = $2"
_ADD = """
INSERT INTO senders (id, owner_id, channel, kind, value, value_key, domain_id, countries, state, decided_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text, CASE WHEN $9 = 'approved' THEN now() END)
ON CONFLICT (owner_id, channel, value_key) DO NOTHING RETURNING id
"""
_LOCK = """
SELECT kind, state, countries FROM senders WHERE id = $1 AND ($2 OR owner_id = $3) FOR UPDATE
"""
_CHANGE = """
UPDATE senders SET countries = $2, state = $3, decided_at = CASE WHEN $3 = 'pending' THEN NULL ELSE decided_at END,
  updated_at = now()
WHERE id = $1
"""
_DECIDE = """
UPDATE senders SET state = $2, reason = $3, decided_by = $4, decided_at = now(), updated_at = now() WHERE id = $1
"""
_DELETE = "DELETE FROM senders WHERE id = $1"


@operation(Permission.senders_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Sender]:
    """Lists your senders, newest first; administrators get those of all users."""
    where = {name: _keys(value) if name[0] == "value" else value for name, value in where.items()}
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def get(op: Op, id: UUID) -> models.Sender:
    """Returns one sender. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.senders_read, "read")
async def choice(op: Op, to: str, sender: str | None = None) -> SenderChoice:
    """Returns the sender that a message to this recipient would have, and why. Nothing is sent. Raises BadRequest
    (`invalid_recipient`, `bad_sender`, `sender_not_approved`), as the message would.
    """
    services, owner = op.services, op.viewer.id
    channel = MessageChannel.email if "@" in to[1:] else MessageChannel.sms
    address = normalise(channel, to, services.settings.default_region, services.guard)
    if channel is MessageChannel.email:
        await approval.require(services, op.db, owner, channel.value, sender)
        if sender is None:
            return SenderChoice(
                sender=None, kind=None, country=None, why="No from is named; the channel's own is used."
            )
        why = "It is an address of one of your verified domains."
        return SenderChoice(sender=sender, kind=SenderKind.email, country=None, why=why)
    chosen = await approved_senders.chosen(services, op.db, owner, address, sender)
    kind = chosen.sender.kind if chosen.sender else None
    return SenderChoice(sender=chosen.value, kind=kind, country=chosen.country, why=chosen.why)


@operation(Permission.senders_write, "sql", idempotent=stored_model(models.Sender))
async def request(op: Op, input: NewSender) -> models.Sender:
    """Asks for a sender. An administrator approves it; an email address is approved while its domain is verified.

    The installation may approve its kind at once. Raises BadRequest (`bad_sender`, `too_many_senders`), Conflict
    (`sender_exists`, `sender_taken`).
    """
    db, id, owner = op.connection, uuid7(), op.viewer.id
    is_email = input.kind is SenderKind.email
    if is_email and input.countries:
        raise BadRequest("An email address serves all countries. Leave countries out.", code="bad_sender")
    domain = await _own_domain(op, input.value) if is_email else None
    value = input.value.strip() if is_email else _spelled(input)
    await db.execute(_LOCK_OWNER, owner)
    if await db.fetchval(_COUNT, owner) >= MOST_SENDERS:
        raise BadRequest(
            f"You may have at most {MOST_SENDERS} senders. Delete one that is not used.",
            code="too_many_senders",
        )
    channel = MessageChannel.email if is_email else MessageChannel.sms
    state = None if is_email else _first_state(op, input.kind)
    row = (
        channel.value,
        input.kind.value,
        value,
        senders.key_of(value),
        domain,
        _countries(input.countries),
        state,
    )
    try:
        added = await db.fetchval(_ADD, id, owner, *row)
    except asyncpg.UniqueViolationError as error:
        raise _taken(value) from error
    if added is None:
        raise Conflict("You have this sender already. Look at its state.", code="sender_exists")
    return await _read_back(op, id)


@operation(Permission.senders_write, "sql")
async def update(op: Op, id: UUID, input: SenderPatch) -> models.Sender:
    """Changes the countries that a sender of SMS serves.

    One that is to serve more of them waits for an administrator again. Raises NotFound, BadRequest (`bad_sender`).
    """
    row = await _locked(op, id, "An email address serves all countries; it has nothing to change.")
    state, countries = row["state"], _countries(input.countries)
    if state == SenderState.approved and not op.viewer.admin and _widens(countries, row["countries"]):
        state = _first_state(op, SenderKind(row["kind"]))
    await op.connection.execute(_CHANGE, id, countries, state)
    return await _read_back(op, id)


@operation(Permission.users_admin, "sql")
async def decide(op: Op, id: UUID, input: SenderDecision) -> models.Sender:
    """Approves or refuses a sender of SMS. Administrators only.

    The sender may be one that was decided about before. Raises NotFound, BadRequest (`bad_sender`), Conflict
    (`sender_taken`).
    """
    await _locked(op, id, "An email address is approved while its domain is verified; nobody else decides.")
    reason = input.reason if input.decision is SenderDecisionKind.refused else None
    try:
        await op.connection.execute(_DECIDE, id, input.decision.value, reason, op.viewer.id)
    except asyncpg.UniqueViolationError as error:
        raise _taken("this name") from error
    return await _read_back(op, id)


@operation(Permission.senders_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a sender. SMS from it that still wait will fail, and are refunded. Raises NotFound, Conflict
    (`sender_refused`: asking again must not undo what an administrator has decided).
    """
    row = await _locked(op, id)
    if row["state"] == SenderState.refused and not op.viewer.admin:
        raise Conflict(
            "An administrator has refused this sender. Ask an administrator to approve or to delete it.",
            code="sender_refused",
        )
    await op.connection.execute(_DELETE, id)


async def _locked(op: Op, id: UUID, not_of_email: str | None = None) -> Any:
    """Locks a sender until the commit, and returns its row. Raises NotFound, and BadRequest for an email address."""
    row = await op.connection.fetchrow(_LOCK, id, op.viewer.admin, op.viewer.id)
    if row is None:
        raise _unknown()
    if row["kind"] == SenderKind.email and not_of_email is not None:
        raise BadRequest(not_of_email, code="bad_sender")
    return row


def _widens(new: Sequence[str], old: Sequence[str]) -> bool:
    """Returns whether a sender is to serve countries that it did not serve; none stands for all."""
    return bool(old) and (not new or not {*new} <= {*old})


async def _read_back(op: Op, id: UUID) -> models.Sender:
    row = await _BY_ID.first(op.connection, id=id)
    assert row is not None  # this transaction made it, or has locked it
    return row


async def _own_domain(op: Op, text: str) -> UUID:
    """Returns the domain of an email address. Raises BadRequest."""
    name = approval.mailbox_of(text).domain.lower()
    id: UUID | None = await op.connection.fetchval(_DOMAIN, op.viewer.id, name)
    if id is None:
        raise BadRequest(
            f"{name} is not one of your domains. Add it with POST /domains first.", code="bad_sender"
        )
    return id


def _spelled(input: NewSender) -> str:
    try:
        return senders.spelled(input.kind, input.value)
    except ValueError as error:
        raise BadRequest(f"This is no sender: {error}.", code="bad_sender") from error


def _first_state(op: Op, kind: SenderKind) -> str:
    """Returns the state of a new sender of SMS, by POSTERN_SMS_SENDERS_APPROVED."""
    at_once = {"all", kind.value} & {*op.services.settings.sms_senders_approved}
    return (SenderState.approved if at_once else SenderState.pending).value


def _countries(codes: Sequence[str]) -> Sequence[str]:
    return sorted({*codes})


def _keys(value: Any) -> Any:
    return [senders.key_of(each) for each in value] if isinstance(value, list) else senders.key_of(value)


def _taken(value: str) -> Conflict:
    return Conflict(
        f"Another user has an approved sender that is spelled like {value}; two would be taken for each other. Refuse"
        " that one first, or choose another name.",
        code="sender_taken",
    )


def _unknown() -> NotFound:
    return NotFound("There is no sender with this id among yours. Check the id.", code="sender_not_found")
