"""GraphQL documents: read, bounded, validated, once each.

Strawberry's own depth and alias limiters follow every spread of a fragment anew, so that forty lines of
fragments that spread each other twice keep a core busy for hours, and a spread of an unknown fragment is a
crash in them. And graphql-core compares all fields of one name in a selection with each other (the rule
"fields can merge"), so four hundred times the same field cost a second. Hence one walk of ours, before
validation, that stops at the first bound.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphql import (
    ASTValidationRule,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    SelectionSetNode,
    parse,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema import validate_document

from schema.cost import cost

KEPT = 256 * 1024
"""Characters of documents that are remembered; a syntax tree takes some 170 bytes for each of them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of one document, its fragments put in wherever they are spread."""

    characters: int = 64 * 1024
    tokens: int = 2000
    depth: int = 12
    introspection_depth: int = 20  # GraphiQL and the code generators ask 15 levels deep
    aliases: int = 30
    directives: int = 30
    selections: int = 1000
    repeats: int = 30  # of one field in one place
    cost: int = 10_000  # objects that it may ask for, if every list is full; see schema/cost.py


BOUNDS = Bounds()

Prepared = tuple[DocumentNode, tuple[GraphQLError, ...]]
Prepare = Callable[[str], Prepared]


def preparer(rules: tuple[type[ASTValidationRule], ...], bounds: Bounds = BOUNDS) -> Callable[..., Prepared]:
    """A function that gives a document and what is wrong with it, and remembers both.

    What it gives raises GraphQLError for a document that can't be read, or is too much.
    """

    kept: OrderedDict[tuple[GraphQLSchema, str], Prepared] = OrderedDict()
    size = 0

    def prepare(schema: GraphQLSchema, text: str) -> Prepared:
        nonlocal size
        if (found := kept.get((schema, text))) is not None:
            kept.move_to_end((schema, text))
            return found
        prepared = _prepare(schema, text, rules, bounds)
        if not prepared[1]:  # what is wrong is not asked for again, unless to fill our memory
            kept[schema, text] = prepared
            size += len(text)
            while size > KEPT:
                (_, oldest), _ = kept.popitem(last=False)
                size -= len(oldest)
        return prepared

    return prepare


def _prepare(
    schema: GraphQLSchema, text: str, rules: tuple[type[ASTValidationRule], ...], bounds: Bounds
) -> Prepared:
    document = parse(
        text,
        max_source_length=bounds.characters,
        max_tokens=bounds.tokens,
        max_lexical_tokens=2 * bounds.tokens,
    )
    problem = exceeded(document, bounds)
    errors = () if problem else tuple(validate_document(schema, document, rules))
    if not problem and not errors and (asked := cost(schema, document)) > bounds.cost:
        problem = (
            f"The query may ask for {asked} objects, more than {bounds.cost}. "
            "Ask for shorter lists (limit), or for fewer lists inside lists."
        )
    if problem:
        raise GraphQLError(problem, extensions={"code": "query_too_complex"})
    return document, errors


class Documents(SchemaExtension):
    """Puts the prepared document in place of Strawberry's own parsing and validation."""

    def __init__(self, prepare: Callable[..., Prepared]) -> None:
        self._prepare = prepare
        self._errors: tuple[GraphQLError, ...] = ()

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        document, self._errors = self._prepare(context.schema._schema, context.query or "")  # noqa: SLF001
        context.graphql_document = document
        # Strawberry would run the first of several; GraphQL (§6.1) has it an error.
        if context._provided_operation_name is None and _operations(document) > 1:  # noqa: SLF001
            raise GraphQLError(
                "The document has several operations: operationName must say which one to run."
            )
        if "idempotency-key" in context.context.connection.headers and mutations(document) > 1:
            raise GraphQLError(
                "One Idempotency-Key is for one mutation. Send the others by themselves.",
                extensions={"code": "bad_idempotency_key"},
            )
        yield

    def on_validate(self) -> Iterator[None]:
        # Copies: whoever shows an error writes into it.
        self.execution_context.pre_execution_errors = [
            GraphQLError(error.message, nodes=error.nodes, extensions=error.extensions)
            for error in self._errors
        ]
        yield


def _operations(document: DocumentNode) -> int:
    return sum(isinstance(definition, OperationDefinitionNode) for definition in document.definitions)


def mutations(document: DocumentNode) -> int:
    """The most root fields that one of the document's mutations has."""
    return max(
        (
            len(definition.selection_set.selections)
            for definition in document.definitions
            if isinstance(definition, OperationDefinitionNode)
            and definition.operation is OperationType.MUTATION
        ),
        default=0,
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """A selection set to walk: where its fields stand, and the fragments that led to it."""

    selections: SelectionSetNode
    path: tuple[str, ...] = ()
    depth: int = 0
    inside: frozenset[str] = frozenset()
    introspecting: bool = False


def exceeded(document: DocumentNode, bounds: Bounds = BOUNDS) -> str | None:
    """The first bound that the document breaks, as a sentence. Its cost is bounded by the bounds."""
    fragments = {
        node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
    }
    counted = _Counted(bounds)
    places: list[_Place] = []
    for definition in document.definitions:
        counted.directives += len(getattr(definition, "directives", None) or ())
        if isinstance(definition, OperationDefinitionNode):
            variables = definition.variable_definitions or ()
            counted.directives += sum(len(variable.directives or ()) for variable in variables)
            places.append(_Place(definition.selection_set, (str(len(places)),)))
    spread: set[str] = set()
    while places or (unspread := [name for name in fragments if name not in spread]):
        if not places:
            # A fragment that no operation spreads is validated all the same.
            name = unspread[0]
            spread.add(name)
            places.append(_Place(fragments[name].selection_set, (f"...{name}",), inside=frozenset({name})))
        place = places.pop()
        spread |= place.inside
        for node in place.selections.selections:
            counted.add(node, place)
            if (problem := counted.problem(place)) is not None:
                return problem
            inner = _inside(node, place, fragments)
            if inner is not None:
                places.append(inner)
    return counted.problem()


class _Counted:
    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.selections = self.aliases = self.directives = 0
        self.repeats: Counter[tuple[str, ...]] = Counter()
        self.most = 0

    def add(self, node: SelectionNode, place: _Place) -> None:
        self.selections += 1
        self.directives += len(node.directives or ())
        if isinstance(node, FieldNode):
            self.aliases += node.alias is not None
            where = _below(place.path, node)
            self.repeats[where] += 1
            self.most = max(self.most, self.repeats[where])

    def problem(self, place: _Place | None = None) -> str | None:
        bounds = self.bounds
        if place is not None:
            most = bounds.introspection_depth if place.introspecting else bounds.depth
            if place.depth >= most:
                return f"The query is deeper than {most} levels. Ask for less at a time."
        for count, most, what in (
            (self.selections, bounds.selections, "fields and fragments"),
            (self.aliases, bounds.aliases, "aliases"),
            (self.directives, bounds.directives, "directives"),
            (self.most, bounds.repeats, "repetitions of one field"),
        ):
            if count > most:
                return f"The query has more than {most} {what}. Ask for less at a time."
        return None


def _below(path: tuple[str, ...], field: FieldNode) -> tuple[str, ...]:
    return (*path, field.alias.value if field.alias else field.name.value)


def _inside(
    node: SelectionNode, place: _Place, fragments: dict[str, FragmentDefinitionNode]
) -> _Place | None:
    if isinstance(node, FragmentSpreadNode):
        name = node.name.value
        if name not in fragments or name in place.inside:
            return None  # unknown, or a cycle: validation has words for both
        inside = place.inside | {name}
        return _Place(fragments[name].selection_set, place.path, place.depth, inside, place.introspecting)
    if isinstance(node, FieldNode):
        if node.selection_set is None:
            return None
        # By the field's name, not by what an alias calls it.
        introspecting = place.introspecting or node.name.value in ("__schema", "__type")
        below = _below(place.path, node)
        return _Place(node.selection_set, below, place.depth + 1, place.inside, introspecting)
    inner: SelectionSetNode = node.selection_set  # type: ignore[attr-defined]
    return _Place(inner, place.path, place.depth, place.inside, place.introspecting)
