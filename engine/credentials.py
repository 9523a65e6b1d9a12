"""Credentials that members and API tokens make for an owner: the one table of their kinds, and how each ends.

    who makes it ──► `Maker`, stored with it ──► the membership or the token ends, or may less
                                             └──► `made_by` finds what is beyond the rest of its rights
                                                  ──► `end`, or `keep`: then it is the owner's

A row without a maker is the owner's. While the user who has made it is suspended nothing is done with it: the
statements that prove, deliver and publish look at that user's status.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import asyncpg

from runtime.permissions import Permission
from shapes.members import CredentialKind

REVOKED: Final = "its API token was revoked"
TOKEN_NARROWED: Final = "its API token may not make it any more"
REMOVED: Final = "the member who has made it was removed"
NARROWED: Final = "the member who has made it may not make it any more"
DELETED: Final = "the user who has made it was deleted"


@dataclass(frozen=True, slots=True)
class Maker:
    """Says who makes a credential, which ends with the API token and the membership of this caller."""

    token_id: UUID | None = None
    member_id: UUID | None = None
    """The member who acts for the owner, or who has made the token; None means the owner."""
    scopes: Sequence[str] | None = None
    """The permissions of a member who acts. Those of a token are looked up when they are needed."""

    @property
    def columns(self) -> dict[str, Any]:
        """Returns the columns of a webhook or a sink."""
        return {"api_token_id": self.token_id, "saved_by": self.member_id, "query_scopes": self.scopes}


@dataclass(frozen=True, slots=True)
class Keep:
    """The caller's choice for credentials that would end: True keeps them as the owner's. None: nothing was said."""

    tokens: bool | None = None
    webhooks: bool | None = None
    hook_secrets: bool | None = None


@dataclass(frozen=True, slots=True)
class MadeBy:
    """Selects credentials: those that a member has made for an owner (None: for all owners), or those that a token has
    made.
    """

    member_id: UUID | None = None
    owner_id: UUID | None = None
    token_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Credential:
    """A living credential that a member or an API token has made for an owner."""

    kind: CredentialKind
    id: UUID
    name: str
    last_used_at: datetime | None
    is_in_use: bool
    """Says whether it was used within the last seven days."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of credentials: a row of the table below, with expressions of its columns."""

    kind: CredentialKind
    table: str
    needs: frozenset[
        Permission
    ]  # permissions that its maker needs; none: an API token, which is narrowed instead
    living: str
    end: str  # SET; `{reason}` is a text of this module
    leave: str  # SET, to leave it to the owner
    name: str = "name"
    last_used_at: str = "last_used_at"
    owner: str = "owner_id"
    maker: str = "saved_by"
    token: str | None = "api_token_id"
    choice: str | None = None  # the field of `Keep`; None: it always ends


# A document shows no more than the token or the member was allowed that has saved it. It is the owner's from then on,
# also if the owner enables it again.
_LEFT_TO_OWNER: Final = (
    "saved_by = NULL, api_token_id = NULL, updated_at = now(),"
    " query_scopes = COALESCE((SELECT t.scopes FROM api_tokens AS t WHERE t.id = api_token_id), query_scopes)"
)
_OFF: Final = f"enabled = false, disabled_reason = '{{reason}}', version = version + 1, {_LEFT_TO_OWNER}"
_KINDS: Final = (
    _Kind(
        CredentialKind.api_token, "api_tokens", frozenset(),
        "revoked_at IS NULL AND COALESCE(expires_at > now(), true)",
        "revoked_at = now(), revoked_reason = 'revoked'", "created_by = NULL",
        owner="user_id", maker="created_by", token=None, choice="tokens",
    ),
    _Kind(
        CredentialKind.webhook, "webhooks", frozenset({Permission.events_write}),
        "account_id IS NULL AND NOT is_callback AND enabled", _OFF, _LEFT_TO_OWNER,
        name="split_part(url, '?', 1)", last_used_at="delivered_at", choice="webhooks",
    ),
    _Kind(  # a host of status callbacks
        CredentialKind.webhook, "webhooks", frozenset({Permission.messages_send}), "is_callback AND enabled",
        _OFF, _LEFT_TO_OWNER, name="url", last_used_at="delivered_at", choice="webhooks",
    ),
    _Kind(
        CredentialKind.messenger_webhook, "webhooks", frozenset({Permission.messengers_write}),
        "account_id IS NOT NULL AND enabled", _OFF, _LEFT_TO_OWNER,
        name="split_part(url, '?', 1)", last_used_at="delivered_at", choice="webhooks",
    ),
    _Kind(
        CredentialKind.event_sink, "event_sinks", frozenset({Permission.events_write}), "enabled", _OFF, _LEFT_TO_OWNER,
        last_used_at="published_at", choice="webhooks",
    ),
    *(
        _Kind(
            kind, "hook_secrets", frozenset({Permission.hooks_write, Permission.hooks_report}),
            f"kind = '{stored}' AND revoked_at IS NULL",
            "revoked_at = now()", "created_by = NULL, api_token_id = NULL",
            name="'…' || hint", owner="user_id", maker="created_by", choice="hook_secrets",
        )
        for kind, stored in ((CredentialKind.hook_secret, "secret"), (CredentialKind.hook_key, "key"))
    ),
    _Kind(
        CredentialKind.export, "export_links", frozenset({Permission.exports_write}),
        "status IN ('created', 'running')",
        "status = 'failed', updated_at = now(),"
        " status_reason = 'The export has ended: {reason}. Start the export again.'", "",
        name="source", last_used_at="NULL::timestamptz", maker="started_by",
    ),
)  # fmt: skip
_BY_KIND: Final = {kind.kind: kind for kind in _KINDS}


async def made_by(
    db: asyncpg.Connection, whose: MadeBy, allowed: Collection[str] | None = None
) -> list[Credential]:
    """Returns the living credentials that need more than the permissions `allowed`; all of them if that is None.

    API tokens are only among those of a member, and only if `allowed` is None.
    """
    credentials: list[Credential] = []
    for kind in _KINDS:
        if allowed is not None and (not kind.needs or kind.needs <= {*allowed}):
            continue
        if whose.token_id is None:
            condition, values = (
                f"{kind.maker} = $1 AND ($2::uuid IS NULL OR {kind.owner} = $2)",
                [
                    whose.member_id,
                    whose.owner_id,
                ],
            )
        elif kind.token is not None:
            condition, values = f"{kind.token} = $1", [whose.token_id]
        else:
            continue
        rows = await db.fetch(
            f"SELECT id, {kind.name} AS name, {kind.last_used_at} AS last_used_at,"  # noqa: S608  our own words
            f" COALESCE({kind.last_used_at} > now() - interval '7 days', false) AS is_in_use"
            f" FROM {kind.table} WHERE {condition} AND {kind.living} ORDER BY id",
            *values,
        )
        credentials += [Credential(kind.kind, **row) for row in rows]
    return credentials


def choice_for(credential: Credential, keep: Keep) -> bool | None:
    """Returns the caller's choice for a credential; None: nothing."""
    choice = _BY_KIND[credential.kind].choice
    return False if choice is None else getattr(keep, choice)


async def end(db: asyncpg.Connection, credentials: Sequence[Credential], reason: str) -> None:
    """Ends credentials. The caller ends the logins that were opened with API tokens."""
    await _change(db, credentials, lambda kind: kind.end.format(reason=reason))


async def keep(db: asyncpg.Connection, credentials: Sequence[Credential]) -> None:
    """Makes credentials the owner's own."""
    await _change(db, credentials, lambda kind: kind.leave)


async def narrow(db: asyncpg.Connection, whose: MadeBy, allowed: Collection[str]) -> None:
    """Takes from the webhooks and sinks that stay the permissions that their maker does not have any more. Those of an
    API token follow the scopes of the token.
    """
    for table in ("webhooks", "event_sinks"):
        await db.execute(
            f"UPDATE {table} SET version = version + 1, updated_at = now(),"  # noqa: S608  our own words
            " query_scopes = ARRAY(SELECT scope FROM unnest(query_scopes) AS q (scope) WHERE scope = ANY($3))"
            " WHERE saved_by = $1 AND owner_id = $2 AND query_scopes IS NOT NULL AND NOT query_scopes <@ $3::text[]",
            whose.member_id,
            whose.owner_id,
            [str(permission) for permission in allowed],
        )


async def leave_to_owner(db: asyncpg.Connection, member_id: UUID, owner_id: UUID | None = None) -> None:
    """Makes credentials the owner's own that a member has made and that are switched off already. `owner_id` None: of
    all owners.
    """
    for table in ("webhooks", "event_sinks"):
        await db.execute(
            f"UPDATE {table} SET {_LEFT_TO_OWNER}"  # noqa: S608  our own words
            " WHERE saved_by = $1 AND ($2::uuid IS NULL OR owner_id = $2) AND NOT enabled",
            member_id,
            owner_id,
        )


async def end_of_installation(db: asyncpg.Connection, user_id: UUID) -> None:
    """Ends the sinks of the whole installation that a user has made, who is no administrator any more."""
    kind = _BY_KIND[CredentialKind.event_sink]
    await db.execute(
        f"UPDATE {kind.table} SET {kind.end.format(reason=NARROWED)}"  # noqa: S608  our own words
        f" WHERE owner_id IS NULL AND saved_by = $1 AND {kind.living}",
        user_id,
    )


async def _change(
    db: asyncpg.Connection, credentials: Sequence[Credential], sets: Callable[[_Kind], str]
) -> None:
    for kind in _KINDS:
        if ids := [each.id for each in credentials if each.kind is kind.kind]:
            statement = f"UPDATE {kind.table} SET {sets(kind)} WHERE id = ANY($1) AND {kind.living}"  # noqa: S608  ours
            await db.execute(statement, ids)


async def end_with_token(
    db: asyncpg.Connection, token_id: UUID, choice: Keep, allowed: Collection[str] | None = None
) -> None:
    """Ends the credentials that an API token has made and may not make any more, or leaves them to the owner. `allowed`
    None: the token itself ends.
    """
    beyond = await made_by(db, MadeBy(token_id=token_id), allowed)
    await keep(db, [each for each in beyond if choice_for(each, choice)])
    ended = [each for each in beyond if not choice_for(each, choice)]
    await end(db, ended, REVOKED if allowed is None else TOKEN_NARROWED)
