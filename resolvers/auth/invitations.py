"""Secrets of invitations, and whether they are mailed."""

from typing import NamedTuple
from uuid import UUID

from core.rate_limits import Limit
from core.tokens import digest, new_secret
from db.session import driver_connection
from engine.users import invitations, mails, notices
from engine.users.invitations import InvitationKind
from resolvers.auth.new_users import normal_email
from runtime.operation import Op
from shapes.auth import Invite
from shapes.members import NewMember

_MAILS = Limit("invitation-mails", 3, 3600)  # to one email
_MAILS_OF_INVITER = Limit("invitation-mails-by", 30, 3600)  # who is no administrator


class Secret(NamedTuple):
    """The secret of an invitation. `mailed`: a mail with its link is on its way."""

    token: str
    mailed: bool


async def may_mail(op: Op, input: Invite | NewMember) -> bool:
    """Returns whether the invitation can be mailed. Beyond the limits it can't, and is made all the same."""
    if not mails.is_available(op.services):
        return False
    buckets = [_MAILS.bucket(digest(normal_email(input.email)).hex())]
    if not op.viewer.admin:
        buckets.append(_MAILS_OF_INVITER.bucket(str(op.viewer.actor_id)))
    drawn = await op.services.limiter.draw_from(buckets, need=1, want=1, awaited=1)
    return drawn.taken > 0


async def make_secret(op: Op, kind: InvitationKind, user_id: UUID, email: str) -> Secret:
    """Returns a new secret, of which the caller stores the hash, and has it mailed if `may_mail` has said so.

    `user_id` is the user who is invited or, of a member, the owner.
    """
    if not op.prepared:
        return Secret(new_secret(invitations.prefix(kind)), mailed=False)
    connection = await driver_connection(op.session)
    made = await notices.invite(op.services, connection, kind, user_id, email, op.viewer.actor_id)
    return Secret(made, mailed=True)
