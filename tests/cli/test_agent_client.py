"""An operator registers a client of OAuth that publishes no document of its own, and a person lets it in."""

import pytest

from runtime.services import Services
from tests.cli.conftest import Command
from tests.mcp.connecting import BASE, allowed, form, request, token
from tests.support.people import Person

pytestmark = pytest.mark.settings(mcp=True, public_url=BASE)


async def test_a_client_of_the_operator(postern: Command, ada: Person, services: Services):
    made = postern("agent-client", "Example Agent", "http://127.0.0.1/callback", "example-agent:/callback")
    assert made.returncode == 0, made.stderr
    client = made.stdout.split()[-1]
    seen = (await ada.rest("POST", "/agents/review", json=request(client))).json()
    assert (seen["clientName"], seen["clientHost"]) == ("Example Agent", None)
    assert (await token(ada, form(client, await allowed(ada, client))))[0] == 200
    elsewhere = request(client, redirectUri="https://elsewhere.example.com/callback")
    assert (await ada.rest("POST", "/agents/review", json=elsewhere)).json()["code"] == "bad_redirect"
    assert not await services.db.fetchval("SELECT by_itself FROM agent_clients WHERE client_id = $1", client)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("Example", "http://example.com/callback"), "no address for codes"),
        (("Example", "javascript:alert(1)"), "no address for codes"),
        (("x" * 101, "https://example.com/callback"), "1 to 100"),
    ],
)
def test_a_client_that_can_not_be(postern: Command, words: tuple[str, ...], sentence: str):
    refused = postern("agent-client", *words)
    assert refused.returncode != 0
    assert sentence in refused.stderr
