"""The pages of projects: from recipients to results, what failed, and the block list."""

from pathlib import Path

from tests.console.steps import Tab
from tests.console.users import call, new_user

_DELIVERED, _FAILS = "+15005550000", "+15005550010"
_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_BLOCK = (
    "mutation ($phone: String!, $input: BlockPhone) { blockPhone(phone: $phone, input: $input) { uuid } }"
)


def project_with(page: Tab, *phones: str) -> None:
    """Leads through the steps to the plan."""
    page.press("Paste")
    page.paste("Phone numbers", "\n".join(phones))
    page.press(f"Read {len(phones)} lines")
    page.press(f"Add {len(phones)} recipients")
    page.sees_no(f"Add {len(phones)} recipients")  # they are added: what is pressed now is not moved by that
    page.press("Next: Text")
    page.fill("Text", "Your table is booked, {{ name }}.")
    page.press("Next: Time and speed")
    page.press("Next: Plan and start")
    page.sees("Before you start")


def _start(page: Tab, count: int) -> None:
    page.press(f"Send to {count}")
    page.page.wait(_IN_DIALOG)
    page.press("Start")
    page.page.wait(f"!({_IN_DIALOG})")


def test_a_newcomer_sends_a_first_campaign(page, live):
    page.comes_as(new_user(live), "/console/projects")
    page.press("New project")
    project_with(page, _DELIVERED, "+15005550001", "+15005550002")
    page.sees("Will be sent 3")
    _start(page, 3)
    page.sees("Finished")
    page.press("Projects")
    page.sees("3 / 3")


def test_a_list_of_the_other_kind_gets_its_channel(page, live, tmp_path: Path):
    """A first list has emails, and the channel that is set is SMS: all its rows would be bad."""
    people = tmp_path / "people.csv"
    people.write_text("Name,Email,City\n" + "".join(f"P{i},p{i}@example.com,Town\n" for i in range(20)))
    page.comes_as(new_user(live), "/console/projects/new")
    page.sees("Choose a file")
    picker = page.page.call("Runtime.evaluate", expression="document.querySelector('input[type=file]')")
    page.page.call("DOM.setFileInputFiles", files=[str(people)], objectId=picker["result"]["objectId"])
    page.page.wait(
        "document.querySelector('main input[value=Email]') !== null"
    )  # the channel follows the addresses
    page.sees_no("Country of numbers without +")
    page.press("Read the list")
    page.press("Add 20 recipients")
    page.sees("Add more recipients")
    page.press("Next: Text")
    page.sees("Preview")
    assert page.page.evaluate("scrollY") == 0  # although the button was at the end of a long page


def test_a_project_that_is_created_goes_on_in_the_same_form(page, live):
    """A form that were made anew would not hear of the recipients that the one before it adds."""
    page.comes_as(new_user(live), "/console/projects/new")
    page.press("Paste")
    page.paste("Phone numbers", _DELIVERED)
    page.press("Read 1 line")
    page.page.evaluate("document.querySelector('main h1').dataset.mark = 'same'")
    page.press("Add 1 recipient")
    page.sees_no("Add 1 recipient")
    page.sees("1 recipient")
    assert page.page.evaluate("document.querySelector('main h1').dataset.mark") == "same"


def test_what_failed_is_shown_by_its_cause_and_sent_again(page, live):
    page.comes_as(new_user(live), "/console/projects/new")
    project_with(page, _DELIVERED, _FAILS)
    _start(page, 2)
    page.sees("Finished")
    page.press("Send again…")
    page.page.wait(_IN_DIALOG)
    page.press("Send 1 again")
    page.page.wait(f"!({_IN_DIALOG})")
    page.sees("Finished")


def test_a_draft_is_there_after_a_reload(page, live):
    page.comes_as(new_user(live), "/console/projects/new")
    project_with(page, _DELIVERED, "+15005550001")
    address = page.page.evaluate("location.pathname + location.search")
    page.page.reload()
    page.sees("Before you start")
    page.is_at(address)
    page.open(address.replace("step=check", "step=text"))
    page.page.wait("document.querySelector('textarea')?.value.startsWith('Your table is booked')")


def test_another_user_does_not_see_a_project(page, live):
    page.comes_as(new_user(live), "/console/projects/new")
    project_with(page, _DELIVERED, "+15005550001")
    project = page.page.evaluate("new URLSearchParams(location.search).get('project')")
    page.comes_as(new_user(live), f"/console/projects/{project}")
    page.sees("There is no")
    page.open("/console/projects")
    page.sees_no("Project of")


def test_a_block_is_added_and_removed(page, live):
    page.comes_as(new_user(live), "/console/blocks?add=1")
    page.fill("Phone or address", "+14155550199")
    page.press("Block")
    page.sees("+14155550199 is blocked.")
    page.press("Unblock +14155550199")
    page.page.wait(_IN_DIALOG)
    page.press("Unblock")
    page.sees("is not blocked any more.")


def test_the_summary_of_blocks_leads_to_those_of_a_reason(page, live):
    user = new_user(live)
    for phone, reason in (
        ("+14155550197", "complaint"),
        ("+14155550198", "optOut"),
        ("+14155550199", "optOut"),
    ):
        call(live, user, _BLOCK, phone=phone, input={"reason": reason})
    page.comes_as(user, "/console/blocks")
    page.press("Summary")
    page.page.wait(_IN_DIALOG)
    page.sees_row("Answered with a stop word", "All messages", "2")
    page.sees_row("Reported as spam", "All messages", "1")
    page.press("Reported as spam")
    page.page.wait(f"!({_IN_DIALOG})")
    page.is_at("/console/blocks?reason=complaint&scope=all")
    page.sees_row("+14155550197")
    page.sees_no("+14155550198")
