"""No description that a caller reads uses a gendered pronoun or one of the project's own words."""

import pytest

from tests.linters import public_texts
from tests.linters.public_texts import breaches, of_openapi, of_sdl


def test_the_published_descriptions_are_plain():
    assert public_texts.check() == []


SDL = '''
"""{type}"""
type Query {{
  """{field}"""
  user("""{argument}""" id: ID): Role
  list(where: Where): Int @deprecated(reason: "{reason}")
}}
"""Roles."""
enum Role {{
  """{value}"""
  admin
}}
input Where {{
  """{input}"""
  id: ID
}}
'''
PLAIN = dict.fromkeys(("type", "field", "argument", "reason", "value", "input"), "Returns the user's role.")


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ("type", "Query"),
        ("field", "Query.user"),
        ("argument", "Query.user(id:)"),
        ("reason", "Query.list"),
        ("value", "Role.admin"),
        ("input", "Where.id"),
    ],
)
def test_every_description_of_the_sdl_is_read(part: str, place: str):
    assert list(breaches(of_sdl(SDL.format(**PLAIN)))) == []
    (breach,) = breaches(of_sdl(SDL.format(**{**PLAIN, part: "What he may do."})))
    assert breach.startswith(f'schema.graphql: {place}: do not write "he"')


def test_every_description_of_openapi_is_read_and_examples_are_not():
    document = {
        "info": {"description": "Packets of messages."},
        "paths": {
            "/x": {"get": {"summary": "His projects", "parameters": [{"description": "whoever pays"}]}}
        },
        "components": {"schemas": {"X": {"properties": {"description": {"type": "string"}}}}},
        "example": {"description": "Tell her."},
        "examples": [{"summary": "himself"}],
    }
    problems = list(breaches(of_openapi(document)))
    assert [problem.split(" do not write ")[0] for problem in problems] == [
        "openapi.json: info description:",
        "openapi.json: paths /x get summary:",
        "openapi.json: paths /x get parameters 0 description:",
    ]


@pytest.mark.parametrize(
    "old",
    [
        "what he may do",
        "All logins of the user\nhimself.",
        "packets of messages in its hands (of yours, for users)",
        "hand-overs that failed for sure",
        "until all are sent, at that pace; null while nothing moves",
        "What must hold for accounts.",
        "where it is",
        "what it is for",
        "addresses that are told what happens",
        "The address is told nothing more. Again is no error.",
        "a source of ours, or an integration",
    ],
)
def test_an_old_sentence_is_refused(old: str):
    assert list(breaches([("x", old)]))


@pytest.mark.parametrize(
    "plain",
    ["number of batches that it is sending now", "the `hands` and `his` fields", "There are other themes."],
)
def test_a_plain_sentence_is_not(plain: str):
    assert list(breaches([("x", plain)])) == []
