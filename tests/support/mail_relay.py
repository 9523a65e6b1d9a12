"""Real mail servers: Debian's Postfix or Exim as the relay that sends our emails, and returns them to us by LMTP.

Mail for `example.net` goes to a server that refuses it: `gone@` for good (5.1.1), anybody else for a while (4.2.2). The
relay returns both at once, since it tries no mail twice. Mail for `bounces.example.com` is handed to our door.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP

from tests.support.ports import free_port

_PATH = f"{os.environ.get('PATH', '')}:/usr/sbin"
PROGRAMS = {"postfix": shutil.which("postfix", path=_PATH), "exim": shutil.which("exim4", path=_PATH)}

_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log/postfix
maillog_file_prefixes = {folder}
myhostname = mx.example.net
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
smtpd_relay_restrictions = permit_mynetworks, reject
transport_maps = inline:{{ {{ example.net = smtp:[127.0.0.1]:{refuses} }},
  {{ bounces.example.com = lmtp:inet:127.0.0.1:{door} }} }}
lmtp_destination_recipient_limit = 1
maximal_queue_lifetime = 0
bounce_queue_lifetime = 0
"""
_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
_EXIM = """
spool_directory = {folder}/queue
log_file_path = {folder}/log/%s
pid_file_path = {folder}/exim.pid
primary_hostname = mx.example.net
local_interfaces = 127.0.0.1
daemon_smtp_ports = {port}
tls_advertise_hosts =
keep_environment =
never_users =
acl_smtp_rcpt = accept
begin routers
refuses:
  driver = manualroute
  domains = example.net
  route_list = "* 127.0.0.1"
  self = send
  transport = refuses
bounces:
  driver = manualroute
  domains = bounces.example.com
  route_list = "* 127.0.0.1"
  self = send
  transport = door
begin transports
refuses:
  driver = smtp
  port = {refuses}
  hosts_try_fastopen =
  allow_localhost
door:
  driver = smtp
  protocol = lmtp
  port = {door}
  hosts_try_fastopen =
  allow_localhost
  max_rcpt = 1
"""


class _Refuses:
    """A mail server that has no mailbox with room."""

    async def handle_RCPT(self, _server: Any, _session: Any, _envelope: Any, to: str, _options: Any) -> str:
        if to.startswith("gone@"):
            return "550 5.1.1 There is no such user"
        return "452 4.2.2 The mailbox is full"


@asynccontextmanager
async def relay(name: str, folder: Path, door: int) -> AsyncIterator[int]:
    """Runs `postfix` or `exim` until the end of the block. Gives its port; `door`: the port of ours."""
    program = PROGRAMS[name]
    assert program is not None
    port = free_port()
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(_Refuses()), "127.0.0.1", 0)
    refuses = server.sockets[0].getsockname()[1]
    for part in (folder, *folder.parents[:3]):
        part.chmod(0o755)
    for part in ("queue", "data", "log", "conf"):
        (folder / part).mkdir()
        (folder / part).chmod(0o777 if name == "exim" or part == "log" else 0o755)
    if name == "postfix":
        shutil.chown(folder / "data", "postfix")
        for file, text in (("main.cf", _MAIN), ("master.cf", _MASTER)):
            (folder / "conf" / file).write_text(
                text.format(folder=folder, port=port, door=door, refuses=refuses)
            )
        words = [program, "-c", str(folder / "conf"), "start-fg"]
    else:
        path = folder / "conf" / "exim.conf"
        path.write_text(_EXIM.format(folder=folder, port=port, door=door, refuses=refuses))
        words = [program, "-C", str(path), "-bdf"]
    process = await asyncio.create_subprocess_exec(*words)
    try:
        async with asyncio.timeout(20):
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                assert process.returncode is None, f"{name} has ended"
                await asyncio.sleep(0.05)
        yield port
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
        server.close()
