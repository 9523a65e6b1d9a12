"""`@operation`: the frame around every operation.

permission → idempotency key → its own session and transaction → the resolver → commit, all before the door
responds. Each operation has its own session: a session for the whole request would not do, as GraphQL runs the fields
of a query concurrently. Only this frame commits; a job or an event is a row in the same transaction.
"""

import asyncio
import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

import asyncpg
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import AppError, Forbidden
from core.metrics import OPERATIONS_FAILED
from db.base import Base
from db.query import Reads
from db.session import Database, driver_connection
from runtime.context import Context
from runtime.database_errors import retryable, translate
from runtime.idempotency import Attempt, Replay
from runtime.permissions import Permission, allowed
from runtime.services import Services
from runtime.viewers import Viewer

P = ParamSpec("P")
R = TypeVar("R")
_TRIES = 3  # of a transaction that failed by a deadlock or a serialization failure

Mode = Literal["write", "sql", "read", "outside"]


@dataclass(frozen=True, slots=True)
class Operation:
    """An entry of the registry. The tests that every operation must pass use it too."""

    name: str
    permission: Permission
    mode: Mode
    idempotent: type[Base] | None
    work: Callable[..., Any]


OPERATIONS: dict[str, Operation] = {}


class Op:
    """What a resolver receives: the caller, the services, and the transaction."""

    def __init__(
        self,
        ctx: Context,
        viewer: Viewer | None,
        session: AsyncSession | None = None,
        connection: asyncpg.Connection | None = None,
    ) -> None:
        self.ctx = ctx
        self._viewer = viewer
        self._session = session
        self._connection = connection
        self.prepared: Any = None  # the result of `before`

    @property
    def services(self) -> Services:
        return self.ctx.services

    @property
    def db(self) -> Database:
        """The database, for reads outside the transaction."""
        return self.ctx.services.db

    @property
    def session(self) -> AsyncSession:
        """The session of a `write` operation, in its transaction."""
        if self._session is None:
            raise RuntimeError("this operation has no transaction; open one with `async with op.tx()`")
        return self._session

    @property
    def connection(self) -> asyncpg.Connection:
        """The asyncpg connection of a `sql` operation, in its transaction."""
        if self._connection is None:
            raise RuntimeError("only a `sql` operation has a connection of its own")
        return self._connection

    @property
    def reads(self) -> Reads:
        """For reads of any operation: in the transaction of a `sql` operation, else outside."""
        return self._connection or self.services.db

    @property
    def viewer(self) -> Viewer:
        """The caller. A public operation has none."""
        if self._viewer is None:
            raise RuntimeError("a public operation has no viewer")
        return self._viewer

    def own(self, *mine: Any) -> tuple[Any, ...]:
        """Returns the conditions that limit a list to the caller's rows: `mine`; none for administrators."""
        return () if self.viewer.admin else mine

    @asynccontextmanager
    async def tx(self) -> AsyncIterator[AsyncSession]:
        """Opens a short transaction in an operation that calls other systems."""
        async with self.services.db.session.begin() as session:
            yield session


def operation(
    permission: Permission,
    mode: Mode = "write",
    *,
    idempotent: type[Base] | None = None,
    before: Callable[..., Awaitable[Any]] | None = None,
) -> Callable[
    [Callable[Concatenate[Op, P], Awaitable[R]]], Callable[Concatenate[Context, P], Coroutine[Any, Any, R]]
]:
    """Turns a resolver into an operation.

    `write` runs it in one transaction, on an SQLAlchemy session. `sql` does so on a bare asyncpg connection, for the
    few operations whose latency matters most; there every error rolls back. `read` gives it no transaction, only
    `op.db`. `outside` is for work that calls another system: no transaction is open meanwhile, and the work opens
    short ones with `op.tx()`.

    `before` (only of a `sql` operation) is called with the same arguments before the transaction begins, but not if
    the response is replayed; its result is `op.prepared`. `idempotent` is the model of the row that is returned; with
    it the operation honours the caller's Idempotency-Key.
    """

    def wrap(
        work: Callable[Concatenate[Op, P], Awaitable[R]],
    ) -> Callable[Concatenate[Context, P], Coroutine[Any, Any, R]]:
        name = f"{work.__module__.removeprefix('resolvers.')}.{work.__name__}"
        entry = Operation(name, permission, mode, idempotent, work)
        OPERATIONS[name] = entry
        signature = inspect.signature(work)

        def attempt_of(ctx: Context, viewer: Viewer | None, args: Any, kwargs: Any) -> Attempt | None:
            key = ctx.idempotency_key if idempotent is not None else None
            if key is None or viewer is None or idempotent is None:
                return None
            bound = signature.bind(None, *args, **kwargs)
            return Attempt(idempotent, viewer.id, name, key, dict(list(bound.arguments.items())[1:]))

        def replayed(ctx: Context, replay: Replay) -> R:
            ctx.answer_header("idempotent-replayed", "true")
            return replay.value  # type: ignore[no-any-return]

        async def in_session(ctx: Context, viewer: Viewer | None, *args: Any, **kwargs: Any) -> R:
            attempt = attempt_of(ctx, viewer, args, kwargs)
            async with ctx.services.db.session() as session:
                op = Op(ctx, viewer, session)
                if attempt and (replay := await attempt.begin(await driver_connection(session))):
                    return replayed(ctx, replay)
                try:
                    answer = await work(op, *args, **kwargs)
                    if attempt:
                        await session.flush()
                        await attempt.finish(await driver_connection(session), answer)
                except AppError as error:
                    if error.commit:
                        await session.commit()
                    raise
                await session.commit()
            return answer

        async def in_sql(ctx: Context, viewer: Viewer | None, *args: Any, **kwargs: Any) -> R:
            attempt = attempt_of(ctx, viewer, args, kwargs)
            if attempt and (replay := await attempt.look(ctx.services.db)):
                return replayed(ctx, replay)
            # No connection is held meanwhile: `before` may call Redis, and Redis may be slow.
            prepared = await before(Op(ctx, viewer), *args, **kwargs) if before else None
            async with ctx.services.db.reading() as connection:
                op = Op(ctx, viewer, connection=connection)
                op.prepared = prepared
                async with connection.transaction():
                    if attempt and (replay := await attempt.begin(connection)):
                        return replayed(ctx, replay)
                    answer = await work(op, *args, **kwargs)
                    if attempt:
                        await attempt.finish(connection, answer)
            return answer

        in_transaction = in_sql if mode == "sql" else in_session

        async def change(ctx: Context, viewer: Viewer | None, *args: Any, **kwargs: Any) -> R:
            if mode == "outside":
                return await work(Op(ctx, viewer), *args, **kwargs)
            for left in reversed(range(_TRIES)):
                try:
                    return await in_transaction(ctx, viewer, *args, **kwargs)
                except Exception as error:
                    if not left or not retryable(error):
                        raise
                    await asyncio.sleep(0.01 * (_TRIES - left))
            raise AssertionError("unreachable")

        @functools.wraps(work)
        async def run(ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> R:
            try:
                viewer = None if permission is Permission.public else await ctx.viewer()
                if viewer is not None and not allowed(viewer.roles, permission):
                    raise Forbidden(
                        f"This request needs the permission {permission.value}. Use a token that has it, or ask an"
                        " administrator."
                    )
                if mode == "read":
                    return await work(Op(ctx, viewer), *args, **kwargs)
                with ctx.services.news.noting():
                    return await change(ctx, viewer, *args, **kwargs)
            except AppError as error:
                OPERATIONS_FAILED.labels(name, error.code).inc()
                raise
            except Exception as error:
                known = translate(error)
                OPERATIONS_FAILED.labels(name, known.code if known else "internal_error").inc()
                if known is None:
                    raise
                raise known from error

        return run

    return wrap
