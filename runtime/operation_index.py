"""Finds the operations that a door calls by reading the door's bytecode, so that no list can become outdated.

A REST route and a GraphQL field each call one function of `resolvers/`; `/docs` shows which belong together.
"""

import dis
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from runtime.operation import OPERATIONS


@dataclass(frozen=True, slots=True)
class RootField:
    """A field of GraphQL's Query or Mutation."""

    kind: Literal["query", "mutation"]
    name: str
    description: str
    operations: tuple[str, ...]


def operations_of(door: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the names in OPERATIONS that a door calls: `messages.send` for `messages.send(ctx, body)`.

    A wrapper that only changes a door's arguments (schema/frame/connections.py) has the door as its attribute `door`.
    """
    door = getattr(door, "door", door)
    names: list[str] = []
    module: ModuleType | None = None
    for step in dis.get_instructions(door):
        if step.opname == "LOAD_GLOBAL":
            value = door.__globals__.get(step.argval)
            module = value if isinstance(value, ModuleType) else None
        elif module is not None and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            name = f"{module.__name__.removeprefix('resolvers.')}.{step.argval}"
            if name in OPERATIONS and name not in names:
                names.append(name)
            module = None
    return tuple(names)
