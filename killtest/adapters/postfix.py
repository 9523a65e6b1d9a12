"""Postfix of the system, as a private instance that relays all mail to the provider."""

import asyncio
import json
import os
import re
import smtplib
import subprocess
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from typing import ClassVar

from killtest.adapters.port import Adapter, Person, Place, Service, Statement, Submitted, Supervisor
from killtest.people import number_of
from killtest.processes import MARK
from killtest.servers import free_port, listening, missing

_STATUS = re.compile(r": ([0-9A-Za-z]+): to=<([^>]+)>.* status=(\w+)")
_MAIN = """\
compatibility_level = 3.6
queue_directory = {queue}
data_directory = {data}
mail_owner = postfix
setgid_group = postdrop
myhostname = relay.example.net
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
relayhost = [127.0.0.1]:{provider}
enable_long_queue_ids = yes
import_environment = MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG TZ LANG=C POSTLOG_SERVICE POSTLOG_HOSTNAME {mark}
maillog_file = {log}
maillog_file_prefixes = {prefix}
queue_run_delay = 5s
minimal_backoff_time = 5s
maximal_backoff_time = 10s
"""
_MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix(Adapter):
    """Postfix 3.7 with the defaults of its documentation and of Debian's master.cf, as a relay to a smart host
    (`relayhost`), started by `postfix start-fg`. Each person is one mail by SMTP.

    Different: the queue is looked at every 5 s and messages are tried again after 5 to 10 s, in the place of 300 s and
    300 to 4,000 s, so that a run ends in time; nothing runs in a chroot; when `master` dies, all its processes are
    killed and Postfix is started again, which Debian's unit does not do. What Postfix says of a mail is the last line
    of its log about it.
    """

    name = "postfix"
    title = "Postfix"
    targets: ClassVar[Sequence[str]] = (
        "postfix:master", "postfix:qmgr", "postfix:cleanup", "postfix:smtpd", "postfix:smtp", "postfix:trivial-rewrite",
    )  # fmt: skip
    senders: ClassVar[Sequence[str]] = ("postfix:smtp", "postfix:smtp")

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.port = free_port()
        self.configuration = place.folder / "postfix"
        self.log = place.folder / "mail.log"

    @classmethod
    def missing(cls) -> str | None:
        if os.geteuid() != 0:
            return "Postfix's master must be started by root"
        return missing("postfix")

    def version(self) -> str:
        done = subprocess.run(["postconf", "-dh", "mail_version"], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    async def start(self, supervisor: Supervisor) -> None:
        queue, data = self.place.store / "queue", self.place.store / "data"
        for folder in (self.configuration, queue, data):
            folder.mkdir()
        subprocess.run(["chown", "postfix", str(data)], check=True)
        (self.configuration / "main.cf").write_text(
            _MAIN.format(
                mark=MARK,
                queue=queue,
                data=data,
                provider=self.place.provider_port,
                log=self.log,
                prefix=self.place.folder,
            )
        )
        (self.configuration / "master.cf").write_text(_MASTER.format(port=self.port))
        await asyncio.to_thread(
            subprocess.run,
            ["postfix", "-c", str(self.configuration), "check"],
            check=True,
            capture_output=True,
        )
        command = ["postfix", "-c", str(self.configuration), "start-fg"]
        await supervisor.start(
            [
                Service(
                    "postfix", command, {"MAIL_CONFIG": str(self.configuration)}, ready=listening(self.port)
                )
            ]
        )

    async def submit(self, person: Person) -> Submitted:
        return await asyncio.to_thread(submit_mail, self.port, person)

    async def statements(self, everyone: Sequence[Person]) -> Mapping[int, Statement]:
        waiting = await asyncio.to_thread(self._queue)
        text = self.log.read_text(errors="replace")
        return said(text) | dict.fromkeys(waiting, Statement.waiting)

    def _queue(self) -> set[int]:
        command = ["postqueue", "-c", str(self.configuration), "-j"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
        recipients = [
            recipient["address"]
            for line in done.stdout.splitlines()
            for recipient in json.loads(line)["recipients"]
        ]
        return {number for address in recipients if (number := number_of(address)) is not None}


def said(log: str) -> dict[int, Statement]:
    """Returns what a mail log says of each person: of several mails to one, that one was sent counts first."""
    states: dict[int, Statement] = {}
    for _, address, status in _STATUS.findall(log):
        number = number_of(address)
        if number is not None and states.get(number) is not Statement.sent:
            states[number] = {"sent": Statement.sent, "bounced": Statement.failed}.get(status, Statement.none)
    return states


def submit_mail(port: int, person: Person) -> Submitted:
    """Submits a mail by SMTP. An answer that does not come after the text is doubtful."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "sender@example.net", person.mail, "Hello"
    mail["Message-ID"] = f"<person-{person.number}@example.net>"
    mail.set_content(f"Hello {person.number}")
    try:
        client = smtplib.SMTP("127.0.0.1", port, timeout=20)
    except OSError:
        return Submitted.refused
    try:
        client.ehlo()
        if client.mail("sender@example.net")[0] >= 300 or client.rcpt(person.mail)[0] >= 300:
            return Submitted.refused
    except OSError:
        client.close()
        return Submitted.refused
    try:
        code, _ = client.data(mail.as_bytes())
    except smtplib.SMTPDataError:
        return Submitted.refused
    except OSError:
        return Submitted.doubtful
    finally:
        client.close()
    return Submitted.accepted if code == 250 else Submitted.refused
