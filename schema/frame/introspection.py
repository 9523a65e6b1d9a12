"""Answers introspection with the part of the schema whose modules are on; the executed schema is always the whole one
(contract §9.9).
"""

from typing import Any
from weakref import WeakKeyDictionary

from graphql import (
    ExecutionResult,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    execute_sync,
    is_named_type,
)
from strawberry.types.field import StrawberryField

from runtime.context import Context
from runtime.doors import operation_of
from schema.frame.admission import Admitted
from shapes.purposes import Module

_Modules = frozenset[Module]
_VISIBLE: WeakKeyDictionary[GraphQLSchema, dict[_Modules, GraphQLSchema]] = WeakKeyDictionary()


async def introspect(schema: GraphQLSchema, ctx: Context, admitted: Admitted) -> ExecutionResult | None:
    """Returns the answer to an operation that requests only the schema; None: all of the schema may be seen."""
    modules = await ctx.services.choices.visible()
    if modules == frozenset(Module):
        return None
    return execute_sync(
        visible(schema, modules),
        admitted.prepared.document,
        variable_values=admitted.variables,
        operation_name=admitted.operation.name,
    )


def visible(schema: GraphQLSchema, modules: _Modules) -> GraphQLSchema:
    """Returns the schema without the fields whose modules are off, and without the types that only these need."""
    by_modules = _VISIBLE.setdefault(schema, {})
    if modules not in by_modules:
        by_modules[modules] = _Copy(schema, modules).schema()
    return by_modules[modules]


class _Copy:
    """Copies a schema. Types that have fields are made anew; scalars, enums and inputs are the same objects."""

    def __init__(self, schema: GraphQLSchema, modules: _Modules) -> None:
        self._schema, self._modules = schema, modules
        self._types: dict[str, Any] = {}

    def schema(self) -> GraphQLSchema:
        roots: dict[str, Any] = {
            name: self._type(kind) if kind is not None else None
            for name, kind in (
                ("query", self._schema.query_type),
                ("mutation", self._schema.mutation_type),
                ("subscription", self._schema.subscription_type),
            )
        }
        arguments: dict[str, Any] = {**self._schema.to_kwargs(), **roots, "types": None, "assume_valid": True}
        return GraphQLSchema(**arguments)

    def _type(self, kind: Any) -> Any:
        if isinstance(kind, GraphQLNonNull | GraphQLList):
            return type(kind)(self._type(kind.of_type))
        if not isinstance(kind, GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType):
            return kind
        assert is_named_type(kind)
        if kind.name not in self._types:
            self._types[kind.name] = self._copied(kind)
        return self._types[kind.name]

    def _copied(self, kind: Any) -> Any:
        arguments = kind.to_kwargs()
        if isinstance(kind, GraphQLUnionType):
            return GraphQLUnionType(
                **{**arguments, "types": lambda: [self._type(each) for each in kind.types]}
            )
        return type(kind)(
            **{
                **arguments,
                "fields": lambda: {
                    name: type(field)(**{**field.to_kwargs(), "type_": self._type(field.type)})
                    for name, field in kind.fields.items()
                    if self._is_on(field)
                },
                "interfaces": lambda: [self._type(each) for each in kind.interfaces],
            }
        )

    def _is_on(self, field: Any) -> bool:
        made = field.extensions.get("strawberry-definition")
        resolver = made.base_resolver if isinstance(made, StrawberryField) else None
        operation = None if resolver is None else operation_of(resolver.wrapped_func)
        switch = None if operation is None else operation.switch
        return switch is None or switch in self._modules
