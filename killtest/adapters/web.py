"""The shared part of adapters whose product is a library: a small program of ours calls it, and is asked by HTTP."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import aiohttp

from killtest.adapters.port import Adapter, Person, Place, Service, Statement, Submitted, Supervisor
from killtest.people import number_of
from killtest.servers import free_port, listening

TOOLS = Path(__file__).resolve().parent.parent.parent / "build" / "killtest"
PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
_TIMEOUT = aiohttp.ClientTimeout(total=15)


class WebAdapter(Adapter):
    """A program with `POST /send?to=…` and `GET /states?to=…&to=…`."""

    folder: ClassVar[str]  # in `programs`

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.port = free_port()
        self._session: aiohttp.ClientSession | None = None

    def environment(self) -> dict[str, str]:
        return {"KILLTEST_PROVIDER_PORT": str(self.place.provider_port), "PYTHONDONTWRITEBYTECODE": "1"}

    def service(self, name: str, *command: str) -> Service:
        ready = listening(self.port) if name == "web" else None
        return Service(name, command, self.environment(), folder=PROGRAMS / self.folder, ready=ready)

    async def start_web(self, supervisor: Supervisor, *services: Service) -> None:
        await supervisor.start(services)
        self._session = aiohttp.ClientSession(f"http://127.0.0.1:{self.port}", timeout=_TIMEOUT)

    async def submit(self, person: Person) -> Submitted:
        assert self._session is not None
        try:
            async with self._session.post("/send", params={"to": person.mail}) as response:
                # An error may have been raised after the commit, or after the command reached Redis.
                return Submitted.accepted if response.status == 202 else Submitted.doubtful
        except aiohttp.ClientConnectorError:
            return Submitted.refused
        except (aiohttp.ClientError, TimeoutError):
            return Submitted.doubtful

    async def statements(self, everyone: Sequence[Person]) -> Mapping[int, Statement]:
        assert self._session is not None
        statements: dict[int, Statement] = {}
        for begin in range(0, len(everyone), 100):
            parameters = [("to", person.mail) for person in everyone[begin : begin + 100]]
            async with self._session.get("/states", params=parameters) as response:
                response.raise_for_status()
                for address, state in await response.json(content_type=None):
                    number = number_of(address)
                    if number is not None and statements.get(number) is not Statement.sent:
                        statements[number] = Statement(state)
        return statements

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()


def python(environment: str) -> str:
    """Returns the Python of an environment of its own, or the one that runs this where there is none."""
    path = TOOLS / environment / "bin" / "python"
    return str(path) if path.exists() else sys.executable


def tools_missing(*parts: str) -> str | None:
    """Returns a sentence if what `make killtest-tools` installs is missing."""
    path = TOOLS.joinpath(*parts)
    return None if path.exists() else f"{'/'.join(parts)} is missing in build/killtest: make killtest-tools"


def package_version(environment: str, package: str) -> str:
    """Returns the version of a Python package in an environment of its own."""
    folders = (TOOLS / environment).glob(f"lib/python*/site-packages/{package}-*.dist-info")
    return next(folders).name.removesuffix(".dist-info").rpartition("-")[2]
