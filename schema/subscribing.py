"""Subscriptions, whichever door they come by (schema/live.py, schema/stream.py): who may have how many, the login that
they live by, and what they tell.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import replace
from inspect import isawaitable
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

import structlog
from graphql import ExecutionResult, GraphQLError, create_source_event_stream, execute_subscription_event

from postern.context import Context
from postern.errors import RateLimited, Unauthenticated
from postern.services import Services
from postern.viewers import Viewer
from schema import root
from schema.admission import SUBSCRIPTIONS, Admitted, Refused, admit
from schema.errors import render
from schema.executors import AtOnce

log = structlog.get_logger("postern.live")

CHECK_SECONDS = 3.0  # between two looks at whether the login still holds
MOST_CONNECTIONS = 20  # of one user, in one process, of both doors together
SEND_SECONDS = 30.0  # for a client that does not read; postern/wire.py hangs up earlier

# Seconds between two tries to pay: what a query didn't use comes back before the bucket is refilled.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0

_open: Counter[UUID] = Counter()
_turns: "WeakValueDictionary[str, asyncio.Lock]" = WeakValueDictionary()
"""By caller: his subscriptions pay one after the other, so that many that wait ask as seldom as one, and each gets its
turn."""


@contextmanager
def seat(user: UUID) -> Iterator[None]:
    """One of the connections that a user may have. Raises RateLimited `too_many_connections`."""
    if _open[user] >= MOST_CONNECTIONS:
        raise RateLimited(
            f"You have {MOST_CONNECTIONS} connections with subscriptions, the most at once. Close one, or"
            " run several subscriptions over one WebSocket.",
            code="too_many_connections",
        )
    _open[user] += 1
    try:
        yield
    finally:
        _open[user] -= 1
        if not _open[user]:
            del _open[user]


async def until_login_ends(services: Services, authorization: str | None, viewer: Viewer) -> Unauthenticated:
    """Why: an access token lives minutes, and less after a suspension; other roles are another login."""
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            now = await services.viewers.identify(authorization)
        except Unauthenticated as error:
            return error
        except Exception as error:  # the database is away: nothing is told meanwhile either
            log.debug("can't check a login", error=str(error)[:200])
            continue
        if now.roles != viewer.roles:
            return Unauthenticated("Your roles have changed. Connect again.", code="session_ended")


async def results(
    schema: root.Schema, ctx: Context, asked: dict[str, Any]
) -> AsyncGenerator[ExecutionResult | Sequence[GraphQLError], None]:
    """What the subscription gives, errors as a caller may see them; errors alone if it never began.

    `asked` is `checked`. To begin costs a point; each event is paid for before it is run, as a query is. Who can't pay
    waits, and the resolver with him: it reads what there is when it goes on, so that the last state is told.
    """

    def shown(errors: list[GraphQLError] | None) -> list[GraphQLError]:
        return [render(error, ctx.request_id, explorable=schema.explorable) for error in errors or ()]

    try:
        admitted = await admit(schema, ctx, asked, SUBSCRIPTIONS)
    except Refused as refused:
        yield refused.errors
        return
    await admitted.settle()  # nothing is held while nothing goes on
    # Strawberry's own `subscribe` has no place between an event and its execution.
    executor: Any = AtOnce.build(
        schema._schema,  # noqa: SLF001
        admitted.prepared.document,
        context_value=ctx,
        raw_variable_values=admitted.variables,
        operation_name=admitted.operation.name,
    )
    if isinstance(executor, list):  # variables that are wrong
        yield shown(executor)
        return
    source: Any = create_source_event_stream(executor)
    if isawaitable(source):
        source = await source
    if isinstance(source, ExecutionResult):
        yield shown(source.errors)
        return
    async with aclosing(source):
        while True:
            await _affordable(admitted)
            try:
                event = await anext(source)
            except StopAsyncIteration:
                return
            except Exception as error:
                yield ExecutionResult(None, shown([GraphQLError(str(error), original_error=error)]))
                return
            paid = await _paid(admitted)
            run: Any = execute_subscription_event(executor.build_per_event_executor(event))
            result: ExecutionResult = await run if isawaitable(run) else run
            await paid.settle(result.data)
            yield ExecutionResult(result.data, shown(result.errors))
            ctx.loaders.clear()  # the next event is read anew


async def _affordable(admitted: Admitted) -> None:
    """When an event could be paid for. Nothing is kept for it: there may be none for hours."""
    budget = admitted.ctx.services.budget
    if budget.remaining(admitted.caller) < admitted.requested:
        await _paid(admitted)  # what other processes give back, only the bucket knows
        await budget.give(admitted.caller, admitted.requested)


async def _paid(admitted: Admitted) -> Admitted:
    """One more event; whoever has not enough left waits until he has. To be settled."""
    budget, caller = admitted.ctx.services.budget, admitted.caller
    turn = _turns.setdefault(caller, asyncio.Lock())
    async with turn:
        while True:
            standing = await budget.take(caller, admitted.requested)
            if standing.allowed:
                return replace(admitted, settled=False)
            await asyncio.sleep(min(max(standing.retry_after, SHORTEST_PAUSE), LONGEST_PAUSE))


def body(result: ExecutionResult | Sequence[GraphQLError]) -> dict[str, Any]:
    """As both protocols carry it."""
    if not isinstance(result, ExecutionResult):
        return {"errors": [error.formatted for error in result]}
    shown: dict[str, Any] = {"data": result.data}
    if result.errors:
        shown["errors"] = [error.formatted for error in result.errors]
    return shown


def broken(error: Exception, ctx: Context) -> list[GraphQLError]:
    """Of a bug on the way, as a caller may see it."""
    return [render(GraphQLError(str(error), original_error=error), ctx.request_id)]
