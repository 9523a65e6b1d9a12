"""Rules that tests make by REST, and what providers got."""

from typing import Any

from engine.sms.route_rules import routing_of
from runtime.services import Services
from tests.channels.peer_post import Provider
from tests.support.people import Person


async def add(admin: Person, prefix: str, route: str, **more: Any) -> str:
    """Adds a rule, and returns its id."""
    answer = await admin.rest("POST", "/route-rules", json={"prefix": prefix, "route": route, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def switch(admin: Person, services: Services, route: str, *, on: bool) -> None:
    """Switches a route on or off, and has the worker of this process know it."""
    answer = await admin.rest("PATCH", f"/system/routes/{route}", json={"enabled": on})
    assert (answer.status_code, answer.json()["enabled"]) == (200, on), answer.text
    await routing_of(services).refresh()


def got(providers: list[Provider]) -> list[list[str]]:
    """Returns the sorted recipients that each provider has."""
    return [sorted(message.to for message in provider.received) for provider in providers]
