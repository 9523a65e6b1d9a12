"""A long chat that was read far back opens with its newest messages, and shows the others when somebody scrolls up."""

import asyncio
from typing import Any

import asyncpg

from tests.console.messengers import connect
from tests.console.users import new_user

_CHAT = """
INSERT INTO messenger_chats (id, account_id, thread, name, phone, last_at, whole)
VALUES (gen_random_uuid(), $1, 't1', 'Cleo', '+14155550142', now() + interval '1 minute', true) RETURNING id
"""
_MESSAGES = """
INSERT INTO messenger_messages (id, account_id, chat_id, thread, provider_id, outgoing, sender, text, status, at)
SELECT gen_random_uuid(), $1, $2, 't1', 'm' || n, n % 3 = 0, '+14155550142', 'Line ' || n || '.', 'delivered',
  now() - interval '1 minute' * (400 - n)
FROM generate_series(1, 400) AS n
"""
_DRAWN = "document.querySelectorAll('[role=log] li[id]').length"
_SCROLL_UP = "document.querySelector('[role=log]').scrollTop = 0"
# Where a message stands in the window.
_PLACE = "[...document.querySelectorAll('[role=log] li[id]')].find((one) => one.textContent.includes('Line 201.'))?.{}"


async def _seed(url: str, account: str) -> str:
    db = await asyncpg.connect(url)
    try:
        chat = await db.fetchval(_CHAT, account)
        await db.execute(_MESSAGES, account, chat)
        return str(chat)
    finally:
        await db.close()


def _reads_it_all(page: Any) -> None:
    def is_read() -> bool:
        page.page.evaluate(_SCROLL_UP)
        return bool(page.page.evaluate(f"{_DRAWN} === 400"))

    for _ in range(40):
        if is_read():
            return
        page.page.evaluate("new Promise((next) => setTimeout(next, 250))")
    raise AssertionError(page.page.evaluate(_DRAWN))


def test_a_chat_that_was_read_far_back_opens_at_its_end(page, live):
    ada = new_user(live)
    desk = connect(live, ada, "Support")
    guest = connect(live, new_user(live), "Bob")
    guest.writes(desk.phone, "Hello!")
    chat = asyncio.run(_seed(live.database, desk.id))
    page.comes_as(ada, f"/console/inbox/{desk.id}/{chat}")
    page.sees("Line 400.")
    assert page.page.evaluate(_DRAWN) < 100
    _reads_it_all(page)
    page.page.click(f"main ul a:not([href$='{chat}'])")
    page.page.wait(f"!location.pathname.endsWith('{chat}') && {_DRAWN} === 1")
    page.back()
    page.sees("Line 400.")
    assert page.page.evaluate(_DRAWN) == 200
    place = page.page.evaluate(_PLACE.format("textContent"))
    assert place
    page.page.evaluate(_SCROLL_UP)
    page.page.wait(f"{_DRAWN} === 400")
    # What was at the top is still in sight, and not the oldest message.
    top = page.page.evaluate(_PLACE.format("getBoundingClientRect().top"))
    assert 0 < top < 400
