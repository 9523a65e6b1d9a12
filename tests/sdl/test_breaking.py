"""A change of the schema that breaks somebody's program is either not made, or made with a reason."""

import pytest
from graphql import build_schema, find_dangerous_changes, is_specified_directive

from core.installation import ROOT
from schema.root import build
from tests.sdl import breaking
from tests.sdl.breaking import ALLOWED, RELEASED, allowed, changes, compact, complaints

pytestmark = pytest.mark.servers

SDL = build(explorable=True).as_str()


def test_nothing_breaks_that_was_released():
    assert RELEASED.exists(), "There is no released SDL yet: make released"
    with ALLOWED.open(encoding="utf-8") as lines:
        problems = complaints(breaking.released(), build_schema(SDL), lines)
    assert not problems, "\n".join(problems)


def test_the_snapshot():
    committed = (ROOT / "schema.graphql").read_text(encoding="utf-8")
    assert committed.strip() == SDL.strip(), (
        "The committed snapshot is old. Look at the change, then renew it: make snapshots"
    )


def test_what_was_released_is_kept_whole():
    schema = build_schema(SDL)
    compacted = build_schema(compact(schema))
    assert changes(schema, compacted) == changes(compacted, schema) == []
    assert find_dangerous_changes(schema, compacted) == find_dangerous_changes(compacted, schema) == []


def test_every_directive_is_a_specified_one_or_about_to_be():
    others = [
        directive.name for directive in build_schema(SDL).directives if not is_specified_directive(directive)
    ]
    assert others == ["defer"]


MUTATIONS = {
    "a field goes": ("  email: String!\n", "", "FIELD_REMOVED", "User.email"),
    "a field may be null": ("  email: String!", "  email: String", "FIELD_CHANGED_KIND", "User.email"),
    "a field has another type": ("  email: String!", "  email: Int!", "FIELD_CHANGED_KIND", "User.email"),
    "an argument goes": ("user(id: ID!)", "user", "ARG_REMOVED", "Query.user"),
    "an argument must be given": ("(id: ID!)", "(id: ID!, more: Int!)", "REQUIRED_ARG_ADDED", "more"),
    "another default": ("Int! = 20", "Int! = 50", "ARG_DEFAULT_VALUE_CHANGE", "Query.page"),
    "an input must be given": ("  name: String\n", "  name: String!\n", "FIELD_CHANGED_KIND", "NewUser.name"),
    "an input goes": ("  name: String\n", "", "FIELD_REMOVED", "NewUser.name"),
    "a new input must be given": ("  name: String\n", "  name: String age: Int!\n", "REQUIRED_INPUT_FIELD_ADDED",
        "age"),
    "an enum's value goes": (" user }", " }", "VALUE_REMOVED_FROM_ENUM", "user"),
    "an enum's value comes": (" user }", " user guest }", "VALUE_ADDED_TO_ENUM", "guest"),
    "an interface goes": (" implements Node", "", "IMPLEMENTED_INTERFACE_REMOVED", "User"),
    "a union's type goes": ("union Any = User | Bot", "union Any = User", "TYPE_REMOVED_FROM_UNION", "Bot"),
    "a type goes": ("scalar Old\n", "", "TYPE_REMOVED", "Old"),
}  # fmt: skip
SMALL = """
interface Node { id: ID! }
enum Role { admin user }
type User implements Node {
  id: ID!
  email: String!
  role: Role
}
type Bot { id: ID! }
union Any = User | Bot
scalar Old
input NewUser {
  phone: String!
  name: String
}
type Query {
  user(id: ID!): User
  page(size: Int! = 20): [Any!]
}
type Mutation { createUser(input: NewUser!): User }
"""


@pytest.mark.parametrize(("before", "after", "kind", "place"), MUTATIONS.values(), ids=MUTATIONS)
def test_the_guard_sees(before: str, after: str, kind: str, place: str):
    assert SMALL.count(before) == 1
    was, now = build_schema(SMALL), build_schema(SMALL.replace(before, after))
    (change,) = changes(was, now)
    assert change.startswith(f"{kind}: ")
    assert place in change
    (complaint,) = complaints(was, now, [])
    assert "@deprecated" in complaint
    assert "tests/sdl/breaking.txt" in complaint
    assert complaint.splitlines()[0] == change
    assert complaints(was, now, ["# a comment\n", "\n", f"{change} # nobody used it\n"]) == []
    (stale,) = complaints(was, was, [f"{change} # nobody used it"])
    assert "Take the line out" in stale


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  email: String!", '  "described anew"\n  email: String!\n  more: Int'),
        ("user(id: ID!)", "user(id: ID!, more: Int)"),
        ("user(id: ID!): User", "user(id: ID): User"),
        ("  name: String\n", "  name: String\n  age: Int\n"),
        ("  role: Role", "  role: Role!"),
        ("  role: Role", '  role: Role @deprecated(reason: "see roles")'),
        ("type Bot", "type More { id: ID! }\ntype Bot"),
    ],
    ids=["field", "argument", "optional", "input", "never null", "deprecated", "type"],
)
def test_what_is_only_added_breaks_nobody(before: str, after: str):
    assert before in SMALL
    assert changes(build_schema(SMALL), build_schema(SMALL.replace(before, after, 1))) == []


def test_the_guard_sees_it_in_ours():
    now = build_schema(SDL)
    assert SDL.count("  me: User\n") == 1
    (line,) = changes(now, build_schema(SDL.replace("  me: User\n", "  myself: User\n")))
    assert line.startswith("FIELD_REMOVED: ")
    assert "Query.me" in line


def test_a_change_has_a_reason():
    for line in ("FIELD_REMOVED: User.name was removed.", "FIELD_REMOVED: User.name was removed. # "):
        with pytest.raises(ValueError, match="no reason"):
            allowed([line])
