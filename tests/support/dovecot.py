"""A real IMAP server: Debian's Dovecot, with any user and one password, in a folder of the test's own."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from imapclient import IMAPClient

from tests.support.ports import free_port

PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
AVAILABLE = PROGRAM is not None and os.geteuid() == 0
USER, PASSWORD = "bounces", "p/a@s?d"  # characters that a URL has to quote
QUOTED = "p%2Fa%40s%3Fd"
_CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
ssl = no
disable_plaintext_auth = no
default_vsz_limit = 512M
first_valid_uid = 1
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/users
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service stats {{
  unix_listener stats-writer {{
    mode = 0666
  }}
}}
{more}
"""


@dataclass
class Dovecot:
    """A running server."""

    port: int

    def url(self, folder: str = "INBOX", options: str = "") -> str:
        """Returns the address of the mailbox, as POSTERN_BOUNCE_MAILBOX has it."""
        return f"imap://{USER}:{QUOTED}@127.0.0.1:{self.port}/{folder}{options}"

    def login(self) -> IMAPClient:
        """Returns a connection of its own."""
        client = IMAPClient("127.0.0.1", self.port, ssl=False, timeout=20)
        client.login(USER, PASSWORD)
        return client

    def put(self, *mails: bytes, folder: str = "INBOX") -> None:
        """Adds mails."""
        with self.login() as client:
            for mail in mails:
                client.append(folder, mail)

    def count(self, folder: str = "INBOX") -> int:
        """Returns how many mails a folder has; 0 if there is none."""
        with self.login() as client:
            return int(client.folder_status(folder)[b"MESSAGES"]) if client.folder_exists(folder) else 0

    def contents(self, folder: str = "INBOX", which: str = "ALL") -> list[bytes]:
        """Returns the mails of a folder in their order, and leaves them unseen; none if there is no such folder."""
        with self.login() as client:
            if not client.folder_exists(folder):
                return []
            client.select_folder(folder, readonly=True)
            uids = client.search(which)
            fetched = client.fetch(uids, ["BODY.PEEK[]"]) if uids else {}
            return [fetched[uid][b"BODY[]"] for uid in sorted(uids)]


@asynccontextmanager
async def dovecot(folder: Path, more: str = "") -> AsyncIterator[Dovecot]:
    """Runs a server until the end of the block. `more`: lines of its configuration."""
    assert PROGRAM is not None
    folder.chmod(0o755)
    for name in ("run", "state", "mail"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name).chmod(0o777)
    (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
    port = free_port()
    path = folder / "dovecot.conf"
    path.write_text(_CONFIGURATION.format(folder=folder, port=port, more=more))
    process = await asyncio.create_subprocess_exec(PROGRAM, "-F", "-c", str(path))
    server = Dovecot(port)
    try:
        async with asyncio.timeout(20):
            while True:
                with suppress(OSError, Exception):
                    await asyncio.to_thread(lambda: server.login().logout())
                    break
                assert process.returncode is None, (folder / "log").read_text()
                await asyncio.sleep(0.1)
        yield server
    finally:
        process.terminate()
        await process.wait()
