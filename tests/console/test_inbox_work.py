"""The inbox as a team works in it: closing, labels, notes, canned answers, drafts, and what was sent before."""

import asyncio
import json
from uuid import UUID

import asyncpg
import pytest

from tests.console.messengers import Connected, connect
from tests.console.steps import Tab
from tests.console.test_inbox import _FIELD, _sees_tick, _write
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_ANSWER = "mutation ($i: NewCannedAnswer!) { createCannedAnswer(input: $i) { uuid } }"
_LABEL = "mutation ($i: NewChatLabel!) { createChatLabel(input: $i) { uuid } }"
_CHATS = "{ messengerChats { nodes { uuid } } }"
_HISTORY = """
INSERT INTO messenger_messages (id, account_id, chat_id, thread, provider_id, outgoing, sender, text, status, past, at)
SELECT gen_random_uuid(), c.account_id, c.id, c.thread, 'old-' || n, false, c.phone,
  CASE n WHEN 1 THEN 'My reservation seventeen, for two.' ELSE 'Line ' || n END, 'delivered', true,
  now() - interval '1 day' - interval '1 minute' * ($2 - n)
FROM messenger_chats AS c, generate_series(1, $2::int) AS n WHERE c.account_id = $1
"""
_STOP = "mutation ($id: ID!) { stopMessengerAccount(id: $id) { state } }"


@pytest.fixture
def ada(live: Live) -> Person:
    return new_user(live)


def _in_list(text: str, *, there: bool = True) -> str:
    rows = "document.querySelector('main ul')?.innerText"
    return f"{rows}?.includes({json.dumps(text)}) === {json.dumps(there)}"


def test_a_chat_is_closed_and_a_message_opens_it_again(page: Tab, ada, desk, guest):
    guest.writes(desk.phone, "Thank you, bye.")
    page.comes_as(ada, "/console/inbox")
    page.sees("Thank you, bye.")
    page.page.click("main ul a")
    page.press("Close chat")
    page.sees("Open again")
    page.page.wait(_in_list("Thank you, bye.", there=False))
    page.press("Closed")
    page.page.wait(_in_list("Thank you, bye."))
    page.press("Open")
    page.sees("No chats yet.")
    guest.writes(desk.phone, "One more question.")
    page.page.wait(_in_list("One more question."))
    page.sees("Close chat")


def test_labels_are_made_given_and_filtered_by(page: Tab, ada, desk, guest):
    other = connect(guest.live, new_user(guest.live), "Eve")
    guest.writes(desk.phone, "From Bob")
    other.writes(desk.phone, "From Eve")
    page.comes_as(ada, "/console/inbox")
    page.sees("From Bob")
    page.page.evaluate(
        "[...document.querySelectorAll('main ul a')].find((one) => one.innerText.includes('From Bob')).click()"
    )
    page.press("Labels of this chat")
    page.fill("Find or create a label", "Complaint")
    page.press("Create “Complaint”")
    page.page.wait(_in_list("Complaint"))
    page.page.press("Escape", 27)
    page.press("Label")
    page.press("Complaint")
    page.page.wait(_in_list("From Eve", there=False))
    page.page.wait(_in_list("From Bob"))
    page.page.reload()
    page.page.wait(_in_list("From Bob"))


def test_a_note_stands_between_the_messages_and_is_not_sent(page: Tab, ada, desk, guest):
    guest.writes(desk.phone, "Is it ready?")
    page.comes_as(ada, "/console/inbox")
    page.sees("Is it ready?")
    page.page.click("main ul a")
    page.press("Note")
    _write(page, "Ask the workshop first.")
    page.page.shows("[role=log] li[data-note]")
    page.press("Message")
    _write(page, "One moment, please.")
    _sees_tick(page, "One moment, please.", "delivered")
    page.page.reload()
    page.sees("Ask the workshop first.")
    sent = call(
        desk.live, ada, "query ($id: ID!) { chats(accountId: $id) { nodes { messages { nodes { text } } } } }",
        id=desk.id,
    )  # fmt: skip
    texts = [one["text"] for one in sent["chats"]["nodes"][0]["messages"]["nodes"]]
    assert texts == ["One moment, please.", "Is it ready?"]
    # An own message is in the list at once.
    assert page.page.evaluate(_in_list("One moment, please."))


def test_a_canned_answer_is_found_by_its_shortcut(page: Tab, ada, desk, guest):
    for shortcut, text in (("hours", "Hello {{ name }}, from 9 to 18."), ("bye", "Goodbye!")):
        call(desk.live, ada, _ANSWER, i={"shortcut": shortcut, "text": text})
    guest.writes(desk.phone, "When are you open?")
    page.comes_as(ada, "/console/inbox")
    page.sees("When are you open?")
    page.page.click("main ul a")
    page.page.wait(f"{_FIELD} !== null")
    page.page.evaluate(f"{_FIELD}.focus()")
    page.page.write("/hou")
    page.page.shows("[role=option]")
    page.page.wait("document.querySelectorAll('[role=option]').length === 1")
    page.page.press("Enter", 13)
    page.page.wait(f"{_FIELD}.value.endsWith('from 9 to 18.')")
    assert "{{" not in page.page.evaluate(f"{_FIELD}.value")
    page.page.press("Enter", 13)
    _sees_tick(page, "from 9 to 18.", "delivered")


def test_the_question_about_leaving_ends_with_its_canned_answer(page: Tab, ada, desk, guest):
    guest.writes(desk.phone, "Hello?")
    page.comes_as(ada, "/console/inbox")
    page.sees("Hello?")
    page.page.click("main ul a")
    page.page.wait(f"{_FIELD} !== null")
    page.page.evaluate(f"{_FIELD}.focus()")
    page.page.write("/")
    page.press("Change canned answers…")
    page.press("New canned answer")
    page.fill("Shortcut", "price")
    page.page.press("Escape", 27)
    page.sees("What you have entered is not saved")
    page.press("Cancel")
    page.press("New canned answer")
    page.sees("{{ name }} becomes the name of the person")
    assert "What you have entered is not saved" not in page.text()


def test_a_draft_survives_a_reload_and_ends_with_the_logout(page: Tab, ada, desk, guest):
    guest.writes(desk.phone, "Hello?")
    page.comes_as(ada, "/console/inbox")
    page.sees("Hello?")
    page.page.click("main ul a")
    page.page.wait(f"{_FIELD} !== null")
    page.page.evaluate(f"{_FIELD}.focus()")
    page.page.write("Not finished")
    page.page.wait(f"{_FIELD}.value === 'Not finished'")
    page.page.reload()
    page.page.wait(f"{_FIELD}?.value === 'Not finished'")
    stored = "Object.keys(sessionStorage).filter((key) => key.startsWith('postern-kept:chat-draft')).length"
    assert page.page.evaluate(stored) == 1
    page.page.evaluate("[...document.querySelectorAll('header button[aria-haspopup=menu]')].at(-1).click()")
    page.press("Log out")
    page.sees("Log in")
    assert page.page.evaluate(stored) == 0


def test_older_messages_are_offered_only_where_there_are_some(page: Tab, ada, desk, guest):
    guest.writes(desk.phone, "The first one.")
    page.comes_as(ada, "/console/inbox")
    page.sees("The first one.")
    page.page.click("main ul a")
    page.sees("The chat begins here")
    page.sees_no("Load older messages")


def test_texts_have_their_direction_and_controls_are_marks(page: Tab, ada, desk, guest):
    guest.writes(desk.phone, "שלום, מה שלומך?")
    guest.writes(desk.phone, "Open photo\u202egnp.exe")
    page.comes_as(ada, "/console/inbox")
    page.sees("Open photo[U+202E]gnp.exe")
    page.page.click("main ul a")
    hebrew = "[...document.querySelectorAll('[role=log] li [dir=auto]')].find((one) => one.innerText.includes('שלום'))"
    page.page.wait(f"{hebrew} !== undefined")
    assert page.page.evaluate(f"getComputedStyle({hebrew}).direction") == "rtl"
    assert not page.page.evaluate("document.querySelector('main').innerText.includes('\\u202e')")


def test_what_was_sent_before_is_beside_the_chat(page: Tab, ada, desk, guest, live):
    sent = {"to": guest.phone, "channel": "sms", "body": "Your parcel is here."}
    assert live.client.post("/messages", json=sent, headers=ada.headers).status_code == 202
    sales = connect(live, ada, "Sales")
    guest.writes(sales.phone, "To sales")
    guest.writes(desk.phone, "To support")
    page.comes_as(ada, "/console/inbox")
    page.sees("To support")
    page.page.evaluate(
        "[...document.querySelectorAll('main ul a')].find((one) => one.innerText.includes('To support')).click()"
    )
    page.press("Earlier messages")
    page.page.wait("document.querySelector('aside').innerText.includes('Your parcel is here.')")
    page.page.wait("document.querySelector('aside').innerText.includes('via Sales')")


def test_an_account_that_is_not_connected_is_marked(page: Tab, ada, desk, guest):
    guest.writes(desk.phone, "Anybody there?")
    page.comes_as(ada, "/console/inbox")
    page.sees("Anybody there?")
    assert not page.page.evaluate(_in_list("not connected"))
    call(desk.live, ada, _STOP, id=desk.id)
    page.page.wait(_in_list("not connected"))


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_parts_are_accessible(page: Tab, ada, desk, guest, width, scheme):
    label = call(desk.live, ada, _LABEL, i={"name": "Complaint", "color": "yellow"})["createChatLabel"][
        "uuid"
    ]
    guest.writes(desk.phone, "Please look at this. " * 8)
    (own,) = eventually(lambda: call(desk.live, ada, _CHATS)["messengerChats"]["nodes"], "the chat is there")
    put = "mutation ($id: ID!, $l: [ID!]!) { setMessengerChatLabels(id: $id, labels: $l) { uuid } }"
    call(desk.live, ada, put, id=own["uuid"], l=[label])
    note = 'mutation ($id: ID!) { createChatNote(chatId: $id, input: {text: "Calls back."}) { uuid } }'
    call(desk.live, ada, note, id=own["uuid"])
    page.at_width(width)
    page.dark(scheme == "dark")
    page.comes_as(ada, "/console/inbox")
    page.sees("Complaint")
    page.picture(f"inbox-list-{width}-{scheme}")
    page.page.click("main ul a")
    page.sees("Calls back.")
    page.press("Earlier messages")
    page.sees("Nothing else was sent")
    assert page.violations() == []
    page.picture(f"inbox-chat-{width}-{scheme}")
    page.press("Earlier messages")
    page.press("Labels of this chat")
    page.sees("Change labels…")
    assert page.violations() == []
    page.press("Change labels…")
    page.sees("Labels sort your chats.")
    assert page.violations() == []


def _write_history(live: Live, desk: Connected, count: int) -> None:
    """Writes an old history into the account's only chat: the words are in its first message."""

    async def write() -> None:
        db = await asyncpg.connect(live.database)
        try:
            await db.execute(_HISTORY, UUID(desk.id), count)
        finally:
            await db.close()

    asyncio.run(write())


def test_words_find_a_message_far_back_and_open_the_chat_there(page: Tab, live, ada, desk, guest):
    guest.writes(desk.phone, "Good morning.")
    page.comes_as(ada, "/console/inbox")
    page.sees("Good morning.")
    _write_history(live, desk, 300)
    page.fill("Name, phone or words", "reservation sev")
    page.sees("In messages")
    page.sees("reservation seventeen")
    assert page.page.evaluate(
        "[...document.querySelectorAll('section[aria-label=\"In messages\"] mark')].map((one) => one.innerText)"
    ) == ["reservation", "seventeen"]
    page.page.click("section[aria-label='In messages'] a")
    shown = (
        "[...document.querySelectorAll('[role=log] li')].find((one) => one.innerText.includes('seventeen'))"
    )
    page.page.wait(f"{shown} !== undefined")
    box = "document.querySelector('[role=log]').getBoundingClientRect()"
    page.page.wait(
        f"(() => {{ const at = {shown}.getBoundingClientRect().top; return at > {box}.top && at < {box}.bottom; }})()"
    )
    page.page.reload()
    page.page.wait(f"{shown} !== undefined")
    page.fill("Name, phone or words", "nowhere")
    page.sees("No message has these words.")
