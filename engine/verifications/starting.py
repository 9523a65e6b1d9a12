"""Starts a verification, or sends the code of one that is pending again: the row, the sealed code and the message are
one transaction.

Locks are taken in one order everywhere: the address, the verification, its day, the groups of numbers, the account.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final
from uuid import UUID

import asyncpg

from core.errors import RateLimited
from core.ids import uuid7
from db import models
from db.query import returning
from engine.direct.new_messages import ChargedMessage, Queued
from engine.direct.withheld_codes import opened_code
from engine.faultpoints import fault_point
from engine.verifications import checks, codes, pumping
from engine.verifications.pumping import Group
from engine.verifications.sending import CodeMessage, CodeText, charged_code, send_code, steps_of
from runtime.services import Services
from shapes.addresses import address_key, stored_key
from shapes.messages import MessageChannel
from shapes.verifications import SENDS_A_DAY, TRIES_A_DAY, VerificationStatus

_PAUSES: Final = (30, 60, 120)  # seconds after the first, second, and each further message

_BEGIN: Final = """
SELECT pg_advisory_xact_lock(hashtextextended('verification:' || $1::uuid::text || ':' || $2, 0)), u.locale,
  COALESCE(p.enabled, false) AS is_protected, COALESCE(p.allowed_prefixes, '{}') AS allowed_prefixes,
  (date_trunc('day', now(), 'UTC') + interval '1 day' - now()) AS rest_of_day
FROM users AS u LEFT JOIN verification_protections AS p ON p.owner_id = u.id WHERE u.id = $1
"""
# A statement of its own, which sees what the transaction before has committed.
_PENDING: Final = """
SELECT v.id, v.length, v.sends, v.expires_at <= now() AS is_over, v.resend_at - now() AS wait, c.code_encrypted
FROM verifications AS v LEFT JOIN verification_codes AS c USING (id)
WHERE v.owner_id = $1 AND v.purpose = $2 AND COALESCE(v.address_key, v."to") = $3 AND v.status = 'pending'
FOR UPDATE OF v
"""
_DAY: Final = """
day AS (
  INSERT INTO verification_days AS d (owner_id, address_hash, day, sends)
  VALUES ($2, $3, (now() AT TIME ZONE 'UTC')::date, 1)
  ON CONFLICT (owner_id, address_hash, day) DO UPDATE SET sends = d.sends + 1 RETURNING sends, tries
)"""
_COLUMNS: Final = returning(models.Verification, "v")
_NEW: Final = f"""
WITH {_DAY}, v AS (
  INSERT INTO verifications (id, owner_id, account_id, token_id, channel, "to", address_key, purpose, locale, length,
    ttl_seconds, body, from_address, sender, return_url, country, prefix, message_ids, chain, expires_at, resend_at)
  VALUES ($1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $21,
    now() + make_interval(secs => $12::int), now() + make_interval(secs => $20::int))
  RETURNING *
), code AS (INSERT INTO verification_codes (id, mac, code_encrypted) VALUES ($1, $22, $23))
SELECT day.sends AS day_sends, day.tries AS day_tries, {_COLUMNS} FROM v, day
"""  # noqa: S608  our own column names
_AGAIN: Final = f"""
WITH {_DAY}, v AS (
  UPDATE verifications SET account_id = $4, token_id = $5, channel = $6, "to" = $7, address_key = $8, purpose = $9,
    locale = $10, length = $11, ttl_seconds = $12, body = $13, from_address = $14, sender = $15, return_url = $16,
    country = $17, prefix = $18, message_ids = message_ids || $19, chain = $21, sends = sends + 1,
    expires_at = GREATEST(expires_at, now() + make_interval(secs => $12::int)),
    resend_at = now() + make_interval(secs => $20::int)
  WHERE id = $1 RETURNING *
)
SELECT day.sends AS day_sends, day.tries AS day_tries, {_COLUMNS} FROM v, day
"""  # noqa: S608  our own column names

Admit = Callable[[ChargedMessage], Awaitable[ChargedMessage]]
"""Returns the message with the limits of its caller, and counts it where they count. Raises AppError."""


@dataclass(frozen=True, slots=True)
class NewCode:
    """A code that is asked for."""

    owner_id: UUID
    token_id: UUID | None
    channel: MessageChannel
    to: str
    purpose: str
    text: CodeText
    ttl_seconds: int
    from_address: str | None
    sender: str | None
    return_url: str | None
    chain: Sequence[Mapping[str, Any]] | None = None  # the steps, whose bodies are not made yet
    body: str | None = None  # of a code that is sent again as it was; None: that of `text`


async def start(
    services: Services, db: asyncpg.Connection, payer: Any, new: NewCode, admit: Admit
) -> tuple[Any, Queued | None]:
    """Sends a code in the caller's transaction. Returns the row of its verification, and the result of queueing its
    message; None: none is sent, on suspicion of SMS pumping.

    The pending verification of the purpose and address is used again: with its code, and its tries. Raises RateLimited
    (`resend_too_early`, `verification_limit`), and as `charged_code`, `send_code` and `admit` do. If the result has no
    row, the caller rolls back.
    """
    key = address_key(new.to)
    settings = await db.fetchrow(_BEGIN, new.owner_id, f"{new.purpose}:{key}")
    pending = await db.fetchrow(_PENDING, new.owner_id, new.purpose, key)
    code = await _still_valid(services, db, pending)
    if code is None:
        pending = None
    elif (wait := pending["wait"].total_seconds()) > 0:
        raise _too_early(wait)
    id, length = (uuid7(), new.text.length) if pending is None else (pending["id"], pending["length"])
    text = CodeText(
        new.text.locale or settings["locale"], length, new.text.template, new.text.app_hash, new.text.domain
    )
    body = new.body or text.body(new.channel)
    allowed = new.to.startswith(tuple(settings["allowed_prefixes"]))
    group = None if allowed else Group.of(new.channel.value, new.to)
    suspect = None
    if group is not None and settings["is_protected"]:
        suspect = await pumping.suspected(db, new.owner_id, group)
    row = {
        "id": id, "channel": new.channel.value, "to": new.to, "body": body, "locale": text.locale,
        "ttl_seconds": new.ttl_seconds, "from_address": new.from_address, "sender": new.sender,
    }  # fmt: skip
    steps = (
        []
        if new.chain is None
        else [
            {**step, "body": step.get("body") or text.body(MessageChannel(step["channel"]))}
            for step in new.chain
        ]
    )
    row["chain"] = steps or None
    message = await charged_code(services, db, payer, CodeMessage.of(row), steps_of(services, row))
    values = [
        id,
        new.owner_id,
        codes.address_hash(services.key(codes.KEY), new.purpose, new.to),
        payer["id"],
        new.token_id,
        new.channel.value,
        new.to,
        stored_key(new.to),
        new.purpose,
        text.locale,
        length,
        new.ttl_seconds,
        body,
        new.from_address,
        new.sender,
        new.return_url,
        group and group.country,
        group and group.prefix,
        [message.chain_id or message.id] if suspect is None else [],
        _PAUSES[min(0 if pending is None else pending["sends"], len(_PAUSES) - 1)],
        row["chain"],
    ]
    if pending is None:
        code = codes.new_code(length)
        secrets = [codes.mac(services.key(codes.KEY), id, code), codes.sealed(services.vault, id, code)]
        stored = await db.fetchrow(_NEW, *values, *secrets)
    else:
        stored = await db.fetchrow(_AGAIN, *values)
    if stored["day_sends"] > SENDS_A_DAY or stored["day_tries"] >= TRIES_A_DAY:
        raise _limit_of_day(settings["rest_of_day"].total_seconds())
    fault_point("verification.stored")
    if suspect is not None:
        assert group is not None
        await pumping.record(db, new.owner_id, group, suspect, message.price, payer["currency"])
        return stored, None
    if group is not None and settings["is_protected"]:
        await pumping.count(db, new.owner_id, group, started=1)
    queued = await send_code(services, db, await admit(message))
    fault_point("verification.queued")
    return stored, queued


async def _still_valid(services: Services, db: asyncpg.Connection, pending: Any) -> str | None:
    """Returns the code of a pending verification that goes on; None: there is none, or it has just ended."""
    if pending is None:
        return None
    if pending["is_over"]:
        await checks.settle(db, pending["id"], VerificationStatus.expired)
        return None
    code = opened_code(services.vault, pending["id"], pending["code_encrypted"])
    if code is None:  # its key was lost
        await checks.settle(db, pending["id"], VerificationStatus.canceled)
    return code


def _too_early(wait: float) -> RateLimited:
    seconds = max(1, ceil(wait))
    return RateLimited(
        f"The code was sent a moment ago. Send it again in {seconds} s.",
        code="resend_too_early",
        details={"retryAfter": seconds},
        headers={"Retry-After": str(seconds)},
    )


def _limit_of_day(rest: float) -> RateLimited:
    seconds = max(1, ceil(rest))
    return RateLimited(
        f"This address has had its {SENDS_A_DAY} codes or {TRIES_A_DAY} wrong tries of today for this purpose. Start"
        " again tomorrow (UTC).",
        code="verification_limit",
        details={"retryAfter": seconds},
        headers={"Retry-After": str(seconds)},
    )
