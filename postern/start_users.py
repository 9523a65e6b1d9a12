"""Settles which users can log in after a start of `postern serve` (contract §9.4): those of the demo only after
`--demo`, and without an administrator the holder of a one-time link.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from core.settings import Settings
from postern import operator
from resolvers import first_user
from resolvers.auth.demo_users import DemoUsers
from runtime.services import Services, services
from shapes.users import UserStatus

log = structlog.get_logger("postern.process")


@dataclass(frozen=True, slots=True)
class StartUsers:
    """The facts about users that a start prints. The emails are those of users with the published password."""

    demo: Sequence[str] = ()  # they log in, from this machine alone
    activated: Sequence[str] = ()  # some of these, who were suspended before
    suspended: Sequence[str] = ()  # by this start
    has_admin: bool = True
    # The secret of the link that makes the first administrator.
    link: str | None = field(default=None, repr=False)


async def settle(settings: Settings, *, demo: bool, terminal: bool) -> StartUsers:
    """Suspends the users with the published password, or with `demo` activates those that are suspended.

    Makes the one-time link if there is no administrator, and a `terminal` to print it to: any other output may be kept
    as a log.
    """
    async with services(settings, "postern-users") as opened:
        changed, active = await _move(opened, UserStatus.active if demo else UserStatus.suspended)
        has_admin = await first_user.has_admin(opened.db)
        can_open_link = settings.has_console and terminal
        return StartUsers(
            demo=active,
            activated=changed if demo else (),
            suspended=() if demo else changed,
            has_admin=has_admin,
            link=await first_user.new_link(opened) if can_open_link and not has_admin else None,
        )


async def _move(opened: Services, to: UserStatus) -> tuple[list[str], list[str]]:
    """Returns the emails of users with the published password whose status has become `to`, and of all active ones."""
    users = DemoUsers(opened.db, opened.passwords)
    changed = [
        row.email
        for row in await users.find()
        if row.status != to and await operator.move_user(opened, row.id, to, having=row.password_hash)
    ]
    if changed:
        log.warning(
            "users with the published password have another status", status=to.value, users=len(changed)
        )
    return changed, [row.email for row in await users.find() if row.status == UserStatus.active]
