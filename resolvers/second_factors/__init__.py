"""The second factor of logins: an authenticator app (TOTP, RFC 6238) and recovery codes (decision 0054)."""

import base64
import io
import secrets
from datetime import datetime
from typing import Any
from uuid import UUID

import segno
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core import totp
from core.errors import Conflict, NotFound
from core.ids import uuid7
from core.tokens import digest
from db import models
from db.query import of, p
from db.session import driver_connection
from resolvers.auth import factors
from resolvers.auth.former_emails import require_password
from resolvers.auth.login_limits import remember_address
from resolvers.auth.token_rows import own_login, require_own_login
from runtime import audit
from runtime.operation import Op, operation
from runtime.permissions import Permission, is_factor_demanded
from runtime.services import Services
from shapes.second_factors import (
    BegunTotp,
    FactorKind,
    NewTotp,
    RecoveryCodes,
    SecondFactor,
    SecondFactorCheck,
    SecondFactorCode,
    SecondFactorProof,
    SecondFactors,
)

ISSUER = "Postern"
RECOVERY_CODES = 10
_CODE_BYTES = 10  # 80 bits, which are 16 characters of base32

_ROW = models.SecondFactor
_CONFIRMED = of(
    _ROW, _ROW.user_id == p("user_id"), _ROW.confirmed_at.is_not(None), without=("secret_encrypted",)
)
_MINE = of(_ROW, _ROW.id == p("id"), _ROW.user_id == p("user_id"), without=("secret_encrypted",))
_UNUSED = "SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL"
_FRESH = "SELECT second_factor_at FROM sessions WHERE id = $1"


@operation(Permission.profile_read, "read")
async def list(op: Op) -> SecondFactors:
    """Lists your second factors, and says how many recovery codes are left."""
    rows = await _CONFIRMED.all(op.db, user_id=op.viewer.id)
    at: datetime | None = await op.db.fetchval(_FRESH, op.viewer.session_id)
    return SecondFactors(
        factors=[SecondFactor.model_validate(row) for row in rows],
        recovery_codes=await op.db.fetchval(_UNUSED, op.viewer.id),
        demanded=is_factor_demanded(op.services.settings.second_factor, op.viewer.roles),
        fresh_until=at + factors.FRESH if rows and at and factors.is_fresh(at, op.db.now()) else None,
    )


@operation(Permission.profile_write)
async def begin_totp(op: Op, input: NewTotp) -> BegunTotp:
    """Makes the secret of an authenticator app, with its QR code; both are returned only in this response. Nothing
    changes until it is confirmed.

    It counts when `confirm_totp` has got a code of it. An earlier one that was not confirmed is replaced. Raises
    Forbidden for an API token, and without the password, Conflict if the caller has an authenticator app, RateLimited.
    """
    await own_login(op, "add a second factor")
    await require_password(op, input.password, "add a second factor", always=True)
    user = await op.session.get_one(models.User, op.viewer.id)
    id, secret = uuid7(), totp.new_secret()
    values = {
        "id": id,
        "name": input.name,
        "secret_encrypted": op.services.vault.seal(secret, factors.vault_context(id)),
        "created_at": func.now(),
    }
    begun = insert(_ROW).values(user_id=op.viewer.id, kind=FactorKind.totp.value, **values)
    done = await op.session.scalar(
        begun.on_conflict_do_update(
            index_elements=["user_id"],
            index_where=text("kind = 'totp'"),
            set_=values,
            where=_ROW.confirmed_at.is_(None),
        ).returning(_ROW.id)
    )
    if done is None:
        raise Conflict(
            "You have an authenticator app already. Remove it before you add another one.",
            code="second_factor_exists",
        )
    uri = totp.uri(secret, user.email, ISSUER)
    return BegunTotp(id=id, secret=secret, uri=uri, qr_png=_picture(uri))


@operation(Permission.profile_write, "outside")
async def confirm_totp(op: Op, id: UUID, input: SecondFactorCode) -> RecoveryCodes:
    """Confirms an authenticator app with a code of it: your logins need one from now on. Returns ten recovery codes, in
    this response alone. Raises Forbidden for an API token, NotFound, Conflict if it is confirmed already,
    Unauthenticated for a wrong code, RateLimited, Unavailable.
    """
    await own_login(op, "add a second factor")
    if (await _mine(op, id)).confirmed_at is not None:
        raise Conflict("This authenticator app is confirmed already.", code="second_factor_confirmed")
    user = await _user(op)
    counted = await factors.count_code(op, user)
    async with op.tx() as session:
        factor = await session.get(_ROW, id, with_for_update={"key_share": True})
        if factor is None or factor.confirmed_at is not None:  # a concurrent request was faster
            raise _no_factor()
        step = factors.matching_step(op, factor, input.otp)
        if step is None:
            raise factors.wrong_code()
        factor.confirmed_at = factor.last_used_at = op.services.db.now()
        factor.last_step = step
        await session.flush()
        codes = await _new_codes(session, op.viewer.id)
        await _set_fresh(op, session)
        await _invalidate(op.services, session, op.viewer.id)
    await factors.give_back(op, counted)
    # All addresses are unknown from now on but this one.
    remembered_by = factors.remembered_by(user.password_hash, id)
    await remember_address(op, "login", digest(user.email), remembered_by)
    return RecoveryCodes(recovery_codes=codes)


@operation(Permission.profile_write, "outside")
async def remove(op: Op, id: UUID, input: SecondFactorProof) -> None:
    """Removes a second factor. It needs a code in `otp`, or one that this login has given in the last ten minutes.

    With the last one go the recovery codes. One that is not confirmed needs no code. Raises Forbidden, NotFound,
    Conflict if the operator demands a second factor, Unauthenticated for a wrong code, RateLimited, Unavailable.
    """
    what = "remove a second factor"
    await own_login(op, what)
    if (await _mine(op, id)).confirmed_at is None:
        async with op.tx() as session:
            await session.execute(delete(_ROW).where(_ROW.id == id, _ROW.confirmed_at.is_(None)))
        return
    await _prove(op, input, what)
    async with op.tx() as session:
        # The lock on the user's row keeps concurrent requests from removing one each.
        user = await session.get_one(models.User, op.viewer.id, with_for_update={"key_share": True})
        mine = (
            await session.scalars(select(_ROW).where(_ROW.user_id == user.id, _ROW.confirmed_at.is_not(None)))
        ).all()
        factor = next((each for each in mine if each.id == id), None)
        if factor is None:
            raise _no_factor()
        if len(mine) == 1 and is_factor_demanded(op.services.settings.second_factor, user.roles):
            raise Conflict(
                "This installation demands a second factor, and this is your last one. Ask the operator, who can remove"
                " it: postern user second-factor EMAIL --remove",
                code="last_second_factor",
            )
        await session.delete(factor)
        if len(mine) == 1:
            await session.execute(delete(models.RecoveryCode).where(models.RecoveryCode.user_id == user.id))
        await session.flush()


@operation(Permission.profile_write, "outside")
async def new_recovery_codes(op: Op, input: SecondFactorProof) -> RecoveryCodes:
    """Makes ten new recovery codes, returned in this response alone. The earlier ones are invalid.

    It needs a code, in `input` or lately. Raises Forbidden, Conflict without a second factor, Unauthenticated for a
    wrong code, RateLimited, Unavailable.
    """
    await _prove(op, input, "make new recovery codes")
    async with op.tx() as session:
        await session.get_one(models.User, op.viewer.id, with_for_update={"key_share": True})
        return RecoveryCodes(recovery_codes=await _new_codes(session, op.viewer.id))


@operation(Permission.profile_write, "outside")
async def verify(op: Op, input: SecondFactorCode) -> SecondFactorCheck:
    """Checks a code: for ten minutes this login may change the password, API tokens and second factors. Raises
    Forbidden for an API token, Conflict without a second factor, Unauthenticated for a wrong code, RateLimited,
    Unavailable.
    """
    login = await own_login(op, "give a code of the second factor")
    if not login["has_factor"]:
        raise _none_yet()
    return SecondFactorCheck(fresh_until=await _check(op, input.otp) + factors.FRESH)


async def _prove(op: Op, input: SecondFactorProof, what: str) -> None:
    """Checks the code of `input`, or else that this login has given one lately."""
    if not (await own_login(op, what))["has_factor"]:
        raise _none_yet()
    if input.otp is None:
        await require_own_login(op, what)
    else:
        await _check(op, input.otp)


async def _check(op: Op, code: str) -> Any:
    """Uses a code, and returns when: this login is fresh from then on. Raises what `use_code` raises, RateLimited."""
    counted = await factors.count_code(op, await _user(op))
    async with op.tx() as session:
        await factors.use_code(op, session, op.viewer.id, code)
        at = await _set_fresh(op, session)
    await factors.give_back(op, counted)
    return at


async def _set_fresh(op: Op, session: AsyncSession) -> Any:
    at = op.services.db.now()
    row = models.Session
    await session.execute(update(row).where(row.id == op.viewer.session_id).values(second_factor_at=at))
    return at


async def _mine(op: Op, id: UUID) -> models.SecondFactor:
    """Returns one of the caller's second factors, confirmed or not. Raises NotFound."""
    row = await _MINE.first(op.db, id=id, user_id=op.viewer.id)
    if row is None:
        raise _no_factor()
    return row


async def _user(op: Op) -> Any:
    """Returns the caller's user, with `factor_id`."""
    return await factors.USER_BY_ID.first(op.db, id=op.viewer.id)


async def _new_codes(session: AsyncSession, user_id: UUID) -> Any:
    """Replaces the recovery codes. Returns the new ones, of which only hashes are stored."""
    codes = [base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode() for _ in range(RECOVERY_CODES)]
    row = models.RecoveryCode
    await session.execute(delete(row).where(row.user_id == user_id))
    await session.execute(insert(row), [{"user_id": user_id, "code_hash": digest(code)} for code in codes])
    changes = {"codes": ["***", "***"]}
    await audit.record(await driver_connection(session), user_id, "recoveryCodes", user_id, changes)
    return ["-".join(code[at : at + 4] for at in range(0, len(code), 4)) for code in codes]


async def remove_all(services: Services, session: AsyncSession, user_id: UUID) -> int:
    """Removes all second factors and recovery codes of a user, for the operator. Returns how many factors counted."""
    removed = await session.scalars(delete(_ROW).where(_ROW.user_id == user_id).returning(_ROW.confirmed_at))
    await session.execute(delete(models.RecoveryCode).where(models.RecoveryCode.user_id == user_id))
    await _invalidate(services, session, user_id)
    return sum(at is not None for at in removed.all())


async def _invalidate(services: Services, session: AsyncSession, user_id: UUID) -> None:
    """Has it read again what the user's logins may do, which depends on the second factor where one is demanded."""
    row = models.Session
    ids = await session.scalars(select(row.id).where(row.user_id == user_id, row.revoked_at.is_(None)))
    await services.viewers.invalidate(users=[user_id], sessions=ids.all())


def _picture(value: str) -> str:
    picture = io.BytesIO()
    segno.make_qr(value).save(picture, kind="png", scale=6, border=4)
    return base64.b64encode(picture.getvalue()).decode()


def _no_factor() -> NotFound:
    return NotFound(
        "There is no second factor with this id among yours. Read GET /auth/second-factors again.",
        code="second_factor_not_found",
    )


def _none_yet() -> Conflict:
    return Conflict(
        "You have no second factor. Add one: POST /auth/second-factors/totp.", code="no_second_factor"
    )
