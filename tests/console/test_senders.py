"""The page of senders: a messenger account becomes one, another program's account is added, and one is deleted."""

from typing import Any

from tests.console.messengers import connect
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_SENDERS = "{ sourceAccounts { nodes { name source login status messengerAccountUuid } } }"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($i: NewSourceAccount!) { createSourceAccount(input: $i) { uuid } }"


def _senders(live: Live, user: Person) -> list[Any]:
    return list(call(live, user, _SENDERS)["sourceAccounts"]["nodes"])


def _delete(page: Tab, name: str) -> None:
    page.press(f"Delete {name}")
    page.page.wait(_IN_DIALOG)
    page.press("Delete")
    page.page.wait(f"!({_IN_DIALOG})")


def test_a_messenger_account_becomes_the_sender_of_a_project(page: Tab, live: Live) -> None:
    user = new_user(live)
    desk = connect(live, user, "Front desk")
    made = call(live, user, _MAKE, i={"name": "Sale", "channel": "telegram", "text": "Hello"})
    project = f"/console/projects/new?project={made['createSendingProject']['uuid']}&step=audience"
    page.comes_as(user, project)
    page.sees("You have no sender for this channel yet.")
    page.press("Add a sender")
    page.is_at("/console/senders?add=1")
    page.press("Messenger account")
    page.page.click("[role=dialog] input[data-autofocus]")
    page.press(f"Front desk ({desk.phone[1:]}) · Telegram")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("Front desk is a sender now. Projects can choose it.")
    page.sees_row("Front desk", "Connected", "Telegram")
    (sender,) = _senders(live, user)
    assert sender == {
        "name": "Front desk",
        "source": "telegram",
        "login": desk.phone[1:],
        "status": "connected",
        "messengerAccountUuid": desk.id,
    }
    page.open(project)
    page.press("Front desk (" + desk.phone[1:] + ") · connected")
    page.open("/console/senders?add=1")
    page.sees("Each of your messenger accounts is a sender already.")


def test_an_account_of_another_program_is_added_and_deleted(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/senders")
    page.sees("There is no sender yet.")
    page.press("Add a sender")
    page.page.wait(_IN_DIALOG)
    page.sees("You have no messenger account yet.")
    page.press("Another account")
    page.fill("Messenger", "max")
    page.fill("Login", "shop")
    page.fill("Token", "a-token-of-eighteen")
    page.fill("Display name", "The shop")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees_row("The shop", "shop", "max", "token …teen")
    assert [(row["name"], row["source"]) for row in _senders(live, user)] == [("The shop", "max")]
    assert "a-token-of" not in page.text()
    _delete(page, "The shop")
    page.sees("The sender The shop is deleted.")
    page.sees("There is no sender yet.")
    assert _senders(live, user) == []


def test_senders_are_found_by_name_and_state(page: Tab, live: Live) -> None:
    user = new_user(live)
    for name in ("North", "South"):
        call(live, user, _ADD, i={"source": "max", "login": name.lower(), "token": name, "name": name})
    page.comes_as(user, "/console/senders?q=nor")
    page.sees_row("North")
    page.sees_no("South")
    page.open("/console/senders?status=blocked")
    page.sees("No sender matches.")
    page.press("Clear filters")
    page.sees("2 senders")


def test_a_sender_that_exists_is_not_added_twice(page: Tab, live: Live) -> None:
    user = new_user(live)
    call(live, user, _ADD, i={"source": "max", "login": "shop", "token": "the-same", "name": "Shop"})
    page.comes_as(user, "/console/senders?add=1")
    page.press("Another account")
    page.fill("Messenger", "max")
    page.fill("Login", "shop")
    page.fill("Token", "the-same")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("You already have this source account.")
    assert len(_senders(live, user)) == 1


def test_the_page_of_a_messenger_account_leads_to_its_sender(page: Tab, live: Live) -> None:
    user = new_user(live)
    desk = connect(live, user, "Front desk")
    page.comes_as(user, f"/console/messengers/{desk.id}")
    page.press("Make it a sender")
    page.is_at(f"/console/senders?add=1&account={desk.id}")
    page.page.wait("document.querySelector('[role=dialog] button[type=submit]')?.disabled === false")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("Front desk is a sender now.")
    assert [sender["messengerAccountUuid"] for sender in _senders(live, user)] == [desk.id]
    page.open(f"/console/messengers/{desk.id}")
    page.press("Can be sent from it")
    page.sees_row("Front desk", "Connected")
