"""Kannel of the system: bearerbox and smsbox as private instances, bound to the provider by SMPP."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from typing import ClassVar

import aiohttp
from aiohttp import web

from killtest.adapters.port import Adapter, Person, Place, Service, Statement, Submitted, Supervisor
from killtest.people import number_of
from killtest.servers import free_port, listening, missing

_TIMEOUT = aiohttp.ClientTimeout(total=15)
_RECEIVER = re.compile(r"\+?49151\d{7}")
_CONFIGURATION = """\
group = core
admin-port = {admin}
admin-password = killtest
admin-allow-ip = "127.0.0.1"
admin-deny-ip = "*.*.*.*"
smsbox-port = {boxes}
box-allow-ip = "127.0.0.1"
box-deny-ip = "*.*.*.*"
store-type = spool
store-location = "{store}"
sms-resend-freq = 5
log-level = 1

group = smsc
smsc = smpp
smsc-id = provider
host = 127.0.0.1
port = {provider}
transceiver-mode = true
smsc-username = killtest
smsc-password = secret
system-type = ""
reconnect-delay = 2

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = {http}
log-level = 1

group = sendsms-user
username = killtest
password = killtest
user-allow-ip = "127.0.0.1"
user-deny-ip = "*.*.*.*"
max-messages = 1

group = sms-service
keyword = default
text = "none"
max-messages = 0
"""


class Kannel(Adapter):
    """Kannel 1.4.5 by its user guide: a spool directory as the store (`store-type = spool`), one SMPP connection as a
    transceiver, `sendsms` with `dlr-mask=24`, so that it reports each message that the SMSC accepts or rejects; all
    else at its defaults. Both boxes are started again when they die, as Debian's `run_kannel_box` does it.

    Different: `sms-resend-freq` is 5 s in the place of 60, and `reconnect-delay` 2 s in the place of 10.
    """

    name = "kannel"
    title = "Kannel"
    protocol = "smpp"
    targets: ClassVar[Sequence[str]] = ("bearerbox", "smsbox")
    senders: ClassVar[Sequence[str]] = ("bearerbox",)

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.admin, self.boxes, self.http = free_port(), free_port(), free_port()
        self.reports: dict[int, Statement] = {}
        self._session: aiohttp.ClientSession | None = None
        self._receiver: web.AppRunner | None = None
        self._receiver_port = 0

    @classmethod
    def missing(cls) -> str | None:
        return missing("bearerbox", "smsbox")

    def version(self) -> str:
        asked = ["dpkg-query", "--show", "--showformat", "${Version}", "kannel"]
        found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
        return found.partition("-")[0] or "of no package"

    async def start(self, supervisor: Supervisor) -> None:
        store = self.place.store / "spool"
        store.mkdir()
        file = self.place.folder / "kannel.conf"
        file.write_text(
            _CONFIGURATION.format(
                admin=self.admin,
                boxes=self.boxes,
                http=self.http,
                store=store,
                provider=self.place.provider_port,
            )
        )
        await self._listen()
        self._session = aiohttp.ClientSession(timeout=_TIMEOUT)
        await supervisor.start(
            [
                Service(
                    "bearerbox",
                    ["bearerbox", str(file)],
                    ready=listening(self.admin),
                    folder=self.place.folder,
                ),
                Service(
                    "smsbox", ["smsbox", str(file)], ready=listening(self.http), folder=self.place.folder
                ),
            ]
        )

    async def _listen(self) -> None:
        """Receives Kannel's reports. It stands outside of the faults."""
        application = web.Application()
        application.router.add_get("/report", self._report)
        self._receiver = web.AppRunner(application)
        await self._receiver.setup()
        site = web.TCPSite(self._receiver, "127.0.0.1", 0)
        await site.start()
        self._receiver_port = self._receiver.addresses[0][1]

    async def _report(self, request: web.Request) -> web.Response:
        number, status = int(request.query["person"]), request.query["status"]
        if self.reports.get(number) is not Statement.sent:
            self.reports[number] = Statement.sent if status == "8" else Statement.failed
        return web.Response()

    async def submit(self, person: Person) -> Submitted:
        assert self._session is not None
        report = f"http://127.0.0.1:{self._receiver_port}/report?person={person.number}&status=%d"
        parameters = {
            "username": "killtest", "password": "killtest", "from": "12345", "to": person.phone,
            "text": "Hello", "dlr-mask": "24", "dlr-url": report,
        }  # fmt: skip
        try:
            async with self._session.get(
                f"http://127.0.0.1:{self.http}/cgi-bin/sendsms", params=parameters
            ) as response:
                await response.read()
                return Submitted.accepted if response.status == 202 else Submitted.refused
        except aiohttp.ClientConnectorError:
            return Submitted.refused
        except (aiohttp.ClientError, TimeoutError):
            return Submitted.doubtful

    async def statements(self, everyone: Sequence[Person]) -> Mapping[int, Statement]:
        assert self._session is not None
        url = f"http://127.0.0.1:{self.admin}/store-status.txt?password=killtest"
        async with self._session.get(url) as response:
            response.raise_for_status()
            text = await response.text(errors="replace")
        numbers = (number_of(receiver) for receiver in _RECEIVER.findall(text))
        waiting = dict.fromkeys((number for number in numbers if number is not None), Statement.waiting)
        return self.reports | waiting

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
        if self._receiver is not None:
            await self._receiver.cleanup()
