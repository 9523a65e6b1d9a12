"""Emails go out by a real mail server, which returns them to us: Debian's Postfix, and Exim where it is installed."""

import os
import time
from pathlib import Path

import pytest

from tests.channels.smtp.rig import opened
from tests.mail_reports.test_door import listening
from tests.support.fake_channels import use
from tests.support.mail_relay import PROGRAMS, relay
from tests.support.ports import free_port
from tests.support.waits import until

MAIL = {"channel": "email", "body": "Hello", "metadata": {"subject": "News"}}
SOON = 5
"""Seconds from the sending of an email to the report of its failure."""


@pytest.mark.parametrize("program", PROGRAMS)
async def test_a_mail_server_returns_what_it_cannot_deliver(
    program: str, ada, services, drain, tmp_path: Path
):
    if PROGRAMS[program] is None or os.geteuid() != 0:
        pytest.skip(f"needs Debian's {program}, and root to start it")
    port = free_port()
    async with (
        listening(services, f"lmtp://127.0.0.1:{port}"),
        relay(program, tmp_path, port) as smtp,
        opened(f"smtp://127.0.0.1:{smtp}?from=news@example.com&bounce=bounces.example.com") as channel,
    ):
        use(services, channel)
        began = time.monotonic()
        ids = [
            (await ada.rest("POST", "/messages", json={**MAIL, "to": f"{name}@example.net"})).json()["id"]
            for name in ("gone", "full")
        ]
        await drain("email")

        async def have_failed() -> bool:
            codes = await services.db.fetch("SELECT failure_code FROM messages")
            return {row["failure_code"] for row in codes} == {"hard_bounce", "mailbox_full"}

        await until(have_failed)
        took = time.monotonic() - began
        print(f"{program}: {took:.2f} s")
        assert took <= SOON
    reports = (await ada.rest("GET", "/mail-reports")).json()["items"]
    assert {(row["messageUuid"], row["bounceClass"], row["status"]) for row in reports} == {
        (ids[0], "hard", "5.1.1"),
        (ids[1], "full", "4.2.2"),
    }
    blocked = await services.db.fetch("SELECT phone, reason FROM blocked_phones")
    assert [tuple(row) for row in blocked] == [("gone@example.net", "hardBounce")]
