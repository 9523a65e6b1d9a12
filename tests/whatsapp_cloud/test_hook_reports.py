"""Meta reports what became of messages: /hooks/whatsapp-cloud/{account id} through the whole application."""

import re
from typing import Any

import pytest

from core.ids import uuid7
from engine.messengers.cloud_hooks import _WITH_FILES
from runtime.services import Services
from tests.support.people import Person
from tests.whatsapp_cloud.conftest import MakeAccount
from tests.whatsapp_cloud.hook import SHEENA, Hook
from tests.whatsapp_cloud.meta import Meta, came, report


async def test_how_far_a_message_got(hook: Hook) -> None:
    item = await hook.accepted("wamid.A")
    for status, ours in (
        ("sent", "server"), ("delivered", "delivered"), ("read", "has_seen"), ("played", "has_seen"),
        ("delivered", "has_seen"), ("warning", "has_seen"),
    ):  # fmt: skip
        await hook.tell(report(hook.number, SHEENA, "wamid.A", status, biz_opaque_callback_data=str(item)))
        [row] = await hook.rows()
        assert (row.id, row.status) == (item, ours)
    assert [event["content"][0]["type"] for event in await hook.events()] == ["delivered", "has_seen"]


async def test_why_it_failed(hook: Hook) -> None:
    await hook.accepted("wamid.A")
    error = {"code": 131047, "title": "Re-engagement message", "error_data": {"details": "24 hours"}}
    await hook.tell(report(hook.number, SHEENA, "wamid.A", "failed", errors=[error]))
    [row] = await hook.rows()
    assert (row.status, row.failure_code) == ("errored", "outside_window")
    assert "131047" in row.failure_reason


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"code": 999999, "title": "Something new"}, "failed"),
        ({"code": 190}, "credentials_refused"),
        ({"code": 131056}, "throttled"),
        ({}, "failed"),
    ],
    ids=range(4),
)
async def test_a_failure_of_any_kind(hook: Hook, error: Any, code: str) -> None:
    item = await hook.waiting()
    errors = [error] if error else "nonsense"
    status = report(
        hook.number, SHEENA, "wamid.A", "failed", errors=errors, biz_opaque_callback_data=str(item)
    )
    await hook.tell(status)
    [row] = await hook.rows()
    assert (row.id, row.status, row.failure_code) == (item, "errored", code)


async def test_a_report_that_comes_before_the_answer(hook: Hook) -> None:
    """The answer may also never come: the item says which message it is."""
    item = await hook.waiting()
    delivered = report(hook.number, SHEENA, "wamid.A", "delivered", biz_opaque_callback_data=str(item))
    await hook.tell(delivered)
    [row] = await hook.rows()
    assert (row.id, row.provider_id, row.thread, row.status, row.text) == (
        item,
        "wamid.A",
        SHEENA,
        "delivered",
        "our text",
    )
    await hook.tell(
        delivered, report(hook.number, SHEENA, "wamid.A", "read", biz_opaque_callback_data=str(item))
    )
    [row] = await hook.rows()
    assert row.status == "has_seen"


async def test_reports_of_others_make_no_messages(
    hook: Hook, bob: Person, account: MakeAccount, services: Services
) -> None:
    """Somebody else sends through this number, too; or it is another account's item; or a further part of ours."""
    other = Hook(hook.client, services, await account(bob, Meta().number()), hook.number)
    foreign, mine = await other.waiting(), await hook.waiting()
    for back in ("their own words", str(uuid7()), str(foreign), f"{mine}/1", ""):
        await hook.tell(report(hook.number, SHEENA, "wamid.B", "sent", biz_opaque_callback_data=back))
    [row] = await hook.rows()
    assert (row.id, row.provider_id, row.status) == (mine, None, "pending")
    [row] = await other.rows()
    assert row.provider_id is None


async def test_a_reaction(hook: Hook) -> None:
    item = await hook.waiting()
    await hook.tell(report(hook.number, SHEENA, "wamid.A", "sent", biz_opaque_callback_data=str(item)))
    for inside, left in (({"message_id": "wamid.A", "emoji": "👍"}, ["👍"]), ({"message_id": "wamid.A"}, [])):
        await hook.tell(came(hook.number, SHEENA, "reaction", inside))
        [row] = await hook.rows()
        assert [reaction["emoji"] for reaction in row.reactions.values() if reaction["emoji"]] == left


async def test_the_message_of_a_reaction_is_found_by_the_index(hook: Hook) -> None:
    """A long thread is not read for one reaction: the id of a message with a file is longer than Meta's."""
    async with hook.services.db.transaction() as db:
        chat = await db.fetchval(
            "INSERT INTO messenger_chats (id, account_id, thread) VALUES (gen_random_uuid(), $1, $2) RETURNING id",
            hook.id, SHEENA,
        )  # fmt: skip
        await db.execute(
            "INSERT INTO messenger_messages (id, account_id, chat_id, thread, provider_id, outgoing, text, status, at)"
            " SELECT gen_random_uuid(), $1, $2, $3, 'wamid.A' || n || '=#' || n, false, '', 'server', now()"
            " FROM generate_series(1, 5000) AS n",
            hook.id, chat, SHEENA,
        )  # fmt: skip
        await db.execute("ANALYZE messenger_messages")
        asked = hook.id, [SHEENA, SHEENA], ["wamid.A77=", "wamid.A7"]
        rows = await db.fetch(_WITH_FILES, *asked)
        assert [tuple(row) for row in rows] == [(SHEENA, "wamid.A77=", "wamid.A77=#77")]
        explained = await db.fetch(f"EXPLAIN (ANALYZE, COSTS OFF) {_WITH_FILES}", *asked)
    plan = "\n".join(row[0] for row in explained)
    removed = [int(count) for count in re.findall(r"Rows Removed by Filter: (\d+)", plan)]
    assert sum(removed) < 2_000, plan
    assert re.search(r"Index Cond: .*provider_id > k\.provider_id", plan), plan
