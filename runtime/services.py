"""Holds what a process keeps open: settings, the database, Redis, keys and limits. Opened once and closed once."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core import outbound, pubsub
from core.anonymous_budget import AnonymousBudget
from core.budget import Budget
from core.change_events import ChangeEvents
from core.database_options import BadSettings
from core.file_store import FileStore, open_store
from core.legacy_bridge import LegacyBridge, LegacyLimits
from core.outbound import Guard
from core.passwords import Passwords
from core.rate_limits import Limit, Limiter
from core.settings import Settings
from core.store import Store
from core.tokens import AccessTokens
from core.trusted_documents import Documents, open_documents
from core.vault import Vault
from db.session import Database
from runtime.breakers import Breakers
from runtime.purposes import Choices
from runtime.render_pool import RenderPool, of_pictures
from runtime.routes import Routes
from runtime.viewers import Viewers

T = TypeVar("T")

_LEAST_IDLE, _MOST_IDLE = 5.0, 60.0  # seconds for which a transaction may be idle
_LEARN_SECONDS = 2.0  # by which a database that does not answer may delay a start


@dataclass(eq=False)
class Services:
    """The open services of a process. Operations reach them as `op.services`."""

    settings: Settings
    db: Database
    store: Store
    change_events: ChangeEvents
    limiter: Limiter
    passwords: Passwords
    tokens: AccessTokens
    viewers: Viewers
    guard: Guard
    legacy: LegacyBridge | None
    routes: Routes
    breakers: Breakers
    vault: Vault
    files: FileStore
    budget: Budget  # the rate limit of GraphQL
    anonymous_budget: AnonymousBudget  # of its documents without a login
    documents: Documents
    choices: Choices  # the purposes of the installation, and its billing
    render_pool: RenderPool = field(default_factory=RenderPool)
    picture_pool: RenderPool = field(default_factory=of_pictures)
    draining: bool = field(default=False)
    worker: str = field(default="")  # its name, if this process is a worker
    stopping: asyncio.Event = field(default_factory=asyncio.Event)  # start nothing new, and end subscriptions
    _singles: dict[type, tuple[Any, Callable[[Any], Awaitable[None]] | None]] = field(
        default_factory=dict, init=False
    )

    def key(self, purpose: str) -> bytes:
        """Derives a key for one purpose from POSTERN_SECRET_KEY; it encrypts and signs."""
        return self.keys(purpose)[0]

    def keys(self, purpose: str) -> tuple[bytes, ...]:
        """Derives the keys for one purpose from POSTERN_SECRET_KEY and each of POSTERN_SECRET_KEY_OLD.

        The newest is first; each of them decrypts and verifies.
        """
        return derived_keys(self.settings, purpose)

    def single(
        self, kind: type[T], make: Callable[[], T], close: Callable[[T], Awaitable[None]] | None = None
    ) -> T:
        """Returns the one object of the class `kind` that these services have. The first call makes it.

        Packages that import this one keep here what a process has once, such as the runner of projects, the pool of
        proxies, or the numbers for /metrics. `Services.close` calls `close` with the object; the newest object is
        closed first.
        """
        if kind not in self._singles:
            self._singles[kind] = make(), close
        single: T = self._singles[kind][0]
        return single

    async def learn_time(self) -> None:
        """Makes `db.now()` the database's time from the first call on, unless the database does not answer."""
        with suppress(Exception):
            async with asyncio.timeout(_LEARN_SECONDS):
                await self.db.fetchval("SELECT 1")  # a new connection for reads asks for the time

    async def close(self) -> None:
        """Closes everything that is open."""
        while self._singles:
            _, (single, close) = self._singles.popitem()
            if close is not None:
                await close(single)
        await self.change_events.close()
        await pubsub.close(self.store)
        if self.legacy is not None:
            await self.legacy.close()
        await self.store.close()
        await self.db.close()


def open_services(settings: Settings, name: str = "postern", *, pooler: bool = False) -> Services:
    """Makes the services, without connecting yet. Raises BadSettings.

    `pooler`: the process may reach PostgreSQL through a pooler in transaction mode, if DB_DIRECT_STRING is set. A
    worker may not (decision 0127).
    """
    if settings.db_string is None or settings.redis_url is None or settings.secret_key is None:
        raise BadSettings("DB_STRING, REDIS_URL and POSTERN_SECRET_KEY must be set (or use `make run`)")
    outbound.configure(settings.outbound_allow)  # because the channels have no access to the settings
    # An idle transaction keeps its locks, so it may last as long as a claim: then another process takes over.
    idle = min(max(settings.lease_seconds, _LEAST_IDLE), _MOST_IDLE)
    db = Database.of(settings, name, pooler=pooler, idle_seconds=idle)
    store = Store(settings.redis_url.get_secret_value())
    limiter = Limiter(store)
    tokens = AccessTokens(settings, lambda: db.now().timestamp())
    return Services(
        settings=settings,
        db=db,
        store=store,
        change_events=ChangeEvents(store),
        limiter=limiter,
        passwords=Passwords(),
        tokens=tokens,
        viewers=Viewers(db, store, tokens, settings.second_factor),
        guard=outbound.shared(),
        legacy=_legacy(settings),
        routes=Routes(settings),
        breakers=Breakers(db),
        vault=Vault(*derived_keys(settings, "vault")),
        files=open_store(settings),
        budget=Budget(limiter, Limit.parse("graphql", settings.limit_graphql)),
        anonymous_budget=AnonymousBudget(
            limiter,
            Limit.parse("anonymous-documents", settings.limit_documents),
            Limit.parse("anonymous-documents-all", settings.limit_documents_global),
        ),
        documents=open_documents(settings, store, limiter),
        choices=Choices(db, settings),
    )


def derived_keys(settings: Settings, purpose: str) -> tuple[bytes, ...]:
    """Returns one key of 64 bytes for `purpose` from each secret key, the newest first."""
    assert settings.secret_key is not None
    secrets = dict.fromkeys(key.get_secret_value() for key in (settings.secret_key, *settings.secret_key_old))
    return tuple(
        hashlib.blake2b(purpose.encode(), key=hashlib.sha256(secret.encode()).digest()).digest()
        for secret in secrets
    )


def _legacy(settings: Settings) -> LegacyBridge | None:
    if settings.legacy_url is None:
        return None
    try:
        return LegacyBridge(
            settings.legacy_url,
            prefixes=settings.legacy_prefixes,
            limits=LegacyLimits(total_timeout=settings.legacy_timeout),
            token=settings.legacy_token.get_secret_value() if settings.legacy_token else None,
        )
    except ValueError as error:
        raise BadSettings(f"POSTERN_LEGACY_URL or POSTERN_LEGACY_PREFIXES: {error}") from error


@asynccontextmanager
async def services(
    settings: Settings, name: str = "postern", *, pooler: bool = False
) -> AsyncIterator[Services]:
    """Opens the services and closes them at the end. `name` is what PostgreSQL shows of the connections; `pooler` is
    explained at `open_services`.
    """
    opened = open_services(settings, name, pooler=pooler)
    try:
        yield opened
    finally:
        await opened.close()
