"""GraphQL documents that make the bodies of webhooks: checked when they are saved, run for each event.

A document is a subscription with one field. For an event it gives what the live subscription would send: the same
executor runs the same document with the same event.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from inspect import isawaitable
from typing import Any

import orjson
from graphql import (
    DirectiveNode,
    ExecutionResult,
    FieldNode,
    GraphQLError,
    GraphQLSchema,
    OperationType,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    execute_subscription_event,
    visit,
)

from core.errors import Unavailable
from runtime.context import Context
from runtime.database_errors import translate
from runtime.services import Services
from runtime.viewers import Viewer
from runtime.webhook_documents import BadDocument, Checked
from schema.frame import subscriptions
from schema.frame.documents import Operation, Prepared
from schema.frame.errors import render
from schema.frame.executors import AtOnce
from schema.frame.schema import Schema
from schema.root import build
from shapes.event_feed import Event

FIELDS: Mapping[str, frozenset[str] | None] = {
    "events": None,
    "messageReceived": frozenset({"message.received"}),
    "chatMessageReceived": frozenset({"chat.received"}),
}
"""The fields of Subscription that a document may have, with the types of their events; None: all types."""

HIDDEN = frozenset(
    {
        "ApiToken.hint",
        "DeadLetter.body",
        "ExportLink.url",
        "File.url",
        "HookSecret.hint",
        "MessengerAccount.proxy",
        "MessengerContent.src",
        "SourceAccount.tokenHint",
        "Webhook.url",
        "WebhookDelivery.answer",
        "WebhookDelivery.body",
    }
)
"""Fields that show credentials, login values or signed links: these must not end in the log of a receiver."""

BATCH_SECONDS = 2.0
"""Seconds after which no other event's document is begun: other webhooks wait meanwhile."""

EVENT_SECONDS = 5.0
"""Seconds that one event's document may take."""

_DIRECTIVES = frozenset({"skip", "include"})


class DocumentRunner:
    """Checks documents, and runs them for events; `runtime.webhook_documents` describes both."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def check(self, services: Services, text: str) -> Checked:
        """Checks a document. Raises BadDocument."""
        _, operation = self._read(text)
        if services.settings.graphql_allow_only and not services.documents.trusts(text):
            raise BadDocument("Only trusted documents are allowed here. Ask the operator to add it to them.")
        field = _field(operation)
        return Checked(operation.price.requested({}), FIELDS[field.name.value])

    async def run(
        self, services: Services, text: str, viewer: Viewer, events: Sequence[Event]
    ) -> list[bytes]:
        """Returns the responses for events, up to the first that can't be made now. Raises BadDocument, and Unavailable
        if there is none.
        """
        prepared, operation = self._read(text)
        bodies: list[bytes] = []
        until = time.monotonic() + BATCH_SECONDS
        for event in events:
            try:
                async with asyncio.timeout(EVENT_SECONDS):
                    bodies.append(await self._body(services, prepared, operation, viewer, event))
            except (Unavailable, TimeoutError) as error:
                if not bodies:
                    raise Unavailable("The body of an event can't be made now.") from error
                break
            if time.monotonic() > until:
                break
        return bodies

    async def _body(
        self, services: Services, prepared: Prepared, operation: Operation, viewer: Viewer, event: Event
    ) -> bytes:
        ctx = Context.without_request(services, viewer, f"event {event.id}")
        executor: Any = AtOnce.build(
            self._core,
            prepared.document,
            context_value=ctx,
            raw_variable_values={},
            operation_name=operation.name,
        )
        if isinstance(executor, list):
            raise BadDocument(_sentence(executor))
        run: Any = execute_subscription_event(executor.build_per_event_executor(event))
        result: ExecutionResult = await run if isawaitable(run) else run
        for error in result.errors or ():
            cause = error.original_error
            if isinstance(cause, Exception) and (
                isinstance(cause, Unavailable) or isinstance(translate(cause), Unavailable)
            ):
                raise Unavailable("The body of an event can't be made now.") from cause
        errors = [render(error, ctx.request_id, explorable=False) for error in result.errors or ()]
        return orjson.dumps(subscriptions.body(ExecutionResult(result.data, errors)))

    @property
    def _core(self) -> GraphQLSchema:
        return self._schema._schema  # noqa: SLF001

    def _read(self, text: str) -> tuple[Prepared, Operation]:
        """Returns a document that may be run. Raises BadDocument."""
        prepared = self._schema.prepare.cached(self._core, text)
        try:
            prepared = prepared or self._schema.prepare(self._core, text)
            if prepared.errors:
                raise BadDocument(_sentence(prepared.errors))
            operation = prepared.operation(None)
        except GraphQLError as error:
            raise BadDocument(_sentence([error])) from None
        if "webhook" not in prepared.compiled:
            for problem, node in _problems(self._core, prepared, operation):
                raise BadDocument(_sentence([GraphQLError(problem, node)]))
            prepared.compiled["webhook"] = True
        return prepared, operation


def runner() -> DocumentRunner:
    """Returns a runner. It imports the whole schema, which takes a second."""
    return DocumentRunner(build(explorable=False))


def _field(operation: Operation) -> FieldNode:
    (field,) = operation.node.selection_set.selections
    assert isinstance(field, FieldNode)
    return field


def _problems(schema: GraphQLSchema, prepared: Prepared, operation: Operation) -> Iterator[tuple[str, Any]]:
    if operation.kind is not OperationType.SUBSCRIPTION:
        yield "It must be a subscription", operation.node
        return
    if operation.node.variable_definitions:
        yield "It can't have variables: write the values into it", operation.node.variable_definitions[0]
    selections = operation.node.selection_set.selections
    if len(selections) != 1 or not isinstance(selections[0], FieldNode):
        yield f"It must have exactly one field: {', '.join(FIELDS)}", operation.node
        return
    field = selections[0]
    if field.name.value not in FIELDS:
        yield f"Its field must be one of {', '.join(FIELDS)}", field
    if field.arguments:
        yield "Its field can't have arguments: the webhook has the types, and its place in the feed", field
    types = TypeInfo(schema)
    walk = _Walk(types)
    visit(prepared.document, TypeInfoVisitor(types, walk))
    yield from walk.problems


class _Walk(Visitor):
    """Collects what a document must not have."""

    def __init__(self, types: TypeInfo) -> None:
        super().__init__()
        self._types = types
        self.problems: list[tuple[str, Any]] = []

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        parent = self._types.get_parent_type()
        name = f"{parent.name if parent else ''}.{node.name.value}"
        if name in HIDDEN:
            self.problems.append((f"{name} shows what must not leave the API: leave it out", node))

    def enter_directive(self, node: DirectiveNode, *_: Any) -> None:
        if node.name.value not in _DIRECTIVES:
            self.problems.append((f"@{node.name.value} is not possible here", node))


def _sentence(errors: Sequence[GraphQLError]) -> str:
    """Returns the first error with its place, without suggestions of other names."""
    error = render(GraphQLError(errors[0].message, errors[0].nodes), "", explorable=False)
    locations = errors[0].locations
    where = f" (line {locations[0].line}, column {locations[0].column})" if locations else ""
    return f"{error.message.rstrip('.')}{where}."
