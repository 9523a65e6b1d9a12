"""A dialog keeps its input when Escape is pressed, and a disabled button says its reason."""

import pytest

from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live

_DIALOG = "document.querySelector('[role=dialog]') !== null"
_TOPICS = "{ topics { nodes { key name } } }"


def _leaves(page: Tab, how: str) -> None:
    if how == "Escape":
        page.page.press("Escape", 27)
    elif how == "beside":
        for kind in ("mousePressed", "mouseReleased"):
            page.page.call("Input.dispatchMouseEvent", type=kind, x=4, y=400, button="left", clickCount=1)
    else:
        page.press(how)


@pytest.mark.parametrize("how", ["Escape", "beside", "Close"])
@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/console/contacts?add=1", "Name"),
        ("/console/messages?send=1", "Text"),
        ("/console/blocks?add=1", "Phone or address"),
    ],
)
def test_what_was_typed_stays_until_somebody_discards_it(
    page: Tab, live: Live, how: str, path: str, field: str
) -> None:
    page.comes_as(new_user(live), path)
    page.page.wait(_DIALOG)
    page.fill(field, "Something")
    _leaves(page, how)
    page.sees("What you have entered is not saved")
    page.press("Keep editing")
    page.sees_no("What you have entered is not saved")
    values = "[...document.querySelectorAll('[role=dialog] input, [role=dialog] textarea')].map((one) => one.value)"
    assert "Something" in page.page.evaluate(values)
    _leaves(page, how)
    page.press("Discard it")
    page.page.wait(f"!({_DIALOG})")


def test_a_dialog_without_anything_typed_closes_at_once(page: Tab, live: Live) -> None:
    page.comes_as(new_user(live), "/console/contacts?add=1")
    page.page.wait(_DIALOG)
    page.page.press("Escape", 27)
    page.page.wait(f"!({_DIALOG})")


def test_a_disabled_button_says_why(page: Tab, live: Live) -> None:
    page.comes_as(new_user(live), "/console/contacts?add=1")
    page.sees("Enter an address or an external id first.")
    page.fill("Addresses", "anna@example.com")
    page.sees_no("Enter an address or an external id first.")
    page.open("/console/contacts/topics?add=1")
    page.sees("Fill in the fields marked with * first.")


def test_the_key_of_a_topic_is_made_from_its_name(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/contacts/topics?add=1")
    page.fill("Name", "Новости магазина")
    page.press("Save")
    page.sees_row("Новости магазина", "novosti-magazina")
    page.press("Add a topic")
    page.fill("Key", "own")
    page.fill("Name", "Something else")
    page.press("Save")
    page.sees_row("Something else", "own")
    assert {topic["key"] for topic in call(live, user, _TOPICS)["topics"]["nodes"]} == {
        "novosti-magazina",
        "own",
    }


def test_both_kinds_of_senders_are_one_page(page: Tab, live: Live) -> None:
    page.comes_as(new_user(live), "/console/sender-ids?ask=1")
    page.is_at("/console/senders/ids?ask=1")
    page.page.wait(_DIALOG)
    page.page.press("Escape", 27)
    page.page.wait(f"!({_DIALOG})")
    page.press("Accounts of messengers")
    page.is_at("/console/senders")
    page.opens_more()
    assert (
        page.page.evaluate(
            "[...document.querySelectorAll('nav a')].filter((one) => one.innerText.includes('ender')).length"
        )
        <= 3
    )


def test_the_storage_of_programs_has_its_name(page: Tab, live: Live) -> None:
    page.comes_as(live.admin, "/console/settings")
    page.sees("They don't change how Postern works")
    page.sees("Storage for programs")
