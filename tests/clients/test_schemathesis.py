"""schemathesis asks the running service what the SDL says may be asked, and some of what it says may not.

Its own check, for which any `errors` is a failure of the server, is off: that a message is not there is an answer.
(tests/openapi/test_fuzz.py does the same to the REST door.)
"""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from graphql import GraphQLField, GraphQLInputObjectType, GraphQLInputType
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.graphql import nodes

from schema.root import build
from tests.support.examples import examples
from tests.support.live import Live, serving
from tests.support.people import Person
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.rotating

EXAMPLES = examples(2)  # of each root field; the first is the simplest
SCHEMA = build(explorable=True)._schema


def _can_be_wrong(field: GraphQLField) -> bool:
    """Returns whether an argument can be wrong by its type: an optional time or text can't, as null is right and any
    text may be one. Nor can an optional input that has nothing else.
    """
    return any(not _takes_anything(argument.type) for argument in field.args.values())


def _takes_anything(kind: GraphQLInputType) -> bool:
    if isinstance(kind, GraphQLInputObjectType):
        return all(str(field.type).rstrip("!") == "String" for field in kind.fields.values())
    return str(kind) == "DateTime"


ROOT_FIELDS = {
    (kind.name, name): [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if _can_be_wrong(field) else [])]
    for kind in (SCHEMA.query_type, SCHEMA.mutation_type)
    if kind is not None
    for name, field in kind.fields.items()
    if name != "sendTestMessage"  # it waits half a minute for a worker, and there is none
}
# One of everything, so that what is asked for by an id may be there.
SEEDS = [
    'sendMessage(input: {channel: email, to: "a@example.com", body: "hello"}) { id uuid }',
    'createAccount(input: {name: "Second"}) { id uuid }',
    'createSendingProject(input: {name: "P", channel: email, subject: "Hi", text: "hello"}) { id uuid }',
    'addMessengerAccount(input: {source: telegram, login: "15005551001", name: "none"}) { id uuid }',
    'createSourceAccount(input: {source: "email", login: "a@example.com", token: "secret"}) { id uuid }',
    'blockPhone(phone: "+14155550100", input: {}) { id uuid }',
]


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving(POSTERN_GRAPHIQL="true", POSTERN_LIMIT_GRAPHQL="1000000000/60") as running:
        yield running


@pytest.fixture(scope="module")
def tokens(live: Live) -> dict[str, list[str]]:
    """API tokens for both root types: logging out and rotating refresh tokens don't end them."""
    make = 'mutation { createApiToken(input: {name: "fuzz"}) { token } }'
    ada, admin = (str(_ask(live, make, whose)["token"]) for whose in (live.ada, live.admin))
    return {"Query": [ada, admin], "Mutation": [ada]}


@pytest.fixture(scope="module")
def described(live: Live):
    """The schema, as schemathesis reads it by introspection."""
    there = [
        made[name]
        for seed in SEEDS
        for made in [_ask(live, f"mutation {{ {seed} }}", live.ada)]
        for name in made
    ]
    uuids = [id for id in there if "-" in id]
    text = st.text(alphabet=st.characters(codec="utf-8"), max_size=20)
    for name, values in {
        "ID": st.sampled_from(uuids * 2 + there) | st.uuids().map(str) | text,
        "UUID": st.sampled_from(uuids) | st.uuids().map(str),
        "DateTime": st.datetimes().map(lambda when: f"{when.isoformat()}Z"),
        "Upload": text,
    }.items():
        schemathesis.graphql.scalar(name, values.map(nodes.String))
    schemathesis.graphql.scalar(
        "Decimal", st.decimals(-1000, 1000, places=2).map(lambda number: nodes.Float(float(number)))
    )
    schemathesis.graphql.scalar(
        "JSON", st.just(nodes.Object([])) | text.map(nodes.String) | st.integers().map(nodes.Int)
    )
    return schemathesis.graphql.from_url(f"http://127.0.0.1:{live.port}/graphql")


def _ask(live: Live, query: str, whose: Person) -> Any:
    answer = live.client.post("/graphql", json={"query": query}, headers=whose.headers).json()
    assert "errors" not in answer, (query, answer)
    (made,) = answer["data"].values()
    return made


@pytest.mark.parametrize(
    ("kind", "field", "mode"),
    [(*field, mode) for field, modes in ROOT_FIELDS.items() for mode in modes],
    ids=lambda value: value if isinstance(value, str) else value.name.lower(),
)
def test_what_is_described_is_what_happens(
    kind: str, field: str, mode: GenerationMode, live: Live, tokens: dict[str, list[str]], described
):
    mark = live.mark()

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=described[kind][field].as_strategy(generation_mode=mode), token=st.sampled_from(tokens[kind]))
    def ask(case: schemathesis.Case, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": uuid4().hex}
        answer = case.call(headers=headers, timeout=2 * PATIENCE)
        assert answer.status_code in (200, 400), answer.text
        body = answer.json()
        codes = [error["extensions"]["code"] for error in body.get("errors", ())]
        assert "internal_error" not in codes, body
        if mode is GenerationMode.NEGATIVE:
            assert codes
            assert "data" not in body
        elif field not in ("uploadFile", "uploadPicture"):  # its file comes as a part of a multipart request
            too_large = codes == ["query_too_complex"] or "more than 2000 tokens" in str(body)
            assert "data" in body or too_large, body

    ask()
    assert "Traceback" not in (new := live.logged(mark)), new
