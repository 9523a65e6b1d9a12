"""The page of countries: an administrator sets the installation's rule and a user's, and a user checks a number."""

from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live

_RULES = "query ($id: ID) { countryRules(userUuid: $id) { own { allow deny perHour perDay } } }"


def test_a_users_rule_is_set_and_the_user_sees_what_holds(page: Tab, live: Live):
    user = new_user(live)
    page.comes_as(live.admin, f"/console/countries?user={user.id}")
    page.fill("Denied countries", "Fran")
    page.press("France (FR)")
    page.page.press("Escape", 27)  # the list of countries stays open over the fields below
    page.fill("SMS an hour to one country", "0")
    page.press("Save")
    page.sees("Write a whole number from 1 on, or nothing.")
    page.fill("SMS an hour to one country", "50")
    page.press("Save")
    page.sees("The rule is saved.")
    page.picture("countries-user")
    (own,) = call(live, live.admin, _RULES, id=str(user.id))["countryRules"].values()
    assert own == {"allow": None, "deny": ["FR"], "perHour": 50, "perDay": None}

    page.comes_as(user, "/console/countries")
    page.fill("Phone number", "+33612345678")
    page.press("Check")
    page.sees("The user's rule does not allow this country.")
    page.fill("Phone number", "+49 30 123456")
    page.press("Check")
    page.sees("Left in this hour: 50")
    page.picture("countries-own")
    page.at_width(390)
    page.picture("countries-phone")
    page.at_width(1280)
    page.fill("SMS an hour to one country", "60")
    page.press("Save")
    page.sees("Ask an administrator to set it.")
