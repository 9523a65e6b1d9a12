"""`@operation`: the frame around every operation.

permission → a slot of the owner → idempotency key → its own session and transaction → the resolver → commit, all
before the door responds. Each operation has its own session: a session for the whole request would not do, as GraphQL
runs the fields of a query concurrently. Only this frame commits; a job or an event is a row in the same transaction.
"""

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, overload

import asyncpg
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import AppError, Forbidden
from core.metrics import OPERATIONS_FAILED
from core.modules import switch_of
from db.query import Reads
from db.session import Database, driver_connection
from runtime import audit
from runtime.context import Context
from runtime.database_errors import translate
from runtime.idempotency import Attempt, Replay, StoredAnswer
from runtime.owner_slots import owner_slots
from runtime.permissions import PROFILE, Permission, allowed
from runtime.retry import despite_conflicts
from runtime.services import Services
from runtime.texts import public_text
from runtime.viewers import Viewer
from shapes.purposes import Module

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
Arguments = tuple[Any, ...]
Keywords = dict[str, Any]

Mode = Literal["write", "sql", "read", "outside", "joined"]


class Op:
    """Gives a resolver the caller, the services, and the transaction."""

    def __init__(self, ctx: Context, viewer: Viewer | None) -> None:
        self.ctx = ctx
        self._viewer = viewer
        self._session: AsyncSession | None = None
        self._connection: asyncpg.Connection | None = None
        self.prepared: Any = None  # the result of `before`
        self.attempt: Attempt | None = (
            None  # the use of an Idempotency-Key, which a `joined` operation has to store
        )

    @property
    def services(self) -> Services:
        return self.ctx.services

    @property
    def db(self) -> Database:
        """Returns the database, for reads outside the transaction, and for the short transactions of `outside`."""
        return self.ctx.services.db

    @property
    def session(self) -> AsyncSession:
        """Returns the session of a `write` operation, in its transaction."""
        if self._session is None:
            raise RuntimeError("this operation has no transaction; open one with `async with op.tx()`")
        return self._session

    @property
    def connection(self) -> asyncpg.Connection:
        """Returns the asyncpg connection of a `sql` operation, in its transaction."""
        if self._connection is None:
            raise RuntimeError("only a `sql` operation has a connection of its own")
        return self._connection

    @property
    def reads(self) -> Reads:
        """Reads for any operation: in the transaction of a `sql` operation, else outside of one."""
        return self._connection or self.services.db

    @property
    def viewer(self) -> Viewer:
        """Returns the caller. A public operation has none."""
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


def require(viewer: Viewer, permission: Permission) -> None:
    """Raises Forbidden unless the caller has the permission."""
    if not allowed(viewer, permission):
        if viewer.needs_factor:
            raise second_factor_setup()
        raise lacking(permission)


def lacking(permission: Permission) -> Forbidden:
    """Returns the error of a caller who does not have a permission."""
    return Forbidden(
        f"This request needs the permission {permission.value}. Use a token that has it, or ask an administrator.",
        details={"permission": permission.value},
    )


def second_factor_setup() -> Forbidden:
    """Returns the error of a login that may only add the second factor which the operator demands."""
    return Forbidden(
        "This installation demands a second factor, and you have none yet. Add one: POST /auth/second-factors/totp.",
        code="second_factor_setup",
    )


@dataclass(frozen=True)
class Operation:
    """A resolver with the frame around it. The tests that every operation must pass read these fields too."""

    name: str
    permission: Permission
    mode: Mode
    idempotent: StoredAnswer | None
    before: Callable[..., Awaitable[Any]] | None
    after: Callable[[Op, Any], Awaitable[Any]] | None
    key_name: str  # under which the answers of its idempotency keys are stored
    work: Callable[..., Any]
    of_owner: bool = False
    or_permission: Permission | None = None

    @property
    def needs(self) -> str:
        """Returns what papers say of the permission."""
        if self.or_permission is None:
            return self.permission.value
        return f"{self.permission.value} or {self.or_permission.value}, as the kind of the row needs"

    @property
    def text(self) -> str:
        """Returns the text that both doors show, from the resolver's docstring. Raises ValueError without one."""
        text = public_text(self.work.__doc__)
        if not text:
            raise ValueError(f"{self.name} has no docstring. Its first paragraph is the text of both doors.")
        return text

    async def run(self, ctx: Context, args: Arguments, kwargs: Keywords) -> Any:
        """Runs the resolver for a caller. Raises AppError; any other error is a bug."""
        viewer = None
        try:
            viewer = await self._caller(ctx)
            self._admit(viewer)
            if self.switch is not None:
                await ctx.services.choices.require(self.switch)
            if self.mode == "read":
                return await self.work(Op(ctx, viewer), *args, **kwargs)
            with ctx.services.change_events.emitting(), await audit.scope(ctx, viewer, self.name):
                answer = await self._change(ctx, viewer, args, kwargs)
            return await self.after(Op(ctx, viewer), answer) if self.after else answer
        except AppError as error:
            await self._note(ctx, viewer, error)
            raise
        except Exception as error:
            translated = translate(error)
            OPERATIONS_FAILED.labels(self.name, translated.code if translated else "internal_error").inc()
            if translated is None:
                raise
            raise translated from error

    async def refuse_first(self, ctx: Context) -> None:
        """Raises Unauthenticated or Forbidden, as `run` would, for a request that is invalid and does not run: what a
        caller may not do is said before what is wrong with the request.
        """
        viewer = None
        try:
            viewer = await self._caller(ctx)
            self._admit(viewer)
        except AppError as error:
            await self._note(ctx, viewer, error)
            raise

    async def _caller(self, ctx: Context) -> Viewer | None:
        """Returns the caller for whom the operation runs; None of a public one. Raises Unauthenticated, Forbidden."""
        viewer = None if self.permission is Permission.public else await ctx.viewer()
        if (
            viewer is not None
            and viewer.person is not None
            and self.permission in PROFILE
            and not self.of_owner
        ):
            return viewer.person
        return viewer

    def _admit(self, viewer: Viewer | None) -> None:
        """Raises Forbidden unless the caller has the permission, or that of the other kind of rows."""
        if viewer is not None and (self.or_permission is None or not allowed(viewer, self.or_permission)):
            require(viewer, self.permission)

    async def _note(self, ctx: Context, viewer: Viewer | None, error: AppError) -> None:
        OPERATIONS_FAILED.labels(self.name, error.code).inc()
        ctx.token_refused(viewer, error)
        await audit.refused(ctx, viewer, self.name, error)

    async def _change(self, ctx: Context, viewer: Viewer | None, args: Arguments, kwargs: Keywords) -> Any:
        if self.mode == "outside":
            return await self.work(Op(ctx, viewer), *args, **kwargs)
        if self.mode == "joined":
            return await self._joined(ctx, viewer, args, kwargs)
        if viewer is None:
            return await self._in_transaction(ctx, viewer, args, kwargs)
        async with owner_slots(ctx.services).slot(viewer.id):
            return await self._in_transaction(ctx, viewer, args, kwargs)

    async def _in_transaction(
        self, ctx: Context, viewer: Viewer | None, args: Arguments, kwargs: Keywords
    ) -> Any:
        """Runs the resolver in a transaction, and again if that lost against a concurrent one."""

        async def run() -> Any:
            op, attempt = Op(ctx, viewer), self._attempt(ctx, viewer, args, kwargs)
            looks = self.mode == "sql" or self.before
            if attempt and looks and (replay := await attempt.look(ctx.services.db)):
                return replayed(ctx, replay)
            # No connection is held meanwhile: `before` may call Redis, and Redis may be slow.
            op.prepared = await self.before(op, *args, **kwargs) if self.before else None
            return await (self._on_connection if self.mode == "sql" else self._in_session)(
                op, attempt, args, kwargs
            )

        return await despite_conflicts(run)

    async def _in_session(self, op: Op, attempt: Attempt | None, args: Arguments, kwargs: Keywords) -> Any:
        async with op.services.db.session() as op._session:  # noqa: SLF001  the frame sets it
            if attempt and (replay := await attempt.begin(await driver_connection(op.session))):
                return replayed(op.ctx, replay)
            try:
                answer = await self.work(op, *args, **kwargs)
                if attempt:
                    await op.session.flush()
                    await attempt.finish(await driver_connection(op.session), answer)
            except AppError as error:
                if error.commit:
                    await op.session.commit()
                raise
            await op.session.commit()
        return answer

    async def _on_connection(self, op: Op, attempt: Attempt | None, args: Arguments, kwargs: Keywords) -> Any:
        async with op.services.db.transaction() as op._connection:  # noqa: SLF001  the frame sets it
            if attempt and (replay := await attempt.begin(op.connection)):
                return replayed(op.ctx, replay)
            answer = await self.work(op, *args, **kwargs)
            if attempt:
                await attempt.finish(op.connection, answer)
        return answer

    async def _joined(self, ctx: Context, viewer: Viewer | None, args: Arguments, kwargs: Keywords) -> Any:
        """Runs the resolver without a transaction: a `GroupCommit` writes its rows, and those of its key with them."""
        op = Op(ctx, viewer)
        op.attempt = self._attempt(ctx, viewer, args, kwargs)
        if op.attempt and (replay := await op.attempt.look(ctx.services.db)):
            return replayed(ctx, replay)
        op.prepared = await self.before(op, *args, **kwargs) if self.before else None
        return await self.work(op, *args, **kwargs)

    def _attempt(
        self, ctx: Context, viewer: Viewer | None, args: Arguments, kwargs: Keywords
    ) -> Attempt | None:
        """Returns the caller's use of an Idempotency-Key, or None if there is no key or it does not count here."""
        key = ctx.idempotency_key
        if key is None or viewer is None or self.idempotent is None:
            return None
        arguments = self._signature.bind(None, *args, **kwargs).arguments
        return Attempt(self.idempotent, viewer.id, self.key_name, key, dict([*arguments.items()][1:]))

    @functools.cached_property
    def switch(self) -> Module | None:
        """Returns the module whose switch the operation obeys; None: it is never off, as relations of rows are not."""
        name = self.name.rpartition(".")[2]
        return None if name == "by_ids" or name.startswith("of_") else switch_of(self.name)

    @functools.cached_property
    def _signature(self) -> inspect.Signature:
        return inspect.signature(self.work)


OPERATIONS: dict[str, Operation] = {}


@overload
def operation(
    permission: Permission,
    mode: Mode = "write",
    *,
    idempotent: StoredAnswer | None = None,
    before: Callable[..., Awaitable[Any]] | None = None,
    of_owner: bool = False,
    or_permission: Permission | None = None,
) -> Callable[
    [Callable[Concatenate[Op, P], Awaitable[R]]], Callable[Concatenate[Context, P], Coroutine[Any, Any, R]]
]: ...


@overload
def operation(
    permission: Permission,
    mode: Mode = "write",
    *,
    idempotent: StoredAnswer | None = None,
    before: Callable[..., Awaitable[Any]] | None = None,
    after: Callable[[Op, R], Awaitable[A]],
    key_name: str | None = None,
) -> Callable[
    [Callable[Concatenate[Op, P], Awaitable[R]]], Callable[Concatenate[Context, P], Coroutine[Any, Any, A]]
]: ...


def operation(
    permission: Permission,
    mode: Mode = "write",
    *,
    idempotent: StoredAnswer | None = None,
    before: Callable[..., Awaitable[Any]] | None = None,
    after: Callable[[Op, Any], Awaitable[Any]] | None = None,
    key_name: str | None = None,
    of_owner: bool = False,
    or_permission: Permission | None = None,
) -> Callable[
    [Callable[Concatenate[Op, P], Awaitable[Any]]],
    Callable[Concatenate[Context, P], Coroutine[Any, Any, Any]],
]:
    """Turns a resolver into an operation. Both doors show the first paragraph of its docstring, up to `Raises …`
    (runtime/texts.py). Choose the mode by what the resolver does:

    - `read`: it changes nothing. It has no transaction; `op.db` runs each read as a prepared statement.
    - `write`: it changes rows through the models. It runs in one transaction on the session `op.session`.
    - `sql`: it changes rows by SQL of its own, since its latency matters or one statement must do several things. It
      runs in one transaction on the asyncpg connection `op.connection`; every error rolls back.
    - `joined`: its rows are written together with those of concurrent requests, by a
      `runtime.group_commit.GroupCommit`. It has no transaction of its own; with `idempotent` it also has to pass
      `op.attempt` to the joined statement.
    - `outside`: it calls another system, for which no transaction may wait. It opens short ones with
      `op.tx()` or, for SQL of its own, `op.db.transaction()`.

    `before` (of `write`, `sql` and `joined`) is for what must be done before the transaction, such as asking Redis for
    a rate limit. It is called with the same arguments, but not for a response that is replayed; its result is
    `op.prepared`.

    `after` makes the answer of what the resolver returned, or of what is replayed, after the commit: it may wait for
    what the rows lead to.

    With `idempotent` the operation honours the caller's Idempotency-Key; it says how the answer is stored
    (`stored_model`, `stored_columns`, `stored_shape` in runtime/idempotency.py). `key_name` is the name under which it
    is stored, if that is not the operation's own: an operation that is renamed keeps its keys by it.

    A member who acts for an owner runs the operations of a profile as the person who has logged in, and all others for
    the owner; `of_owner` says that one of a profile is for the owner, too.

    With `or_permission` one of the two permissions lets a caller begin: the operation is for rows of two kinds, and the
    resolver requires the permission of the row's kind (`require`).
    """

    def wrap(
        work: Callable[Concatenate[Op, P], Awaitable[Any]],
    ) -> Callable[Concatenate[Context, P], Coroutine[Any, Any, Any]]:
        name = f"{work.__module__.removeprefix('resolvers.')}.{work.__name__}"
        entry = OPERATIONS[name] = Operation(
            name, permission, mode, idempotent, before, after, key_name or name, work, of_owner, or_permission
        )

        @functools.wraps(work)
        def run(ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, Any]:
            return entry.run(ctx, args, kwargs)

        run.operation = entry  # type: ignore[attr-defined]  # runtime/doors.py reads it
        return run

    return wrap


def replayed(ctx: Context, replay: Replay) -> Any:
    """Returns an earlier response, and says so in a header."""
    ctx.answer_header("idempotent-replayed", "true")
    return replay.value
