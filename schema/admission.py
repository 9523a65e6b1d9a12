"""What may run: a document by text, id or hash → its operation → its price → the caller's bucket.

Both ways in, HTTP (schema/router.py) and subscriptions (schema/live.py, schema/stream.py), come through here:

    asked = checked(orjson.loads(body))                                # both raise Refused
    admitted = await admit(schema, ctx, asked, SUBSCRIPTIONS)
    …                                                                  # admitted.prepared is run, not read again
    extensions = {"cost": await admitted.settle(data)}                 # gives back what was not used; once

Trusted documents: Appendix A of GraphQL over HTTP (`documentId`), and Apollo's automatic persisted queries
(`extensions.persistedQuery`), with the messages and codes that Apollo's clients know. docs/graphql.md tells callers.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from math import ceil
from typing import Any

from graphql import GraphQLError, OperationType

from postern import trusted
from postern.context import Context
from postern.errors import AppError, RateLimited
from schema import root
from schema.documents import Operation, Prepared, copies, unread
from schema.errors import render

QUERIES = frozenset({OperationType.QUERY})
QUERIES_AND_MUTATIONS = frozenset({OperationType.QUERY, OperationType.MUTATION})
SUBSCRIPTIONS = frozenset({OperationType.SUBSCRIPTION})

_DIGEST = re.compile(r"[0-9a-f]{64}")
_KINDS: tuple[tuple[str, type, str], ...] = (
    ("query", str, "a GraphQL document"),
    ("documentId", str, "text"),
    ("operationName", str, "text"),
    ("variables", dict, "an object"),
    ("extensions", dict, "an object"),
)


class Refused(Exception):
    """It is not run. The errors are as the caller may see them.

    `plainly`: the status is for every client; else only for those that take application/graphql-response+json, since
    old ones take an error's body from a 200 alone. `cost` is `extensions.cost`, if it was the cost.
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
        body: dict[str, Any] = {"errors": [error.formatted for error in self.errors]}
        if self.cost is not None:
            body["extensions"] = {"cost": self.cost}
        return body


def refused(
    message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST, headers: Mapping[str, str] | None = None
) -> Refused:
    """Of a request that makes no sense."""
    return Refused([_error(message, code="bad_request")], status, plainly=True, headers=headers)


def _error(message: str, *, code: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code})


def checked(asked: Any) -> dict[str, Any]:
    """A GraphQL request: JSON of any kind goes in. Raises Refused."""
    if not isinstance(asked, dict):
        raise refused("The request must be one JSON object; batches are not taken.")
    for name, kind, what in _KINDS:
        value = asked.get(name)
        if value is not None and not isinstance(value, kind):
            raise refused(f"{name} must be {what}.")
    return asked


@dataclass(slots=True)
class Admitted:
    """What is to run, and is paid for."""

    ctx: Context
    prepared: Prepared
    operation: Operation
    variables: dict[str, Any]
    caller: str
    requested: int
    settled: bool = False

    async def settle(self, data: Any = None, counted: int | None = None, besides: int = 0) -> dict[str, int]:
        """After it has run: `extensions.cost`.

        `counted`: the objects of `data`, if somebody knows already; without `data`, what `objects` says. `besides`:
        points that it took to make the plan.

        What was asked for and not there goes back to the caller's bucket. Who doesn't call this has paid the lot.
        """
        price, budget = self.operation.price, self.ctx.services.budget
        actual = price.actual(data) if counted is None else price.spent(counted + price.counted(data))
        if not self.settled:
            self.settled = True
            await budget.give(self.caller, self.requested - actual - besides)
        return _cost(self.requested, actual, budget.limit.count, budget.remaining(self.caller))


def _cost(requested: int, actual: int, limit: int, remaining: int) -> dict[str, int]:
    return {"requested": requested, "actual": actual, "limit": limit, "remaining": remaining}


async def admit(
    schema: root.Schema, ctx: Context, asked: Mapping[str, Any], kinds: frozenset[OperationType]
) -> Admitted:
    """Raises Refused. `asked` is `checked`; the caller's bucket is charged with what the operation may cost."""
    try:
        prepared, register = await _document(schema, ctx, asked)
        if prepared.errors:
            raise Refused(_shown(schema, ctx, copies(prepared.errors)))
    except GraphQLError as error:
        raise Refused(_shown(schema, ctx, [error])) from error
    operation = _operation(schema, ctx, prepared, asked.get("operationName") or None)
    _allowed(ctx, operation, kinds)
    variables = asked.get("variables") or {}
    requested = operation.price.requested(variables)
    caller = await _caller(ctx)
    await _pay(schema, ctx, caller, requested)
    if register is not None and caller.startswith("user:"):
        await ctx.services.documents.register(register, prepared.text, caller)
    return Admitted(ctx, prepared, operation, variables, caller, requested)


def _shown(schema: root.Schema, ctx: Context, errors: list[GraphQLError]) -> list[GraphQLError]:
    return [render(error, ctx.request_id, explorable=schema.explorable) for error in errors]


def _operation(schema: root.Schema, ctx: Context, prepared: Prepared, name: str | None) -> Operation:
    try:
        operation = prepared.operation(name)
    except GraphQLError as error:
        raise Refused(_shown(schema, ctx, [error]), plainly=True) from error
    services = ctx.services
    # Where GraphiQL may be, it can draw the schema; what is typed into it is not run.
    drawn = schema.explorable and operation.price.introspects
    if services.settings.graphql_allow_only and not drawn and not services.documents.trusts(prepared.text):
        raise _not_allowed()
    return operation


def _not_allowed() -> Refused:
    said = "This server runs only trusted documents, and this is not one of them. Ask the operator to add it."
    return Refused([_error(said, code="document_not_allowed")], HTTPStatus.FORBIDDEN)


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
        said = "An Idempotency-Key covers one mutation. Send each mutation in a request of its own."
        raise Refused([_error(said, code="bad_idempotency_key")])


async def _caller(ctx: Context) -> str:
    """Whose bucket it is: the user's, or the address's."""
    if ctx.credential or "authorization" in ctx.connection.headers:
        try:
            return f"user:{(await ctx.viewer()).said}"
        except Exception:  # noqa: S110  whatever it is: the operation that needs a user says it
            pass
    return f"address:{ctx.client_address}"


async def _pay(schema: root.Schema, ctx: Context, caller: str, requested: int) -> None:
    budget = ctx.services.budget
    capacity = budget.limit.count
    most = min(ctx.services.settings.graphql_max_cost, capacity)
    if requested > most:
        said = (
            f"The query may cost {requested} points if every list is full, more than the {most} allowed."
            " Ask for shorter lists (first), or for fewer lists inside lists."
        )
        cost = _cost(requested, 0, capacity, budget.remaining(caller))
        raise Refused([_error(said, code="query_too_complex")], cost=cost)
    await _take(schema, ctx, caller, requested)


async def _take(schema: root.Schema, ctx: Context, caller: str, requested: int) -> None:
    """Raises Refused."""
    budget = ctx.services.budget
    if budget.spend(caller, requested):
        return
    capacity = budget.limit.count
    standing = await budget.take(caller, requested)
    if not standing.allowed:
        seconds = max(1, ceil(standing.retry_after))
        said = (
            f"The query may cost {requested} points, and you have {standing.remaining} left. Try again in"
            f" {seconds} s, or ask for shorter lists."
        )
        details = {"retryAfter": seconds, "limit": capacity, "seconds": budget.limit.seconds}
        failure: AppError = RateLimited(said, details=details)
        raise Refused(
            _shown(schema, ctx, [GraphQLError(said, original_error=failure)]),
            HTTPStatus.TOO_MANY_REQUESTS,
            headers=standing.headers(),
            cost=_cost(requested, 0, capacity, standing.remaining),
        )


async def _document(
    schema: root.Schema, ctx: Context, asked: Mapping[str, Any]
) -> tuple[Prepared, str | None]:
    """The document, and the hash that it is to be registered under. Raises Refused, GraphQLError."""
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
    known = documents.named(name)
    if text:
        if known != text and (_DIGEST.fullmatch(digest) is None or trusted.sha256(text) != digest):
            raise refused("provided sha does not match query")  # Apollo's words
        return await _prepared(schema, ctx, text), None if only or known else digest
    if known is None and not only and _DIGEST.fullmatch(digest):
        known = await documents.registered(digest)
    if known is None:
        raise _not_allowed() if only else _not_found(automatic)
    return await _prepared(schema, ctx, known), None


async def _prepared(schema: root.Schema, ctx: Context, text: str) -> Prepared:
    """Who brings a document that is not at hand pays for its being read, whatever comes of it.

    Raises Refused for who has no point left, GraphQLError for what can't be read.
    """
    core = schema._schema  # noqa: SLF001
    if (found := schema.prepare.kept(core, text)) is not None:
        return found
    caller = await _caller(ctx)
    await _take(schema, ctx, caller, 1)  # how many it will be, only its reader knows
    points = unread(text)
    try:
        prepared = schema.prepare(core, text)
        points = prepared.points
    finally:
        await ctx.services.budget.give(caller, 1 - points)
    return prepared


def _name(asked: Mapping[str, Any]) -> tuple[str | None, bool]:
    """The document's id or hash, and whether that is Apollo's way."""
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
        raise refused("Unsupported persisted query version")  # Apollo's words
    return digest, True


def _not_found(automatic: bool) -> Refused:
    if automatic:
        # The message and the code are what Apollo's clients wait for, to send the text then; so is the 200.
        error = _error("PersistedQueryNotFound", code="PERSISTED_QUERY_NOT_FOUND")
        return Refused([error], HTTPStatus.OK, headers={"Cache-Control": "no-store"})
    said = "There is no document with this documentId. Send the document itself as query."
    return Refused([_error(said, code="document_not_found")])
