"""The page on which a person enters a code, for integrators without a page of their own."""

from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import Any, Final
from urllib.parse import urlencode, urlsplit
from uuid import UUID

import structlog

from core.errors import AppError, NotFound, RateLimited
from core.http.dress import Dress
from core.rate_limits import Limit
from engine import unsubscribe as tokens
from engine.direct.new_messages import PAYER, ChargedMessage, refusal
from engine.verifications import checks, starting
from engine.verifications.texts import CodeWords, code_words
from resolvers import verifications
from resolvers.auth.login_limits import limit_address
from resolvers.brands.pages import answers_here, dress_page
from resolvers.signups import PAGES
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.retry import despite_conflicts
from shapes.verifications import CheckStatus, VerificationStatus

log = structlog.get_logger("postern.verifications")

_ENTRIES: Final = Limit("verification-entries", 60, 600.0)  # of a network address
_ROW: Final = """
SELECT v.*, v.expires_at <= now() AS is_over, v.resend_at - now() AS wait
FROM verifications AS v JOIN users AS u ON u.id = v.owner_id
WHERE v.id = $1 AND v.return_url IS NOT NULL AND u.status = 'active'
"""
_TOKEN: Final = """
SELECT spend_per_day FROM api_tokens
WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """The values that a person has sent by the form."""

    code: str
    resends: bool  # the other button


@dataclass(frozen=True, slots=True)
class VerificationPage:
    """The parts of the page."""

    words: CodeWords
    to: str  # masked
    length: int
    status: VerificationStatus
    wait: int  # seconds until the code can be sent again
    return_url: str
    notice: str | None = None
    is_alert: bool = False
    leaves: bool = False  # the right code was entered just now
    dress: Dress | None = None  # of the owner


@operation(Permission.public, "read")
async def show(op: Op, token: str) -> VerificationPage:
    """Returns an HTML page on which a person enters a code. Raises NotFound, RateLimited."""
    await op.services.limiter.enforce(PAGES, op.ctx.client_address, "requests to this page")
    row = await _row(op, op.db, token)
    return replace(_page(row), dress=await dress_page(op, row["owner_id"]))


@operation(Permission.public, "outside")
async def enter(op: Op, token: str, input: Entry) -> VerificationPage:
    """Checks the code that a person has entered, or sends it again. After the right one the browser goes to the page of
    the owner, with `verification` and `status` in the query; ask `GET /verifications/{id}` there whether it is true.

    Raises NotFound, RateLimited.
    """
    await limit_address(op, _ENTRIES, "codes")
    dress = await dress_page(op, (await _row(op, op.db, token))["owner_id"])
    page = await (_resend(op, token) if input.resends else _check(op, token, input.code))
    return replace(page, dress=dress)


async def _check(op: Op, token: str, code: str) -> VerificationPage:
    async with op.db.transaction() as connection:
        row = await _row(op, connection, token)
        locked = await checks.locked(connection, row["id"], None)
        checked = await checks.check(op.services, connection, locked, code)
    page = _page(await _row(op, op.db, token))
    if checked.status is CheckStatus.approved:
        return replace(page, leaves=True)
    if checked.status is CheckStatus.wrong:
        return replace(page, notice=page.words.wrong.format(left=checked.left), is_alert=True)
    return page


async def _resend(op: Op, token: str) -> VerificationPage:
    row = await _row(op, op.db, token)
    page = _page(row)
    if page.status is not VerificationStatus.pending:
        return page
    try:
        await verifications.within_limits(op, row["owner_id"], row["to"], op.ctx.client_address)
        await despite_conflicts(partial(_send, op, token))
    except RateLimited as error:
        wait = error.details.get("retryAfter") if error.details else None
        if error.code == "resend_too_early" and wait is not None:
            return replace(page, wait=wait, notice=page.words.wait.format(seconds=wait), is_alert=True)
        return replace(page, notice=page.words.not_sent, is_alert=True)
    except AppError as error:  # such as the owner's balance
        log.warning("a code was not sent again", owner_id=str(row["owner_id"]), code=error.code)
        return replace(page, notice=page.words.not_sent, is_alert=True)
    return replace(_page(await _row(op, op.db, token)), notice=page.words.resent)


async def _send(op: Op, token: str) -> None:
    """Sends the code again, within the limits of the API token that has started it. Raises AppError."""
    async with op.db.transaction() as connection:
        row = await _row(op, connection, token)
        verifications.require_pending(row)
        payer = await connection.fetchrow(PAYER, row["account_id"])
        if payer is None:
            raise NotFound(
                "The account that pays is gone. Start another verification.", code="account_not_found"
            )

        async def admit(message: ChargedMessage) -> ChargedMessage:
            if row["token_id"] is None:
                return message
            limits = await connection.fetchrow(_TOKEN, row["token_id"])
            if limits is None:
                raise NotFound("The API token that has started this verification is gone. Start another one.")
            return replace(
                message,
                token_id=row["token_id"],
                spend_limit=limits["spend_per_day"],
                currency=payer["currency"],
            )

        new = verifications.again(row, row["token_id"])
        _, queued = await starting.start(op.services, connection, payer, new, admit)
        if queued is not None and queued.row is None:
            if queued.decision in ("overspent", "overcounted"):
                raise RateLimited("The API token may send no more today.", code="token_message_limit")
            raise refusal(queued.decision)


async def _row(op: Op, db: Any, token: str) -> Any:
    """Returns the verification that a token is of. Only tokens with a valid signature reach the database."""
    id: UUID | None = tokens.read(op.services.keys(verifications.PAGES_KEY), token)
    row = await db.fetchrow(_ROW, id) if id is not None else None
    if row is None or not await answers_here(op, row["owner_id"]):
        raise NotFound(
            "This link is invalid or too old. Go back to where you came from.",
            code="verification_link_invalid",
        )
    return row


def _page(row: Any) -> VerificationPage:
    status = VerificationStatus(row["status"])
    if status is VerificationStatus.pending and row["is_over"]:
        status = VerificationStatus.expired
    return VerificationPage(
        code_words(row["locale"]),
        masked_address(row["to"]),
        row["length"],
        status,
        max(0, ceil(row["wait"].total_seconds())),
        _return_url(row["return_url"], row["id"], status),
    )


def _return_url(url: str, id: UUID, status: VerificationStatus) -> str:
    """Returns the owner's page, with the verification and its status in the query."""
    query = urlencode({"verification": str(id), "status": status.value})
    parts = urlsplit(url)
    return parts._replace(query=f"{parts.query}&{query}" if parts.query else query).geturl()


def masked_address(to: str) -> str:
    """Returns an address with most characters masked: its owner recognizes it, and another reader of the page can't."""
    if "@" in to:
        name, _, domain = to.rpartition("@")
        return f"{name[:1]}•••@{domain}"
    return f"{to[:3]}•••{to[-2:]}" if to.startswith("+") else "•••"
