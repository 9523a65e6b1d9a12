"""Users of a running service, what they do elsewhere by REST or GraphQL, and its workers."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.settings import Settings
from runtime.services import services
from tests.support import servers
from tests.support.live import KEYS, Live
from tests.support.people import PASSWORD, People, Person
from tests.support.waits import eventually, freeze

DELIVERED, FAILED = (f"{word}@sandbox.postern.test" for word in ("delivered", "failed"))


def new_user(live: Live, *, credit: str = "100") -> Person:
    """Makes a user whose messages no other test sees."""

    async def make() -> Person:
        settings: Any = Settings(
            _env_file=None,
            db_string=live.database,
            redis_url=servers.redis_url(),
            secret_key=KEYS["POSTERN_SECRET_KEY"],
            jwt_key=KEYS["POSTERN_JWT_KEY"],
        )
        nobody: Any = None  # the user is called through the live client
        async with services(settings) as opened:
            return await People(opened, nobody).make(credit=credit)

    return asyncio.run(make())


def cookie_of(live: Live, person: Person) -> tuple[str, str]:
    """Logs in as the console does. Returns the name and the value of the cookie."""
    answer = live.client.post(
        "/console/session",
        json={"email": person.email, "password": PASSWORD},
        headers={"origin": f"http://127.0.0.1:{live.port}", "x-postern-console": "1"},
    )
    assert answer.status_code == 204, answer.text
    live.client.cookies.clear()  # the client belongs to everybody
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    return name, value


def send(live: Live, person: Person, to: str, body: str = "Your table is booked.") -> str:
    """Sends an email by REST. Returns the id of the message."""
    message = {"channel": "email", "to": to, "body": body, "metadata": {"subject": "Your table"}}
    answer = live.client.post("/messages", json=message, headers=person.headers)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def ends(live: Live, person: Person, id: str, state: str) -> None:
    """Waits until a message has this state."""
    asked = {"query": "query($id: ID!) { message(id: $id) { deliveryState } }", "variables": {"id": id}}

    def has_ended() -> bool:
        body = live.client.post("/graphql", json=asked, headers=person.headers).json()
        return bool(body["data"]["message"]["deliveryState"] == state)

    eventually(has_ended, f"the message is {state}")


@contextmanager
def without_workers(live: Live) -> Iterator[None]:
    """Freezes the workers of the service for as long as this lasts."""
    assert live.workers
    for worker in live.workers:
        freeze(worker.pid)
    try:
        yield
    finally:
        for worker in live.workers:
            worker.send_signal(signal.SIGCONT)


def call(live: Live, person: Person, query: str, **variables: Any) -> Any:
    asked = {"query": query, "variables": variables}
    body = live.client.post("/graphql", json=asked, headers=person.headers).json()
    assert "errors" not in body, body
    return body["data"]


_LIST = "mutation ($i: NewPriceList!) { createPriceList(input: $i) { uuid } }"
_VERSION = (
    "mutation ($l: ID!, $i: NewPriceListVersion!) { addPriceListVersion(id: $l, input: $i) { number } }"
)


def price_list(live: Live, name: str) -> str:
    """Adds a price list with two versions. Returns its uuid."""
    made = call(live, live.admin, _LIST, i={"name": name, "currency": "USD"})["createPriceList"]["uuid"]
    for price in (0.07, 0.075):
        prices = [{"prefix": "49", "price": price, "cost": 0.05}, {"prefix": "1416", "price": 0.0091}]
        call(live, live.admin, _VERSION, l=made, i={"prices": prices})
    return str(made)


_ROUTE = "mutation ($i: NewSystemRoute!) { createSystemRoute(input: $i) { name } }"
_RULE = "mutation ($i: RouteRuleInput!) { createRouteRule(input: $i) { uuid } }"


def route_rule(live: Live, prefix: str, route: str, **values: Any) -> str:
    """Adds a rule of routes. Returns its uuid."""
    made = call(live, live.admin, _RULE, i={"prefix": prefix, "route": route, **values})
    return str(made["createRouteRule"]["uuid"])


def made_route(live: Live, name: str) -> None:
    """Makes a route for SMS, as an administrator does. No rule names it, so it gets no message."""
    dsn = "twilio://AC1:token@127.0.0.1:1?from=%2B14155550100&scheme=http"
    call(live, live.admin, _ROUTE, i={"name": name, "dsn": dsn})
