"""Logging a messenger account in (contract §4). Codes, passwords and QR codes pass through and are never stored."""

from uuid import UUID

from core.errors import Conflict, Forbidden, NotFound
from core.rate_limits import Limit
from db import models
from engine.messengers import call_client
from engine.messengers.states import visible_state, wrong_state
from resolvers.messenger_accounts import account_states
from resolvers.messenger_accounts.account_rows import UNDER_WAY, Key, mine, state_of
from resolvers.messenger_accounts.waits import LoginCode, read_login_code
from runtime import links
from runtime.operation import Op, operation
from runtime.permissions import Permission, allowed
from runtime.services import Services
from shapes.messenger_accounts import AccountState, MessengerSource
from shapes.vendor import Call

NEXT_SECONDS = 10.0  # how long to wait for the next state after an accepted code or password
_ANSWER_SECONDS = 30.0  # how long the messenger may take to check a code or password

# Enough for a person's typing errors; guessing is stopped before the messenger bans the account.
_CODES = Limit("messenger_codes", 10, 600)
_PASSWORDS = Limit("messenger_passwords", 10, 600)

_SET_PHONE = "UPDATE messenger_accounts SET phone = $2, updated_at = now() WHERE id = $1"
_ANY = """
SELECT a.id, a.state, a.wanted,
  EXISTS (SELECT FROM messenger_holds h WHERE h.account_id = a.id AND h.expires_at > now()) AS held
FROM messenger_accounts a JOIN users u ON u.id = a.owner_id
WHERE a.id = $1 AND a.deleted_at IS NULL AND u.status = 'active'
"""


@operation(Permission.messengers_write, "sql")
async def set_phone(op: Op, key: Key, phone: str | None) -> models.MessengerAccount:
    """Sets the phone that the account logs in with by a code, from its next start; null: log in by a QR code. Raises
    NotFound.
    """
    account = await mine(op, key, lock=True)
    await op.connection.execute(_SET_PHONE, account.id, phone.lstrip("+") if phone else None)
    return await mine(op, account.id)


@operation(Permission.messengers_write, "outside")
async def qr(op: Op, key: Key) -> LoginCode:
    """Returns the QR code to scan, of an account in state `waitQr`. The code changes: request it again before
    `expiresAt`. Raises NotFound, Conflict (`wrong_state`, `qr_undefined`), Unavailable.
    """
    account = await mine(op, key)
    return await _qr(op.services, account.id, state_of(account))


@operation(Permission.messengers_write, "outside")
async def pairing_code(op: Op, key: Key) -> LoginCode:
    """Returns the pairing code to enter on the phone, of an account in state `showCode`. Raises NotFound, Conflict
    `auth_code_undefined`, Unavailable.
    """
    account = await mine(op, key)
    code = None
    if (state := state_of(account)) is AccountState.showCode:
        code = await _ask_login_code(op.services, account.id, "Auth code is undefined")
    if code is None or code.state is not AccountState.showCode:
        details = wrong_state(state).details
        raise Conflict("Auth code is undefined", code="auth_code_undefined", details=details)
    return code


@operation(Permission.public, "outside")
async def screenshot(
    op: Op,
    source: MessengerSource | None = None,
    login: str | None = None,
    account: UUID | None = None,
    expires: int | None = None,
    signature: str | None = None,
) -> LoginCode:
    """Returns the QR code to scan as an image, for the account's owner or by a signed link (GraphQL: `screenshotUrl`).

    The owner names `source` and `login`, the link `account`. Raises Forbidden for an expired or invalid link,
    Unauthenticated, and what `qr` raises.
    """
    if signature is not None and account is not None:
        if not links.opens_qr(op.services, account, expires or 0, signature):
            raise Forbidden("This link has expired or is invalid. Ask for a new one.", code="bad_link")
        row = await op.db.fetchrow(_ANY, account)
        if row is None:
            raise NotFound("The messenger account of this link was deleted.", code="account_not_found")
        return await _qr(op.services, account, visible_state(row.state, wanted=row.wanted, leased=row.held))
    viewer = await op.ctx.viewer()
    if not allowed(viewer, Permission.messengers_write):
        raise Forbidden(
            f"This request needs the permission {Permission.messengers_write.value}. Use a token that has"
            " it, or ask an administrator."
        )
    if source is None or login is None:
        raise NotFound("Send `source` and `login` to name the account.", code="account_not_found")
    mine_ = await mine(Op(op.ctx, viewer), Call(source=source, login=login))
    return await _qr(op.services, mine_.id, state_of(mine_))


@operation(Permission.messengers_write, "outside")
async def solve(op: Op, key: Key, code: str) -> models.MessengerAccount:
    """Submits the login code that the messenger has sent. Returns the account's next state. Raises NotFound, BadRequest
    `code_invalid`, Conflict `wrong_state`, RateLimited, Unavailable.
    """
    account = await mine(op, key)
    await op.services.limiter.enforce(_CODES, str(account.id), "codes for this account")
    await call_client.ask(op.services, account.id, "code", {"code": code}, seconds=_ANSWER_SECONDS)
    return await _after(op, account.id, AccountState.waitCode)


@operation(Permission.messengers_write, "outside")
async def give_password(op: Op, key: Key, password: str) -> models.MessengerAccount:
    """Submits the account's cloud password (two-step verification). Returns the account's next state. Raises NotFound,
    BadRequest `password_invalid`, Conflict `wrong_state`, RateLimited, Unavailable.
    """
    account = await mine(op, key)
    await op.services.limiter.enforce(_PASSWORDS, str(account.id), "passwords for this account")
    await call_client.ask(
        op.services, account.id, "password", {"password": password}, seconds=_ANSWER_SECONDS
    )
    return await _after(op, account.id, AccountState.waitPassword)


async def _after(op: Op, account_id: UUID, state: AccountState) -> models.MessengerAccount:
    """Returns the account when it has left `state` and every state that passes by itself, or after NEXT_SECONDS."""
    return await account_states.wait_for_state(
        op, account_id, lambda now: now is not state and now not in UNDER_WAY, NEXT_SECONDS
    )


async def _qr(services: Services, account_id: UUID, state: AccountState) -> LoginCode:
    code = None
    if state is AccountState.waitQr:
        code = await _ask_login_code(services, account_id, "False step")
    # In a state that passes by itself a QR code may follow: clients get `qr_undefined` and ask again.
    elif state not in UNDER_WAY:
        raise wrong_state(state, "False step")
    if code is None or code.state is not AccountState.waitQr:
        details = wrong_state(state).details
        raise Conflict("QR is undefined", code="qr_undefined", details=details)
    return code


async def _ask_login_code(services: Services, account_id: UUID, otherwise: str) -> LoginCode | None:
    try:
        return await read_login_code(services, account_id)
    except Conflict as error:  # the state has changed meanwhile
        state = error.details.get("state")
        raise wrong_state(state, otherwise) if state else error from error
