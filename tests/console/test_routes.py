"""The page of routes: an administrator adds rules, traces numbers and switches a route off; a user only traces."""

import asyncio
from collections.abc import Iterator

import asyncpg
import pytest

from tests.console.answers import IN_DIALOG, answer
from tests.console.steps import Tab
from tests.console.users import call, new_user, route_rule
from tests.support.live import Live, serving

_SUBMIT = "[role=dialog] button[type=submit]"
_RULES = "{ routeRules { nodes { prefix route category ownerId priority weight fallback } } }"
_FALLBACK = "If no route of this prefix works, rules of shorter prefixes are tried."
_RENAME = "UPDATE route_rules SET route = 'gone' WHERE id = $1"
_ORDER = "[...document.querySelectorAll('main ol li')].map((one) => one.innerText.replace(/\\s+/g, ' ')).join(' | ')"


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    """A service with two routes of SMS."""
    routes = "sandbox://?name=main,sandbox://?name=backup"
    with serving(POSTERN_CONSOLE="true", POSTERN_CHANNEL_SMS=routes) as running:
        yield running


def test_a_rule_is_added_and_a_route_switched_off(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(live.admin, "/console/routes")
    page.sees_row("main", "SMS", "Sandbox: nothing leaves", "works", "On")
    page.sees_row("email-1", "Email")
    page.sees("There is no rule yet.")
    page.fill("Phone number", "+49 30 123456")
    page.press("Show the way")
    page.sees("No rule is about this number")
    assert _order(page).startswith("1. main")

    page.press("Add a rule")
    page.is_at("/console/routes?add=1")
    page.fill("Prefix", "0049")
    _choose(page, "Route", "backup")
    _choose(page, "Messages", "Not advertising", dialog=True)
    page.page.click(_SUBMIT)
    page.sees("Write up to 15 digits that begin with a calling code")
    page.fill("Prefix", "+49 30")
    page.fill("Priority", "7")
    page.fill("Weight", "0")
    page.page.click(_SUBMIT)
    page.sees("Write a whole number from 1 to 1000.")
    page.fill("Weight", "3")
    page.page.click(_SUBMIT)
    page.sees("The rule is added.")
    page.is_at("/console/routes")
    page.sees_row("+4930 Germany", "backup", "Not advertising", "All users", "7", "3", "Yes")
    (rule,) = call(live, live.admin, _RULES)["routeRules"]["nodes"]
    assert rule == {
        "prefix": "4930",
        "route": "backup",
        "category": "transactional",
        "ownerId": None,
        "priority": 7,
        "weight": 3,
        "fallback": True,
    }
    # What was asked before is answered anew.
    page.sees("1. backup works The rule for +4930 in transactional messages names it, with priority 7.")
    page.picture("routes-rule")

    # The same messages by the same route, for one user only, and then for all.
    page.press("Add a rule")
    page.fill("Prefix", "4930")
    _choose(page, "Route", "backup")
    _choose(page, "Messages", "Not advertising", dialog=True)
    page.page.click(_SUBMIT)
    page.sees("There is a rule already that sends the same messages by backup.")
    page.fill("User", user.email)
    page.press(user.email)
    page.page.click(_SUBMIT)
    page.sees_row("+4930 Germany", "backup", user.email)

    page.press("Switch backup on or off")
    page.sees("Nothing is sent by it any more.")
    answer(page, "Switch off")
    page.sees("backup is switched off.")
    page.sees_row("backup", "SMS", "Off")
    page.sees_row("+4930 Germany", "backup Switched off")
    page.sees("– backup Switched off")
    page.sees("It would wait")
    page.picture("routes-off")
    page.dark()
    page.picture("routes-off-dark")
    page.at_width(390)
    page.picture("routes-off-phone")
    page.at_width(1280)
    page.dark(on=False)
    page.open("/console/system/sending")
    page.sees_row("backup", "works Switched off")
    page.press("Switched off")
    page.is_at("/console/routes")
    page.press("Switch backup on or off")
    page.sees("backup is switched on.")
    page.sees_row("backup", "SMS", "On")


def test_a_rule_is_changed_and_deleted(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = route_rule(live, "41", "backup", ownerId=str(user.id), category="promotional", priority=2)
    asyncio.run(_rename(live, id))
    page.comes_as(live.admin, "/console/routes?route=gone")
    page.sees_row("+41 Switzerland", "gone Not configured", user.email, "Advertising")
    page.press("Change the rule for +41 by gone")
    page.sees("Then shorter prefixes")
    page.page.click(_SUBMIT)
    page.sees("No route for SMS is called gone. There are: main, backup.")
    _choose(page, "Route", "main")
    page.press(f"Then shorter prefixes {_FALLBACK}")
    page.page.click(_SUBMIT)
    page.sees("The rule is changed.")
    page.sees("No rule matches.")
    page.press("Clear filters")
    page.sees_row("+41 Switzerland", "main", "Advertising", user.email, "2", "1", "No")
    page.press("Delete the rule for +41 by main")
    answer(page, "Delete")
    page.sees("The rule is deleted.")
    rules = call(live, live.admin, _RULES)["routeRules"]["nodes"]
    assert not any(rule["prefix"] == "41" for rule in rules)


def test_a_route_is_made_and_deleted(page: Tab, live: Live) -> None:
    page.comes_as(live.admin, "/console/routes")
    page.press("Add a route")
    page.sees("never shown again")
    page.fill("Name", "main")
    page.fill("DSN", "smtp://mail.example.com")
    page.page.click(_SUBMIT)
    page.sees("one of smpp, twilio, post, sandbox")
    page.fill("DSN", "sandbox://")
    page.page.click(_SUBMIT)
    page.sees("There is or was a route called main")
    field = "document.querySelector('[role=dialog] input[type=password]').autocomplete"
    assert page.page.evaluate(field) == "off"
    page.picture("routes-new")
    page.fill("Name", "berlin")
    page.page.click(_SUBMIT)
    page.sees("The route berlin is made.")
    page.sees_row("berlin Made here", "SMS", "On")
    assert not page.has("Delete the route main")

    page.press("Add a rule")
    page.fill("Prefix", "43")
    _choose(page, "Route", "berlin")
    page.page.click(_SUBMIT)
    page.sees_row("+43 Austria", "berlin")
    page.press("Delete the route berlin")
    page.page.wait(IN_DIALOG)
    page.sees("The name can't be used again.")
    page.press("Delete")
    page.sees("Rules of routes name this route.")
    page.picture("routes-in-use")
    page.press("Cancel")
    page.press("Delete the rule for +43 by berlin")
    answer(page, "Delete")
    page.sees("The rule is deleted.")
    page.at_width(390)
    page.picture("routes-made-phone")
    page.at_width(1280)
    page.press("Delete the route berlin")
    answer(page, "Delete")
    page.sees("The route berlin is deleted.")
    page.sees_no("Made here")
    routes = call(live, live.admin, "{ systemRoutes { name } }")["systemRoutes"]
    assert "berlin" not in [route["name"] for route in routes]


def test_a_user_only_traces(page: Tab, live: Live) -> None:
    page.comes_as(new_user(live), "/console/routes")
    page.fill("Phone number", "nobody")
    page.press("Show the way")
    page.sees("must be a phone number")
    page.fill("Phone number", "+41 44 668 18 00")
    page.fill("Sender", "Acme")
    page.press("Show the way")
    page.sees("+41446681800: Switzerland")
    page.sees("It would be refused")
    page.clear("Sender")
    page.press("Show the way")
    page.sees_no("It would be refused")
    page.sees("The route's own")
    page.sees("Price of each part")
    assert page.page.evaluate("document.querySelector('main ol') === null"), "routes are for administrators"
    assert not page.has("Add a rule")
    assert not page.page.evaluate("document.querySelector('main table') !== null")
    page.at_width(390)
    page.picture("routes-user-phone")


def _order(page: Tab) -> str:
    return str(page.page.evaluate(_ORDER))


def _choose(page: Tab, field: str, option: str, *, dialog: bool = False) -> None:
    """Chooses in a field of the dialog that is open."""
    page.page.wait(IN_DIALOG)
    labels = "[...document.querySelectorAll('[role=dialog] label')]"
    inputs = f"{labels}.find((one) => one.innerText.replace(' *', '') === {field!r}).htmlFor"
    page.page.click(f"#{page.page.evaluate(inputs)}")
    page.press(option)


async def _rename(live: Live, id: str) -> None:
    """Makes a rule name a route that is configured no more."""
    db = await asyncpg.connect(live.database)
    try:
        await db.execute(_RENAME, id)
    finally:
        await db.close()


def test_a_route_that_delivers_nothing_is_shown_and_can_keep_its_place(page: Tab, live: Live) -> None:
    route_rule(live, "49", "main")
    asyncio.run(_deliver_nothing(live))
    page.comes_as(live.admin, "/console/routes")
    page.sees_row("main · +49", "Tried last", "tried again from", "0 of 150", "500 of 1,000")
    page.picture("routes-quality")
    page.dark()
    page.at_width(390)
    page.sees("Day before: 500 of 1,000")
    page.picture("routes-quality-phone")
    page.at_width(1280)
    page.dark(on=False)
    page.press("Order main by receipts")
    page.sees("main keeps its place, whatever its receipts say.")
    routes = call(live, live.admin, "{ systemRoutes { name enabled ignoresReceipts } }")["systemRoutes"]
    assert {"name": "main", "enabled": True, "ignoresReceipts": True} in routes


async def _deliver_nothing(live: Live) -> None:
    db = await asyncpg.connect(live.database)
    try:
        await db.execute(
            "INSERT INTO route_receipts VALUES ('main', '49', now() - interval '5 hours', 0, 1000, 500),"
            " ('main', '49', now() - interval '20 minutes', 0, 150, 0)"
        )
        await db.execute(
            "INSERT INTO degraded_routes VALUES ('main', '49', now(), now() + interval '15 minutes')"
        )
    finally:
        await db.close()
