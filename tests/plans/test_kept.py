"""Plans are kept, found again, and forgotten when there are too many."""

from typing import Any

import pytest

from schema import root
from schema.plans import cache, ready
from tests.support.people import Person

SCHEMA = root.build(explorable=True)


def _ready(text: str, **variables: Any) -> Any:
    prepared = SCHEMA.prepare(SCHEMA._schema, text)
    assert not prepared.errors
    return ready(SCHEMA, prepared, prepared.operation(None), variables)[0]


def test_a_plan_is_found_again() -> None:
    text = "query($all:Boolean!,$id:ID!){message(id:$id){id body @include(if:$all)}}"
    first, other = _ready(text, all=True, id="a"), _ready(text, all=False, id="b")
    assert first.root is not other.root
    assert _ready(text, all=True, id="c").root is first.root
    assert _ready(text, all=False, id="b").root is other.root
    assert _ready(text, all=True, id="c").variables.coerced["id"] == "c"


@pytest.mark.parametrize(
    "text",
    [
        "mutation{logout}",
        "{__schema{types{name}}}",
        '{node(id:"x"){id}}',
        "subscription{queueStatisticsChanged{queued}}",
    ],
    ids=["mutation", "introspection", "interface", "subscription"],
)
def test_what_graphql_core_executes(text: str) -> None:
    assert _ready(text) is None


def test_wrong_variables_are_graphql_cores() -> None:
    text = "query($id:ID!,$n:Int){message(id:$id){id} messages(first:$n){nodes{id}}}"
    assert _ready(text) is None
    assert _ready(text, id="a", n="many") is None
    assert _ready(text, id=7, n=3).variables.coerced == {"id": "7", "n": 3}


def test_another_operations_variables_choose_nothing() -> None:
    text = (
        "query A($x:Boolean!){me @skip(if:$x){email}} query B($x:[ID!]!){accounts{nodes{id @skip(if:false)}}}"
    )
    text = text.replace("accounts{", "accounts(where:{id:{in:$x}}){").replace("[ID!]", "[String!]")
    prepared = SCHEMA.prepare(SCHEMA._schema, text)
    assert not prepared.errors
    for ids in (["a"], ["b"]):
        assert ready(SCHEMA, prepared, prepared.operation("B"), {"x": ids})[0] is not None
    assert len(prepared.compiled["plans", id(prepared.operation("B"))].plans) == 1


async def test_a_choice_that_is_null(ada: Person) -> None:
    text = "query($x:Boolean=true){me{id email @include(if:$x)}}"
    for x, fields in ((True, {"id", "email"}), (False, {"id"}), (None, None)):
        answer = await ada.graphql(text, {"x": x})
        if fields is None:
            assert answer["errors"][0]["extensions"]["code"] == "bad_request"
        else:
            assert set(answer["data"]["me"]) == fields


def test_there_are_never_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_plans", cache._Plans(200))
    choices = "abcdefgh"
    fields = " ".join(f"{name}:email @include(if:${name})" for name in choices)
    text = f"query({' '.join(f'${name}:Boolean!' for name in choices)}){{me{{id {fields}}}}}"
    for number in range(2 ** len(choices)):
        plan = _ready(text, **{name: bool(number >> place & 1) for place, name in enumerate(choices)})
        assert len(plan.root.fields[0].selection.keys) == 1 + number.bit_count()
        assert sum(cache._plans.values()) == cache._plans.currsize <= 200
    assert _ready(text, **dict.fromkeys(choices, False)) is not None  # forgotten, and made again


async def test_the_switch(ada: Person, services: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise AssertionError("a plan was asked for")

    text = "{me{email accounts{nodes{id balance createdAt}}}}"
    planned = await ada.graphql(text)
    monkeypatch.setattr("schema.router.ready", broken)
    monkeypatch.setattr(services.settings, "graphql_plans", False)
    assert (await ada.graphql(text))["data"] == planned["data"]
