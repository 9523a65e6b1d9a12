"""Identifies the caller of a request: from a Bearer credential to a Viewer, with at most one call to Redis.

Redis caches three facts for a minute: a user's version, status and roles; whether a session is alive, with what its
API token is limited to; and what a member may do for an owner (login_state.py). A change (suspension, logout, a new
password, a narrowed token) replaces the fact by a question mark before it commits; while the question mark is there,
for a minute as well, the database is read. Filling the cache never overwrites (`NX`), and a process that was slow does
not fill it, so what was read before the commit is not cached after it.

If Redis is unreachable, every request reads the database. A question mark that could not be written is written as
soon as Redis is back, and until then this process ignores the cache. (Another process that reaches Redis earlier may
use an old fact for a minute.) core/local_cache.py is a second cache in front of Redis.
"""

import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from core.errors import Forbidden, Unauthenticated
from core.local_cache import CHANNEL, FACT_SECONDS, LocalCache
from core.store import Store
from core.tokens import API_TOKEN_PREFIX, AccessTokens, Claims, InvalidToken, TokenKind, digest
from db.session import Database
from runtime.group_commit import NotStarted, SharedReads
from runtime.permissions import Permission, permissions_of_member
from runtime.viewers.login_state import (
    API_TOKEN,
    ENDED,
    LOGIN,
    MEMBER,
    OPENED_BY,
    Network,
    PaymentLimits,
    is_limited,
    is_paused,
    limits_of_login,
    limits_of_token,
    member_fact,
    member_key,
    reach_of,
    session_fact,
    session_key,
    user_fact,
    user_key,
)
from shapes.users import Role, UserStatus

_SLOW = 20  # seconds between reading a fact and caching it, after which it may be outdated
_ASK = b"?"
_MOST_SEEN = 20_000  # tokens


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
    reach: tuple[UUID, ...] = ()
    """The API token and the membership whose recipients of 24 hours are counted, since they have `approvalAbove`."""
    person: "Viewer | None" = None
    """The person who acts for the user `id`, an owner whose member this person is. None: the user acts for
    themselves.
    """
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
        reach = tuple(dict.fromkeys((*self.reach, *other.reach)))
        payments = self.payments or other.payments
        return replace(self, scopes=scopes, payments=payments, limited_by=limited_by, reach=reach)


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """The credential of the console: the value of its cookie (runtime/console_cookie.py)."""

    token: str = field(repr=False)


Credential = str | SessionCookie
"""The value of an `Authorization` header, or the cookie of the console."""


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
        self._api_tokens: SharedReads[bytes, Any] = SharedReads(self._api_token)
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
        keys = (user_key(claims.user_id), session_key(claims.session_id)) if seen is None else seen.keys
        user, session = self.local_cache.get(keys[0]), self.local_cache.get(keys[1])
        if user is None or session is None:
            user, session = await self._fetch(keys, lambda: self._login(claims))
        elif seen is not None and seen.user is user and seen.session is session:
            return seen.viewer
        version, status, roles = user.decode().split("|")
        if int(version) != claims.version or session == ENDED or status != UserStatus.active:
            raise Unauthenticated("This login has ended. Log in again.", code="session_ended")
        viewer = Viewer(
            claims.user_id, frozenset(roles.split(",")), claims.session_id, **limits_of_login(session)
        )
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
        keys = (user_key(owner_id), member_key(owner_id, viewer.id))
        user, member = self.local_cache.get(keys[0]), self.local_cache.get(keys[1])
        if user is None or member is None:
            user, member = await self._fetch(keys, lambda: self._member(owner_id, viewer.id))
        _, status, roles = user.decode().split("|")
        if member == ENDED or status != UserStatus.active or Role.admin in roles.split(","):
            raise not_a_member()
        role, names, membership = (member.decode() + "||").split("|")[:3]
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
            reach=(UUID(membership),) if membership else (),
            person=viewer,
        )

    async def _is_by_password(self, session_id: UUID) -> bool:
        """Returns whether a living session was opened with a password, and not with an API token."""
        is_own = self._by_password.get(session_id)
        if is_own is None:
            row: Any = await OPENED_BY.first(self._db, id=session_id)
            if len(self._by_password) > _MOST_SEEN:
                self._by_password.clear()
            is_own = self._by_password[session_id] = row is not None and row.token_id is None
        return is_own

    async def _fetch(
        self, keys: tuple[str, str], read: Callable[[], Awaitable[tuple[bytes, bytes] | None]]
    ) -> tuple[bytes, bytes]:
        """Returns two facts, the first of them a user's, from Redis or else by `read`.

        `read` returns None if there is no such user.
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
        values = await read()
        if values is None:
            return user_fact(-1, "gone", ()), ENDED

        async def fill(redis: Any) -> None:
            pipe = redis.pipeline(transaction=False)
            for key, fact in zip(keys, values, strict=True):
                pipe.set(key, fact, nx=True, ex=FACT_SECONDS)
            await pipe.execute()

        if time.monotonic() - begun < _SLOW:
            await self._store.attempt(fill, None)
        return values

    async def _login(self, claims: Claims) -> tuple[bytes, bytes] | None:
        row: Any = await LOGIN.first(self._db, user_id=claims.user_id, session_id=claims.session_id)
        if row is None:
            return None
        return user_fact(row.version, row.status, row.roles), session_fact(row, self._policy)

    async def _member(self, owner_id: UUID, member_id: UUID) -> tuple[bytes, bytes] | None:
        row: Any = await MEMBER.first(self._db, owner_id=owner_id, member_id=member_id)
        return None if row is None else (user_fact(row.version, row.status, row.roles), member_fact(row))

    async def _api_token(self, hash: bytes) -> Any:
        return await API_TOKEN.first(self._db, token_hash=hash)

    async def _by_api_token(self, token: str) -> Viewer:
        hash = digest(token)
        try:
            row = await self._api_tokens.of(hash)
        except NotStarted:  # too many requests of this token wait
            row = await self._api_token(hash)
        now = self._db.now()
        if (
            row is None
            or row.revoked_at is not None
            or (row.expires_at is not None and row.expires_at <= now)
            or row.status != UserStatus.active
            or is_paused(row)
        ):
            raise Unauthenticated(
                "The API token is invalid, expired or revoked. Create a new one.", code="invalid_token"
            )
        limits = (row.scopes, row.networks, row.account_ids)
        lists = (None if each is None else tuple(each) for each in limits)
        numbers = (row.spend_per_day, row.messages_per_day)
        limited = limits_of_token(row.token_id, *lists, *numbers, reach_of(row)) if is_limited(row) else {}
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
            *map(user_key, users),
            *map(session_key, sessions),
            *(member_key(owner, member) for owner, member in members),
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


def not_a_member() -> Forbidden:
    """Returns the error of a caller who does not act for the owner that the request names, or not any more."""
    return Forbidden(
        "You are no member of this owner. Check X-Postern-Owner, or ask the owner to invite you.",
        code="not_a_member",
    )
