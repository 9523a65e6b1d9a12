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
    GraphQLNamedType,
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
from tests.plans.document_parts import (
    Directives,
    FieldNode,
    Fragment,
    Inline,
    Node,
    Operation,
    Spread,
    braces,
    is_list,
    measured,
    variable_names,
)

Path = tuple[str, ...]


class Document(NamedTuple):
    text: str
    variables: dict[str, Any]
    operation_name: str | None


class Size(NamedTuple):
    """The largest document: its fields, fragments put in where they are spread, and what may lie inside each other."""

    fields: int = 40
    depth: int = 6
    lists: int = 3


SIZE = Size()


@st.composite
def documents(
    draw: st.DrawFn,
    schema: GraphQLSchema,
    pool: Pool,
    *,
    size: Size = SIZE,
    avoid: Collection[str] = (),
    introspection: bool = True,
    faults: bool = False,
) -> Document:
    """Documents whose chosen operation is a query.

    `avoid`: `Type.field`s that answer differently each time. `faults`: now and then a variable that is missing or of a
    wrong kind, or the name of no operation: such a request is refused before it is run.
    """
    writer = _Writer(
        schema, Values(schema, pool, draw), size.depth, size.lists, frozenset(avoid), introspection
    )
    count = writer.values.pick((1, 1, 1, 1, 2, 3))
    for number in range(count):
        # A mutation is never run, but stands beside.
        mutation = number > 0 and schema.mutation_type is not None and writer.values.chance(3)
        kind = OperationType.MUTATION if mutation else OperationType.QUERY
        writer.operation(kind, "ABC"[number], max(1, size.fields // count))
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


@dataclass
class _Writer:
    schema: GraphQLSchema
    values: Values
    depth: int
    lists: int
    avoid: frozenset[str]
    introspection: bool
    operations: list[Operation] = field(default_factory=list)
    fragments: list[Fragment] = field(default_factory=list)
    named: int = 0
    # What stands in each place of an answer (its path of keys), whatever it came in by.
    standing: dict[Path, dict[str, list[FieldNode]]] = field(default_factory=dict)

    def operation(self, kind: OperationType, name: str, room: int) -> None:
        root = self.schema.get_root_type(kind)
        assert root is not None
        self.operations.append(Operation(kind, name, self._set(root, (name,), room, 0, 0)))

    def text(self, *, anonymous: bool) -> str:
        parts = []
        for operation in self.operations:
            used = variable_names(operation.selections)
            defined = ", ".join(str(each) for each in self.values.defined if each.name in used)
            head = (
                operation.kind.value
                + ("" if anonymous else f" {operation.name}")
                + (f"({defined})" if defined else "")
            )
            short = anonymous and not defined and self.values.pick((True, False))
            parts.append(
                braces(operation.selections).strip() if short else head + braces(operation.selections)
            )
        fragments = [str(fragment) for fragment in self.fragments]
        return "\n".join(fragments + parts if fragments and self.values.chance(3) else parts + fragments)

    def _set(self, parent: GraphQLNamedType, path: Path, room: int, lists: int, inlined: int) -> list[Node]:
        """`room`: how many fields may still come, one at least; `lists`: how many this stands in."""
        chosen: list[Node] = []
        for _ in range(self.values.draw(st.integers(1, 5))):
            if chosen and room <= 0:
                break
            node = self._node(parent, path, room, lists, inlined, chosen)
            room -= measured([node])[0]
            chosen.append(node)
        return chosen

    def _node(
        self,
        parent: GraphQLNamedType,
        path: Path,
        room: int,
        lists: int,
        inlined: int,
        chosen: list[Node],
    ) -> Node:
        way = self.values.pick(
            ("field",) * (3 if is_abstract_type(parent) else 5) + ("inline", "named", "again")
        )
        if way == "again" and (before := [node for node in chosen if isinstance(node, FieldNode)]):
            return self._again(self.values.pick(before), path, room, lists)
        if way == "inline" and inlined < 2:
            condition = self._condition(parent) if self.values.chance(2) or is_abstract_type(parent) else None
            kind = condition or parent
            directives = self._directives()
            inside = self._set(kind, path, room * 3 // 4, lists, inlined + 1)
            return Inline(condition.name if condition else None, directives, inside)
        if way == "named" and inlined < 2:
            return self._spread(parent, path, room, lists, inlined)
        return self._field(parent, path, room, lists)

    def _again(self, before: FieldNode, path: Path, room: int, lists: int) -> FieldNode:
        """The same field once more, its arguments the other way round, with selections of its own."""
        arguments = dict(reversed(before.arguments.items()))
        again = FieldNode(
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

    def _spread(self, parent: GraphQLNamedType, path: Path, room: int, lists: int, inlined: int) -> Spread:
        fitting = [fragment for fragment in self.fragments if self._fits(fragment, parent, path, room, lists)]
        directives = self._directives()
        if fitting and self.values.chance(2):
            fragment = self.values.pick(fitting)
            self._stand(fragment.selections, path)
            return Spread(fragment, directives)
        condition = self._condition(parent)
        self.named += 1
        name = f"F{self.named}"
        inside = self._set(condition, path, room * 3 // 4, lists, inlined + 1)
        made = Fragment(name, condition.name, inside)
        self.fragments.append(made)
        return Spread(made, directives)

    def _fits(self, fragment: Fragment, parent: GraphQLNamedType, path: Path, room: int, lists: int) -> bool:
        count, height, listed = measured(fragment.selections)
        return (
            count <= room
            and len(path) - 1 + height <= self.depth
            and lists + listed <= self.lists
            and self.schema.type_map[fragment.condition] in self._conditions(parent)
            and self._merges(fragment.selections, path)
        )

    def _merges(self, selections: list[Node], path: Path) -> bool:
        for node in selections:
            if isinstance(node, FieldNode):
                standing = self.standing.get(path, {}).get(node.key, [])
                if not all(node.merges(other) for other in standing):
                    return False
            below = (*path, node.key) if isinstance(node, FieldNode) else path
            if node.selections and not self._merges(node.selections, below):
                return False
        return True

    def _stand(self, selections: list[Node], path: Path) -> None:
        for node in selections:
            if isinstance(node, FieldNode):
                self.standing.setdefault(path, {}).setdefault(node.key, []).append(node)
            if node.selections:
                self._stand(node.selections, (*path, node.key) if isinstance(node, FieldNode) else path)

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

    def _field(self, parent: GraphQLNamedType, path: Path, room: int, lists: int) -> FieldNode:
        name, definition = self._choose(parent, path, room, lists)
        arguments = self.values.arguments(parent.name, name, definition)
        made = FieldNode(
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

    def _below(self, above: FieldNode, path: Path, room: int, lists: int) -> list[Node]:
        inside = get_named_type(above.type)
        return self._set(inside, (*path, above.key), (room - 1) * 3 // 4, lists + is_list(above.type), 0)

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
            elif lists + is_list(definition.type) <= self.lists:
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

    def _directives(self) -> Directives:
        if not self.values.chance(7):
            return Directives()
        which = self.values.pick((("include",), ("skip",), ("skip", "include")))
        directives = [self.values.condition(directive) for directive in which]
        names = frozenset(name for _, names in directives for name in names)
        return Directives("".join(f" {text}" for text, _ in directives), names)
