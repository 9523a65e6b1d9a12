"""The bounds on GraphQL documents: each at its edge, and the cost of refusing."""

import gc
import time
from typing import Any

import pytest
from graphql import GraphQLError, build_schema, get_introspection_query, parse, specified_rules

from schema.frame.documents import BOUNDS, Bounds, exceeded, preparer
from schema.router import GRAPHQL_JSON
from tests.support.people import Person

SCHEMA = build_schema(
    "type Query{a:Query b:Int c(x:Int):Int} directive @d repeatable on FIELD | VARIABLE_DEFINITION | QUERY"
)


def nested(levels: int) -> str:
    return "{" + "a{" * (levels - 1) + "b" + "}" * levels


def refusal(text: str, **bounds: Any) -> str | None:
    return exceeded(parse(text), Bounds(**bounds) if bounds else BOUNDS)


@pytest.mark.parametrize(
    ("at_the_edge", "beyond", "word"),
    [
        (nested(12), nested(13), "levels"),
        ("{" + "a{" * 11 + "...F" + "}" * 12 + " fragment F on Query{b}",
            "{" + "a{" * 12 + "...F" + "}" * 13 + " fragment F on Query{b}", "levels"),
        ("{" + " ".join(f"x{i}:b" for i in range(30)) + "}", "{" + " ".join(f"x{i}:b" for i in range(31)) + "}",
            "aliases"),
        ("{...F ...F} fragment F on Query{" + " ".join(f"x{i}:b" for i in range(15)) + "}",
         "{...F ...F} fragment F on Query{" + " ".join(f"x{i}:b" for i in range(16)) + "}", "aliases"),
        ("{b" + " @d" * 30 + "}", "{b" + " @d" * 31 + "}", "directives"),
        ("query A($x:Int" + " @d" * 15 + ")" + " @d" * 15 + "{b}",
            "query A($x:Int" + " @d" * 15 + ")" + " @d" * 16 + "{b}", "directives"),
        ("{" + "b " * 30 + "}", "{" + "b " * 31 + "}", "repetitions"),
        ("{" + "a{b} " * 30 + "}", "{a{" + "b " * 16 + "} a{" + "b " * 15 + "}}", "repetitions"),
        ("{" + " ".join(f"f{i}" for i in range(1000)) + "}", "{" + " ".join(f"f{i}" for i in range(1001)) + "}",
            "fields"),
        ("{__schema{" + "a{" * 18 + "b" + "}" * 20, "{__schema{" + "a{" * 19 + "b" + "}" * 21, "levels"),
        ("query A{" + "b " * 30 + "} query B{" + "b " * 30 + "}", "query A{b} query B{" + "b " * 31 + "}",
            "repetitions"),
    ],
)  # fmt: skip
def test_a_bound_holds_at_its_edge(at_the_edge: str, beyond: str, word: str):
    assert refusal(at_the_edge) is None
    message = refusal(beyond)
    assert message is not None
    assert word in message


def test_inline_fragments_and_cycles_are_walked_through():
    assert (
        refusal(
            "{... on Query{...{b}} ...A ...Nowhere} fragment A on Query{...B b} fragment B on Query{...A b}"
        )
        is None
    )


def test_the_explorer_s_own_question_is_within_bounds():
    assert refusal(get_introspection_query(input_value_deprecation=True, specified_by_url=True)) is None


BOMBS = {
    "fragments that spread each other twice": "{...F0} "
    + " ".join(f"fragment F{i} on Query{{...F{i + 1} ...F{i + 1}}}" for i in range(150))
    + " fragment F150 on Query{b}",
    "the same through fields": "{...F0} "
    + " ".join(f"fragment F{i} on Query{{x{i}:a{{...F{i + 1}}} y{i}:a{{...F{i + 1}}}}}" for i in range(60))
    + " fragment F60 on Query{b}",
    "many fragments in one place": "{" + " ".join(f"...F{i}" for i in range(150)) + "}"
    + " ".join(f"fragment F{i} on Query{{a{{b}}}}" for i in range(150)),
    "one object again and again": "{" + "a{b} " * 490 + "}",
    "a chain of fragments": "{...F0} "
    + " ".join(f"fragment F{i} on Query{{...F{i + 1}}}" for i in range(190))
    + " fragment F190 on Query{b}",
    "inline fragments": "{" + "...{" * 150 + "b" + "}" * 151,
    "directives": "{b" + " @d" * 900 + "}",
    "arguments": "{c(" + " ".join(f"x{i}:1" for i in range(490)) + ")}",
    "variables": "query(" + " ".join(f"$x{i}:Int" for i in range(480)) + "){b}",
    "unknown fields": "{" + " ".join(f"f{i}" for i in range(990)) + "}",
    "thirty times each": "{" + " ".join(f"f{i} " * 30 for i in range(33)) + "}",
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_nothing_costs_much(name: str):
    prepare = preparer(tuple(specified_rules))
    gc.disable()  # the garbage of a long run is no cost of a document, nor is another thread's work
    begun = time.thread_time()
    try:
        prepare(SCHEMA, BOMBS[name])
    except GraphQLError as error:
        assert error.message.startswith(("The query ", "Syntax Error"))
    finally:
        took = time.thread_time() - begun
        gc.enable()
    assert took < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "{" + "b " * 2001 + "}",
        "#" + "x" * BOUNDS.characters + "\n{b}",
        '{c(x:"' + "y" * 70_000 + '")}',
        "#\n" * 4500 + "{b}",
    ],
)
def test_what_is_too_long_is_not_even_read(text: str):
    with pytest.raises(GraphQLError, match="Syntax Error"):
        preparer(tuple(specified_rules))(SCHEMA, text)


def test_validation_stops_after_ten_errors():
    for hide in (True, False):
        errors = preparer(tuple(specified_rules), hide=hide)(
            SCHEMA, "{" + " ".join(f"bb{i}" for i in range(50)) + "}"
        )
        assert len(errors.errors) == 11  # the last one says so
        assert "aborted" in errors.errors[-1].message
        assert ("Did you mean" in errors.errors[0].message) is not hide


def test_a_sound_document_is_kept_and_a_wrong_one_is_not():
    prepare = preparer(tuple(specified_rules))
    assert prepare(SCHEMA, "{b}").errors == ()
    assert prepare(SCHEMA, "{b}") is prepare(SCHEMA, "{b}")
    assert prepare(build_schema("type Query{b:Int}"), "{b}") is not prepare(SCHEMA, "{b}")
    assert len(prepare(SCHEMA, "{zzz}").errors) == 1
    assert prepare(SCHEMA, "{zzz}") is not prepare(SCHEMA, "{zzz}")
    for _ in range(2):
        with pytest.raises(GraphQLError):
            prepare(SCHEMA, "{")


def test_which_operation_is_meant():
    prepare = preparer(tuple(specified_rules))
    both = prepare(SCHEMA, "query A{b} query B{c}")
    assert [both.operation(name).name for name in "AB"] == ["A", "B"]
    assert prepare(SCHEMA, "{b}").operation(None).name is None
    for prepared, name, message in (
        (both, None, "operationName must say which"),
        (both, "C", 'no operation named "C"'),
        (prepare(SCHEMA, "{b}"), "A", 'no operation named "A"'),
    ):
        with pytest.raises(GraphQLError, match=message):
            prepared.operation(name)


LIMITS = {
    "characters": ("#" + "x" * BOUNDS.characters + "\n{__typename}", None),
    "tokens": ("{health(" + "a:1 " * 1000 + "){status}}", None),
    "depth": ("{me{" + "accounts{nodes{owner{" * 4 + "uuid" + "}}}" * 4 + "}}", "deeper than 12 levels"),
    "introspection's depth": ("{__schema{types{" + "ofType{" * 18 + "name" + "}" * 21, "deeper than 20 levels"),
    "aliases": ("{" + " ".join(f"x{i}:__typename" for i in range(31)) + "}", "30 aliases"),
    "introspection's aliases": ("{" + " ".join(f"x{i}:__schema{{description}}" for i in range(31)) + "}", "30 aliases"),
    "directives": ("{__typename" + " @skip(if:false)" * 31 + "}", "30 directives"),
    "repetitions": ("{" + "__schema{description} " * 31 + "}", "30 repetitions"),
    "selections": ("{" + " ".join(f"f{i}" for i in range(1001)) + "}", "1000 fields and fragments"),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
async def test_each_limit_is_told_through_the_door(client, name: str):
    text, message = LIMITS[name]
    answer = await client.post("/graphql", json={"query": text}, headers={"accept": GRAPHQL_JSON})
    assert answer.status_code == 400
    body = answer.json()
    assert set(body) == {"errors"}
    (error,) = body["errors"]
    if message is None:
        assert error["message"].startswith("Syntax Error: ")
    else:
        assert message in error["message"]
        assert error["message"].endswith("Ask for less at a time.")
        assert error["extensions"]["code"] == "query_too_complex"


async def test_a_body_is_bounded_before_it_is_read(client, settings):
    for body in (
        b" " * (settings.max_body_bytes + 1),
        b'{"query":"' + b"x" * settings.max_body_bytes + b'"}',
    ):
        answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 413


@pytest.mark.parametrize("text", ["represent ", " Did you mean ", ", found"])
async def test_what_a_caller_says_is_not_said_back_at_length(ada: Person, text: str):
    """A long text would otherwise be searched for in the message, in quadratic time."""
    for query, variables in (
        ("query($v: DateTime) { statisticsGeneral(dateFrom: $v) { items { sent } } }", {"v": text * 2000}),
        ("query($v: MessageWhere) { messages(where: $v) { totalCount } }", {"v": {text * 2000: 1}}),
        ("query($v: Interval!) { statisticsGeneral(interval: $v) { items { sent } } }", {"v": text * 2000}),
    ):
        for error in (await ada.graphql(query, variables))["errors"]:
            assert error["extensions"]["code"] == "bad_request"
            assert len(error["message"]) <= 1001
