"""Parses, bounds and validates GraphQL documents, each of them once.

Strawberry's depth and alias limiters follow every spread of a fragment again, so forty lines of fragments that spread
each other twice occupy a core for hours; and they fail on a spread of an unknown fragment. And graphql-core compares
all fields of one name in a selection with each other (the rule "fields can merge"), so one field four hundred times
takes a second. Hence the walk here, before validation, which stops at the first bound.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache
from graphql import (
    ASTValidationRule,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLInputType,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    SelectionSetNode,
    ValuesOfCorrectTypeRule,
    parse,
    validate,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from schema.frame.cost import Price, price
from schema.frame.input_limits import (
    FirstWrongValueRule,
    composite_variables,
    lines,
    long_text,
    long_token,
)

CACHED_CHARACTERS = 256 * 1024
"""Characters of documents that are cached; a syntax tree takes about 170 bytes for each of them."""
_ANONYMOUS_CHARACTERS = 64 * 1024
"""The same for documents that callers without a login sent, which must not evict those of users."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of one document, with its fragments expanded wherever they are spread."""

    characters: int = 64 * 1024
    tokens: int = 2000
    depth: int = 12
    introspection_depth: int = 20  # GraphiQL and code generators use 15 levels
    aliases: int = 30
    directives: int = 30
    selections: int = 1000
    repeats: int = 30  # of one field at one place


BOUNDS = Bounds()
MOST_ERRORS = 10
"""Errors of one document, after which validation stops."""
_SELECTIONS, _TOKENS, _LINES, _CHARACTERS = 10, 20, 50, 1000  # that are read for one point
_UNREAD_CHARACTERS = 40  # of a document that can't be parsed
_MOST_POINTS = 100  # for such a document


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a document."""

    name: str | None
    kind: OperationType
    node: OperationDefinitionNode
    price: Price
    defers: bool = False
    """True if it is a query, and its document uses `@defer`."""
    inputs: tuple[tuple[str, GraphQLInputType], ...] = ()
    """The variables whose values are lists or input objects."""


@dataclass(slots=True, eq=False)
class Prepared:
    """A parsed, bounded and validated document. Executors may keep in `compiled` what they derive from it."""

    schema: GraphQLSchema
    text: str
    document: DocumentNode
    errors: tuple[GraphQLError, ...]
    operations: dict[str | None, Operation]
    """Maps the name of each operation to it; empty if there are errors."""
    points: int = 1
    """The cost of parsing it."""
    compiled: dict[Any, Any] = field(default_factory=dict)
    handed: dict[str, Any] = field(init=False)
    """`operation_extensions` for `Schema.execute` and `Schema.subscribe`, which take the document from it."""

    def __post_init__(self) -> None:
        self.handed = {_HANDED: self}

    def operation(self, name: str | None) -> Operation:
        """Returns the operation to run. Raises GraphQLError."""
        if name is None:
            if len(self.operations) == 1:
                return next(iter(self.operations.values()))
            if len(self.operations) > 1:
                # Strawberry would run the first of several, which GraphQL (§6.1) defines as an error.
                raise GraphQLError(
                    "The document has several operations: operationName must say which one to run."
                )
            raise GraphQLError("The document has no operation.")
        if (operation := self.operations.get(name)) is None:
            raise GraphQLError(f'The document has no operation named "{name[:64]}".')
        return operation


_HANDED = "prepared"


class Preparer:
    """Prepares documents, and caches the valid ones.

    Raises GraphQLError for a document that can't be parsed, or is too large.
    """

    def __init__(
        self, rules: tuple[type[ASTValidationRule], ...], bounds: Bounds = BOUNDS, *, hide: bool = False
    ) -> None:
        ours = (FirstWrongValueRule if rule is ValuesOfCorrectTypeRule else rule for rule in rules)
        self._rules = (*ours, MaybeNullValidationRule, OneOfInputValidationRule)  # Strawberry's own rules
        self._bounds, self._hide = bounds, hide
        self._cache = _cache(CACHED_CHARACTERS)
        self._anonymous = _cache(_ANONYMOUS_CHARACTERS)

    def cached(self, schema: GraphQLSchema, text: str) -> Prepared | None:
        """Returns a cached document, or None."""
        prepared = self._cache.get(text) or self._anonymous.get(text)
        return prepared if prepared is not None and prepared.schema is schema else None

    def __call__(self, schema: GraphQLSchema, text: str, *, anonymous: bool = False) -> Prepared:
        """Returns the document. `anonymous`: a caller without a login has sent it."""
        if (cached := self.cached(schema, text)) is not None:
            return cached
        prepared = _prepare(schema, text, self._rules, self._bounds, self._hide)
        if not prepared.errors:  # an invalid document is hardly sent twice, and would only fill the cache
            cache = self._anonymous if anonymous else self._cache
            cache[text] = prepared
        return prepared

    def clear(self) -> None:
        """Forgets all documents."""
        self._cache, self._anonymous = _cache(CACHED_CHARACTERS), _cache(_ANONYMOUS_CHARACTERS)


def _cache(characters: int) -> LRUCache[str, Prepared]:
    return LRUCache(characters, getsizeof=lambda prepared: len(prepared.text))


def preparer(
    rules: tuple[type[ASTValidationRule], ...], bounds: Bounds = BOUNDS, *, hide: bool = False
) -> Preparer:
    """Returns a Preparer. `hide`: its errors suggest no similar names for a misspelled one."""
    return Preparer(rules, bounds, hide=hide)


def unread(text: str) -> int:
    """Returns the cost of a document that can't be parsed, or is too large."""
    return min(_MOST_POINTS, max(1, len(text) // _UNREAD_CHARACTERS))


def least(text: str) -> int:
    """Returns the lowest cost of a document of this length."""
    return max(1, min(_MOST_POINTS, max(len(text) // _CHARACTERS, lines(text) // _LINES)))


def _prepare(
    schema: GraphQLSchema, text: str, rules: tuple[type[ASTValidationRule], ...], bounds: Bounds, hide: bool
) -> Prepared:
    if (problem := long_text(text)) is not None:
        raise _complex(problem)
    document = parse(
        text,
        max_source_length=bounds.characters,
        max_tokens=bounds.tokens,
        max_lexical_tokens=2 * bounds.tokens,
    )
    if (problem := long_token(document)) is not None:
        raise _complex(problem)
    problem, selections = _walked(document, bounds)
    if problem is not None:
        raise _complex(problem)
    errors = tuple(validate(schema, document, rules, max_errors=MOST_ERRORS, hide_suggestions=hide))
    operations = () if errors else _operations(schema, document)
    points = max(least(text), selections // _SELECTIONS, document.token_count // _TOKENS)
    return Prepared(
        schema, text, document, errors, {operation.name: operation for operation in operations}, points
    )


def _complex(problem: str) -> GraphQLError:
    return GraphQLError(problem, extensions={"code": "query_too_complex"})


def _operations(schema: GraphQLSchema, document: DocumentNode) -> Iterator[Operation]:
    defers = _defers(document)
    for node in document.definitions:
        if isinstance(node, OperationDefinitionNode):
            name = node.name.value if node.name else None
            later = defers and node.operation is OperationType.QUERY
            inputs = composite_variables(schema, node)
            yield Operation(name, node.operation, node, price(schema, document, node), later, inputs)


def _defers(document: DocumentNode) -> bool:
    pending = [node.selection_set for node in document.definitions if hasattr(node, "selection_set")]
    while pending:
        for node in pending.pop().selections:
            if any(directive.name.value == "defer" for directive in node.directives or ()):
                return True
            if (inner := getattr(node, "selection_set", None)) is not None:
                pending.append(inner)
    return False


class Documents(SchemaExtension):
    """Replaces Strawberry's parsing and validation by the prepared document."""

    def __init__(self, prepare: Callable[[GraphQLSchema, str], Prepared]) -> None:
        self._prepare = prepare
        self._errors: tuple[GraphQLError, ...] = ()

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        prepared: Prepared | None = (context.operation_extensions or {}).get(_HANDED)
        if prepared is None:
            prepared = self._prepare(context.schema._schema, context.query or "")  # noqa: SLF001
        context.graphql_document, self._errors = prepared.document, prepared.errors
        if not self._errors:
            prepared.operation(context._provided_operation_name)  # noqa: SLF001
        yield

    def on_validate(self) -> Iterator[None]:
        self.execution_context.pre_execution_errors = copies(self._errors)
        yield


def copies(errors: tuple[GraphQLError, ...]) -> list[GraphQLError]:
    """Returns copies, since rendering an error changes it."""
    return [_copy(error) for error in errors]


def _copy(error: GraphQLError) -> GraphQLError:
    made = GraphQLError(error.message, extensions=error.extensions)
    # Given the nodes, it would count the lines of the document again.
    made.nodes, made.source = error.nodes, error.source
    made.positions, made.locations = error.positions, error.locations
    return made


@dataclass(frozen=True, slots=True)
class _Position:
    """A selection set to visit: the path of its fields, and the fragments that contain it."""

    selections: SelectionSetNode
    path: tuple[str, ...] = ()
    depth: int = 0
    inside: frozenset[str] = frozenset()
    introspecting: bool = False


def exceeded(document: DocumentNode, bounds: Bounds = BOUNDS) -> str | None:
    """Returns the first bound that the document exceeds, as a sentence, or None. The bounds limit its run time too."""
    return _walked(document, bounds)[0]


def _walked(document: DocumentNode, bounds: Bounds) -> tuple[str | None, int]:
    """Returns the same, and the number of fields and fragments."""
    fragments = {
        node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
    }
    counted = _Counted(bounds)
    pending: list[_Position] = []
    for definition in document.definitions:
        counted.directives += len(getattr(definition, "directives", None) or ())
        if isinstance(definition, OperationDefinitionNode):
            variables = definition.variable_definitions or ()
            counted.directives += sum(len(variable.directives or ()) for variable in variables)
            pending.append(_Position(definition.selection_set, (str(len(pending)),)))
    spread: set[str] = set()
    while pending or (unspread := [name for name in fragments if name not in spread]):
        if not pending:
            # A fragment that no operation spreads is still validated, so it is visited as well.
            name = unspread[0]
            spread.add(name)
            pending.append(
                _Position(fragments[name].selection_set, (f"...{name}",), inside=frozenset({name}))
            )
        position = pending.pop()
        spread |= position.inside
        for node in position.selections.selections:
            counted.add(node, position)
            if (problem := counted.problem(position)) is not None:
                return problem, counted.selections
            inner = _inside(node, position, fragments)
            if inner is not None:
                pending.append(inner)
    return counted.problem(), counted.selections


class _Counted:
    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.selections = self.aliases = self.directives = 0
        self.repeats: Counter[tuple[str, ...]] = Counter()
        self.most = 0

    def add(self, node: SelectionNode, position: _Position) -> None:
        self.selections += 1
        self.directives += len(node.directives or ())
        if isinstance(node, FieldNode):
            self.aliases += node.alias is not None
            where = _below(position.path, node)
            self.repeats[where] += 1
            self.most = max(self.most, self.repeats[where])

    def problem(self, position: _Position | None = None) -> str | None:
        bounds = self.bounds
        if position is not None:
            most = bounds.introspection_depth if position.introspecting else bounds.depth
            if position.depth >= most:
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
    node: SelectionNode, position: _Position, fragments: dict[str, FragmentDefinitionNode]
) -> _Position | None:
    if isinstance(node, FragmentSpreadNode):
        name = node.name.value
        if name not in fragments or name in position.inside:
            return None  # unknown, or a cycle: validation reports both
        inside = position.inside | {name}
        return _Position(
            fragments[name].selection_set, position.path, position.depth, inside, position.introspecting
        )
    if isinstance(node, FieldNode):
        if node.selection_set is None:
            return None
        # The name decides, not the alias.
        introspecting = position.introspecting or node.name.value in ("__schema", "__type")
        below = _below(position.path, node)
        return _Position(node.selection_set, below, position.depth + 1, position.inside, introspecting)
    inner: SelectionSetNode = node.selection_set  # type: ignore[attr-defined]
    return _Position(inner, position.path, position.depth, position.inside, position.introspecting)
