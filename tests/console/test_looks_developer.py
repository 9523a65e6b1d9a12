"""The pages for developers as people see them: see looks.py."""

from typing import Any

import pytest

from tests.console.looks import LONG, Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.test_callbacks import with_callback
from tests.console.users import DELIVERED, call, new_user, send
from tests.support.live import Live
from tests.support.people import Person
from tests.support.ports import free_port
from tests.support.waits import eventually

pytestmark = pytest.mark.rotating


def _limits(tab: Tab, width: int) -> None:
    """Opens the list of permissions in the dialog of a token."""
    tab.page.shows("[role=dialog] input[value=limited]")
    tab.page.click("[role=dialog] input[value=limited]")


PAGES: Looks = [
    ("developer", "/console/developer", None, "main table"),
    ("tokens", "/console/tokens", None, "main table td"),
    ("new-token", "/console/tokens?new=1", None, "[role=dialog] input"),
    ("token-limits", "/console/tokens?new=1", _limits, "[role=dialog] fieldset input"),
    ("token-edit", "/console/tokens?edit={token}", None, "[role=dialog] fieldset input"),
    ("token-history", "/console/tokens?history={token}", None, "[role=dialog] table td"),
    ("audit", "/console/audit", None, "main table td"),
    ("webhooks", "/console/webhooks", None, "main table td"),
    ("new-webhook", "/console/webhooks/new", None, "main textarea"),
    ("new-account-webhook", "/console/webhooks/new?of=account", None, "input[type=checkbox]"),
    ("webhook", "/console/webhooks/{webhook}", None, "main table td"),
    ("delivery", "/console/webhooks/{webhook}?delivery={delivery}", None, "[role=dialog] pre"),
    ("given-up", "/console/webhooks/{webhook}?tab=dead", None, "main table"),
    ("document", "/console/webhooks/{webhook}?tab=document", None, "main textarea"),
    ("webhook-settings", "/console/webhooks/{webhook}?tab=settings", None, "main form"),
    ("events", "/console/events", None, "[role=log] button"),
    ("event-types", "/console/events?tab=types", None, "main table td"),
    ("hook-secrets", "/console/hook-secrets", None, "main table td"),
    ("callbacks", "/console/callbacks", None, "main table td"),
]

_HOOK = "mutation ($i: NewEventWebhook!) { createWebhook(input: $i) { webhook { uuid } } }"
_TOKEN = """mutation { createApiToken(input: { name: "nightly export", preset: send, networks: ["192.0.2.0/24"] }) {
    apiToken { uuid }
} }"""
_HOOK_SECRET = "mutation { rotateHookSecret { secret } }"
_DELIVERIES = "query ($id: ID!) { webhookDeliveries(webhookId: $id, first: 50) { nodes { uuid attempts } } }"


@pytest.fixture(scope="module")
def user(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, user: Person) -> dict[str, str]:
    """A webhook to which nothing can be delivered, and an event that was tried; an API token, and a hook secret."""
    hook = call(live, user, _HOOK, i={"url": f"http://127.0.0.1:{free_port()}/{'events-of-orders-' * 6}"})
    webhook = str(hook["createWebhook"]["webhook"]["uuid"])
    token = str(call(live, user, _TOKEN)["createApiToken"]["apiToken"]["uuid"])
    call(live, user, _HOOK_SECRET)
    with_callback(live, user)
    send(live, user, DELIVERED, LONG)

    def tried() -> Any:
        deliveries = call(live, user, _DELIVERIES, id=webhook)["webhookDeliveries"]["nodes"]
        return next((delivery["uuid"] for delivery in deliveries if delivery["attempts"]), None)

    return {
        "webhook": webhook,
        "token": token,
        "delivery": str(eventually(tried, "an event could not be delivered")),
    }


@every_look
def test_pages(page: Tab, user: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(user, PAGES, ids)
