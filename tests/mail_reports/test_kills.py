"""A worker is killed at each moment of taking returned mails: every report is applied exactly once.

The sender is a mail server, which sends a mail again until it hears 250.
"""

import asyncio
import smtplib
import time
from uuid import UUID

import asyncpg
import pytest

from core.settings import Settings
from engine.faultpoints import MAIL_REPORT_POINTS
from engine.mail_reports import reference
from runtime.services import derived_keys
from tests.engine.test_faults import World, gateway
from tests.mail_reports.samples import block, dsn
from tests.support.ports import free_port
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.rotating

__all__ = ["gateway"]

COUNT = 12
KEY = derived_keys(Settings(_env_file=None, secret_key="s" * 32, jwt_key="j" * 32), reference.KEY)[0]
_FOUND = """
SELECT (SELECT count(*) FROM mail_reports), (SELECT count(DISTINCT message_id) FROM mail_reports),
  (SELECT count(*) FROM ledger_entries WHERE kind = 'refund'), (SELECT count(*) FROM mail_report_mails),
  (SELECT count(*) FROM messages WHERE state = 'failed' AND bounced_at IS NOT NULL)
"""


def deliver(port: int, id: UUID, times: int) -> None:
    """Sends a bounce until it is taken, and that as often as `times` says."""
    to = f"b-{reference.token(KEY, id)}@bounces.example.com"
    mail = dsn(block(address="x@y.test"), head=f"Message-ID: <{id}@mx.example.net>\n")
    while times:
        try:
            with smtplib.SMTP("127.0.0.1", port, "mx.example.net", timeout=10) as client:
                client.sendmail("", [to], mail)
                times -= 1
        except (OSError, smtplib.SMTPException):
            time.sleep(0.1)


@pytest.mark.parametrize("point", MAIL_REPORT_POINTS)
async def test_every_report_is_applied_exactly_once(gateway: World, point: str):
    port = free_port()
    listens = {"POSTERN_BOUNCE_LISTEN": f"127.0.0.1:{port}"}
    await gateway.queue(COUNT)
    victim = gateway.worker(FAULT_AT=point, **listens)
    ids = [UUID(id) for id in await gateway.quiet()]
    async with asyncio.timeout(2 * PATIENCE), asyncio.TaskGroup() as group:
        for number, id in enumerate(ids):
            group.create_task(asyncio.to_thread(deliver, port, id, 1 + number % 3))
        await victim.ended()
        gateway.worker(**listens)
    connection = await asyncpg.connect(gateway.url)
    try:
        assert {*await connection.fetchrow(_FOUND)} == {COUNT}
    finally:
        await connection.close()
    await gateway.books()
