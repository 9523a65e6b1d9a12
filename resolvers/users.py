"""Users (contract §2). A user reads and changes only the own record; administrators read and change all."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Text, any_, cast, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import Conflict, NotFound, ValidationFailed
from core.tokens import new_secret
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs, conditions
from db.query import of, p
from db.session import driver_connection
from engine import credentials
from engine.messengers import accounts
from engine.projects import project_moves
from engine.users import notices
from resolvers.auth.former_emails import (
    address_of,
    drop_former,
    drop_unconfirmed_factors,
    email_taken,
    end_resets,
    lock_emails,
    require_free,
    store_former,
)
from resolvers.auth.new_users import invitation, limit_countries, make_user, normal_email
from resolvers.auth.sessions import end_everything
from resolvers.auth.token_rows import lacks_own_login, own_login, require_own_login
from resolvers.members.credentials import end_of_user, pause_of_user
from resolvers.patching import refuse_changes
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.addresses import address_key
from shapes.auth import NewUser
from shapes.page import Rows
from shapes.users import CreatedUser, Role, UserPatch, UserRecord, UserStatus
from shapes.where import like

# The allowed changes of the status; every other change raises Conflict. Only a link that undoes
# the own deletion (resolvers/undo.py) makes a deleted user active again.
MOVES: dict[str, set[str]] = {
    UserStatus.invited: {UserStatus.active, UserStatus.deleted},
    UserStatus.active: {UserStatus.suspended, UserStatus.deleted},
    UserStatus.suspended: {UserStatus.active, UserStatus.deleted},
    UserStatus.deleted: set(),
}

_BY_ID = of(models.User, models.User.id == p("id"))
_BY_EMAIL = of(models.User, models.User.email == p("email"))


_USERS = Listing(
    models.User,
    filters={
        ("text", "contains"): or_(
            *(
                column.ilike(p("text_contains_"), escape="\\")
                for column in (models.User.email, models.User.display_name)
            )
        ),
        ("role", "eq"): cast(p("role_eq_"), Text) == any_(models.User.roles),
    },
)


@operation(Permission.users_list, "read")
async def list(
    op: Op, page: int = 1, limit: int = 20, q: str | None = None, status: UserStatus | None = None
) -> Rows[models.User]:
    """Returns what `page` returns, by page numbers."""
    where = conditions({("text", "contains"): like(q) if q else None, ("status", "eq"): status})
    return await _USERS.numbered(op.db, page, limit, where)


@operation(Permission.users_list, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.User]:
    """Lists all users, newest first, for administrators."""
    return await _USERS.page(op.db, page_args, where)


@operation(Permission.users_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.User | None]:
    """Returns users by id. Callers who are not administrators get None for everybody else."""
    seen = [id if op.viewer.admin or id == op.viewer.id else None for id in ids]
    return await _USERS.by_ids(op.db, seen, column_names)


@operation(Permission.users_read, "read")
async def get(op: Op, id: UUID) -> models.User:
    """Returns your own user; administrators can read any user. Raises NotFound, also for a user that the caller may not
    see.
    """
    user = await _BY_ID.first(op.db, id=id) if op.viewer.admin or id == op.viewer.id else None
    if user is None:
        raise _unknown()
    return user


@operation(Permission.users_read, "read")
async def find(op: Op, id: UUID | None = None, email: str | None = None) -> models.User:
    """Finds a user by uuid or email; default: your own user. Only administrators can find other users. Raises NotFound,
    also for a user that the caller may not see, and ValidationFailed for both id and email.
    """
    if id is not None and email is not None:
        raise ValidationFailed(["uuid: send uuid or email, not both"])
    if email is not None and op.viewer.admin:
        user = await _BY_EMAIL.first(op.db, email=normal_email(email))
    else:
        user_id = op.viewer.id if id is None else id
        user = await _BY_ID.first(op.db, id=user_id) if op.viewer.admin or user_id == op.viewer.id else None
    if user is None or (email is not None and user.email != normal_email(email)):
        raise _unknown()
    return user


@operation(Permission.users_admin, "outside")
async def create(op: Op, input: NewUser) -> CreatedUser:
    """Creates an active user, or an invited user if no password is given; for administrators. Raises Conflict, and
    Forbidden if a token makes an administrator.
    """
    if Role.admin in input.roles:
        await require_own_login(op, "make administrators")
    hashed = await op.services.passwords.hash(input.password) if input.password is not None else None
    async with op.tx() as session:
        user = await make_user(
            session,
            credit=op.services.settings.signup_credit,
            email=input.email,
            display_name=input.display_name or "",
            roles=input.roles,
            password_hash=hashed,
            status=UserStatus.active if hashed else UserStatus.invited,
        )
        limit_countries(session, user, op.services.settings.new_user_countries)
        invited = None if hashed else invitation(op, user, new_secret(), mailed=False)
        await session.flush()
        await session.refresh(user)
    created = CreatedUser(**UserRecord.model_validate(user).model_dump())
    if invited is not None:
        created.invitation_token = invited.token
        created.invitation_expires_at = invited.expires_at
    return created


@operation(Permission.users_write)
async def update(op: Op, id: UUID, input: UserPatch) -> models.User:
    """Changes the given fields of a user. Only administrators can change roles and status.

    The email, the roles and the status need an own login, and the user is notified of them. Raises NotFound, Forbidden
    for fields that the caller may not change, and for a token that changes these three, Conflict for a taken email or a
    forbidden change of status.
    """
    is_own = id == op.viewer.id
    lacking = None
    if (input.email, input.roles, input.status) != (None, None, None):
        lacking = await lacks_own_login(op, "change the email, roles or status of a user", fresh=not is_own)
    user = await _own(op, id)
    refuse_changes(user, input, "id", "created_at", "updated_at")
    if not op.viewer.admin:
        refuse_changes(user, input, "roles", "status")
    changes = _changes(user, input)
    if changes and lacking is not None:
        raise lacking
    address = await address_of(op.session, user) if changes else user.email
    if input.display_name is not None:
        user.display_name = input.display_name
    if input.locale is not None:
        user.locale = input.locale
    if input.self_service is not None:
        user.self_service = [request.value for request in dict.fromkeys(input.self_service)]
    if "email" in changes and input.email is not None:
        await _change_email(op, user, normal_email(input.email))
    if "roles" in changes and input.roles is not None:
        if Role.admin not in input.roles:
            await _require_another_admin(op, user)
            await credentials.end_of_installation(await driver_connection(op.session), user.id)
        user.roles = [role.value for role in dict.fromkeys(input.roles)]
        await op.services.viewers.invalidate(users=[user.id])
    try:
        await op.session.flush()
    except IntegrityError as error:
        raise email_taken() from error
    if input.status is not None:
        await _move(op, user, input.status)
        await op.session.flush()
    await _notify(op, user, address, changes)
    await op.session.refresh(user)
    return user


@operation(Permission.users_write)
async def delete(op: Op, id: UUID) -> None:
    """Marks a user as deleted and ends all logins of the user.

    The email stays taken. A repeated call is no error. Raises NotFound, Forbidden for a token, and Conflict for the
    last active administrator.
    """
    await _set_status(op, id, UserStatus.deleted, "delete users")


@operation(Permission.users_admin)
async def suspend(op: Op, id: UUID) -> models.User:
    """Suspends a user: ends all logins, and rejects all API tokens until the user is activated again; for
    administrators. Raises NotFound, Forbidden for a token, Conflict.
    """
    return await _set_status(op, id, UserStatus.suspended, "suspend users")


@operation(Permission.users_admin)
async def activate(op: Op, id: UUID) -> models.User:
    """Makes a suspended user active again, who can log in from now on; for administrators. Raises NotFound, Forbidden
    for a token, Conflict.
    """
    return await _set_status(op, id, UserStatus.active, "activate users")


async def _set_status(op: Op, id: UUID, to: UserStatus, what: str) -> models.User:
    if id == op.viewer.id:
        await own_login(op, what)
    elif op.viewer.admin:
        await require_own_login(op, what)
    user = await _own(op, id)
    address = await address_of(op.session, user)
    if await _move(op, user, to):
        await op.session.flush()
        await _notify(op, user, address, [to.value])
    await op.session.refresh(user)
    return user


def _changes(user: models.User, input: UserPatch) -> Sequence[str]:
    """Returns what the input changes of a user that needs an own login, in the words of `UndoWords.changes`."""
    changes = []
    if input.email is not None and address_key(input.email) != address_key(user.email):
        changes.append("email")
    if input.roles is not None and {*input.roles} != {*user.roles}:
        changes.append("roles")
    if input.status is not None and input.status != user.status:
        changes.append(input.status.value)
    return changes


async def _change_email(op: Op, user: models.User, email: str) -> None:
    """Gives the user another email. The old one is kept for a while, unless an administrator changes it."""
    await lock_emails(op.session, user.email, email)
    await require_free(op.session, email, user.id)
    if user.id == op.viewer.id:
        await store_former(op, user)
        await drop_unconfirmed_factors(op.session, user.id)
    else:
        await drop_former(op.session, user.id)
        await end_resets(op.session, user.id)
    user.email = email


async def _notify(op: Op, user: models.User, address: str, changes: Sequence[str]) -> None:
    """Has it mailed to a user what an administrator has changed. What users change themselves, `store_former` tells."""
    if changes and user.id != op.viewer.id:
        connection = await driver_connection(op.session)
        await notices.add(op.services, connection, user.id, address, changes)


async def _own(op: Op, id: UUID) -> models.User:
    """Returns the locked row. Raises NotFound for a user that the caller may not see."""
    user = (
        await op.session.get(models.User, id, with_for_update=True)
        if op.viewer.admin or id == op.viewer.id
        else None
    )
    if user is None:
        raise _unknown()
    return user


async def _move(op: Op, user: models.User, to: UserStatus) -> bool:
    """Changes the status. Returns whether it was another one. Raises Conflict."""
    if user.status == to:
        return False
    if to not in MOVES[user.status]:
        raise Conflict(
            f"A user that is {user.status} can't become {to.value}. Read the user's status again before"
            " you change it.",
            code="bad_transition",
        )
    if user.status == UserStatus.invited and to is UserStatus.active and user.password_hash is None:
        raise Conflict(
            "This user becomes active only by accepting the invitation. Send a new invitation if it was lost.",
            code="invitation_pending",
        )
    if to is not UserStatus.active:
        await _require_another_admin(op, user)
    if to is UserStatus.deleted and user.id == op.viewer.id:
        await store_former(op, user, deletes=True)
    await set_status(op.services, op.session, user, to)
    if to is UserStatus.deleted:
        await end_of_user(op, user.id)
    return True


async def set_status(services: Services, session: AsyncSession, user: models.User, to: UserStatus) -> None:
    """Gives a user another status, and ends what the user can't have with it. The callers check that it is allowed."""
    user.status = to.value
    await session.flush()
    await pause_of_user(services, session, user.id)
    if to is UserStatus.active:
        await services.viewers.invalidate(users=[user.id])
        return
    await end_everything(services, session, user.id, f"user {to.value}")
    connection = await driver_connection(session)
    await project_moves.owner_left(connection, user.id, for_good=to is UserStatus.deleted)
    await accounts.end_accounts_of(connection, user.id, for_good=to is UserStatus.deleted)


async def _require_another_admin(op: Op, user: models.User) -> None:
    """Raises Conflict if no active administrator would be left. Row locks make this hold for concurrent calls."""
    if Role.admin not in user.roles or user.status != UserStatus.active:
        return
    others = await op.session.scalars(
        select(models.User.id)
        .where(
            models.User.roles.contains([Role.admin.value]),
            models.User.status == UserStatus.active.value,
        )
        .order_by(models.User.id)
        .with_for_update()
    )
    if not {*others} - {user.id}:
        raise Conflict(
            "This is the last active administrator. Give another user the role admin first.",
            code="last_admin",
        )


def _unknown() -> NotFound:
    return NotFound(
        "There is no such user, or you may not see this user. Check the uuid or the email.",
        code="user_not_found",
    )
