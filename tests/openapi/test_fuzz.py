"""schemathesis asks the running service what OpenAPI says may be asked, and some of what it says may not."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks as openapi

from postern.app import doors
from rest.frame import open_answers
from tests.ai.model import talking
from tests.support.described import openapi as openapi_document
from tests.support.examples import examples
from tests.support.live import Live, serving
from tests.support.waits import PATIENCE, eventually

pytestmark = pytest.mark.rotating

EXAMPLES = examples(2)  # of each operation; the first is the simplest
CHECKS = [
    not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_headers_conformance,
    openapi.response_schema_conformance,
    openapi.negative_data_rejection,
    openapi.unsupported_method,
    openapi.ignored_auth,
]
# /legacy and the mail of a forgotten password answer 503 while they are not configured, /metrics is not ours to fuzz, a
# stream does not end: all have tests of their own.
# Each item of a batch has its own result, in a 200.
ITEM_BY_ITEM = ("/messages/batch",)
LEFT_OUT = ("/legacy", "/metrics", "/graphql/stream", "/auth/password/reset-request")


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with talking("Spring is here") as model, serving(POSTERN_AI_URL=f"{model}/v1") as running:
        yield running


@pytest.fixture(scope="module")
def token(live: Live) -> str:
    """An API token of ada's: logging out and rotating refresh tokens don't end it."""
    request = {"query": 'mutation{createApiToken(input:{name:"fuzz"}){token}}'}
    answer = live.client.post("/graphql", json=request, headers=live.ada.headers)
    # The first request opens the feed, which waits for transactions of other tests on the same server.
    eventually(lambda: live.client.get("/events", headers=live.ada.headers).is_success, "the feed is open")
    return str(answer.json()["data"]["createApiToken"]["token"])


@pytest.fixture(scope="module")
def described(live: Live):
    refused = {"expected-statuses": [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429]}
    config = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": refused}})
    # The document allows further properties in answers; there must be none today that it does not describe.
    with patch.object(open_answers, "apply", lambda _: None):
        closed = doors(explorable=True).openapi()
    loaded = schemathesis.openapi.from_dict(closed, config=config)
    loaded.config.update(base_url=f"http://127.0.0.1:{live.port}")
    return loaded


OPERATIONS = [
    (method.upper(), path)
    for path, item in openapi_document()["paths"].items()
    for method in item
    if not path.startswith(LEFT_OUT)
]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["right", "wrong"])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_what_is_described_is_what_happens(
    method: str, path: str, mode: GenerationMode, live: Live, token: str, described
):
    mark = live.mark()
    operation = described[path][method]
    # Area C answers 200 to a body with a token in it, unless the caller asks for true statuses.
    headers = {"Authorization": f"Bearer {token}", "X-Postern-Errors": "http"}

    checks = [
        each for each in CHECKS if path not in ITEM_BY_ITEM or each is not openapi.negative_data_rejection
    ]

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=headers, checks=checks, timeout=PATIENCE)

    try:
        ask()
    except Unsatisfiable:  # nothing can be wrong about a request that has no parameters
        assert mode is GenerationMode.NEGATIVE
    new = live.logged(mark)
    assert "Traceback" not in new, new
