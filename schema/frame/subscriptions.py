"""Does the work that both transports of subscriptions (websocket.py, sse.py) share: the limit of connections, the check
of the login, and the events.
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

from core.errors import Forbidden, RateLimited, Unauthenticated
from runtime.context import Context
from runtime.viewers import Viewer
from schema.frame.admission import SUBSCRIPTIONS, Admitted, Refused, admit
from schema.frame.errors import render
from schema.frame.executors import AtOnce
from schema.frame.schema import Schema

log = structlog.get_logger("postern.live")

CHECK_SECONDS = 3.0  # between two checks of the login
MOST_CONNECTIONS = 20  # of one user, in one process, over both transports
SEND_SECONDS = 30.0  # for a client that does not read; core/http/limits.py closes the connection earlier

# Seconds between two attempts to pay: refunds of other queries may come before the bucket refills.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0

_open: Counter[UUID] = Counter()
_payment_locks: "WeakValueDictionary[str, asyncio.Lock]" = WeakValueDictionary()
"""One lock for each caller: the subscriptions of a caller pay one after the other, so that many waiting ones poll Redis
as seldom as one."""


@contextmanager
def seat(user: UUID) -> Iterator[None]:
    """Counts one connection of a user while it is open. Raises RateLimited `too_many_connections`."""
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


async def until_login_ends(ctx: Context, viewer: Viewer) -> Unauthenticated | Forbidden:
    """Returns the reason when the login ends: the token expires, the user is suspended, the permissions change, or the
    caller is a member no more.
    """
    authorization = ctx.credential or ctx.connection.headers.get("authorization")
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            now = await ctx.acting(await ctx.services.viewers.identify(authorization))
        except (Unauthenticated, Forbidden) as error:
            return error
        except Exception as error:  # the database is unreachable, so no events are sent meanwhile either
            log.debug("can't check a login", error=error)
            continue
        if (now.roles, now.scopes, now.networks) != (viewer.roles, viewer.scopes, viewer.networks):
            return Unauthenticated("Your permissions have changed. Connect again.", code="session_ended")


async def results(
    schema: Schema, ctx: Context, asked: dict[str, Any]
) -> AsyncGenerator[ExecutionResult | Sequence[GraphQLError], None]:
    """Yields the events of a subscription, with errors as the caller may see them; only errors if it did not start.

    `asked` is `checked`. Starting costs one point, and each event costs as much as a query. A caller without enough
    points waits, and so does the resolver. It reads the state when it goes on, so the last state is always sent.
    """

    def rendered(errors: list[GraphQLError] | None) -> list[GraphQLError]:
        return [render(error, ctx.request_id, explorable=schema.explorable) for error in errors or ()]

    try:
        admitted = await admit(schema, ctx, asked, SUBSCRIPTIONS)
    except Refused as refused:
        yield refused.errors
        return
    await admitted.settle()  # nothing stays reserved while there are no events
    # Strawberry's `subscribe` offers no hook between an event and its execution.
    executor: Any = AtOnce.build(
        schema._schema,  # noqa: SLF001
        admitted.prepared.document,
        context_value=ctx,
        raw_variable_values=admitted.variables,
        operation_name=admitted.operation.name,
    )
    if isinstance(executor, list):  # the variables are invalid
        yield rendered(executor)
        return
    source: Any = create_source_event_stream(executor)
    if isawaitable(source):
        source = await source
    if isinstance(source, ExecutionResult):
        yield rendered(source.errors)
        return
    async with aclosing(source):
        while True:
            await _affordable(admitted)
            try:
                event = await anext(source)
            except StopAsyncIteration:
                return
            except Exception as error:
                yield ExecutionResult(None, rendered([GraphQLError(str(error), original_error=error)]))
                return
            paid = await _paid(admitted)
            run: Any = execute_subscription_event(executor.build_per_event_executor(event))
            result: ExecutionResult = await run if isawaitable(run) else run
            await paid.settle(result.data)
            yield ExecutionResult(result.data, rendered(result.errors))
            ctx.loaders.clear()  # so that the next event reads everything again


async def _affordable(admitted: Admitted) -> None:
    """Returns when an event could be paid for. Reserves nothing, as the next event may be hours away."""
    budget = admitted.ctx.services.budget
    if budget.remaining(admitted.caller) < admitted.requested:
        await _paid(admitted)  # asks the bucket, as only it knows what other processes have refunded
        await budget.give(admitted.caller, admitted.requested)


async def _paid(admitted: Admitted) -> Admitted:
    """Reserves the cost of one event, and waits until the caller has enough points. The result must be settled."""
    budget, caller = admitted.ctx.services.budget, admitted.caller
    lock = _payment_locks.setdefault(caller, asyncio.Lock())
    async with lock:
        while True:
            status = await budget.take(caller, admitted.requested)
            if status.allowed:
                return replace(admitted, settled=False)
            await asyncio.sleep(min(max(status.retry_after, SHORTEST_PAUSE), LONGEST_PAUSE))


def body(result: ExecutionResult | Sequence[GraphQLError]) -> dict[str, Any]:
    """Returns the payload of an event, which is the same in both protocols."""
    if not isinstance(result, ExecutionResult):
        return {"errors": [error.formatted for error in result]}
    payload: dict[str, Any] = {"data": result.data}
    if result.errors:
        payload["errors"] = [error.formatted for error in result.errors]
    return payload


def broken(error: Exception, ctx: Context) -> list[GraphQLError]:
    """Returns the error of a bug, as the caller may see it."""
    return [render(GraphQLError(str(error), original_error=error), ctx.request_id)]
