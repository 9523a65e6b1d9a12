"""Clients of others, unmodified, submit to the door: nodemailer, swaks, and Postfix that relays. (smtplib is the client
of tests/submissions.) `make strangers-smtp` installs nodemailer; what is missing is skipped.
"""

import asyncio
import json
import os
import shutil
import smtplib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from runtime.services import Services
from tests.submissions.door import mail, port_of
from tests.support.mail_relay import PROGRAMS
from tests.support.ports import free_port
from tests.support.waits import until

pytestmark = pytest.mark.servers

HERE = Path(__file__).parent
PLUGINS = [*Path("/usr/lib").glob("*/sasl2/libplain.so*")]
_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log/postfix
maillog_file_prefixes = {folder}
myhostname = host.shop.example
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
smtpd_relay_restrictions = permit_mynetworks, reject
relayhost = [127.0.0.1]:{door}
smtp_tls_security_level = encrypt
smtp_tls_CAfile = {certificate}
smtp_sasl_auth_enable = yes
smtp_sasl_security_options = noanonymous
smtp_sasl_password_maps = inline:{{ {{ [127.0.0.1]:{door} = shop:{token} }} }}
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
"""


async def run(*words: str, **environment: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *words,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(60):
        return (await process.communicate())[0].decode()


async def recipients(services: Services) -> list[str]:
    return [row["to"] for row in await services.db.fetch('SELECT "to" FROM messages ORDER BY "to"')]


@pytest.mark.skipif(
    not (HERE / "node_modules").exists() or shutil.which("node") is None,
    reason="nodemailer is not installed: make strangers-smtp",
)
@pytest.mark.parametrize(("secure", "auth"), [("0", ""), ("1", ""), ("0", "LOGIN")])
async def test_nodemailer(door: None, services: Services, token: str, secure: str, auth: str):
    for _ in range(2):
        said = await run(
            "node",
            str(HERE / "submit.mjs"),
            PORT=str(port_of(services.settings, implicit=secure == "1")),
            SECURE=secure,
            TOKEN=token,
            CA=str(services.settings.smtp_certificate),
            AUTH=auth,
        )
        answer = json.loads(said.splitlines()[-1])
        assert answer.get("rejected") == [], said
        assert answer["response"].startswith("250")
    assert await recipients(services) == ["anna@example.com", "ben@example.com", "carl@example.com"]
    row = await services.db.fetchrow("SELECT body, metadata FROM messages LIMIT 1")
    assert (row["body"], row["metadata"]["subject"]) == ("Danke für die Bestellung.", "Grüße vom Shop")
    content = await services.db.fetchval("SELECT content FROM submitted_mails")
    assert b"carl@" not in content
    assert b"text/calendar" in content


@pytest.mark.skipif(shutil.which("swaks") is None, reason="swaks is not installed (Debian's package swaks)")
@pytest.mark.parametrize(
    "words", [("--tls", "--auth", "PLAIN"), ("--tls", "--auth", "LOGIN"), ("--tlsc", "--auth", "PLAIN")]
)
async def test_swaks(door: None, services: Services, token: str, words: tuple[str, ...]):
    port = port_of(services.settings, implicit="--tlsc" in words)
    common = (
        "swaks",
        "--server",
        "127.0.0.1",
        "--port",
        str(port),
        "--to",
        "anna@example.com",
        "--helo",
        "shop.example",
    )
    login = (*words, "--auth-user", "shop", "--auth-password")
    said = await run(*common, *login, token, "--from", "orders@shop.example")
    assert "<~  250 2.0.0 OK" in said, said
    # An open relay, a forged sender, a wrong password.
    for refused, code in (
        ((*common, words[0], "--from", "orders@shop.example"), "530"),
        ((*common, *login, token, "--from", "orders@elsewhere.example"), "550"),
        ((*common, *login, "pst_wrong", "--from", "orders@shop.example"), "535"),
    ):
        assert f"{code} 5." in await run(*refused), refused
    assert await recipients(services) == ["anna@example.com"]


@asynccontextmanager
async def postfix(folder: Path, door: int, token: str, certificate: Path) -> AsyncIterator[int]:
    """Runs Postfix, which relays all mail to the door."""
    from tests.support.mail_relay import _MASTER

    port = free_port()
    for part in (folder, *folder.parents[:3]):
        part.chmod(0o755)
    certificate.chmod(0o644)
    for part in ("queue", "data", "log", "conf"):
        (folder / part).mkdir()
        (folder / part).chmod(0o777 if part == "log" else 0o755)
    shutil.chown(folder / "data", "postfix")
    main = _MAIN.format(folder=folder, door=door, token=token, certificate=certificate)
    (folder / "conf" / "main.cf").write_text(main)
    (folder / "conf" / "master.cf").write_text(_MASTER.format(port=port))
    process = await asyncio.create_subprocess_exec(
        str(PROGRAMS["postfix"]), "-c", str(folder / "conf"), "start-fg"
    )

    async def is_open() -> bool:
        assert process.returncode is None, "Postfix has ended"
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        writer.close()
        return True

    try:
        await until(is_open)
        yield port
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


def hand_over(port: int, count: int) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as client:
        for number in range(count):
            content = mail(f"Order {number}", Subject=f"Order {number}")
            client.sendmail("root@host.shop.example", [f"user{number}@example.com"], content.as_bytes())


@pytest.mark.skipif(
    PROGRAMS["postfix"] is None or os.geteuid() != 0, reason="Postfix is not installed, or we are not root"
)
@pytest.mark.skipif(
    not PLUGINS, reason="the mechanisms of SASL are not installed (Debian's package libsasl2-modules)"
)
async def test_postfix(door: None, services: Services, token: str, tmp_path: Path, drain: Any):
    folder = tmp_path / "postfix"
    folder.mkdir()
    settings = services.settings
    assert settings.smtp_certificate is not None
    async with postfix(folder, port_of(settings), token, settings.smtp_certificate) as port:
        await asyncio.to_thread(hand_over, port, 20)

        async def all_there() -> bool:
            return len(await recipients(services)) == 20

        try:
            await until(all_there)
        except AssertionError:
            raise AssertionError((folder / "log" / "postfix").read_text()[-4000:]) from None
    assert await recipients(services) == sorted(f"user{number}@example.com" for number in range(20))
    contents = await services.db.fetch("SELECT content FROM submitted_mails")
    assert not any(b"\nReceived:" in row["content"] for row in contents)
