"""The address that a user had before a change of the email, or before the own deletion, is kept for 72 hours.

A user has at most one such row. A second change in this time keeps the oldest address, and keeps it for 72 hours more:
an attacker can't push the owner's address out, and an address that was only mistyped gets no power.
"""

from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, func, select

from db import models
from db.query import p
from engine.users.row_tokens import RowTokens

HOURS: Final = 72
KEPT: Final = timedelta(hours=HOURS)
TOKENS: Final = RowTokens("undo links", 32)
_ROW = models.UserUndo

IS_LIVE: Final = "o.used_at IS NULL AND o.expires_at > now()"
"""The SQL condition of a row `user_undos AS o` whose address is still kept."""

KEPT_EMAIL: Final = f"SELECT o.email FROM user_undos AS o WHERE o.user_id = u.id AND {IS_LIVE}"  # noqa: S608
"""The SQL of the kept address of a user `u`; NULL if there is none."""

HOLDER: Final = f"SELECT o.user_id FROM user_undos AS o WHERE o.email = asked.email AND {IS_LIVE}"  # noqa: S608
"""The SQL of the user whose kept address is `asked.email`."""


def is_live() -> ColumnElement[bool]:
    """Returns the same condition for the model."""
    return _ROW.used_at.is_(None) & (_ROW.expires_at > func.now())


def has_email() -> ColumnElement[bool]:
    """Returns the condition of a user who logs in with the address of the parameter `email`, or did until lately."""
    holder = select(_ROW.user_id).where(_ROW.email == p("email"), is_live()).limit(1).scalar_subquery()
    return (models.User.email == p("email")) | (models.User.id == holder)
