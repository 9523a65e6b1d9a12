"""Reads what a login, an API token and a membership allow, and writes it as the short texts that are cached.

runtime/viewers/ says when they are cached, and makes callers of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import aliased

from db.models import ApiToken, Membership, SecondFactor, Session, User
from db.query import Query, p
from runtime.permissions import Permission, is_factor_demanded
from shapes.users import UserStatus

_ALIVE, ENDED = b"1", b"0"
_LIMITED = "2"  # the first part of the fact of a login whose API token is limited
_WITHOUT_FACTOR = (
    b"3"  # the fact of a login that may only add the second factor which is demanded of its user
)
_SETUP = frozenset({Permission.profile_read.value, Permission.profile_write.value})

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class PaymentLimits:
    """Says which accounts an API token may charge, how much a day, and how many messages it may send."""

    account_ids: frozenset[UUID] | None
    """Lists the accounts that it may charge; None means all accounts of its user."""
    spend_per_day: Decimal | None
    """Says how much its messages may cost in a day (UTC), in each currency; None means that there is no limit."""
    messages_per_day: int | None = None
    """Says how many messages it may send in a day (UTC); None means that there is no limit."""


_USER = (User.token_version.label("version"), User.status.label("status"), User.roles.label("roles"))
_LIMIT_COLUMNS = (
    ApiToken.scopes,
    ApiToken.networks,
    ApiToken.account_ids,
    ApiToken.spend_per_day,
    ApiToken.messages_per_day,
    ApiToken.approval_above,
)
_MAKER = aliased(User)  # the member who has made an API token
_MAKER_IN = aliased(Membership)  # the membership of that member, if it has a limit of recipients
_IS_MAKER_IN = (
    (_MAKER_IN.owner_id == ApiToken.user_id)
    & (_MAKER_IN.member_id == ApiToken.created_by)
    & _MAKER_IN.approval_above.is_not(None)
)
LOGIN = Query(
    User,
    select(
        *_USER,
        Session.revoked_at.label("revoked_at"),
        ApiToken.id.label("token_id"),
        _MAKER.status.label("maker_status"),
        select(SecondFactor.id)
        .where(SecondFactor.user_id == User.id, SecondFactor.confirmed_at.is_not(None))
        .exists()
        .label("has_factor"),
        _MAKER_IN.id.label("maker_membership"),
        *(limit.label(limit.key) for limit in _LIMIT_COLUMNS),
    )
    .join(Session, Session.user_id == User.id)
    .outerjoin(ApiToken, ApiToken.id == Session.api_token_id)
    .outerjoin(_MAKER, _MAKER.id == ApiToken.created_by)
    .outerjoin(_MAKER_IN, _IS_MAKER_IN)
    .where(User.id == p("user_id"), Session.id == p("session_id")),
)
MEMBER = Query(
    User,
    select(
        *_USER,
        Membership.role.label("role"),
        Membership.permissions.label("permissions"),
        Membership.id.label("membership"),
        Membership.approval_above.label("approval_above"),
    )
    .outerjoin(Membership, (Membership.owner_id == User.id) & (Membership.member_id == p("member_id")))
    .where(User.id == p("owner_id")),
)
OPENED_BY = Query(Session, select(Session.api_token_id.label("token_id")).where(Session.id == p("id")))
API_TOKEN = Query(
    User,
    select(
        User.id.label("id"),
        User.status.label("status"),
        User.roles.label("roles"),
        ApiToken.id.label("token_id"),
        *(limit.label(limit.key) for limit in _LIMIT_COLUMNS),
        ApiToken.expires_at.label("expires_at"),
        ApiToken.revoked_at.label("revoked_at"),
        _MAKER_IN.id.label("maker_membership"),
        _MAKER.status.label("maker_status"),
    )
    .join(ApiToken, ApiToken.user_id == User.id)
    .outerjoin(_MAKER, _MAKER.id == ApiToken.created_by)
    .outerjoin(_MAKER_IN, _IS_MAKER_IN)
    .where(ApiToken.token_hash == p("token_hash")),
)


def user_key(user_id: UUID) -> str:
    """Returns the key of the cache under which a user's fact is."""
    return f"viewer:user:{user_id}"


def session_key(session_id: UUID) -> str:
    """Returns the key of the cache under which a session's fact is."""
    return f"viewer:session:{session_id}"


def member_key(owner_id: UUID, member_id: UUID) -> str:
    """Returns the key of the cache under which a membership's fact is."""
    return f"viewer:member:{owner_id}:{member_id}"


def member_fact(row: Any) -> bytes:
    """Returns the fact of a membership: the role, the permissions if they were chosen one by one, and the id if it has
    a limit of recipients.
    """
    if row.role is None:
        return ENDED
    names: tuple[str, ...] = () if row.permissions is None else (",".join(row.permissions),)
    if row.approval_above is not None:
        names = (names[0] if names else "", str(row.membership))
    return "|".join((row.role, *names)).encode()


def is_paused(row: Any) -> bool:
    """Returns whether the API token was made by a member who is suspended."""
    return row.maker_status is not None and row.maker_status != UserStatus.active


def session_fact(row: Any, policy: str) -> bytes:
    """Returns the fact of a login: whether it is alive, what its API token is limited to, and whether it may only add a
    second factor by the operator's `policy`.
    """
    if row.revoked_at is not None or is_paused(row):
        return ENDED
    if row.token_id is None and not row.has_factor and is_factor_demanded(policy, row.roles):
        return _WITHOUT_FACTOR
    if not is_limited(row):
        return _ALIVE
    limits = (row.scopes, row.networks, row.account_ids)
    texts = ["*" if each is None else ",".join(map(str, each)) for each in limits]
    spend = "*" if row.spend_per_day is None else str(row.spend_per_day)
    # Without a limit of messages the fact has no part for it: the release before reads facts, too.
    count: tuple[str, ...] = () if row.messages_per_day is None else (str(row.messages_per_day),)
    if reach := reach_of(row):
        count = (count[0] if count else "*", ",".join(map(str, reach)))
    return "|".join((_LIMITED, str(row.token_id), *texts, spend, *count)).encode()


def is_limited(row: Any) -> bool:
    """Returns whether an API token has any limit. `row` has its limits, and that of the member who has made it."""
    limits = (getattr(row, column.key) for column in _LIMIT_COLUMNS)
    return row.maker_membership is not None or any(limit is not None for limit in limits)


def reach_of(row: Any) -> tuple[UUID, ...]:
    """Returns what counts the recipients of an API token: itself, and the membership of the member who has made it."""
    own = None if row.approval_above is None else row.token_id
    return tuple(id for id in (own, row.maker_membership) if id is not None)


def limits_of_login(session: bytes) -> dict[str, Any]:
    """Returns the fields of a Viewer that the fact of a living login says."""
    if session == _ALIVE:
        return {}
    if session == _WITHOUT_FACTOR:
        return {"scopes": _SETUP, "needs_factor": True}
    _, token, *limits, spend, count, reach = (session.decode() + "|*|*").split("|")[:8]
    scopes, networks, accounts = (None if each == "*" else tuple(each.split(",")) for each in limits)
    return limits_of_token(
        UUID(token),
        scopes,
        networks,
        accounts,
        None if spend == "*" else Decimal(spend),
        None if count == "*" else int(count),
        () if reach == "*" else tuple(map(UUID, reach.split(","))),
    )


@lru_cache(4096)  # a token is sent again and again, and its networks cost microseconds to parse
def limits_of_token(
    token: UUID,
    scopes: tuple[str, ...] | None,
    networks: tuple[str, ...] | None,
    accounts: tuple[str | UUID, ...] | None,
    spend: Decimal | None,
    messages: int | None,
    reach: tuple[UUID, ...],
) -> dict[str, Any]:
    """Returns the fields of a Viewer that the limits of an API token say."""
    payments = None
    if accounts is not None or spend is not None or messages is not None:
        ids = None if accounts is None else frozenset(UUID(str(id)) for id in accounts)
        payments = PaymentLimits(ids, spend, messages)
    return {
        "scopes": None if scopes is None else frozenset(scopes),
        "networks": None if networks is None else tuple(map(ip_network, networks)),
        "payments": payments,
        "limited_by": token,
        "reach": reach,
    }


def user_fact(version: int, status: str, roles: Iterable[str]) -> bytes:
    return f"{version}|{status}|{','.join(roles)}".encode()
