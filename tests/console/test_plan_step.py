"""The last step of a project says what is sent, to how many, and what is amiss; its result is one row of figures."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.console.looks import LONG, PHONE
from tests.console.steps import Tab
from tests.console.users import DELIVERED, FAILED, call, new_user
from tests.support.live import Live
from tests.support.people import Person

_DIALOG = "document.querySelector('[role=dialog]') !== null"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_TEXTS = "query ($id: ID!) { sendingProject(id: $id) { text html } }"
_WIDE = "document.documentElement.scrollWidth"
_FONTS = "[...document.fonts].filter((one) => one.status === 'loaded').map((one) => one.family)"


def _draft(live: Live, user: Person, *addresses: str, **fields: Any) -> str:
    new = {
        "name": "Spring",
        "channel": "email",
        "subject": "Spring sale",
        "text": "Hello {{ name }}",
        **fields,
    }
    id = str(call(live, user, _MAKE, i=new)["createSendingProject"]["uuid"])
    call(
        live,
        user,
        _ADD,
        id=id,
        i={"recipients": [{"address": address, "name": "Anna"} for address in addresses]},
    )
    return id


def test_it_says_what_is_sent_to_how_many_and_leads_to_a_test(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = _draft(live, user, DELIVERED, "anna@example.com")
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.sees("Message")
    page.sees("From: the service's usual sender")
    page.sees("Spring sale")
    page.sees("Hello Anna")
    page.press("Send a test")
    page.page.wait(_DIALOG)
    page.fill("To whom, for example you", DELIVERED)
    page.press("Send the test")
    page.sees("Earlier tests")
    page.press("Close")
    page.page.wait(f"!({_DIALOG})")
    assert page.has("Send to 2")
    page.press("Change the text")
    page.is_at(f"/console/projects/new?project={id}&step=text")


def test_a_later_start_is_scheduled_for_its_number(page: Tab, live: Live) -> None:
    user = new_user(live)
    soon = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    id = _draft(live, user, DELIVERED, startAt=soon)
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.press("Schedule 1 message")
    page.page.wait(_DIALOG)
    page.sees("1 message is sent from")


def test_an_advertising_email_without_a_way_to_unsubscribe_gets_one(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = _draft(live, user, DELIVERED, html="<html><body><p>Hello</p></body></html>")
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.sees("shows no way to unsubscribe")
    page.press("Insert a link to unsubscribe")
    page.sees_no("shows no way to unsubscribe")
    page.sees("Saved")
    project = call(live, user, _TEXTS, id=id)["sendingProject"]
    assert project["text"] == "Hello {{ name }}\n\nUnsubscribe: {{ unsubscribe_url }}"
    link = '<p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>'
    assert project["html"] == f"<html><body><p>Hello</p>{link}\n</body></html>"
    page.page.reload()
    page.sees("Everything is ready.")
    page.picture("plan-step-1280")


def test_what_people_must_get_needs_no_way_to_unsubscribe(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = _draft(live, user, DELIVERED, category="transactional")
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.sees("Everything is ready.")


def test_long_links_fit_on_a_phone(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = _draft(live, user, DELIVERED, subject=LONG[:150], text=f"{LONG} {{{{ unsubscribe_url }}}}")
    page.at_width(PHONE)
    for step, there in (("check", "Send to 1"), ("text", "Next: Time and speed")):
        page.comes_as(user, f"/console/projects/new?project={id}&step={step}")
        page.sees(there)
        page.stands_still()
        page.picture(f"step-{step}-390")
        assert page.page.evaluate(_WIDE) <= PHONE


def test_the_result_is_one_row_of_figures(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = _draft(live, user, DELIVERED, FAILED)
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.press("Send to 2")
    page.page.wait(_DIALOG)
    page.press("Start")
    page.sees("Came back 1")
    page.sees("Delivered 1 of 2 (50%)")
    page.sees("Show all 2 messages")
    page.picture("result-1280")
    figures = "document.querySelector('main dl').querySelectorAll('dt')"
    labels = page.page.evaluate(f"[...{figures}].map((one) => one.innerText)")
    assert [labels.count(label) for label in ("Delivered", "Came back")] == [1, 1]
    page.page.click("main dl a[href*='status=failed']")
    page.is_at(f"/console/messages?kind=project&project={id}&status=failed")
    page.sees(FAILED)


def test_the_console_has_a_typeface_of_its_own_after_its_first_paint(page: Tab, live: Live) -> None:
    page.comes_as(new_user(live))
    page.page.wait(f"{_FONTS}.includes('Inter Variable')")
    assert not [url for url in page.page.requests if "woff" in url and not url.startswith(page.url)]


def test_editor_and_preview_of_an_email_are_side_by_side(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = _draft(live, user, DELIVERED, html="<p>Hello</p>")
    page.comes_as(user, f"/console/projects/new?project={id}&step=text")
    page.sees("Preview")
    page.sees_element("main iframe")
    page.stands_still()
    page.picture("text-step-1280")
    left, right = (
        page.page.evaluate(
            f"(({{left, right}}) => [left, right])(document.querySelector('{selector}').getBoundingClientRect())"
        )
        for selector in ("main textarea", "main iframe")
    )
    assert left[1] <= right[0]
