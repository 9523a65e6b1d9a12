"""Mails of invitations: of a new user, or of a person who shall act for an owner.

An invitation that is mailed has a secret that is made of the notice's id, so that the answer of the API and the mail
have the same one, and only its hash is stored. A newer invitation has another hash: the mail of the earlier one is not
sent.
"""

from collections.abc import Mapping
from datetime import UTC
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from core.tokens import digest
from engine.users.row_tokens import RowTokens
from engine.users.texts import UndoWords
from runtime.services import Services

_TOKENS: Final = RowTokens("invitations", 32)


class InvitationKind(StrEnum):
    """The meaning of an invitation for the person who gets it."""

    user = "user"  # has a password set, of the user that the notice is about
    member = "member"  # to act for the user that the notice is about


_PREFIXES: Final = {InvitationKind.user: "", InvitationKind.member: "mbr_"}
_PATHS: Final = {InvitationKind.user: "/console/invitation", InvitationKind.member: "/console/join"}
_STORED: Final = {
    InvitationKind.user: """
SELECT invitation_hash AS hash, invitation_expires_at AS until FROM users
WHERE id = $1 AND email = $2 AND status = 'invited' AND invitation_expires_at > now()
""",
    InvitationKind.member: """
SELECT token_hash AS hash, expires_at AS until FROM memberships
WHERE owner_id = $1 AND email = $2 AND expires_at > now()
""",
}


def prefix(kind: InvitationKind) -> str:
    """Returns the beginning of all secrets of a kind."""
    return _PREFIXES[kind]


def secret(services: Services, kind: InvitationKind, notice_id: UUID) -> str:
    """Returns the secret of an invitation that is mailed by this row of user_notices."""
    return _PREFIXES[kind] + _TOKENS.token(services, notice_id)


async def values(services: Services, notice: Any, base: str) -> Mapping[str, str] | None:
    """Returns what the text of the mail needs; None: the invitation was accepted, withdrawn or replaced, or is over."""
    kind = InvitationKind(notice["invitation"])
    stored = await services.db.fetchrow(_STORED[kind], notice["user_id"], notice["email"])
    for token in _TOKENS.tokens(services, notice["id"]) if stored is not None else ():
        if digest(_PREFIXES[kind] + token) == stored["hash"]:
            return {
                "asker": notice["inviter"] or base.partition("://")[2],
                "until": f"{stored['until'].astimezone(UTC):%Y-%m-%d %H:%M}",
                "link": f"{base}{_PATHS[kind]}#{_PREFIXES[kind]}{token}",  # no log has the part behind the `#`
            }
    return None


def text(words: UndoWords, kind: InvitationKind) -> tuple[str, str]:
    """Returns the subject and the text of the mail."""
    if kind is InvitationKind.user:
        return words.invitation_subject, words.invitation
    return words.membership_subject, words.membership
