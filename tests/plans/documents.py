"""Valid GraphQL documents over a whole schema, made by hypothesis: what two executors are compared with.

Valid by construction: wherever two fields would be merged (GraphQL §5.3.2), the second gets an alias unless it is the
same field with the same arguments, or stands in another object type and has the same type.

hypothesis-graphql (which schemathesis uses in tests/clients/test_schemathesis.py) does not replace this. In 400
documents its release 0.13.5 wrote no variable, no default, no @skip or @include, no named fragment, no second operation
and no `__typename`, and an alias only where two fields conflict: these are what a compiler of documents gets wrong.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    OperationType,
    SchemaMetaFieldDef,
    TypeMetaFieldDef,
    TypeNameMetaFieldDef,
    Undefined,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_leaf_type,
    is_required_argument,
)
from hypothesis import strategies as st

from tests.plans.arguments import Pool, Values

Path = tuple[str, ...]


class Document(NamedTuple):
    text: str
    variables: dict[str, Any]
    operation_name: str | None


@st.composite
def documents(
    draw: st.DrawFn,
    schema: GraphQLSchema,
    pool: Pool,
    *,
    depth: int = 6,
    size: int = 40,
    lists: int = 3,
    avoid: Collection[str] = (),
    introspection: bool = True,
    faults: bool = False,
) -> Document:
    """Documents whose chosen operation is a query.

    `size`: fields, fragments put in where they are spread; `lists`: at most so many inside each other; `avoid`:
    `Type.field`s that answer differently each time. `faults`: now and then a variable that is missing or of a wrong
    kind, or the name of no operation: such a request is refused before it is run.
    """
    writer = _Writer(schema, Values(schema, pool, draw), depth, lists, frozenset(avoid), introspection)
    count = writer.values.pick((1, 1, 1, 1, 2, 3))
    for number in range(count):
        # A mutation is never run, but stands beside.
        mutation = number > 0 and schema.mutation_type is not None and writer.values.chance(3)
        kind = OperationType.MUTATION if mutation else OperationType.QUERY
        writer.operation(kind, "ABC"[number], max(1, size // count))
    text = writer.text(anonymous=count == 1 and not writer.values.chance(3))
    variables = {
        variable.name: variable.value for variable in writer.values.defined if variable.value is not Undefined
    }
    queries = [operation.name for operation in writer.operations if operation.kind is OperationType.QUERY]
    name: str | None = writer.values.pick(queries)
    if count == 1 and (" A" not in text[:8] or not writer.values.chance(2)):
        name = None
    if faults and writer.values.chance(6):
        _spoil(writer.values, variables)
        name = writer.values.pick((name, "Nowhere"))
    return Document(text, variables, name)


def _spoil(values: Values, variables: dict[str, Any]) -> None:
    if variables and values.chance(2):
        del variables[values.pick(sorted(variables))]
    elif variables:
        wrong = values.pick((None, [], {"a": 1}, "wrong", 1.5, True, 2**40))
        variables[values.pick(sorted(variables))] = wrong


@dataclass(frozen=True)
class _Directives:
    text: str = ""
    variables: frozenset[str] = frozenset()


@dataclass
class _Field:
    parent: str
    concrete: bool  # the parent is an object type
    name: str
    alias: str | None
    arguments: dict[str, tuple[str, set[str]]]
    type: Any
    directives: _Directives
    selections: "list[_Node] | None" = None

    @property
    def key(self) -> str:
        return self.alias or self.name

    def merges(self, other: "_Field") -> bool:
        """Returns whether both may stand under one key; this is stricter than the specification."""
        apart = self.concrete and other.concrete and self.parent != other.parent
        same = self.name == other.name and {k: v[0] for k, v in self.arguments.items()} == {
            k: v[0] for k, v in other.arguments.items()
        }
        return str(self.type) == str(other.type) and (apart or same)

    def __str__(self) -> str:
        arguments = ", ".join(f"{name}: {value}" for name, (value, _) in self.arguments.items())
        head = (f"{self.alias}: " if self.alias else "") + self.name + (f"({arguments})" if arguments else "")
        return head + self.directives.text + (_braces(self.selections) if self.selections else "")


@dataclass
class _Inline:
    condition: str | None
    directives: _Directives
    selections: "list[_Node]"

    def __str__(self) -> str:
        on = f" on {self.condition}" if self.condition else ""
        return f"...{on}{self.directives.text}{_braces(self.selections)}"


@dataclass
class _Fragment:
    name: str
    condition: str
    selections: "list[_Node]"

    def __str__(self) -> str:
        return f"fragment {self.name} on {self.condition}{_braces(self.selections)}"


@dataclass
class _Spread:
    fragment: _Fragment
    directives: _Directives

    @property
    def selections(self) -> "list[_Node]":
        return self.fragment.selections

    def __str__(self) -> str:
        return f"...{self.fragment.name}{self.directives.text}"


_Node = _Field | _Inline | _Spread


@dataclass
class _Operation:
    kind: OperationType
    name: str
    selections: list[_Node]


def _braces(selections: list[_Node]) -> str:
    return " { " + " ".join(map(str, selections)) + " }"


def _listed(type: Any) -> bool:
    return isinstance(type.of_type if isinstance(type, GraphQLNonNull) else type, GraphQLList)


def _measure(selections: list[_Node]) -> tuple[int, int, int]:
    """Fields, the most of them below each other, the most lists inside each other."""
    count = height = lists = 0
    for node in selections:
        inner = _measure(node.selections) if node.selections else (0, 0, 0)
        own = isinstance(node, _Field)
        count += own + inner[0]
        height = max(height, own + inner[1])
        lists = max(lists, (isinstance(node, _Field) and _listed(node.type)) + inner[2])
    return count, height, lists


def _variables(selections: list[_Node]) -> set[str]:
    variables: set[str] = set()
    for node in selections:
        variables |= node.directives.variables
        if isinstance(node, _Field):
            variables.update(*(names for _, names in node.arguments.values()))
        if node.selections:
            variables |= _variables(node.selections)
    return variables


@dataclass
class _Writer:
    schema: GraphQLSchema
    values: Values
    depth: int
    lists: int
    avoid: frozenset[str]
    introspection: bool
    operations: list[_Operation] = field(default_factory=list)
    fragments: list[_Fragment] = field(default_factory=list)
    named: int = 0
    # What stands in each place of an answer (its path of keys), whatever it came in by.
    standing: dict[Path, dict[str, list[_Field]]] = field(default_factory=dict)

    def operation(self, kind: OperationType, name: str, room: int) -> None:
        root = self.schema.get_root_type(kind)
        assert root is not None
        self.operations.append(_Operation(kind, name, self._set(root, (name,), room, 0, 0)))

    def text(self, *, anonymous: bool) -> str:
        parts = []
        for operation in self.operations:
            used = _variables(operation.selections)
            defined = ", ".join(str(each) for each in self.values.defined if each.name in used)
            head = (
                operation.kind.value
                + ("" if anonymous else f" {operation.name}")
                + (f"({defined})" if defined else "")
            )
            short = anonymous and not defined and self.values.pick((True, False))
            parts.append(
                _braces(operation.selections).strip() if short else head + _braces(operation.selections)
            )
        fragments = [str(fragment) for fragment in self.fragments]
        return "\n".join(fragments + parts if fragments and self.values.chance(3) else parts + fragments)

    def _set(self, parent: GraphQLNamedType, path: Path, room: int, lists: int, inlined: int) -> list[_Node]:
        """`room`: how many fields may still come, one at least; `lists`: how many this stands in."""
        chosen: list[_Node] = []
        for _ in range(self.values.draw(st.integers(1, 5))):
            if chosen and room <= 0:
                break
            node = self._node(parent, path, room, lists, inlined, chosen)
            room -= _measure([node])[0]
            chosen.append(node)
        return chosen

    def _node(
        self,
        parent: GraphQLNamedType,
        path: Path,
        room: int,
        lists: int,
        inlined: int,
        chosen: list[_Node],
    ) -> _Node:
        way = self.values.pick(
            ("field",) * (3 if is_abstract_type(parent) else 5) + ("inline", "named", "again")
        )
        if way == "again" and (before := [node for node in chosen if isinstance(node, _Field)]):
            return self._again(self.values.pick(before), path, room, lists)
        if way == "inline" and inlined < 2:
            condition = self._condition(parent) if self.values.chance(2) or is_abstract_type(parent) else None
            kind = condition or parent
            directives = self._directives()
            inside = self._set(kind, path, room * 3 // 4, lists, inlined + 1)
            return _Inline(condition.name if condition else None, directives, inside)
        if way == "named" and inlined < 2:
            return self._spread(parent, path, room, lists, inlined)
        return self._field(parent, path, room, lists)

    def _again(self, before: _Field, path: Path, room: int, lists: int) -> _Field:
        """The same field once more, its arguments the other way round, with selections of its own."""
        arguments = dict(reversed(before.arguments.items()))
        again = _Field(
            before.parent,
            before.concrete,
            before.name,
            before.alias,
            arguments,
            before.type,
            self._directives(),
        )
        if before.selections:
            again.selections = self._below(again, path, room, lists)
        return again

    def _spread(self, parent: GraphQLNamedType, path: Path, room: int, lists: int, inlined: int) -> _Spread:
        fitting = [fragment for fragment in self.fragments if self._fits(fragment, parent, path, room, lists)]
        directives = self._directives()
        if fitting and self.values.chance(2):
            fragment = self.values.pick(fitting)
            self._stand(fragment.selections, path)
            return _Spread(fragment, directives)
        condition = self._condition(parent)
        self.named += 1
        name = f"F{self.named}"
        inside = self._set(condition, path, room * 3 // 4, lists, inlined + 1)
        made = _Fragment(name, condition.name, inside)
        self.fragments.append(made)
        return _Spread(made, directives)

    def _fits(self, fragment: _Fragment, parent: GraphQLNamedType, path: Path, room: int, lists: int) -> bool:
        count, height, listed = _measure(fragment.selections)
        return (
            count <= room
            and len(path) - 1 + height <= self.depth
            and lists + listed <= self.lists
            and self.schema.type_map[fragment.condition] in self._conditions(parent)
            and self._merges(fragment.selections, path)
        )

    def _merges(self, selections: list[_Node], path: Path) -> bool:
        for node in selections:
            if isinstance(node, _Field):
                standing = self.standing.get(path, {}).get(node.key, [])
                if not all(node.merges(other) for other in standing):
                    return False
            below = (*path, node.key) if isinstance(node, _Field) else path
            if node.selections and not self._merges(node.selections, below):
                return False
        return True

    def _stand(self, selections: list[_Node], path: Path) -> None:
        for node in selections:
            if isinstance(node, _Field):
                self.standing.setdefault(path, {}).setdefault(node.key, []).append(node)
            if node.selections:
                self._stand(node.selections, (*path, node.key) if isinstance(node, _Field) else path)

    def _conditions(self, parent: GraphQLNamedType) -> list[GraphQLNamedType]:
        """The types that a fragment in it may be on: those that share an object type with it; itself first."""
        own = self._objects(parent)
        others = [
            kind
            for name, kind in sorted(self.schema.type_map.items())
            if is_composite_type(kind) and not name.startswith("__") and self._objects(kind) & own
        ]
        return [parent, *(kind for kind in others if kind is not parent)]

    def _condition(self, parent: GraphQLNamedType) -> GraphQLNamedType:
        return self.values.pick(self._conditions(parent))

    def _objects(self, kind: GraphQLNamedType) -> set[str]:
        if isinstance(kind, GraphQLInterfaceType | GraphQLUnionType):
            return {possible.name for possible in self.schema.get_possible_types(kind)}
        return {kind.name}

    def _field(self, parent: GraphQLNamedType, path: Path, room: int, lists: int) -> _Field:
        name, definition = self._choose(parent, path, room, lists)
        arguments = self.values.arguments(parent.name, name, definition)
        made = _Field(
            parent.name,
            isinstance(parent, GraphQLObjectType),
            name,
            self._alias(parent),
            arguments,
            definition.type,
            self._directives(),
        )
        standing = self.standing.setdefault(path, {})
        wished, number = made.key, 0
        while not all(made.merges(other) for other in standing.get(made.key, ())):
            number += 1
            made.alias = f"{wished.lstrip('_')}{number}"
        standing.setdefault(made.key, []).append(made)
        if not is_leaf_type(get_named_type(made.type)):
            made.selections = self._below(made, path, room, lists)
        return made

    def _below(self, above: _Field, path: Path, room: int, lists: int) -> list[_Node]:
        inside = get_named_type(above.type)
        return self._set(inside, (*path, above.key), (room - 1) * 3 // 4, lists + _listed(above.type), 0)

    def _choose(
        self, parent: GraphQLNamedType, path: Path, room: int, lists: int
    ) -> tuple[str, GraphQLField]:
        """Short of room, what has no selections of its own."""
        level = len(path)
        if self.introspection and parent is self.schema.query_type and level == 1 and self.values.chance(25):
            return self.values.pick((("__schema", SchemaMetaFieldDef), ("__type", TypeMetaFieldDef)))
        leaves: list[tuple[str, GraphQLField]] = []
        branches: list[tuple[str, GraphQLField]] = []
        for name, definition in sorted(getattr(parent, "fields", {}).items()):
            required = (argument for argument in definition.args.values() if is_required_argument(argument))
            if f"{parent.name}.{name}" in self.avoid or not all(self.values.can(a.type) for a in required):
                continue
            if is_leaf_type(get_named_type(definition.type)):
                leaves.append((name, definition))
            elif lists + _listed(definition.type) <= self.lists:
                # Interfaces are few, and much can go wrong with them.
                branches += [(name, definition)] * (
                    5 if is_abstract_type(get_named_type(definition.type)) else 1
                )
        if parent.name.startswith("__"):
            branches = branches if level < 4 else []
        way = self.values.pick(("name",) + ("leaf",) * (3 if level > 1 else 1) + ("branch",) * 4)
        if way == "branch" and branches and level < self.depth and room > 1:
            return self.values.pick(branches)
        if way != "name" and leaves:
            return self.values.pick(leaves)
        return "__typename", TypeNameMetaFieldDef

    def _alias(self, parent: GraphQLNamedType) -> str | None:
        """Now and then one, which may well be another field's name, or its own."""
        if not self.values.chance(6):
            return None
        return self.values.pick(["a", "b", "c", *sorted(getattr(parent, "fields", {}))])

    def _directives(self) -> _Directives:
        if not self.values.chance(7):
            return _Directives()
        which = self.values.pick((("include",), ("skip",), ("skip", "include")))
        directives = [self.values.condition(directive) for directive in which]
        names = frozenset(name for _, names in directives for name in names)
        return _Directives("".join(f" {text}" for text, _ in directives), names)
