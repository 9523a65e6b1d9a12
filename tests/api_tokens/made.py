"""Makes API tokens, and callers who use them."""

from typing import Any

from tests.support.people import Person

CREATE = "mutation($i:NewApiToken!){createApiToken(input:$i){token apiToken{uuid scopes networks}}}"


async def made(person: Person, **limits: Any) -> tuple[str, str]:
    """Returns a new token and its id."""
    answer = (await person.data(CREATE, {"i": {"name": "t", **limits}}))["createApiToken"]
    return answer["token"], answer["apiToken"]["uuid"]


def caller(person: Person, token: str) -> Person:
    """Returns the person with this credential."""
    return Person(person.id, person.email, person.account_id, token, person.client)


async def exchanged(person: Person, token: str) -> Any:
    """Returns the tokens of a login that the API token opens."""
    answer = await person.client.post("/auth", json={"token": token})
    assert answer.status_code == 200, answer.text
    return answer.json()
