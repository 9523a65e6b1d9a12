"""The addresses with which a user logs in: the present one, and for 72 hours the former one (engine/users/undos.py)."""

from sqlalchemy import ColumnElement, and_, func, or_, select

from db import models
from db.query import p

_ROW = models.UserUndo


def is_live() -> ColumnElement[bool]:
    """Returns the condition of a row of user_undos whose address is still kept, as the SQL of `undos.IS_LIVE`."""
    return and_(_ROW.used_at.is_(None), _ROW.expires_at > func.now())


def has_email() -> ColumnElement[bool]:
    """Returns the condition of the user who logs in with the address of the parameter `email`."""
    former = select(_ROW.user_id).where(_ROW.email == p("email"), is_live()).limit(1).scalar_subquery()
    return or_(models.User.email == p("email"), models.User.id == former)
