"""Builds the GraphQL schema of all features."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from graphql import (
    ASTValidationRule,
    print_schema,
    specified_rules,
)
from graphql.validation import NoSchemaIntrospectionCustomRule
from strawberry.schema.config import StrawberryConfig
from strawberry.tools import merge_types

from core.modules import features
from schema.frame import descriptions, graphql, list_limits, nodes
from schema.frame.documents import Documents, preparer
from schema.frame.executors import AtOnce
from schema.frame.introspection import visible
from schema.frame.schema import Schema
from shapes.purposes import Module

_FILES = frozenset(file.name for file in iter_modules(import_module("schema").__path__) if not file.ispkg)
FEATURES = features(_FILES - {"root", "router", "webhook_documents"})
"""The files of this folder, in the order of their fields."""

_PARTS = (*(import_module(f"schema.{name}") for name in FEATURES), nodes)


def _root(name: str) -> type:
    return merge_types(name, tuple(getattr(part, name) for part in _PARTS if hasattr(part, name)))


Query, Mutation, Subscription = map(_root, ("Query", "Mutation", "Subscription"))


@cache
def build(*, explorable: bool) -> Schema:
    """Returns the schema, one for the whole process. `explorable` allows introspection and suggestions."""
    hidden: tuple[type[ASTValidationRule], ...] = () if explorable else (NoSchemaIntrospectionCustomRule,)
    prepare = preparer((*specified_rules, *hidden), hide=not explorable)
    schema = Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        extensions=[lambda: Documents(prepare)],
        execution_context_class=AtOnce,
        config=StrawberryConfig(
            scalar_map=graphql.SCALARS,
            disable_field_suggestions=not explorable,
            batching_config=None,
            info_class=graphql.Info,
        ),
    )
    descriptions.describe(schema._schema)  # noqa: SLF001
    list_limits.attach(schema._schema)  # noqa: SLF001
    schema.explorable, schema.prepare = explorable, prepare
    return schema


def as_text(modules: frozenset[Module]) -> str:
    """Returns the SDL of the fields whose modules are on."""
    whole = build(explorable=True)
    if modules == frozenset(Module):
        return whole.as_str()
    return print_schema(visible(whole._schema, modules))  # noqa: SLF001  graphql-core's own


__all__ = ["Mutation", "Query", "Subscription", "as_text", "build"]
