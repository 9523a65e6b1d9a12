"""Verifications: codes that are sent to an address, so that a person proves to have it."""

import hmac
from collections.abc import Mapping, Sequence
from datetime import timedelta
from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound, RateLimited, ValidationFailed
from core.rate_limits import Limit
from db import models
from db.address_keys import key_column
from db.lists import Conditions, CursorPage, Listing, PageArgs, by_values
from db.lists.filters import comparisons
from db.query import of, p
from engine import unsubscribe as tokens
from engine.direct.new_messages import ChargedMessage
from engine.domains import approval
from engine.verifications import checks, codes, pumping, starting
from engine.verifications.sending import CodeText
from engine.verifications.starting import NewCode
from resolvers import reach
from resolvers.messages import admission, token_spend
from resolvers.messages.message_queue import account_busy, refused
from resolvers.recipient_addresses import by_key, normalise
from runtime import link_domains
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.addresses import address_key
from shapes.messages import MessageChannel
from shapes.pumping import (
    MOST_COUNTRIES,
    MOST_CURRENCIES,
    MOST_HOURS,
    CountryVerifications,
    SavedMoney,
    SetVerificationProtection,
    VerificationProtection,
    VerificationReport,
)
from shapes.verifications import CheckCode, CheckedCode, CodeStep, StartVerification, VerificationStatus

PAGES_KEY = "verification pages"
"""The purpose of the key that signs the tokens of pages."""

_ROW = models.Verification
_LISTS = Listing(
    _ROW,
    filters=comparisons("to", key_column(_ROW.to)),
    ranges=by_values(status=VerificationStatus),
    by_time=True,
)
_MINE = _ROW.owner_id == p("owner_id")
_BY_ID = of(_ROW, _ROW.id == p("id"))
_GROUP = models.SuspectedGroup
_GROUPS = Listing(_GROUP, by_time=True)
_GROUPS_MINE = _GROUP.owner_id == p("owner_id")
_PROTECTION = "SELECT enabled, allowed_prefixes FROM verification_protections WHERE owner_id = $1"
_PROTECT = """
INSERT INTO verification_protections AS p (owner_id, enabled, allowed_prefixes) VALUES ($1, $2, $3)
ON CONFLICT (owner_id) DO UPDATE SET enabled = excluded.enabled, allowed_prefixes = excluded.allowed_prefixes,
  updated_at = now()
"""
_COUNTRIES = f"""
SELECT value AS country, sum(started)::int AS started, sum(approved)::int AS approved,
  sum(suppressed)::int AS suppressed
FROM verification_counters WHERE owner_id = $1 AND kind = 'country' AND since > $2
GROUP BY value ORDER BY sum(started + suppressed) DESC, value LIMIT {MOST_COUNTRIES}
"""  # noqa: S608  our own number
_SAVED = f"""
SELECT currency, sum(saved) AS amount, sum(suppressed)::int AS messages
FROM suspected_groups WHERE owner_id = $1 AND created_at > $2
GROUP BY currency ORDER BY currency LIMIT {MOST_CURRENCIES}
"""  # noqa: S608  our own number


@operation(Permission.verifications_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Verification]:
    """Lists your verifications, newest first; administrators get those of all users. None has its code."""
    where = by_key(where, "to")
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.verifications_read, "read")
async def get(op: Op, id: UUID) -> models.Verification:
    """Returns one verification, without its code. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise unknown()
    return row


class _Admitted(NamedTuple):
    """Holds who pays for a code, and the steps by which it is sent."""

    payer: Any
    steps: Sequence[Mapping[str, Any]] = ()


async def _admit(op: Op, input: StartVerification) -> _Admitted:
    """Returns the paying account and the sender, and counts the code for its limits."""
    payer = await admission.paying(op, input.account_id)
    steps = [await _step(op, payer, input, step) for step in input.steps]
    addresses = [(step["channel"], address_key(step["to"])) for step in steps]
    if len({*addresses}) < len(addresses):
        raise BadRequest(
            "Two steps of the chain send by the same channel to the same address. Leave out one of them.",
            code="bad_chain",
        )
    await within_limits(op, payer.owner_id, steps[0]["to"], input.end_user_ip)
    await admission.within_limit(op, payer)
    return _Admitted(payer, steps)


async def _step(op: Op, payer: Any, input: StartVerification, step: CodeStep) -> dict[str, Any]:
    """Returns a step as it is stored, with its checks. `from` is of steps by email, `sender` of those by SMS."""
    channel, alone = step.channel, input.chain is None
    from_address = input.from_address if alone or channel is MessageChannel.email else None
    asked = input.sender if alone or channel is MessageChannel.sms else None
    to = step.to or input.to
    await approval.require(op.services, op.db, payer.owner_id, channel.value, from_address)
    return {
        "channel": channel.value,
        "to": normalise(channel, to, op.services.settings.default_region, op.services.guard),
        "within": step.within,
        "from_address": from_address,
        "sender": await admission.sender_of(op, payer, channel, to, asked),
    }


async def within_limits(op: Op, owner_id: UUID, to: str, ip: str | None) -> None:
    """Counts a code for the limits of its owner, its address, and the person's network. Raises RateLimited."""
    settings = op.services.settings
    # The key is a hash, since an erasure finds no keys of Redis.
    person = f"{owner_id}:{address_key(to)}".encode()
    address = hmac.digest(op.services.key(codes.KEY), person, "sha256").hex()
    buckets = [
        Limit.parse("verifications", settings.limit_verifications).bucket(str(owner_id)),
        Limit.parse("verification-address", settings.limit_verification_address).bucket(address),
    ]
    if ip is not None:
        network = ip_network((ip, 64), strict=False) if ":" in ip else ip
        limit = Limit.parse("verification-ip", settings.limit_verification_ip)
        buckets.append(limit.bucket(f"{owner_id}:{network}"))
    drawn = await op.services.limiter.draw_from(buckets, need=1, want=1, awaited=1)
    if not drawn.taken:
        seconds = max(1, int(drawn.retry_after + 0.999))
        raise RateLimited(
            f"Too many codes for this user, address or network. Try again in {seconds} s.",
            details={"retryAfter": seconds},
            headers={"Retry-After": str(seconds)},
        )


async def _with_page(op: Op, row: Any) -> Any:
    """Returns the row with the link to its page."""
    attributes = vars(row) if isinstance(row, models.Verification) else dict(row)
    return SimpleNamespace(**attributes, page_url=await page_url(op, row) if row.return_url else None)


async def page_url(op: Op, row: Any) -> str:
    """Returns the link to the page on which the code of a verification is entered."""
    base = await link_domains.base_of(op.services, row.owner_id)
    return f"{base}/verify/{tokens.token(op.services.key(PAGES_KEY), row.id)}"


@operation(
    Permission.verifications_write,
    "sql",
    idempotent=stored_model(models.Verification),
    before=_admit,
    after=_with_page,
)
async def start(op: Op, input: StartVerification) -> Any:
    """Sends a code to an address. While a code for the same purpose and address is valid, the same one is sent again,
    and its wrong tries stay.

    The charge is that of a message. Raises NotFound (account), Forbidden (a channel that the tariff lacks), BadRequest
    (no price, bad or blocked recipient), PaymentRequired, RateLimited (`resend_too_early`, `verification_limit`, the
    rates).
    """
    payer, (first, *_) = op.prepared.payer, op.prepared.steps
    text = CodeText(input.locale, input.length, input.template, input.app_hash, input.domain)
    new = NewCode(
        payer.owner_id,
        _limited_token(op),
        MessageChannel(first["channel"]),
        first["to"],
        input.purpose,
        text,
        input.ttl_seconds,
        first["from_address"],
        first["sender"],
        input.return_url,
        None if input.chain is None else op.prepared.steps,
    )
    return await _start(op, payer, new)


async def _row_and_payer(op: Op, id: UUID) -> _Admitted:
    """Returns the account that pays for a repetition, and counts it for the limits."""
    row = await _visible(op, id)
    payer = await admission.paying(op, row.account_id)
    await within_limits(op, payer.owner_id, row.to, None)
    await admission.within_limit(op, payer)
    return _Admitted(payer)


@operation(
    Permission.verifications_write,
    "sql",
    idempotent=stored_model(models.Verification),
    before=_row_and_payer,
    after=_with_page,
)
async def resend(op: Op, id: UUID) -> Any:
    """Sends the code of a verification again: 30 s after the first message, 60 s after the second one, and then every
    two minutes.

    Raises NotFound, Conflict (`verification_settled`), RateLimited (`resend_too_early`, `verification_limit`, the
    rates), and as a start does.
    """
    row = await _BY_ID.first(op.connection, id=id)
    if row is None:
        raise unknown()
    require_pending(row)
    return await _start(op, op.prepared.payer, again(row, _limited_token(op)))


def again(row: Any, token_id: UUID | None) -> NewCode:
    """Returns the code of a verification, to be sent again as it was."""
    return NewCode(
        row.owner_id,
        token_id,
        MessageChannel(row.channel),
        row.to,
        row.purpose,
        CodeText(row.locale, row.length),
        row.ttl_seconds,
        row.from_address,
        row.sender,
        row.return_url,
        row.chain,
        row.body,
    )


def require_pending(row: Any) -> None:
    """Raises Conflict (`verification_settled`) unless the code of a verification can be entered."""
    if row.status != VerificationStatus.pending:
        raise Conflict(
            f"This verification is {row.status}. Start a new one with POST /verifications.",
            code="verification_settled",
            details={"status": row.status},
        )


async def _start(op: Op, payer: Any, new: NewCode) -> Any:
    charged: list[ChargedMessage] = []

    async def admit(message: ChargedMessage) -> ChargedMessage:
        recipients = [step["to"] for step in new.chain] if new.chain else [message.message.to]
        await reach.require(op, op.connection, recipients)
        charged.append(token_spend.limited(op, payer, message))
        return charged[0]

    with account_busy():
        row, queued = await starting.start(op.services, op.connection, payer, new, admit)
    if queued is not None and queued.row is None:
        raise refused(op, charged[0], queued)
    return row


def _limited_token(op: Op) -> UUID | None:
    """Returns the API token whose limits of a day hold for the repetitions on our page, too."""
    return op.viewer.limited_by if op.viewer.payments is not None else None


@operation(Permission.verifications_write, "sql")
async def check(op: Op, id: UUID, input: CheckCode) -> CheckedCode:
    """Compares a code with the one that was sent. Five wrong ones end the verification.

    An Idempotency-Key is not looked at: a stored request would have the code in it. Raises NotFound.
    """
    row = await checks.locked(op.connection, id, None if op.viewer.admin else op.viewer.id)
    if row is None:
        raise unknown()
    return await checks.check(op.services, op.connection, row, input.code)


@operation(Permission.verifications_write, "sql")
async def cancel(op: Op, id: UUID) -> Any:
    """Cancels a verification: its code is wrong from now on, and a message that waits is not sent but refunded.

    Repeating it changes nothing. Raises NotFound, Conflict (`verification_settled`).
    """
    row = await checks.locked(op.connection, id, None if op.viewer.admin else op.viewer.id)
    if row is None:
        raise unknown()
    if row["status"] != VerificationStatus.canceled:
        require_pending(row)
        await checks.settle(op.connection, id, VerificationStatus.canceled)
    return await _BY_ID.first(op.connection, id=id)


@operation(Permission.verifications_read, "read")
async def protection(op: Op) -> VerificationProtection:
    """Returns whether your codes are protected from SMS pumping."""
    row = await op.db.fetchrow(_PROTECTION, op.viewer.id)
    enabled, prefixes = (False, []) if row is None else (row["enabled"], row["allowed_prefixes"])
    return VerificationProtection(enabled=enabled, allowed_prefixes=prefixes)


@operation(Permission.verifications_write, "sql")
async def set_protection(op: Op, input: SetVerificationProtection) -> VerificationProtection:
    """Protects your codes from SMS pumping, or does so no more: codes to a country or prefix are not sent while too
    many codes to it are not approved.
    """
    prefixes = sorted({*input.allowed_prefixes})
    before = await op.connection.fetchrow(f"{_PROTECTION} FOR UPDATE", op.viewer.id)
    if input.enabled and not (before is not None and before["enabled"]):
        await pumping.begin(op.connection, op.viewer.id, op.db.now())
    await op.connection.execute(_PROTECT, op.viewer.id, input.enabled, prefixes)
    return VerificationProtection(enabled=input.enabled, allowed_prefixes=prefixes)


@operation(Permission.verifications_read, "read")
async def suspected(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.SuspectedGroup]:
    """Lists the groups of numbers to which codes were not sent on suspicion of SMS pumping, newest first.

    Administrators get those of all users.
    """
    return await _GROUPS.page(op.db, page_args, where, *op.own(_GROUPS_MINE), owner_id=op.viewer.id)


@operation(Permission.verifications_read, "read")
async def suspected_group(op: Op, id: UUID) -> models.SuspectedGroup:
    """Returns one suspected group of numbers. Raises NotFound."""
    (row,) = await _GROUPS.by_ids(op.db, [id], None, *op.own(_GROUPS_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound(
            "There is no suspected group with this id among yours. Check the id.",
            code="suspected_group_not_found",
        )
    return row


@operation(Permission.verifications_read, "read")
async def report(op: Op, hours: int = 24) -> VerificationReport:
    """Returns your codes by country, and what the protection from SMS pumping has saved. Raises ValidationFailed."""
    if not 1 <= hours <= MOST_HOURS:
        raise ValidationFailed([f"hours: must be from 1 to {MOST_HOURS}"])
    since = op.db.now() - timedelta(hours=hours)
    countries = await op.db.fetch(_COUNTRIES, op.viewer.id, since)
    saved = await op.db.fetch(_SAVED, op.viewer.id, since)
    row = await op.db.fetchrow(_PROTECTION, op.viewer.id)
    return VerificationReport(
        since=since,
        enabled=row is not None and row["enabled"],
        countries=[CountryVerifications(**row) for row in countries],
        saved=[SavedMoney(**row) for row in saved],
    )


async def _visible(op: Op, id: UUID) -> Any:
    row = await _BY_ID.first(op.db, id=id)
    if row is None or not (op.viewer.admin or row.owner_id == op.viewer.id):
        raise unknown()
    return row


def unknown() -> NotFound:
    """Returns the error for an id that is none of the caller's."""
    return NotFound(
        "There is no verification with this id among yours. Check the id.", code="verification_not_found"
    )
