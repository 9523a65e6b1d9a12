"""The overview: numbers that change by themselves, and what a newcomer sees."""

from tests.console.users import DELIVERED, FAILED, ends, new_user, send

_LOADED = "performance.timeOrigin"


def test_its_numbers_change_when_messages_are_sent_elsewhere(page, live):
    user = new_user(live)
    page.comes_as(user)
    loaded = page.page.evaluate(_LOADED)
    page.sees("Send a first message.")
    page.sees("Live")
    page.sees("Sent 0 in 24 hours Delivered 0")
    ends(live, user, send(live, user, DELIVERED), "delivered")
    page.sees("Sent 1 in 24 hours Delivered 1 100% of the sent ones")
    page.sees_no("Send a first message.")
    ends(live, user, send(live, user, FAILED), "failed")
    page.sees("Failed 1 in 24 hours")
    assert page.page.evaluate(_LOADED) == loaded, "the page was never loaded again"
    page.press("Failed 1 in 24 hours")
    page.is_at("/console/messages?status=failed&range=24h")
    page.sees_row(FAILED)


def test_the_chart_has_a_table_with_the_same_numbers(page, live):
    user = new_user(live)
    ends(live, user, send(live, user, DELIVERED), "delivered")
    page.comes_as(user)
    page.sees("Sent 1 in 24 hours Delivered 1")
    page.page.shows("[role=img] canvas")
    page.press("Table")
    page.sees("From Sent Delivered Failed")
    assert page.page.evaluate("document.querySelector('canvas')") is None
    numbers = (
        "[...document.querySelector('main tbody tr').cells].slice(1, 4).map((cell) => cell.innerText).join()"
    )
    assert page.page.evaluate(numbers) == "1,1,0"
    page.press("7 days")
    page.is_at("/console?range=week")
    page.sees("in 7 days")
    page.page.reload()
    page.sees("Sent 1 in 7 days Delivered 1")


def test_a_newcomer_is_told_the_first_steps(page, live):
    page.comes_as(new_user(live))
    page.sees("You have an account with a balance.")
    page.sees("Nothing needs you at the moment.")
    page.press("Send a first message.")
    page.is_at("/console/messages?send=1")
    page.press("Cancel")
    page.is_at("/console/messages")


def test_a_newcomer_without_money_is_told_whom_to_ask(page, live):
    page.comes_as(new_user(live, credit="0"))
    page.sees("Ask an administrator for an account with a balance.")
