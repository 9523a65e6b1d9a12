"""Members: people whom an owner lets act on the owner's rows, by the header X-Postern-Owner.

An invitation is accepted with its token, by the user with the email that was invited. What a member may now is read by
`runtime.viewers.Viewers.act_for`; here it is changed, and taken from the API tokens and logins that came of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from core.errors import BadRequest, Conflict, Forbidden, NotFound, Unauthenticated
from core.ids import uuid7
from core.tokens import digest
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import Query, p
from engine.credentials import Keep, MadeBy
from engine.users.invitations import InvitationKind
from resolvers.auth.invitations import make_secret, may_mail
from resolvers.auth.new_users import normal_email
from resolvers.auth.token_rows import own_login, require_own_login
from resolvers.members.credentials import end_of_member, read_logins_anew
from runtime.operation import Op, operation
from runtime.permissions import FOR_MEMBERS, Permission, permissions_of_member
from shapes.members import (
    MOST_MEMBERS,
    AcceptMembership,
    EndedCredential,
    InvitedMember,
    Member,
    MemberPatch,
    MemberRemoval,
    Membership,
    NewMember,
    RemovedMember,
)
from shapes.users import UserStatus

INVITATION = timedelta(days=7)

_ROW = models.Membership
_MEMBERS = Listing(
    _ROW,
    filters={("joined", "eq"): _ROW.joined_at.is_not(None) == p("joined_eq_")},
    without=("token_hash",),
)
_MINE = _ROW.owner_id == p("owner_id")
_NEW_FORMER = insert(models.FormerMember)
_REMEMBER = _NEW_FORMER.on_conflict_do_update(
    index_elements=["owner_id", "member_id"],
    set_={"email": _NEW_FORMER.excluded.email, "ended_at": func.now()},
)
_OF_MEMBER: Query[Any] = Query(
    _ROW,
    select(
        _ROW.id.label("id"),
        _ROW.role.label("role"),
        _ROW.permissions.label("permissions"),
        _ROW.approval_above.label("approval_above"),
        _ROW.joined_at.label("joined_at"),
        models.User.id.label("owner_uuid"),
        models.User.email.label("owner_email"),
        models.User.display_name.label("owner_name"),
    )
    .join(models.User, models.User.id == _ROW.owner_id)
    .where(_ROW.member_id == p("member_id"), models.User.status == UserStatus.active.value)
    .order_by(_ROW.id)
    .limit(MOST_MEMBERS),
)


def seen(row: Any) -> Member:
    """Returns a row as its owner sees it."""
    return Member(
        id=row.id,
        email=row.email,
        user_uuid=row.member_id,
        role=row.role,
        permissions=_names(row),
        has_own_permissions=row.permissions is not None,
        approval_above=row.approval_above,
        created_at=row.created_at,
        joined_at=row.joined_at,
        expires_at=row.expires_at,
    )


@operation(Permission.members_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[Member]:
    """Lists the people who may act for you, newest first, with those who are only invited."""
    every = replace(page_args, columns=None)  # what is seen is made of several columns
    rows: CursorPage[Any] = await _MEMBERS.page(op.db, every, where, _MINE, owner_id=op.viewer.id)
    return replace(rows, nodes=[seen(row) for row in rows.nodes])


@operation(Permission.members_read, "read")
async def get(op: Op, id: UUID) -> Member:
    """Returns one of the people who may act for you. Raises NotFound."""
    (row,) = await _MEMBERS.by_ids(op.db, [id], None, _MINE, owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return seen(row)


@operation(Permission.members_write, before=may_mail)
async def invite(op: Op, input: NewMember) -> InvitedMember:
    """Invites a person to act for you, or replaces an invitation that was not accepted yet. `token` is returned only in
    this response; give it to the person, unless its link is mailed (`mailed`). Raises Forbidden (the caller is an
    administrator, or has not logged in with a password and a fresh code), Conflict (the person is a member, there are
    too many), BadRequest (an unknown permission, the caller's own email).
    """
    await require_own_login(op, "invite members")
    owner = await op.session.get_one(models.User, op.viewer.id, with_for_update={"key_share": True})
    if op.viewer.admin:
        raise Forbidden(
            "An administrator can't have members, who would act with less than the administrator may. Invite them with"
            " a user that is no administrator.",
            code="admin_has_no_members",
        )
    email = normal_email(input.email)
    if email == owner.email:
        raise BadRequest("This is your own email. Invite somebody else.", code="own_email")
    row = await op.session.scalar(
        select(_ROW).where(_ROW.owner_id == op.viewer.id, _ROW.email == email).with_for_update()
    )
    if row is not None and row.member_id is not None:
        raise Conflict("This person is a member. Change the role instead.", code="already_member")
    if row is None:
        number = await op.session.scalar(select(func.count()).where(_ROW.owner_id == op.viewer.id))
        if number is not None and number >= MOST_MEMBERS:
            raise Conflict(
                f"You have {MOST_MEMBERS} members, the most that an owner may have. Remove one first.",
                code="too_many_members",
            )
        row = _ROW(id=uuid7(), owner_id=op.viewer.id, email=email)
        op.session.add(row)
    secret = await make_secret(op, InvitationKind.member, op.viewer.id, email)
    row.role, row.permissions = input.role.value, _chosen(input.permissions)
    row.approval_above = input.approval_above
    row.invited_by, row.token_hash = op.viewer.actor_id, digest(secret.token)
    row.expires_at = op.services.db.now() + INVITATION
    await op.session.flush()
    await op.session.refresh(row)
    return InvitedMember(member=seen(row), token=secret.token, mailed=secret.mailed)


@operation(Permission.members_write)
async def change(op: Op, id: UUID, input: MemberPatch) -> Member:
    """Changes what a member may do, at once. What is taken is also taken from the API tokens that the member made;
    other credentials that the member may not make any more end: `ended` lists them.

    Other credentials become the caller's own if the input says so. Raises NotFound, Forbidden, BadRequest, Conflict
    `credentials_in_use`.
    """
    await require_own_login(op, "change members")
    row = await _own(op, id)
    if input.role is not None:
        row.role = input.role.value
    if "permissions" in input.model_fields_set:
        row.permissions = _chosen(input.permissions)
    is_limited_anew = (
        "approval_above" in input.model_fields_set and row.approval_above != input.approval_above
    )
    if is_limited_anew:
        row.approval_above = input.approval_above
    await op.session.flush()
    member = seen(row)
    if row.member_id is not None:
        member.ended = await end_of_member(op, row.owner_id, row.member_id, _choice(input), _names(row))
        await op.services.viewers.invalidate(members=[(row.owner_id, row.member_id)])
        if is_limited_anew:
            await read_logins_anew(op.services, op.session, MadeBy(row.member_id, row.owner_id))
    return member


@operation(Permission.members_write)
async def remove(op: Op, id: UUID, input: MemberRemoval) -> RemovedMember:
    """Removes a member, or an invitation. Open connections of the member end within three seconds. `ended` lists the
    credentials of the member that have ended.

    The credentials become the caller's own if the input says so. Raises NotFound, Forbidden, Conflict
    `credentials_in_use`.
    """
    await require_own_login(op, "remove members")
    return RemovedMember(ended=await _end(op, await _own(op, id), _choice(input)))


@operation(Permission.profile_write)
async def accept(op: Op, input: AcceptMembership) -> Membership:
    """Accepts an invitation, with a login of the email that was invited: you act for the owner with the header
    X-Postern-Owner. Raises Unauthenticated (the token is wrong, expired or used), Forbidden (the login has another
    email, or is an API token's), Conflict (there are too many, or the caller is a member of this owner).
    """
    await own_login(op, "accept an invitation")
    user = await op.session.get_one(models.User, op.viewer.id, with_for_update={"key_share": True})
    row = await op.session.scalar(
        select(_ROW)
        .where(_ROW.token_hash == digest(input.token), _ROW.expires_at > op.services.db.now())
        .with_for_update()
    )
    if row is None:
        raise Unauthenticated(
            "The invitation is wrong, has expired or was used. Ask the owner for a new one.",
            code="invalid_invitation",
        )
    if user.email != row.email:
        raise Forbidden(
            f"This invitation is for another email than that of your login, {user.email}. Log in as the user who was"
            " invited.",
            code="other_email",
        )
    mine = select(_ROW.owner_id).where(_ROW.member_id == op.viewer.id)
    acted_for = (await op.session.scalars(mine)).all()
    if row.owner_id in acted_for:
        raise Conflict("You are a member of this owner.", code="already_member")
    if len(acted_for) >= MOST_MEMBERS:
        raise Conflict(
            f"You act for {MOST_MEMBERS} owners, the most. Leave one first.", code="too_many_members"
        )
    row.member_id, row.joined_at = op.viewer.id, op.services.db.now()
    row.token_hash = row.expires_at = None
    owner = await op.session.get_one(models.User, row.owner_id)
    await op.session.flush()
    await op.services.viewers.invalidate(members=[(row.owner_id, op.viewer.id)])
    return _of_owner(row, owner.id, owner.email, owner.display_name)


@operation(Permission.profile_read, "read")
async def memberships(op: Op) -> Sequence[Membership]:
    """Lists the owners that you act for: send the `ownerUuid` of one as the header X-Postern-Owner."""
    rows = await _OF_MEMBER.all(op.db, member_id=op.viewer.id)
    return [_of_owner(row, row.owner_uuid, row.owner_email, row.owner_name) for row in rows]


@operation(Permission.profile_write)
async def leave(op: Op, id: UUID) -> None:
    """Ends one of your memberships. API tokens, webhooks, event sinks, hook secrets and hook keys that you made for the
    owner end with it. Raises NotFound, Forbidden (the caller uses an API token).
    """
    await own_login(op, "leave an owner")
    row = await op.session.get(_ROW, id, with_for_update=True)
    if row is None or row.member_id != op.viewer.id:
        raise NotFound("You have no membership with this id. GET /memberships lists yours.")
    await _end(op, row, Keep(tokens=False, webhooks=False, hook_secrets=False))


def _of_owner(row: Any, owner_id: UUID, email: str, name: str) -> Membership:
    """Returns a row as the member sees it, who acts for this owner."""
    return Membership(
        id=row.id,
        owner_uuid=owner_id,
        owner_email=email,
        owner_name=name,
        role=row.role,
        permissions=_names(row),
        approval_above=row.approval_above,
        joined_at=row.joined_at,
    )


async def _own(op: Op, id: UUID) -> models.Membership:
    row = await op.session.get(_ROW, id, with_for_update=True)
    if row is None or row.owner_id != op.viewer.id:
        raise _unknown()
    return row


def _choice(input: MemberPatch | MemberRemoval) -> Keep:
    return Keep(input.keep_tokens, input.keep_webhooks, input.keep_hook_secrets)


async def _end(op: Op, row: models.Membership, choice: Keep) -> list[EndedCredential]:
    """Deletes a membership or an invitation. Returns what has ended with it."""
    ended: list[EndedCredential] = []
    await op.session.delete(row)
    await op.session.flush()
    if row.member_id is not None:
        await op.session.execute(
            _REMEMBER, {key: getattr(row, key) for key in ("owner_id", "member_id", "email")}
        )
        ended = await end_of_member(op, row.owner_id, row.member_id, choice)
        await op.services.viewers.invalidate(members=[(row.owner_id, row.member_id)])
    return ended


def _names(row: Any) -> list[str]:
    permissions = permissions_of_member(row.role, None if row.permissions is None else tuple(row.permissions))
    return sorted(each.value for each in permissions)


def _chosen(names: Sequence[str] | None) -> list[str] | None:
    """Returns the permissions that an owner has chosen. Raises BadRequest `unknown_scope`."""
    if names is None:
        return None
    possible = {each.value for each in FOR_MEMBERS}
    for name in names:
        if name not in possible:
            raise BadRequest(
                f"No member can have the permission {name!r}. Choose some of: {', '.join(sorted(possible))}.",
                code="unknown_scope",
            )
    return sorted(set(names))


def _unknown() -> NotFound:
    return NotFound("There is no member with this id among yours. Check the id.")
