"""The recipes of messages: their commands and their programs run against a server and a worker."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from channels.port import Inbound
from channels.sandbox import box
from core.http.allowlist import AllowlistMode
from core.installation import ROOT
from core.settings import Settings
from engine.inbound import inbound_messages
from runtime.services import Services
from tests.docs.shell import run_script
from tests.docs.test_stories import _LOGIN, commands, story
from tests.support.waits import until

PAGE = "docs/recipes/messages.md"
SANDBOX = "sandbox://recipes?codes=1"
pytestmark = pytest.mark.settings(
    ip_allowlist_mode=AllowlistMode.Off,
    channel_sms=SANDBOX, channel_email=SANDBOX, channel_whatsapp=f"{SANDBOX}&deliver=0",
)  # fmt: skip


async def program(settings: Settings, *lines: str) -> list[str]:
    """Runs lines of a shell after the login of the README, in the folder of the examples."""
    start = [_LOGIN, "export TOKEN URL=http://127.0.0.1:3000", f"cd {ROOT / 'docs/examples'}"]
    return await run_script(settings, "\n".join(["set -e", *start, *lines]))


async def while_it_runs(running: Awaitable[Any], meanwhile: Callable[[], Awaitable[None]]) -> Any:
    other = asyncio.create_task(meanwhile())
    try:
        return await running
    finally:
        await other


def texts(to: str) -> list[str]:
    return [accepted.message.body for accepted in box("recipes").outbox if accepted.message.to == to]


async def test_the_commands(settings: Settings, tmp_path: Path):
    page = [
        command
        for title in (
            "A one-time code with a fallback",
            "An appointment's reminder that is canceled",
            "Order updates by WhatsApp and SMS",
        )
        for command in commands(PAGE, title)
    ]
    checked, canceled, ordered = await story(settings, tmp_path, *page)
    assert checked == {"status": "wrong", "left": 4}
    assert (canceled["deliveryState"], canceled["price"]) == ("canceled", 0)
    assert (ordered["channel"], ordered["status"]) == ("whatsapp", "queued")


async def test_a_code_with_a_fallback(settings: Settings, tmp_path: Path):
    code = tmp_path / "code"

    async def read() -> None:
        found = await until(lambda: re.findall(r"\b[0-9]{6}\b", "".join(texts("+14155550111"))))
        code.write_text(f"{int(found[-1]) ^ 1:06d}\n{found[-1]}\n")

    lines = await while_it_runs(
        program(
            settings,
            f"(until [ -s {code} ]; do sleep 0.1; done; cat {code})"
            " | python3 login_code.py +14155550111 anna@example.com",
        ),
        read,
    )
    assert lines[-2:] == ["wrong", "approved"]


async def test_a_reminder(settings: Settings):
    at = (datetime.now(UTC) + timedelta(days=7)).replace(microsecond=0).isoformat()
    first, again, canceled = await program(
        settings,
        f"ID=$(python3 reminder.py +14155550112 {at}); echo $ID",
        f"python3 reminder.py +14155550112 {at}",
        "python3 reminder.py cancel $ID",
    )
    assert (first, canceled) == (again, "canceled")


async def test_order_updates(settings: Settings):
    lines = await program(settings, "python3 order_updates.py 4711 +14155550113")
    assert lines[-1] == "sent (whatsapp: sent, sms: None)"
    assert texts("+14155550113") == ["Your order 4711 has left our warehouse."]


async def test_two_way_sms(settings: Settings, services: Services, tmp_path: Path):
    phone, position = "+14155550114", tmp_path / "position"
    switch_on = commands(PAGE, "Two-way SMS")[0].partition("\n\n")[0]
    send = (
        'curl -s -o /dev/null $URL/messages -H "authorization: Bearer $TOKEN" -H "content-type: application/json"'
        f' -d \'{{"channel": "sms", "to": "{phone}", "body": "Hello"}}\''
    )

    async def reply() -> None:
        await until(lambda: texts(phone))
        async with services.db.reading() as db:
            assert await inbound_messages.receive(
                db, "sandbox", [Inbound(sender=phone, to="Acme", body="hours", provider_message_id="in-1")]
            )
        await until(lambda: "We are open from 9 to 17." in texts(phone))
        (tmp_path / "done").touch()

    done = f"until [ -e {tmp_path / 'done'} ]; do sleep 0.1; done"
    again = f"timeout 2 python3 two_way_sms.py {position} || true"
    await while_it_runs(
        program(
            settings,
            f"{switch_on} > /dev/null",
            send,
            f"python3 two_way_sms.py {position} &",
            done,
            "kill %1",
            again,
        ),
        reply,
    )
    assert texts(phone).count("We are open from 9 to 17.") == 1
