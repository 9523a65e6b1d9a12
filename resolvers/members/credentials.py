"""Ends, narrows, keeps and pauses the credentials that members have made for owners. engine/credentials.py has their
kinds.
"""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import Conflict
from db import models
from db.session import driver_connection
from engine import credentials
from engine.credentials import Credential, Keep, MadeBy
from resolvers.auth.token_rows import invalidate_logins, revoke_token
from runtime.operation import Op
from runtime.services import Services
from shapes.members import CredentialKind, EndedCredential

_TOKEN = models.ApiToken


async def end_of_member(
    op: Op, owner_id: UUID, member_id: UUID, choice: Keep, permissions: Collection[str] | None = None
) -> list[EndedCredential]:
    """Ends what a member has made for an owner and may not make any more with the rest of the `permissions`, or leaves
    it to the owner, as the caller chooses. None: the membership ends. API tokens lose what the member loses.

    The membership's row is locked. Returns what has ended. Raises Conflict `credentials_in_use` if the caller has not
    chosen for a credential that was used lately.
    """
    db = await driver_connection(op.session)
    whose = MadeBy(member_id, owner_id)
    beyond = await credentials.made_by(db, whose, permissions)
    tokens = {row.id: row for row in await _living(op.session, whose)}
    if permissions is not None:
        every = await credentials.made_by(db, whose)
        emptied = {id for id, row in tokens.items() if not _left(row, permissions)}
        beyond += [each for each in every if each.kind is CredentialKind.api_token and each.id in emptied]
    _require_choice(beyond, choice)
    await credentials.keep(db, [each for each in beyond if credentials.choice_for(each, choice)])
    ended = [each for each in beyond if not credentials.choice_for(each, choice)]
    reason = credentials.REMOVED if permissions is None else credentials.NARROWED
    await credentials.end(db, [each for each in ended if each.kind is not CredentialKind.api_token], reason)
    gone = {each.id for each in ended}
    for id in gone & tokens.keys():
        await revoke_token(op, tokens[id], choice)
    if permissions is None:
        await credentials.leave_to_owner(db, member_id, owner_id)
    else:
        await credentials.narrow(db, whose, permissions)
        staying = tokens.keys() - {each.id for each in beyond}
        await _narrow(op, [tokens[id] for id in sorted(staying)], permissions)
    return [_as_shape(each) for each in ended]


async def end_of_user(op: Op, user_id: UUID) -> None:
    """Ends everything that a user has made for owners. The user is deleted now."""
    db = await driver_connection(op.session)
    everything = await credentials.made_by(db, MadeBy(user_id))
    others = [each for each in everything if each.kind is not CredentialKind.api_token]
    await credentials.end(db, others, credentials.DELETED)
    for row in await _living(op.session, MadeBy(user_id)):
        await revoke_token(op, row, Keep())
    await credentials.leave_to_owner(db, user_id)


async def pause_of_user(services: Services, session: AsyncSession, user_id: UUID) -> None:
    """Lets the logins that were opened with API tokens of a user read anew whether this user is suspended.

    Everything else that the user has made for owners looks at the user's status itself.
    """
    await read_logins_anew(services, session, MadeBy(user_id))


async def read_logins_anew(services: Services, session: AsyncSession, whose: MadeBy) -> None:
    """Lets the logins that were opened with API tokens of a member read again what they are limited to."""
    for row in await _living(session, whose):
        await invalidate_logins(services, session, row.id)


async def _narrow(op: Op, tokens: Collection[models.ApiToken], permissions: Collection[str]) -> None:
    """Takes from API tokens what their member may not do any more."""
    for row in tokens:
        left = _left(row, permissions)
        if left != row.scopes:
            row.scopes = left
            await op.session.flush()
            await invalidate_logins(op.services, op.session, row.id)


def _left(row: models.ApiToken, permissions: Collection[str]) -> list[str]:
    return sorted(set(row.scopes or permissions) & set(permissions))


async def _living(session: AsyncSession, whose: MadeBy) -> list[models.ApiToken]:
    """Returns the API tokens that a member has made and that are not revoked, locked."""
    rows = await session.scalars(
        select(_TOKEN)
        .where(
            _TOKEN.created_by == whose.member_id,
            *([] if whose.owner_id is None else [_TOKEN.user_id == whose.owner_id]),
            _TOKEN.revoked_at.is_(None),
        )
        .order_by(_TOKEN.id)
        .with_for_update(key_share=True)
    )
    return list(rows)


def _require_choice(beyond: Collection[Credential], choice: Keep) -> None:
    asked = [each for each in beyond if each.is_in_use and credentials.choice_for(each, choice) is None]
    if asked:
        raise Conflict(
            f"{len(asked)} credentials that the member has made were used within the last 7 days, and would end. Say"
            " what becomes of them: keepTokens, keepWebhooks and keepHookSecrets are true (they become your own) or"
            " false (they end).",
            code="credentials_in_use",
            details={
                "credentials": [_as_shape(each).model_dump(mode="json", by_alias=True) for each in asked]
            },
        )


def _as_shape(credential: Credential) -> EndedCredential:
    return EndedCredential(
        kind=credential.kind,
        credential_uuid=credential.id,
        name=credential.name,
        last_used_at=credential.last_used_at,
    )
