"""Caches plans with their document: one for each operation and each combination of @skip and @include."""

import weakref
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import strawberry
from cachetools import LRUCache
from graphql import (
    FragmentDefinitionNode,
    GraphQLBoolean,
    GraphQLError,
    GraphQLID,
    GraphQLString,
    OperationType,
    get_nullable_type,
)
from graphql.execution.get_variable_signature import GraphQLVariableSignature, get_variable_signature
from graphql.execution.values import VariableValues, VariableValueSource, get_variable_values

from runtime.context import Context
from schema.frame.documents import Operation, Prepared
from schema.plans.compile import Choices, Compiler, Unsupported
from schema.plans.plan import Selection
from schema.plans.run import Answer, Run

MAX_FIELDS = 20_000
"""Fields of all cached plans of a process. One takes two or three KiB."""

_NO_VARIABLES = VariableValues({}, {})


@dataclass(frozen=True, slots=True)
class Ready:
    """A plan with the variables of one request."""

    root: Selection
    variables: Any

    def run(self, ctx: Context) -> Coroutine[Any, Any, Answer]:
        """Runs the plan."""
        return Run(ctx, self.variables).answer(self.root)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class _CachedOperation:
    """Holds what is known of an operation without its variables, as long as its document is cached.

    `choices`: the variables of @skip and @include, which decide the content of its plans.
    """

    supported: bool
    choices: tuple[str, ...]
    plain: "dict[str, tuple[type, GraphQLVariableSignature]] | None"
    plans: dict[tuple[Any, ...], Selection | None]


def ready(
    schema: strawberry.Schema,
    prepared: Prepared,
    operation: Operation,
    variable_values: dict[str, Any] | None,
    *,
    anonymous: bool = False,
) -> tuple[Ready | None, int]:
    """Returns the plan to run, and the points that compiling it cost.

    None: graphql-core executes the query, or reports what is wrong with the variables. A caller without a login
    (`anonymous`) gets no further plan of a document, because it would evict a user's.
    """
    key = ("plans", id(operation))
    cached: _CachedOperation | None = prepared.compiled.get(key)
    if first := cached is None:
        cached = prepared.compiled[key] = _inspect(schema, prepared, operation)
    if not cached.supported:
        return None, 0
    variables: Any = _NO_VARIABLES
    if operation.node.variable_definitions:
        variables = _plainly(cached.plain, variable_values or {}) or get_variable_values(
            schema._schema,  # noqa: SLF001
            operation.node.variable_definitions,
            variable_values or {},
            max_errors=1,
        )
        if isinstance(variables, list):
            return None, 0
    # Values are True, False, or None if null overrides a default; validation has made sure of that.
    choice = tuple(variables.coerced.get(name) for name in cached.choices)
    name = (weakref.ref(cached), choice)
    points = 0
    if choice not in cached.plans:
        # The price of the document includes the first plan. The caller decides how many combinations there are, which
        # may be thousands, and can also send documents in turn until a plan has been evicted.
        if anonymous and not first:
            return None, 0
        points = 0 if first else prepared.points
        plan = cached.plans[choice] = _compiled(schema, prepared, operation, variables)
        # An entry that is larger than the cache would be refused: it takes the whole cache.
        _plans[name] = 1 if plan is None else min(plan.size, MAX_FIELDS)
    else:
        _plans.get(name)  # counts as a use
    root = cached.plans[choice]
    return None if root is None else Ready(root, variables), points


_Name = tuple["weakref.ref[_CachedOperation]", tuple[Any, ...]]  # the operation and the choice


class _Plans(LRUCache[_Name, int]):
    """The sizes of all plans. A plan is evicted with its entry: combinations alone may be thousands.

    The plans themselves are in their documents, because a plan refers to the document's syntax tree, which is much
    larger: no plan may keep an evicted document in memory.
    """

    @staticmethod
    def getsizeof(value: int) -> int:
        return value

    def popitem(self) -> tuple[_Name, int]:
        (reference, choice), size = super().popitem()
        if (cached := reference()) is not None:
            cached.plans.pop(choice, None)
        return (reference, choice), size


_plans = _Plans(MAX_FIELDS)


def _inspect(schema: strawberry.Schema, prepared: Prepared, operation: Operation) -> _CachedOperation:
    choices = Choices(operation.node, _fragments(prepared))
    supported = operation.kind is OperationType.QUERY and not choices.unknown
    return _CachedOperation(supported, tuple(choices.names), _plain(schema, operation), {})


def _fragments(prepared: Prepared) -> dict[str, FragmentDefinitionNode]:
    return {
        definition.name.value: definition
        for definition in prepared.document.definitions
        if isinstance(definition, FragmentDefinitionNode)
    }


_PLAIN: dict[Any, type] = {GraphQLID: str, GraphQLString: str, GraphQLBoolean: bool}


def _plain(
    schema: strawberry.Schema, operation: Operation
) -> "dict[str, tuple[type, GraphQLVariableSignature]] | None":
    """Returns the variables with the class of their values, if all are text or Booleans, which need no coercion."""
    classes = {}
    for node in operation.node.variable_definitions or ():
        signature = get_variable_signature(schema._schema, node)  # noqa: SLF001
        if isinstance(signature, GraphQLError):
            return None
        kind = _PLAIN.get(get_nullable_type(signature.type))
        if kind is None:
            return None
        classes[signature.name] = (kind, signature)
    return classes


def _plainly(
    plain: "dict[str, tuple[type, GraphQLVariableSignature]] | None", variable_values: dict[str, Any]
) -> VariableValues | None:
    """Returns the values if each has the class of its variable; None: graphql-core coerces or refuses them."""
    if plain is None:
        return None
    sources = {}
    for name, (kind, signature) in plain.items():
        value = variable_values.get(name)
        if value.__class__ is not kind:
            return None
        sources[name] = VariableValueSource(signature, value)
    return VariableValues(sources, {name: variable_values[name] for name in plain})


def _compiled(
    schema: strawberry.Schema, prepared: Prepared, operation: Operation, variables: VariableValues
) -> Selection | None:
    try:
        return Compiler(schema, operation.node, _fragments(prepared), variables).root()
    except (Unsupported, GraphQLError):  # GraphQLError: the variable of a @skip or @include is null
        return None
