"""The graph keeps its own rules, and the rules see what breaks them."""

from collections.abc import Callable, Iterator

import pytest
from graphql import GraphQLSchema, build_schema

from schema.frame.descriptions import ARGUMENTS
from schema.root import build
from tests.sdl import rules
from tests.support.described import printed_schema

SDL = build(explorable=True).as_str()
OURS = printed_schema()  # as a client reads it: what is not printed is not there
Rule = Callable[[GraphQLSchema], Iterator[str]]


@pytest.mark.parametrize("rule", rules.RULES, ids=[rule.__name__ for rule in rules.RULES])
def test_ours_keeps(rule: Rule):
    problems = list(rule(OURS))
    assert not problems, "\n".join(problems)


GOOD = """
"Anything" interface Node { "id" id: ID! }
"When" scalar DateTime @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3339")
"An id" scalar UUID @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc9562")
"One of two" enum Role { "one" admin "two" user }
"Somebody" type User implements Node { "id" id: ID! "uuid" uuid: UUID! "what he may do" roles: [Role!]! }
"Where" type PageInfo {
  "more" hasNextPage: Boolean! "before" hasPreviousPage: Boolean! "first" startCursor: String "last" endCursor: String
}
"One" type UserEdge { "where" cursor: String! "who" node: User! }
"Some" type UserConnection {
  "each" edges: [UserEdge!]! "all" nodes: [User!]! "where" pageInfo: PageInfo! "how many" totalCount: Int!
}
"Which" input UserWhere { "role" role: Role }
"Changes" input PagePatch { "name" name: String }
"How" input NewUser { "name" name: String }
"Reads" type Query {
  "one" node("its id" id: ID!): Node
  "some" nodes("their ids" ids: [ID!]!): [Node]
  "users" users(
    "n" first: Int, "c" after: String, "n" last: Int, "c" before: String, "which" where: UserWhere
  ): UserConnection
}
"Writes" type Mutation { "a new one" createUser("how" input: NewUser!): User }
"""
BROKEN: dict[str, tuple[Rule, str, str]] = {
    "a type": (rules.all_is_described, '"Somebody" ', ""),
    "a field": (rules.all_is_described, '"what he may do" ', ""),
    "an argument": (rules.all_is_described, '"its id" ', ""),
    "an input field": (rules.all_is_described, '"name" name', "name"),
    "an input": (rules.all_is_described, '"How" ', ""),
    "a value": (rules.all_is_described, '"two" ', ""),
    "a scalar": (rules.all_is_described, '"When" ', ""),
    "nothing but a space": (rules.all_is_described, '"When" ', '" " '),
    "a field's name": (rules.names_are_spelled_alike, "uuid: UUID!", "uuid: UUID! created_at: Int"),
    "an argument's name": (rules.names_are_spelled_alike, "ids: [ID!]!", "IDs: [ID!]!"),
    "an input's name": (rules.names_are_spelled_alike, "name: String", "Name: String"),
    "a type's name": (rules.names_are_spelled_alike, "NewUser", "new_user"),
    "no edges": (rules.connections_are_relay_s, '"each" edges: [UserEdge!]!', ""),
    "no nodes": (rules.connections_are_relay_s, "nodes: [User!]!", "nodes: [User]"),
    "no cursor": (rules.connections_are_relay_s, "cursor: String!", "cursor: Int!"),
    "no page info": (rules.connections_are_relay_s, "startCursor: String", "startCursor: String!"),
    "no first": (rules.connections_are_relay_s, '"n" first: Int,', ""),
    "a default": (rules.connections_are_relay_s, "first: Int", "first: Int = 20"),
    "a where of another type": (rules.connections_are_relay_s, "where: UserWhere", "where: NewUser"),
    "no node": (rules.what_has_an_id_is_a_node, "User implements Node", "User"),
    "no uuid": (rules.what_has_an_id_is_a_node, '"uuid" uuid: UUID!', ""),
    "no way to a node": (rules.what_has_an_id_is_a_node, '"one" node("its id" id: ID!): Node', ""),
    "a query that is never null": (rules.roots_may_be_null, "): UserConnection", "): UserConnection!"),
    "a mutation that is never null": (rules.roots_may_be_null, "NewUser!): User", "NewUser!): User!"),
    "three arguments": (rules.a_mutation_takes_one_input, '"how" input', "a: Int b: Int input"),
    "an input of another name": (rules.a_mutation_takes_one_input, "input: NewUser!", "user: NewUser!"),
    "an input that is none": (rules.a_mutation_takes_one_input, "input: NewUser!", "input: String!"),
    "an id that is none": (rules.ids_are_ids, "id: ID!): Node", "id: UUID!): Node"),
    "ids that are none": (rules.ids_are_ids, "ids: [ID!]!", "ids: [UUID!]!"),
    "no specification": (
        rules.scalars_name_their_specification,
        ' @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc9562")',
        "",
    ),
    "a patch with a default": (
        rules.patches_have_no_defaults,
        'PagePatch { "name" name: String',
        'PagePatch { "name" name: String = null',
    ),
    "holes": (rules.lists_have_no_holes, "roles: [Role!]!", "roles: [Role]!"),
}


def test_a_good_one_keeps_all():
    assert [problem for rule in rules.RULES for problem in rule(build_schema(GOOD))] == []


@pytest.mark.parametrize(("rule", "before", "after"), BROKEN.values(), ids=BROKEN)
def test_a_rule_sees(rule: Rule, before: str, after: str):
    assert before in GOOD
    assert list(rule(build_schema(GOOD.replace(before, after))))


def test_no_words_for_what_is_not_there():
    arguments = {argument for _, _, field in rules._fields(OURS) for argument in field.args}
    assert set(ARGUMENTS) <= arguments


def test_no_exception_for_what_is_not_there():
    places = {f"{parent.name}.{name}" for parent, name, _ in rules._fields(OURS)}
    assert set(rules.HOLES) <= places
    assert {
        *rules.NO_NODE,
        *rules.NO_SPECIFICATION,
        *(name.partition(".")[0] for name in rules.NULL_CHANGES_NOTHING),
    } <= set(OURS.type_map)
