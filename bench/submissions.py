"""`python -m bench.submissions` compares submitting mails by SMTP with a bare aiosmtpd that writes one row a mail.

Both are processes of their own on the same PostgreSQL, with the same TLS and a login, and take turns with the same
mails of the same client. `--mails-each` is how many mails a connection submits. The bare one checks nothing: it stores
the mail by one INSERT that commits by itself. Ours checks sender and recipient, charges, and writes message, ledger
entry, idempotency key, job and mail.
"""

import argparse
import asyncio
import contextlib
import os
import ssl
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
from aiosmtpd.smtp import SMTP, AuthResult

from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services
from tests.submissions.submitter import Line, Refused
from tests.support.ports import free_port
from tests.support.tls import self_signed

_TABLE = "CREATE TABLE bare_mails (id bigserial PRIMARY KEY, recipients text[], content bytea)"
_INSERT = "INSERT INTO bare_mails (recipients, content) VALUES ($1, $2)"
_DOMAIN = """
INSERT INTO domains (id, owner_id, name, token, status, verified_at)
SELECT gen_random_uuid(), id, 'shop.example', 't', 'verified', now() FROM users
"""


class _Bare:
    """Writes each mail by one statement."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        await self._pool.execute(_INSERT, envelope.rcpt_tos, envelope.content)
        return "250 OK"


async def serve_bare(port: int, certificate: str) -> None:
    """Serves until it is killed."""
    pool = await asyncpg.create_pool(os.environ["DB_STRING"], min_size=4, max_size=10)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    handler = _Bare(pool)

    def connection() -> SMTP:
        made = SMTP(
            handler,
            auth_required=True,
            authenticator=lambda *_: AuthResult(success=True),
            hostname="bare",
            loop=asyncio.get_running_loop(),
        )
        made._auth_require_tls = False  # it has TLS from the first byte
        return made

    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", port, ssl=context)
    await server.serve_forever()


def content(number: int) -> bytes:
    """Returns a mail as a shop sends it: a text and its HTML, 4 KiB."""
    rows = "".join(f"<tr><td>Item {row}</td><td>1</td><td>9.99</td></tr>\r\n" for row in range(60))
    return (
        f"From: Shop <orders@shop.example>\r\nTo: user{number}@example.com\r\nSubject: Order {number}\r\n"
        f"Message-ID: <{number}.{time.time_ns()}@shop.example>\r\nDate: Mon, 30 Nov 2026 08:00:00 +0000\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nThank you for your order.\r\n"
        f"--b\r\nContent-Type: text/html\r\n\r\n<table>\r\n{rows}</table>\r\n--b--\r\n"
    ).encode()


async def rate(port: int, token: str, tls: ssl.SSLContext, *, mails: int, lines: int, each: int) -> float:
    """Submits mails over some connections at once. Returns mails a second."""
    numbers = iter(range(mails))

    async def work() -> None:
        while True:
            line = None
            for number, _ in zip(numbers, range(each), strict=False):
                line = line or await Line.open(port, token, tls)
                await line.submit(content(number), f"user{number}@example.com")
            if line is None:
                return
            await line.say("QUIT", 221)
            line.close()

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(lines)))
    return mails / (time.perf_counter() - began)


def processor(pid: int) -> float:
    """Returns the seconds of a processor that a process has used."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.asynccontextmanager
async def running(port: int, tls: ssl.SSLContext, *words: str, **environment: str) -> AsyncIterator[int]:
    """Runs a process until the end of the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *words, env={**os.environ, "PYTHONPATH": str(ROOT), **environment}
    )
    try:
        for _ in range(1200):
            try:
                (await Line.open(port, "pst_none", tls)).close()
            except OSError:
                await asyncio.sleep(0.1)
            except Refused:
                break
            else:
                break
        yield process.pid
    finally:
        process.terminate()
        await process.wait()


async def compare(arguments: argparse.Namespace) -> None:
    """Prints both rates of each round, and the median of their ratios."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        certificate = self_signed(Path(folder))
        tls = ssl.create_default_context(cafile=str(certificate))
        with EmbeddedPostgres(Path(folder)) as postgres, EmbeddedRedis(Path(folder)) as redis:
            keys: dict[str, Any] = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
            settings = Settings(_env_file=None, db_string=postgres.url, redis_url=redis.url, **keys)
            await prepare(settings)
            async with services(settings) as opened:
                await operator.create_user(opened, "ada@bench.test", admin=False, password="bench bench")
                await operator.credit(opened, "ada@bench.test", "1000000", account_id=None, note="bench")
                token = await operator.create_token(opened, "ada@bench.test", "bench", ["messages:send"], [])
            db = await asyncpg.connect(postgres.url)
            await db.execute(_TABLE)
            await db.execute(_DOMAIN)
            ours, bare = free_port(), free_port()
            environment = {
                "DB_STRING": postgres.url, "REDIS_URL": redis.url, "POSTERN_SECRET_KEY": "s" * 32,
                "POSTERN_JWT_KEY": "j" * 32, "POSTERN_DATA_DIR": folder, "POSTERN_LOG_LEVEL": "error",
                "POSTERN_SMTP_LISTEN": f"smtps://127.0.0.1:{ours}", "POSTERN_SMTP_CERTIFICATE": str(certificate),
                "POSTERN_LIMIT_MESSAGES": "1000000/60",
            }  # fmt: skip
            bare_words = ("bench.submissions", "--bare", str(bare), "--certificate", str(certificate))
            async with (
                running(ours, tls, "postern", "smtpd", **environment) as our_pid,
                running(bare, tls, *bare_words, DB_STRING=postgres.url) as bare_pid,
            ):
                sides = {"ours": (ours, our_pid), "bare": (bare, bare_pid)}
                await _rounds(arguments, sides, str(token), tls)
            await db.close()


async def _rounds(
    arguments: argparse.Namespace, sides: dict[str, tuple[int, int]], token: str, tls: ssl.SSLContext
) -> None:
    options = {"lines": arguments.lines, "each": arguments.mails_each}
    for port, _ in sides.values():
        await rate(port, token, tls, mails=50, **options)
    ratios = []
    for number in range(arguments.rounds):
        rates, used = {}, {}
        for name in sorted(sides, reverse=bool(number % 2)):
            port, pid = sides[name]
            before = processor(pid)
            rates[name] = await rate(port, token, tls, mails=arguments.mails, **options)
            used[name] = (processor(pid) - before) / arguments.mails * 1000
        ratios.append(rates["ours"] / rates["bare"])
        print(
            f"ours {rates['ours']:7.1f}/s {used['ours']:5.2f} ms   bare {rates['bare']:7.1f}/s {used['bare']:5.2f} ms"
            f"   {ratios[-1]:.2f}",
            flush=True,
        )
    print(
        f"median {statistics.median(ratios):.2f} ({arguments.mails_each} mails a connection, {arguments.lines} at once)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--mails", type=int, default=300)
    parser.add_argument("--mails-each", type=int, default=1)
    parser.add_argument("--lines", type=int, default=8)
    parser.add_argument("--bare", type=int)
    parser.add_argument("--certificate")
    arguments = parser.parse_args()
    if arguments.bare:
        asyncio.run(serve_bare(arguments.bare, arguments.certificate))
    else:
        asyncio.run(compare(arguments))


if __name__ == "__main__":
    main()
