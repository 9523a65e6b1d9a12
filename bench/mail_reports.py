"""`python -m bench.mail_reports` measures how many returned mails a second one worker takes by its SMTP door.

Every connection sends one mail after the other and waits for each answer, which comes after the commit. The reports are
a mixture: a third are hard bounces, which also block their address; the rest are soft ones, refusals by policy, delays
and complaints. `--repeated` sends everything once more, which changes nothing.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from uuid import UUID

import asyncpg

from bench.graphql import processor
from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from engine.mail_reports import reference
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import derived_keys

PORT = 3947
_STATUSES = ("5.1.1", "5.2.2", "5.1.1", "5.7.1", "4.4.7", "5.1.1", "4.4.1 delayed", "5.2.2", "complaint")
_OWNER = """
WITH owner AS (INSERT INTO users (id, email, roles) VALUES ($1, 'bench@example.com', '{user}'))
INSERT INTO accounts (id, owner_id, name, currency, balance) VALUES ($1, $1, 'bench', 'USD', 1000)
"""
_MESSAGES = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, price, handed_at, sent_at)
SELECT id, $2, $2, 'outbound', 'email', 'sent', 'person' || place || '@example.net', 'Hello', 0.01, now(), now()
FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, place)
"""
_DONE = """
SELECT (SELECT count(*) FROM mail_reports) AS reports, (SELECT count(*) FROM messages WHERE state = 'failed') AS failed,
  (SELECT count(*) FROM ledger_entries WHERE kind = 'refund') AS refunds,
  (SELECT count(*) FROM blocked_phones) AS blocked
"""
_COMPLAINT = """From: feedback@example.net
Message-ID: <{id}@mx.example.net>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b"

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
Version: 1

--b
Content-Type: message/rfc822

Message-ID: <{id}@example.com>
Subject: News

{text}
--b--
"""
_BOUNCE = """From: MAILER-DAEMON@mx.example.net
Message-ID: <{id}@mx.example.net>
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I could not deliver your message.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; person@example.net
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 {status} No

--b
Content-Type: message/rfc822

Message-ID: <{id}@example.com>
Subject: News

{text}
--b--
"""


def _mail(number: int, id: UUID) -> bytes:
    status, _, action = _STATUSES[number % len(_STATUSES)].partition(" ")
    form = _COMPLAINT if status == "complaint" else _BOUNCE
    text = "The quick brown fox jumps over the lazy dog.\n" * 60
    mail = form.format(id=id, status=status, action=action or "failed", text=text)
    return mail.replace("\n", "\r\n").encode() + b".\r\n"


async def _deliver(key: bytes, mails: list[tuple[int, UUID]]) -> int:
    """Sends mails through one connection. Returns how many were not taken."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)

    async def say(command: bytes) -> bytes:
        writer.write(command)
        line = await reader.readline()
        while line[3:4] == b"-":
            line = await reader.readline()
        return line

    await reader.readline()
    await say(b"EHLO bench\r\n")
    refused = 0
    for number, id in mails:
        await say(b"MAIL FROM:<>\r\n")
        await say(f"RCPT TO:<b-{reference.token(key, id)}@bounces.example.com>\r\n".encode())
        await say(b"DATA\r\n")
        refused += not (await say(_mail(number, id))).startswith(b"250")
    writer.close()
    return refused


async def _round(title: str, pid: int, key: bytes, ids: list[UUID], connections: int) -> None:
    numbered = [*enumerate(ids)]
    begun, before = time.perf_counter(), processor(pid)
    refused = await asyncio.gather(
        *(_deliver(key, numbered[index::connections]) for index in range(connections))
    )
    seconds, work = time.perf_counter() - begun, processor(pid) - before
    print(
        f"  {title:10} {len(ids) / seconds:8,.0f} a second, {work * 1e6 / len(ids):6,.0f} µs of the worker each"
        + (f", {sum(refused)} REFUSED" if any(refused) else ""),
        flush=True,
    )


async def _measure(arguments: argparse.Namespace, folder: Path, url: str, redis: str) -> None:
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    key = derived_keys(settings, reference.KEY)[0]
    connection = await asyncpg.connect(url)
    ids = [uuid7() for _ in range(arguments.reports)]
    await connection.execute(_OWNER, owner := uuid7())
    await connection.execute(_MESSAGES, ids, owner)
    environment = {
        **os.environ, "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_BOUNCE_LISTEN": f"127.0.0.1:{PORT}", "PYTHONPATH": str(ROOT), "POSTERN_LOG_LEVEL": "warning",
    }  # fmt: skip
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "postern", "worker", cwd=folder, env=environment
    )
    try:
        while True:
            try:
                await _deliver(key, [])
                break
            except OSError:
                await asyncio.sleep(0.1)
        await _round("new", worker.pid, key, ids, arguments.connections)
        if arguments.repeated:
            await _round("repeated", worker.pid, key, ids, arguments.connections)
    finally:
        worker.terminate()
        await worker.wait()
    row = await connection.fetchrow(_DONE)
    await connection.close()
    print("  " + ", ".join(f"{value:,} {name}" for name, value in row.items()))


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name:
        folder = Path(name)
        with EmbeddedPostgres(folder) as postgres, EmbeddedRedis(folder) as redis:
            print("Returned mails that one worker takes by SMTP:", flush=True)
            await _measure(arguments, folder, postgres.url, redis.url)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.mail_reports")
    parse.add_argument("--reports", type=int, default=10_000)
    parse.add_argument("--connections", type=int, default=50)
    parse.add_argument("--repeated", action="store_true", help="send everything once more")
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
