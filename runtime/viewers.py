"""Identifies the caller of a request: from a Bearer credential to a Viewer, with at most one call to Redis.

Redis caches three facts for a minute: a user's version, status and roles; whether a session is alive, with what its
API token is limited to; and what a member may do for an owner. A change (suspension, logout, a new password, a narrowed token) replaces the fact by a
question mark before it commits; while the question mark is there, for a minute as well, the database is read. Filling
the cache never overwrites (`NX`), and a process that was slow does not fill it, so what was read before the commit is
not cached after it.

If Redis is unreachable, every request reads the database. A question mark that could not be written is written as
soon as Redis is back, and until then this process ignores the cache. (Another process that reaches Redis earlier may
use an old fact for a minute.) core/local_cache.py is a second cache in front of Redis.
"""

import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Any
from uuid import UUID

from sqlalchemy import select

from core.errors import Forbidden, Unauthenticated
from core.local_cache import CHANNEL, FACT_SECONDS, LocalCache
from core.store import Store
from core.tokens import API_TOKEN_PREFIX, AccessTokens, Claims, InvalidToken, TokenKind, digest
from db.models import ApiToken, Membership, SecondFactor, Session, User
from db.query import Query, p
from db.session import Database
from runtime.permissions import Permission, is_factor_demanded, permissions_of_member
from shapes.users import Role, UserStatus

_SLOW = 20  # seconds between reading a fact and caching it, after which it may be outdated
_ASK = b"?"
_MOST_SEEN = 20_000  # tokens
_ALIVE, _ENDED = b"1", b"0"
_LIMITED = "2"  # the first part of the fact of a login whose API token is limited
_WITHOUT_FACTOR = (
    b"3"  # the fact of a login that may only add the second factor which is demanded of its user
)
_SETUP = frozenset({Permission.profile_read.value, Permission.profile_write.value})

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class PaymentLimits:
    """Says which accounts an API token may charge, and how much a day."""

    account_ids: frozenset[UUID] | None
    """None: all accounts of its user."""
    spend_per_day: Decimal | None
    """The most of a day (UTC), of each currency. None: no limit."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The caller of an operation. `session_id` is None for an API token."""

    id: UUID
    roles: frozenset[str]
    session_id: UUID | None = None
    scopes: frozenset[str] | None = None
    """The permissions that the caller's API token is limited to; None: it has no limit, or there is none."""
    networks: tuple[Network, ...] | None = None
    """The networks from which the caller's API token may be used; None: from all."""
    payments: PaymentLimits | None = None
    """Limits of what the caller's API token may charge; None: it has no such limit, or there is no token."""
    token_id: UUID | None = None
    """The API token that was sent. A login that was opened with a token does not have it."""
    needs_factor: bool = False
    """A second factor is demanded of the user, who has none: `scopes` are what the login may do until then."""
    limited_by: UUID | None = None
    """The API token that limits the caller: the one that was sent, or that opened the login, if it has limits."""
    person: "Viewer | None" = None
    """Who acts for the user `id`, an owner who has made that person a member. None: everybody acts for themselves."""
    actor_id: UUID = field(init=False, repr=False, compare=False)
    """The user who has logged in: the member, if one acts for an owner, else `id`."""
    admin: bool = field(init=False, repr=False, compare=False)
    id_text: str = field(init=False, repr=False, compare=False)
    """The id as text, which the log line of every request and many keys need."""

    def __post_init__(self) -> None:
        admin = Role.admin in self.roles and (self.scopes is None or Permission.users_admin in self.scopes)
        object.__setattr__(self, "admin", admin)
        object.__setattr__(self, "id_text", str(self.id))
        object.__setattr__(self, "actor_id", self.id if self.person is None else self.person.id)

    def within(self, other: "Viewer") -> "Viewer":
        """Returns this caller with the permissions that both credentials of a request have."""
        if other.limited_by is None:
            return self
        scopes = self.scopes
        if other.scopes is not None:
            scopes = other.scopes if scopes is None else scopes & other.scopes
        limited_by = self.limited_by or other.limited_by
        return replace(self, scopes=scopes, payments=self.payments or other.payments, limited_by=limited_by)


_LIMIT_COLUMNS = (ApiToken.scopes, ApiToken.networks, ApiToken.account_ids, ApiToken.spend_per_day)
_LOGIN = Query(
    User,
    select(
        User.token_version.label("version"),
        User.status.label("status"),
        User.roles.label("roles"),
        Session.revoked_at.label("revoked_at"),
        ApiToken.id.label("token_id"),
        select(SecondFactor.id)
        .where(SecondFactor.user_id == User.id, SecondFactor.confirmed_at.is_not(None))
        .exists()
        .label("has_factor"),
        *(limit.label(limit.key) for limit in _LIMIT_COLUMNS),
    )
    .join(Session, Session.user_id == User.id)
    .outerjoin(ApiToken, ApiToken.id == Session.api_token_id)
    .where(User.id == p("user_id"), Session.id == p("session_id")),
)
_MEMBER = Query(
    User,
    select(
        User.token_version.label("version"),
        User.status.label("status"),
        User.roles.label("roles"),
        Membership.role.label("role"),
        Membership.permissions.label("permissions"),
    )
    .outerjoin(Membership, (Membership.owner_id == User.id) & (Membership.member_id == p("member_id")))
    .where(User.id == p("owner_id")),
)
_OPENED_BY = Query(Session, select(Session.api_token_id.label("token_id")).where(Session.id == p("id")))
_API_TOKEN = Query(
    User,
    select(
        User.id.label("id"),
        User.status.label("status"),
        User.roles.label("roles"),
        ApiToken.id.label("token_id"),
        *(limit.label(limit.key) for limit in _LIMIT_COLUMNS),
        ApiToken.expires_at.label("expires_at"),
        ApiToken.revoked_at.label("revoked_at"),
    )
    .join(ApiToken, ApiToken.user_id == User.id)
    .where(ApiToken.token_hash == p("token_hash")),
)


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """The credential of the console: the value of its cookie (runtime/console_cookie.py)."""

    token: str = field(repr=False)


Credential = str | SessionCookie
"""The value of an `Authorization` header, or the cookie of the console."""


def _user_key(user_id: UUID) -> str:
    return f"viewer:user:{user_id}"


def _session_key(session_id: UUID) -> str:
    return f"viewer:session:{session_id}"


def _member_key(owner_id: UUID, member_id: UUID) -> str:
    return f"viewer:member:{owner_id}:{member_id}"


def _member_fact(row: Any) -> bytes:
    """Returns the fact of a membership: the role, and the permissions if they were chosen one by one."""
    if row.role is None:
        return _ENDED
    return (row.role if row.permissions is None else f"{row.role}|{','.join(row.permissions)}").encode()


def _session_fact(row: Any, policy: str) -> bytes:
    """Returns the fact of a login: whether it is alive, what its API token is limited to, and whether it may only add a
    second factor by the operator's `policy`.

    A release before has no limits of tokens and no second factors, and takes such a login for ended.
    """
    if row.revoked_at is not None:
        return _ENDED
    if row.token_id is None and not row.has_factor and is_factor_demanded(policy, row.roles):
        return _WITHOUT_FACTOR
    limits = (row.scopes, row.networks, row.account_ids)
    if all(each is None for each in limits) and row.spend_per_day is None:
        return _ALIVE
    texts = ["*" if each is None else ",".join(map(str, each)) for each in limits]
    spend = "*" if row.spend_per_day is None else str(row.spend_per_day)
    return "|".join((_LIMITED, str(row.token_id), *texts, spend)).encode()


def _limits(session: bytes) -> dict[str, Any]:
    """Returns the fields of a Viewer that the fact of a living login says."""
    if session == _ALIVE:
        return {}
    if session == _WITHOUT_FACTOR:
        return {"scopes": _SETUP, "needs_factor": True}
    _, token, *limits, spend = session.decode().split("|")
    scopes, networks, accounts = (None if each == "*" else tuple(each.split(",")) for each in limits)
    return _limited(UUID(token), scopes, networks, accounts, None if spend == "*" else Decimal(spend))


@lru_cache(4096)  # a token is sent again and again, and its networks cost microseconds to parse
def _limited(
    token: UUID,
    scopes: tuple[str, ...] | None,
    networks: tuple[str, ...] | None,
    accounts: tuple[str | UUID, ...] | None,
    spend: Decimal | None,
) -> dict[str, Any]:
    """Returns the fields of a Viewer that the limits of an API token say."""
    payments = None
    if accounts is not None or spend is not None:
        ids = None if accounts is None else frozenset(UUID(str(id)) for id in accounts)
        payments = PaymentLimits(ids, spend)
    return {
        "scopes": None if scopes is None else frozenset(scopes),
        "networks": None if networks is None else tuple(map(ip_network, networks)),
        "payments": payments,
        "limited_by": token,
    }


def _fact(version: int, status: str, roles: Iterable[str]) -> bytes:
    return f"{version}|{status}|{','.join(roles)}".encode()


@dataclass(frozen=True, slots=True)
class _Seen:
    """The viewer that a token's facts gave. It is still valid if the cache returns the same two objects."""

    keys: tuple[str, str]
    user: bytes
    session: bytes
    viewer: Viewer


class Viewers:
    """Identifies callers, through the caches."""

    def __init__(
        self, db: Database, store: Store, tokens: AccessTokens, second_factor: str = "optional"
    ) -> None:
        """`second_factor` is the setting of that name."""
        self._db, self._store, self._tokens, self._policy = db, store, tokens, second_factor
        self.local_cache = LocalCache(store)
        self._seen: dict[str, _Seen] = {}  # by token
        self._by_password: dict[
            UUID, bool
        ] = {}  # whether a session was opened with a password; it never changes
        self._owed: dict[
            str, float
        ] = {}  # question marks that Redis lacks, with the time until they are needed

    async def identify(self, authorization: Credential | None) -> Viewer:
        """Returns the caller that a credential stands for. Raises Unauthenticated."""
        if isinstance(authorization, SessionCookie):
            return await self._by_token(authorization.token, TokenKind.console)
        if not authorization:
            raise Unauthenticated("Send your access token: Authorization: Bearer <token>.")
        scheme, _, credential = authorization.partition(" ")
        credential = credential.strip()
        if scheme.lower() != "bearer" or not credential:
            raise Unauthenticated("Send your access token: Authorization: Bearer <token>.")
        if credential.startswith(API_TOKEN_PREFIX):
            return await self._by_api_token(credential)
        return await self._by_token(credential, TokenKind.access)

    async def _by_token(self, token: str, kind: TokenKind) -> Viewer:
        try:
            claims = self._tokens.read(token, kind)
        except InvalidToken:
            raise Unauthenticated(
                "The access token is invalid or has expired. Log in again, or refresh it.",
                code="invalid_token",
            ) from None
        seen = self._seen.get(token)
        keys = (_user_key(claims.user_id), _session_key(claims.session_id)) if seen is None else seen.keys
        user, session = self.local_cache.get(keys[0]), self.local_cache.get(keys[1])
        if user is None or session is None:
            user, session = await self._fetch(keys, lambda: self._login(claims))
        elif seen is not None and seen.user is user and seen.session is session:
            return seen.viewer
        version, status, roles = user.decode().split("|")
        if int(version) != claims.version or session == _ENDED or status != UserStatus.active:
            raise Unauthenticated("This login has ended. Log in again.", code="session_ended")
        viewer = Viewer(claims.user_id, frozenset(roles.split(",")), claims.session_id, **_limits(session))
        if len(self._seen) > _MOST_SEEN:
            self._seen.clear()
        self._seen[token] = _Seen(keys, user, session, viewer)
        return viewer

    async def act_for(self, viewer: Viewer, owner_id: UUID) -> Viewer:
        """Returns the caller as one who acts for an owner, with what the membership allows.

        Raises Forbidden: `acting_needs_login` for an API token and a login that was opened with one, `not_a_member`.
        """
        if owner_id == viewer.id:
            return viewer
        if viewer.session_id is None or not await self._is_by_password(viewer.session_id):
            raise Forbidden(
                "An API token acts for its own user alone. Leave X-Postern-Owner out, or log in with a password.",
                code="acting_needs_login",
            )
        keys = (_user_key(owner_id), _member_key(owner_id, viewer.id))
        user, member = self.local_cache.get(keys[0]), self.local_cache.get(keys[1])
        if user is None or member is None:
            user, member = await self._fetch(keys, lambda: self._member(owner_id, viewer.id))
        _, status, roles = user.decode().split("|")
        if member == _ENDED or status != UserStatus.active or Role.admin in roles.split(","):
            raise Forbidden(
                "You are no member of this owner. Check X-Postern-Owner, or ask the owner to invite you.",
                code="not_a_member",
            )
        role, _, names = member.decode().partition("|")
        permissions = permissions_of_member(role, tuple(names.split(",")) if names else None)
        scopes = frozenset(each.value for each in permissions)
        if viewer.scopes is not None:  # the second factor is missing
            scopes &= viewer.scopes
        return Viewer(
            owner_id,
            frozenset({Role.user.value}),
            viewer.session_id,
            scopes=scopes,
            needs_factor=viewer.needs_factor,
            person=viewer,
        )

    async def _is_by_password(self, session_id: UUID) -> bool:
        """Returns whether a living session was opened with a password, and not with an API token."""
        known = self._by_password.get(session_id)
        if known is None:
            row: Any = await _OPENED_BY.first(self._db, id=session_id)
            if len(self._by_password) > _MOST_SEEN:
                self._by_password.clear()
            known = self._by_password[session_id] = row is not None and row.token_id is None
        return known

    async def _fetch(
        self, keys: tuple[str, str], read: Callable[[], Awaitable[tuple[bytes, bytes] | None]]
    ) -> tuple[bytes, bytes]:
        """Returns two facts, the first of them a user's, from Redis or else by `read`, which returns None if there is no
        such user.
        """
        generation = self.local_cache.generation
        cached: list[Any] = [None, None]
        written = not self._owed or await self._write_question_marks()
        if written and not self.local_cache.is_changed(keys):
            cached = await self._store.attempt(lambda redis: redis.mget(keys), cached)
        first, second = cached
        if first is not None and second is not None and _ASK not in (first, second):
            self.local_cache.keep(generation, zip(keys, cached, strict=True))
            return first, second
        begun = time.monotonic()
        facts = await read()
        if facts is None:
            return _fact(-1, "gone", ()), _ENDED

        async def fill(redis: Any) -> None:
            pipe = redis.pipeline(transaction=False)
            for key, fact in zip(keys, facts, strict=True):
                pipe.set(key, fact, nx=True, ex=FACT_SECONDS)
            await pipe.execute()

        if time.monotonic() - begun < _SLOW:
            await self._store.attempt(fill, None)
        return facts

    async def _login(self, claims: Claims) -> tuple[bytes, bytes] | None:
        row: Any = await _LOGIN.first(self._db, user_id=claims.user_id, session_id=claims.session_id)
        if row is None:
            return None
        return _fact(row.version, row.status, row.roles), _session_fact(row, self._policy)

    async def _member(self, owner_id: UUID, member_id: UUID) -> tuple[bytes, bytes] | None:
        row: Any = await _MEMBER.first(self._db, owner_id=owner_id, member_id=member_id)
        return None if row is None else (_fact(row.version, row.status, row.roles), _member_fact(row))

    async def _by_api_token(self, token: str) -> Viewer:
        row: Any = await _API_TOKEN.first(self._db, token_hash=digest(token))
        now = self._db.now()
        if (
            row is None
            or row.revoked_at is not None
            or (row.expires_at is not None and row.expires_at <= now)
            or row.status != UserStatus.active
        ):
            raise Unauthenticated(
                "The API token is invalid, expired or revoked. Create a new one.", code="invalid_token"
            )
        limits = (row.scopes, row.networks, row.account_ids)
        is_limited = row.spend_per_day is not None or any(each is not None for each in limits)
        lists = (None if each is None else tuple(each) for each in limits)
        limited = _limited(row.token_id, *lists, row.spend_per_day) if is_limited else {}
        return Viewer(row.id, frozenset(row.roles), token_id=row.token_id, **limited)

    async def invalidate(
        self,
        *,
        users: Iterable[UUID] = (),
        sessions: Iterable[UUID] = (),
        members: Iterable[tuple[UUID, UUID]] = (),
    ) -> None:
        """Invalidates facts; `members` are pairs of owner and member. Call it before the commit that changes them; the
        database is read from then on.
        """
        until = time.monotonic() + FACT_SECONDS
        keys = [
            *map(_user_key, users),
            *map(_session_key, sessions),
            *(_member_key(owner, member) for owner, member in members),
        ]
        self._owed.update(dict.fromkeys(keys, until))
        self.local_cache.invalidate(keys)
        await self._write_question_marks()

    async def _write_question_marks(self) -> bool:
        """Writes the missing question marks to Redis, for a minute. Returns whether Redis has all of them."""
        now = time.monotonic()
        self._owed = {key: until for key, until in self._owed.items() if until > now}
        owed = dict(self._owed)
        if not owed:
            return True

        async def write(redis: Any) -> bool:
            pipe = redis.pipeline(transaction=False)
            for key in owed:
                pipe.set(key, _ASK, ex=FACT_SECONDS)
            pipe.publish(CHANNEL, ",".join(owed))
            await pipe.execute()
            return True

        if not await self._store.attempt(write, False):
            return False
        self._owed = {key: until for key, until in self._owed.items() if owed.get(key) != until}
        return not self._owed
