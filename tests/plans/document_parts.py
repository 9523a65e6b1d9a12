"""The parts of a GraphQL document, as tests/plans/documents.py makes and writes them."""

from dataclasses import dataclass
from typing import Any

from graphql import GraphQLList, GraphQLNonNull, OperationType


@dataclass(frozen=True)
class Directives:
    text: str = ""
    variables: frozenset[str] = frozenset()


@dataclass
class FieldNode:
    parent: str
    concrete: bool  # the parent is an object type
    name: str
    alias: str | None
    arguments: dict[str, tuple[str, set[str]]]
    type: Any
    directives: Directives
    selections: "list[Node] | None" = None

    @property
    def key(self) -> str:
        return self.alias or self.name

    def merges(self, other: "FieldNode") -> bool:
        """Returns whether both may stand under one key; this is stricter than the specification."""
        apart = self.concrete and other.concrete and self.parent != other.parent
        same = self.name == other.name and {k: v[0] for k, v in self.arguments.items()} == {
            k: v[0] for k, v in other.arguments.items()
        }
        return str(self.type) == str(other.type) and (apart or same)

    def __str__(self) -> str:
        arguments = ", ".join(f"{name}: {value}" for name, (value, _) in self.arguments.items())
        head = (f"{self.alias}: " if self.alias else "") + self.name + (f"({arguments})" if arguments else "")
        return head + self.directives.text + (braces(self.selections) if self.selections else "")


@dataclass
class Inline:
    condition: str | None
    directives: Directives
    selections: "list[Node]"

    def __str__(self) -> str:
        on = f" on {self.condition}" if self.condition else ""
        return f"...{on}{self.directives.text}{braces(self.selections)}"


@dataclass
class Fragment:
    name: str
    condition: str
    selections: "list[Node]"

    def __str__(self) -> str:
        return f"fragment {self.name} on {self.condition}{braces(self.selections)}"


@dataclass
class Spread:
    fragment: Fragment
    directives: Directives

    @property
    def selections(self) -> "list[Node]":
        return self.fragment.selections

    def __str__(self) -> str:
        return f"...{self.fragment.name}{self.directives.text}"


Node = FieldNode | Inline | Spread


@dataclass
class Operation:
    kind: OperationType
    name: str
    selections: list[Node]


def braces(selections: list[Node]) -> str:
    return " { " + " ".join(map(str, selections)) + " }"


def is_list(type: Any) -> bool:
    return isinstance(type.of_type if isinstance(type, GraphQLNonNull) else type, GraphQLList)


def measured(selections: list[Node]) -> tuple[int, int, int]:
    """Fields, the most of them below each other, the most lists inside each other."""
    count = height = lists = 0
    for node in selections:
        inner = measured(node.selections) if node.selections else (0, 0, 0)
        own = isinstance(node, FieldNode)
        count += own + inner[0]
        height = max(height, own + inner[1])
        lists = max(lists, (isinstance(node, FieldNode) and is_list(node.type)) + inner[2])
    return count, height, lists


def variable_names(selections: list[Node]) -> set[str]:
    variables: set[str] = set()
    for node in selections:
        variables |= node.directives.variables
        if isinstance(node, FieldNode):
            variables.update(*(names for _, names in node.arguments.values()))
        if node.selections:
            variables |= variable_names(node.selections)
    return variables
