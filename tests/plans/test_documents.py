"""The generator of documents itself: all of them valid, within our bounds, and with everything in them."""

from collections import Counter

import pytest
from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLSchema,
    OperationDefinitionNode,
    Visitor,
    build_schema,
    execute_sync,
    parse,
    validate,
    visit,
)
from graphql.execution.values import get_variable_values
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from schema.frame.documents import exceeded
from schema.root import build
from tests.plans.documents import Document, Size, documents
from tests.support.examples import examples

pytestmark = pytest.mark.rotating

OURS = build(explorable=True)._schema
# What ours has not: a union, input objects in queries, defaults of all kinds, lists of lists.
SMALL = build_schema("""
  interface Node { id: ID! }
  interface Named implements Node { id: ID! name(short: Boolean! = false): String }
  type Cat implements Node & Named { id: ID! name(short: Boolean! = false): String lives: Int! friend: Pet }
  type Dog implements Node & Named { id: ID! name(short: Boolean! = false): String lives: String tags: [[String!]]! }
  union Pet = Cat | Dog
  enum Order { UP DOWN }
  input Where { name: String = "a", any: [Where!], one: One, limit: Int! = 3, order: Order! }
  input One @oneOf { id: ID, ids: [ID!] }
  type Query {
    node(id: ID!): Node
    nodes(ids: [ID!]!, where: Where): [Node]!
    named(order: [Order!] = [UP], limit: Int! = 5): [Named!]
    pets(where: Where!, one: One): [Pet]
    unheard(of: Strange!): Int
    often(of: Strange): Int
  }
  scalar Strange
  type Mutation { feed(id: ID!): Pet }
""")
POOL = {"ID": ["T25l", "VHdv"], "UUID": ["0192a3b4-c5d6-7e7f-8081-828384858687"], "name": ["Tom"]}
MANY = settings(
    max_examples=200,
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate, Phase.shrink],
)


def _operations(document: DocumentNode) -> list[OperationDefinitionNode]:
    return [
        definition for definition in document.definitions if isinstance(definition, OperationDefinitionNode)
    ]


@pytest.mark.parametrize("schema", [OURS, SMALL], ids=["ours", "small"])
def test_every_document_is_valid_and_within_bounds(schema: GraphQLSchema):
    @settings(MANY, max_examples=examples(50))
    @given(documents(schema, POOL))
    def check(made: Document) -> None:
        document = parse(made.text)
        assert validate(schema, document) == [], made.text
        assert exceeded(document) is None, made.text
        operations = {
            operation.name.value if operation.name else None: operation for operation in _operations(document)
        }
        chosen = operations.get(made.operation_name) or next(iter(operations.values()))
        assert made.operation_name in operations or len(operations) == 1
        assert chosen.operation.value == "query"
        variables = get_variable_values(schema, chosen.variable_definitions or (), made.variables)
        assert not isinstance(variables, list), (made, variables)

    check()


def test_there_is_something_of_everything():
    counts: Counter[str] = Counter()

    class Counting(Visitor):
        def enter(self, node, *_):
            counts[node.kind] += 1
            if isinstance(node, FieldNode):
                counts["alias"] += node.alias is not None
                counts[node.name.value] += 1

    @MANY
    @given(documents(SMALL, POOL))
    def look(made: Document) -> None:
        document = parse(made.text)
        visit(document, Counting())
        for definition in document.definitions:
            for variable in getattr(definition, "variable_definitions", None) or ():
                counts["default"] += variable.default_value is not None
                missing = variable.variable.name.value not in made.variables
                counts["missing" if missing else "given"] += 1
        counts["several"] += len(_operations(document)) > 1
        counts["unnamed"] += made.operation_name is None
        counts["null"] += None in made.variables.values()
        # The same key twice in one place, with one or two selections.
        counts["again"] += execute_sync(SMALL, document, operation_name=made.operation_name).data is not None

    look()
    assert counts["__schema"] + counts["__type"]
    wanted = (
        "alias", "default", "missing", "given", "several", "unnamed", "null", "again",
        "inline_fragment", "fragment_spread", "fragment_definition", "directive", "variable", "null_value",
        "list_value", "object_value", "enum_value", "string_value", "int_value", "boolean_value",
        "__typename", "node", "nodes", "named", "pets", "lives", "tags", "friend", "often",
    )  # fmt: skip
    assert {name: counts[name] for name in wanted if not counts[name]} == {}
    assert not counts["unheard"]  # nobody knows a value of that scalar


def test_what_is_to_be_avoided_is():
    @MANY
    @given(
        documents(
            SMALL, POOL, avoid={"Query.node", "Cat.lives"}, introspection=False, size=Size(fields=5, depth=2)
        )
    )
    def check(made: Document) -> None:
        assert "node(" not in made.text
        assert "__schema" not in made.text
        assert not validate(SMALL, parse(made.text))

    check()


@given(st.data())
@MANY
def test_faults_are_in_the_request_never_in_the_document(data: st.DataObject):
    made = data.draw(documents(SMALL, POOL, faults=True))
    assert not validate(SMALL, parse(made.text)), made.text
