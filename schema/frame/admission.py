"""Decides whether an operation may run: a document by text, id or hash → its operation → its cost → the rate limit.

HTTP (schema/router.py) and subscriptions (schema/frame/websocket.py, schema/frame/sse.py) both use it:

    asked = checked(orjson.loads(body))                                # both raise Refused
    admitted = await admit(schema, ctx, asked, SUBSCRIPTIONS)
    …                                                                  # runs admitted.prepared, without parsing again
    extensions = {"cost": await admitted.settle(data)}                 # refunds what was not used; to be called once

Trusted documents: Appendix A of GraphQL over HTTP (`documentId`), and Apollo's automatic persisted queries
(`extensions.persistedQuery`), with the messages and codes that Apollo's clients expect. docs/graphql.md is for callers.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from math import ceil
from typing import Any

from graphql import GraphQLError, OperationType

from core import trusted_documents
from core.errors import AppError, RateLimited
from core.rate_limits import RateStatus
from runtime.context import Context
from schema.frame.documents import Operation, Prepared, copies, least, unread
from schema.frame.errors import render
from schema.frame.input_limits import VALUES_OF_A_POINT, count_values
from schema.frame.schema import Schema

QUERIES = frozenset({OperationType.QUERY})
QUERIES_AND_MUTATIONS = frozenset({OperationType.QUERY, OperationType.MUTATION})
SUBSCRIPTIONS = frozenset({OperationType.SUBSCRIPTION})

_SMALL = 1000  # characters of a document that can't keep the process busy for long

_DIGEST = re.compile(r"[0-9a-f]{64}")
_KINDS: tuple[tuple[str, type, str], ...] = (
    ("query", str, "a GraphQL document"),
    ("documentId", str, "text"),
    ("operationName", str, "text"),
    ("variables", dict, "an object"),
    ("extensions", dict, "an object"),
)


class Refused(Exception):
    """The request is not run. `errors` are as the caller may see them.

    `plainly`: every client gets the status. Otherwise only those that accept application/graphql-response+json do,
    since older ones read the body of an error only from a 200. `cost` is `extensions.cost`, if the cost was too high.
    """

    def __init__(
        self,
        errors: Sequence[GraphQLError],
        status: HTTPStatus = HTTPStatus.BAD_REQUEST,
        *,
        plainly: bool = False,
        headers: Mapping[str, str] | None = None,
        cost: dict[str, int] | None = None,
    ) -> None:
        super().__init__(errors[0].message)
        self.errors, self.status, self.plainly = errors, status, plainly
        self.headers, self.cost = dict(headers or {}), cost

    def body(self) -> dict[str, Any]:
        """Returns the body of the response."""
        body: dict[str, Any] = {"errors": [error.formatted for error in self.errors]}
        if self.cost is not None:
            body["extensions"] = {"cost": self.cost}
        return body


def refused(
    message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST, headers: Mapping[str, str] | None = None
) -> Refused:
    """Returns the error for an invalid request."""
    return Refused([_error(message, code="bad_request")], status, plainly=True, headers=headers)


def _error(message: str, *, code: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code})


def checked(asked: Any) -> dict[str, Any]:
    """Returns a GraphQL request, given any JSON value. Raises Refused."""
    if not isinstance(asked, dict):
        raise refused("The request must be one JSON object; batches are not taken.")
    for name, kind, what in _KINDS:
        value = asked.get(name)
        if value is not None and not isinstance(value, kind):
            raise refused(f"{name} must be {what}.")
    return asked


@dataclass(slots=True)
class Admitted:
    """An operation that may run, and whose cost is reserved."""

    ctx: Context
    prepared: Prepared
    operation: Operation
    variables: dict[str, Any]
    caller: str
    requested: int
    settled: bool = False

    @property
    def anonymous(self) -> bool:
        """Returns whether the caller has no login."""
        return _anonymous(self.caller)

    async def settle(self, data: Any = None, counted: int | None = None, besides: int = 0) -> dict[str, int]:
        """Returns `extensions.cost` after the operation has run, and refunds what it did not use.

        `counted`: the objects of `data`, if the executor has counted them; otherwise `objects` counts them in `data`.
        `besides`: points for making the plan. Without this call the caller is charged for the whole `requested`.
        """
        price, budget = self.operation.price, self.ctx.services.budget
        actual = price.actual(data) if counted is None else price.spent(counted + price.counted(data))
        actual += self.ctx.points
        if not self.settled:
            self.settled = True
            await budget.give(self.caller, self.requested - actual - besides)
        return _cost(self.requested, actual, budget.limit.count, budget.remaining(self.caller))


def _cost(requested: int, actual: int, limit: int, remaining: int) -> dict[str, int]:
    return {"requested": requested, "actual": actual, "limit": limit, "remaining": remaining}


async def admit(
    schema: Schema, ctx: Context, asked: Mapping[str, Any], kinds: frozenset[OperationType]
) -> Admitted:
    """Reserves what the operation may cost, and returns it ready to run. `asked` is `checked`. Raises Refused."""
    try:
        prepared, register = await _document(schema, ctx, asked)
        if prepared.errors:
            raise Refused(_rendered(schema, ctx, copies(prepared.errors)))
    except GraphQLError as error:
        raise Refused(_rendered(schema, ctx, [error])) from error
    operation = _operation(schema, ctx, prepared, asked.get("operationName") or None)
    _allowed(ctx, operation, kinds)
    variables = asked.get("variables") or {}
    requested = operation.price.requested(variables)
    caller = await _caller(ctx)
    if operation.inputs:
        await _pay_for_values(schema, ctx, caller, operation, variables)
    await _pay(schema, ctx, caller, requested)
    if register is not None and not _anonymous(caller):
        await ctx.services.documents.register(register, prepared.text, caller)
    return Admitted(ctx, prepared, operation, variables, caller, requested)


def _rendered(schema: Schema, ctx: Context, errors: list[GraphQLError]) -> list[GraphQLError]:
    return [render(error, ctx.request_id, explorable=schema.explorable) for error in errors]


def _operation(schema: Schema, ctx: Context, prepared: Prepared, name: str | None) -> Operation:
    try:
        operation = prepared.operation(name)
    except GraphQLError as error:
        raise Refused(_rendered(schema, ctx, [error]), plainly=True) from error
    services = ctx.services
    # If GraphiQL is on, it may query the schema; other queries that are typed into it are not run.
    drawn = schema.explorable and operation.price.introspects
    if services.settings.graphql_allow_only and not drawn and not services.documents.trusts(prepared.text):
        raise _not_allowed()
    return operation


def _not_allowed() -> Refused:
    message = (
        "This server runs only trusted documents, and this is not one of them. Ask the operator to add it."
    )
    return Refused([_error(message, code="document_not_allowed")], HTTPStatus.FORBIDDEN)


def _allowed(ctx: Context, operation: Operation, kinds: frozenset[OperationType]) -> None:
    if operation.kind not in kinds:
        if operation.kind is OperationType.SUBSCRIPTION:
            raise refused(
                "This path does not answer subscriptions by HTTP. Open a WebSocket (graphql-transport-ws) to"
                " it, or read server-sent events from /graphql/stream."
            )
        if kinds == SUBSCRIPTIONS:
            raise refused(
                "This path answers only subscriptions. Send queries and mutations to /graphql by POST."
            )
        raise refused("Send mutations by POST.", HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": "POST"})
    if (
        operation.kind is OperationType.MUTATION
        and operation.price.roots > 1
        and "idempotency-key" in ctx.connection.headers
    ):
        message = "An Idempotency-Key covers one mutation. Send each mutation in a request of its own."
        raise Refused([_error(message, code="bad_idempotency_key")])


async def _caller(ctx: Context) -> str:
    """Returns whose rate limit counts: that of the user who has logged in, or that of the client's address."""
    if ctx.credential or "authorization" in ctx.connection.headers:
        try:
            return f"user:{(await ctx.viewer()).actor_id}"
        except Exception:  # noqa: S110  an operation that needs a user raises it again
            pass
    return f"address:{ctx.client_address}"


async def has_login(ctx: Context) -> bool:
    """Returns whether the caller has a login."""
    return not _anonymous(await _caller(ctx))


def _anonymous(caller: str) -> bool:
    return not caller.startswith("user:")


async def _pay_for_values(
    schema: Schema, ctx: Context, caller: str, operation: Operation, variables: dict[str, Any]
) -> None:
    """Charges for the values of lists and input objects in the variables. Raises Refused."""
    try:
        points = count_values(operation.inputs, variables) // VALUES_OF_A_POINT
    except GraphQLError as error:
        raise Refused(_rendered(schema, ctx, [error])) from error
    if points:
        if _anonymous(caller):
            await _charge_anonymous(schema, ctx, points, small=False)
        await _charge(schema, ctx, caller, points)


async def _pay(schema: Schema, ctx: Context, caller: str, requested: int) -> None:
    budget = ctx.services.budget
    capacity = budget.limit.count
    most = min(ctx.services.settings.graphql_max_cost, capacity)
    if requested > most:
        message = (
            f"The query may cost {requested} points if every list is full, more than the {most} allowed."
            " Ask for shorter lists (first), or for fewer lists inside lists."
        )
        cost = _cost(requested, 0, capacity, budget.remaining(caller))
        raise Refused([_error(message, code="query_too_complex")], cost=cost)
    await _charge(schema, ctx, caller, requested)


async def _charge(schema: Schema, ctx: Context, caller: str, requested: int) -> None:
    """Charges the points. Raises Refused if there are too few."""
    budget = ctx.services.budget
    if budget.spend(caller, requested):
        return
    status = await budget.take(caller, requested)
    if not status.allowed:
        message = (
            f"The query may cost {requested} points, and you have {status.remaining} left. Try again in"
            f" {_wait(status)} s, or ask for shorter lists."
        )
        raise _too_many(schema, ctx, message, requested, status, budget.limit.seconds)


async def _charge_anonymous(schema: Schema, ctx: Context, points: int, *, small: bool) -> None:
    """Takes points for a document or variables of a caller without a login. Raises Refused if there are too few."""
    budget = ctx.services.anonymous_budget
    if points > budget.most:
        message = (
            f"To read this query costs {points} points, more than the {budget.most} that are allowed without a"
            " login. Log in, or send less at a time."
        )
        raise Refused([_error(message, code="query_too_complex")])
    status = await budget.take(ctx.client_networks, points, small=small)
    if not status.allowed:
        message = (
            "Too many new GraphQL documents or variables without a login. Log in, send a document that you have sent"
            f" before, or try again in {_wait(status)} s."
        )
        raise _too_many(schema, ctx, message, points, status, budget.seconds)


def _wait(status: RateStatus) -> int:
    return max(1, ceil(status.retry_after))


def _too_many(
    schema: Schema, ctx: Context, message: str, points: int, status: RateStatus, seconds: float
) -> Refused:
    details = {"retryAfter": _wait(status), "limit": status.limit, "seconds": seconds}
    failure: AppError = RateLimited(message, details=details)
    return Refused(
        _rendered(schema, ctx, [GraphQLError(message, original_error=failure)]),
        HTTPStatus.TOO_MANY_REQUESTS,
        headers=status.headers(),
        cost=_cost(points, 0, status.limit, status.remaining),
    )


async def _document(schema: Schema, ctx: Context, asked: Mapping[str, Any]) -> tuple[Prepared, str | None]:
    """Returns the document, and the hash to register it under, if any. Raises Refused, GraphQLError."""
    text: str = asked.get("query") or ""
    name, automatic = _name(asked)
    documents, only = ctx.services.documents, ctx.services.settings.graphql_allow_only
    if not name:
        if not text:
            raise refused("query must be a GraphQL document.")
        if only and not schema.explorable and not documents.trusts(text):
            raise _not_allowed()
        return await _prepared(schema, ctx, text), None
    digest = name.removeprefix("sha256:")
    stored = documents.by_id(name)
    if text:
        if stored != text and (_DIGEST.fullmatch(digest) is None or trusted_documents.sha256(text) != digest):
            raise refused("provided sha does not match query")  # Apollo's wording
        return await _prepared(schema, ctx, text), None if only or stored else digest
    if stored is None and not only and _DIGEST.fullmatch(digest):
        stored = await documents.registered(digest)
    if stored is None:
        raise _not_allowed() if only else _not_found(automatic)
    return await _prepared(schema, ctx, stored), None


async def _prepared(schema: Schema, ctx: Context, text: str) -> Prepared:
    """Returns the document. If it is not cached, the caller is charged for parsing it, even if that fails.

    Raises Refused if the caller has no points left, GraphQLError if the document is invalid.
    """
    core = schema._schema  # noqa: SLF001
    if (cached := schema.prepare.cached(core, text)) is not None:
        return cached
    caller, taken = await _caller(ctx), least(text)
    # The documents of a manifest are few, and the operator vouches for them.
    anonymous = _anonymous(caller) and not ctx.services.documents.trusts(text)
    small = len(text) <= _SMALL
    if anonymous:
        await _charge_anonymous(schema, ctx, taken, small=small)
    await _charge(schema, ctx, caller, taken)  # the real number is known after parsing
    points = unread(text)
    try:
        prepared = schema.prepare(core, text, anonymous=anonymous)
        points = prepared.points
    finally:
        await ctx.services.budget.give(caller, taken - points)
        if anonymous:
            await ctx.services.anonymous_budget.give(ctx.client_networks, taken - points, small=small)
    return prepared


def _name(asked: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Returns the document's id or hash, and whether it was sent in Apollo's format."""
    if id := asked.get("documentId"):
        return id, False
    extensions = asked.get("extensions")
    persisted = extensions.get("persistedQuery") if extensions else None
    if persisted is None:
        return None, False
    digest = persisted.get("sha256Hash") if isinstance(persisted, dict) else None
    if not isinstance(digest, str) or not digest:
        raise refused("extensions.persistedQuery must be {version: 1, sha256Hash: …}.")
    if persisted.get("version") != 1:
        raise refused("Unsupported persisted query version")  # Apollo's wording
    return digest, True


def _not_found(automatic: bool) -> Refused:
    if automatic:
        # Apollo's clients send the text after exactly this message and code, with status 200.
        error = _error("PersistedQueryNotFound", code="PERSISTED_QUERY_NOT_FOUND")
        return Refused([error], HTTPStatus.OK, headers={"Cache-Control": "no-store"})
    message = "There is no document with this documentId. Send the document itself as query."
    return Refused([_error(message, code="document_not_found")])
