"""Subscriptions, whichever door they come by (schema/live.py, schema/stream.py): who may have how many, the login that
they live by, and what they tell.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

import structlog
from graphql import GraphQLError
from strawberry.types import ExecutionResult

from postern.context import Context
from postern.errors import RateLimited, Unauthenticated
from postern.services import Services
from postern.viewers import Viewer
from schema import root
from schema.admission import SUBSCRIPTIONS, Refused, admit
from schema.errors import render

log = structlog.get_logger("postern.live")

CHECK_SECONDS = 3.0  # between two looks at whether the login still holds
MOST_CONNECTIONS = 20  # of one user, in one process, of both doors together
SEND_SECONDS = 30.0  # for a client that does not read; postern/wire.py hangs up earlier

_open: Counter[UUID] = Counter()


@contextmanager
def seat(user: UUID) -> Iterator[None]:
    """One of the connections that a user may have. Raises RateLimited `too_many_connections`."""
    if _open[user] >= MOST_CONNECTIONS:
        raise RateLimited(
            f"You have {MOST_CONNECTIONS} connections with subscriptions. Close one, or put several subscriptions on"
            " one WebSocket.",
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

    `asked` is `checked`. It costs what one of its events may cost, once.
    """

    def shown(errors: list[GraphQLError] | None) -> list[GraphQLError]:
        return [render(error, ctx.request_id, explorable=schema.explorable) for error in errors or ()]

    try:
        admitted = await admit(schema, ctx, asked, SUBSCRIPTIONS)
    except Refused as refused:
        yield refused.errors
        return
    source = await schema.subscribe(
        admitted.prepared.text,
        variable_values=admitted.variables,
        context_value=ctx,
        operation_name=admitted.operation.name,
        operation_extensions=admitted.prepared.handed,
    )
    async with aclosing(source):
        async for result in source:
            if type(result) is not ExecutionResult:
                yield shown(result.errors)
                return
            yield replace(result, errors=shown(result.errors))
            ctx.loaders.clear()  # the next event is read anew


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
