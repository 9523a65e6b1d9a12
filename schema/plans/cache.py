"""Plans that are kept with their document: one an operation, and each choice of what is skipped and included."""

import weakref
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import strawberry
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

from postern.context import Context
from schema.documents import Operation, Prepared
from schema.plans.compile import Choices, Compiler, Unsupported
from schema.plans.plan import Selection
from schema.plans.run import Answer, Run

KEPT = 20_000
"""Fields of all plans that are kept in a process. One takes two or three KiB."""

_NO_VARIABLES = VariableValues({}, {})


@dataclass(frozen=True, slots=True)
class Ready:
    """A plan with the variables of one request."""

    root: Selection
    variables: Any

    async def run(self, ctx: Context) -> Answer:
        return await Run(ctx, self.variables).answer(self.root)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class _Kept:
    """What is known of an operation without its variables; it lives as long as its document is remembered.

    `choices`: the variables that decide what is in its plans.
    """

    supported: bool
    choices: tuple[str, ...]
    plain: "dict[str, tuple[type, GraphQLVariableSignature]] | None"
    plans: dict[tuple[Any, ...], Selection | None]


def ready(
    schema: strawberry.Schema, prepared: Prepared, operation: Operation, given: dict[str, Any] | None
) -> tuple[Ready | None, int]:
    """What is to be run, and the points that it took to make that.

    None: graphql-core executes it, or says what is wrong with the variables.
    """
    key = ("plans", id(operation))
    kept: _Kept | None = prepared.compiled.get(key)
    first = kept is None
    if kept is None:
        kept = prepared.compiled[key] = _known(schema, prepared, operation)
    if not kept.supported:
        return None, 0
    variables: Any = _NO_VARIABLES
    if operation.node.variable_definitions:
        variables = _plainly(kept.plain, given or {}) or get_variable_values(
            schema._schema,  # noqa: SLF001
            operation.node.variable_definitions,
            given or {},
            max_errors=1,
        )
        if isinstance(variables, list):
            return None, 0
    # True, False, or None, where a default was overruled by a null: validation has seen to that.
    choice = tuple(variables.coerced.get(name) for name in kept.choices)
    name = (id(kept), choice)
    points = 0
    if choice not in kept.plans:
        # The first is in the price of the document. Choices are the caller's, and there may be thousands; so is
        # which documents he asks for in turn, until one's plan has been forgotten for another's.
        points = 0 if first else prepared.points
        kept.plans[choice] = _compiled(schema, prepared, operation, variables)
        _keep(name, kept)
    elif name in _kept:
        _kept.move_to_end(name)
    root = kept.plans[choice]
    return None if root is None else Ready(root, variables), points


_kept: "OrderedDict[tuple[int, tuple[Any, ...]], tuple[weakref.ref[_Kept], int]]" = OrderedDict()
_size = 0


def _keep(name: tuple[int, tuple[Any, ...]], kept: _Kept) -> None:
    """Forgets the plans that were used longest ago when there are too many: choices alone could make thousands."""
    global _size
    plan = kept.plans[name[1]]
    size = 1 if plan is None else plan.size
    if (before := _kept.pop(name, None)) is not None:  # of a document that is gone, at the same address
        _size -= before[1]
    _kept[name] = weakref.ref(kept), size
    _size += size
    while _size > KEPT and len(_kept) > 1:
        (_, choice), (found, less) = _kept.popitem(last=False)
        _size -= less
        if (oldest := found()) is not None:
            oldest.plans.pop(choice, None)


def _known(schema: strawberry.Schema, prepared: Prepared, operation: Operation) -> _Kept:
    choices = Choices(operation.node, _fragments(prepared))
    supported = operation.kind is OperationType.QUERY and not choices.unknown
    return _Kept(supported, tuple(choices.names), _plain(schema, operation), {})


def _fragments(prepared: Prepared) -> dict[str, FragmentDefinitionNode]:
    return {
        one.name.value: one
        for one in prepared.document.definitions
        if isinstance(one, FragmentDefinitionNode)
    }


_PLAIN: dict[Any, type] = {GraphQLID: str, GraphQLString: str, GraphQLBoolean: bool}


def _plain(
    schema: strawberry.Schema, operation: Operation
) -> "dict[str, tuple[type, GraphQLVariableSignature]] | None":
    """The variables with the class of their values, if all are text or Booleans, which nothing is done to."""
    found = {}
    for node in operation.node.variable_definitions or ():
        signature = get_variable_signature(schema._schema, node)  # noqa: SLF001
        if isinstance(signature, GraphQLError):
            return None
        kind = _PLAIN.get(get_nullable_type(signature.type))
        if kind is None:
            return None
        found[signature.name] = (kind, signature)
    return found


def _plainly(
    plain: "dict[str, tuple[type, GraphQLVariableSignature]] | None", given: dict[str, Any]
) -> VariableValues | None:
    """The values, if each variable has one of its class; None: graphql-core coerces them, or says what is wrong."""
    if plain is None:
        return None
    sources = {}
    for name, (kind, signature) in plain.items():
        value = given.get(name)
        if value.__class__ is not kind:
            return None
        sources[name] = VariableValueSource(signature, value)
    return VariableValues(sources, {name: given[name] for name in plain})


def _compiled(
    schema: strawberry.Schema, prepared: Prepared, operation: Operation, variables: VariableValues
) -> Selection | None:
    try:
        return Compiler(schema, operation.node, _fragments(prepared), variables).root()
    except (Unsupported, GraphQLError):  # the latter: a choice that is null
        return None
