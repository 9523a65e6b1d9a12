"""Clients that use every part of the service meanwhile, and note each answer that tells of a failure."""

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import aiohttp

from tests.doors.case import Case
from tests.doors.cases import FEATURES
from tests.support.balancer import Balancer
from tests.support.people import PASSWORD
from tests.support.waits import PATIENCE

EMAIL = "ada@example.com"
SPELLED_AGAIN = 40  # a person's address comes in another spelling so many rounds later
PAUSE = 0.1

_SEND = "mutation($to:String!,$body:String!){sendMessage(input:{to:$to,channel:sms,body:$body}){uuid}}"


def reads() -> list[tuple[str, str, Any]]:
    """Returns a request for each list, row and number that a user has, by both doors.

    Not for `/health`: an API that drains answers it with 503, so that the balancer sends it nothing more.
    """
    requests: list[tuple[str, str, Any]] = []
    cases: list[Case] = [
        case for feature in FEATURES for case in feature.CASES.values() if case.kind in ("own", "public")
    ]
    for case in cases:
        if case.rest and case.rest.method == "GET" and "{" not in case.rest.path and not case.owner:
            if case.rest.path == "/health":
                continue
            requests.append(("GET", case.rest.path, None))
        if case.graphql and case.graphql.startswith("{"):
            requests.append(("POST", "/graphql", {"query": case.graphql}))
    return requests


class Load:
    """One user's clients. `failures` are answers of status 500 or more, GraphQL's internal errors, and lost
    connections.
    """

    def __init__(self, balancer: Balancer) -> None:
        self._balancer = balancer
        self._session: aiohttp.ClientSession
        self._done = asyncio.Event()
        self._number = itertools.count(1)
        self._draft: dict[str, str] | None = None
        self._round = 0
        self.headers: dict[str, str] = {}
        self.outcomes: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.accepted: dict[str, str] = {}  # the id of each direct message, by its text
        self.projects: dict[str, list[str]] = {}  # the recipients of each project that was started

    @property
    def answers(self) -> int:
        return sum(self.outcomes.values())

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs the clients, which end what they have begun."""
        clients: tuple[Callable[[], Awaitable[None]], ...] = (
            self._messages, self._messages_by_graphql, self._blocks, self._projects, self._recipients, self._logins,
            self._imports, self._reads,
        )  # fmt: skip
        async with asyncio.TaskGroup() as group:
            for client in clients:
                group.create_task(self._again(client))
            yield
            self._done.set()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        timeout = aiohttp.ClientTimeout(total=PATIENCE)
        async with aiohttp.ClientSession(timeout=timeout) as self._session:
            yield

    async def _again(self, client: Callable[[], Awaitable[None]]) -> None:
        while not self._done.is_set():
            await client()
            await asyncio.sleep(PAUSE)

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the answer's JSON, or None if there is none."""
        name = body["query"] if path == "/graphql" else f"{method} {path}"
        try:
            url = await self._balancer.choose() + path
            async with self._session.request(method, url, json=body, headers=self.headers) as answer:
                text = await answer.text()
                self.outcomes[str(answer.status)] += 1
                if answer.status >= 500 or "internal_error" in text:
                    self.failures[f"{name}: {answer.status}"] += 1
                    return None
                if answer.status >= 400:
                    self.refusals[f"{method} {path.split('/')[1]}: {(await answer.json())['message']}"] += 1
                    return None
                return await answer.json() if text else None
        except (aiohttp.ClientError, TimeoutError) as error:
            self.failures[f"{name}: {error!r}"] += 1
            return None

    async def register(self) -> UUID:
        """Makes the user and logs in. Returns the user's id."""
        person = {"email": EMAIL, "password": PASSWORD}
        await self.call("POST", "/auth/register", person)
        tokens = await self.call("POST", "/auth/login", person)
        self.headers = {"Authorization": f"Bearer {tokens['accessToken']}"}
        return UUID((await self.call("GET", "/auth/me"))["id"])

    # What the clients do again and again

    async def _messages(self) -> None:
        body = f"direct {next(self._number)}"
        made = await self.call("POST", "/messages", {"to": "+14155550100", "channel": "sms", "body": body})
        if made:
            self.accepted[body] = made["id"]
            await self.call("GET", f"/messages/{made['id']}/status")

    async def _messages_by_graphql(self) -> None:
        body = f"direct {next(self._number)}"
        variables = {"to": "+14155550101", "body": body}
        made = await self.call("POST", "/graphql", {"query": _SEND, "variables": variables})
        if made and "errors" in made:
            self.failures[f"sendMessage: {made['errors'][0]['message']}"] += 1
        elif made:
            self.accepted[body] = made["data"]["sendMessage"]["uuid"]

    async def _blocks(self) -> None:
        number = next(self._number)
        for address in (f"Person.{number}@Example.com", f"person.{number}@example.com", f"+1415{number:07}"):
            await self.call("POST", f"/block/{address}", {})
        if number % 2:
            await self.call("POST", f"/block/unblock/Person.{number}@example.com")

    async def _projects(self) -> None:
        number = next(self._number)
        project = {
            "name": f"project {number}",
            "channel": "sms",
            "text": "{{ name }}",
            "category": "transactional",
        }
        made = await self.call("POST", "/sending-project", project)
        if not made:
            return
        uuid = made["uuid"]
        texts = [f"{uuid} {place}" for place in range(20)]
        people = [{"phone": f"+1415555{place:04}", "name": text} for place, text in enumerate(texts)]
        await self.call("PATCH", f"/sending-project/{uuid}", {"name": f"changed {number}"})
        added = await self.call("POST", f"/recipient/{uuid}", {"recipients": people})
        if added and await self.call("POST", f"/sending-project/start/{uuid}", {}):
            self.projects[uuid] = texts
        await self.call("GET", f"/sending-project/{uuid}")
        await self.call("GET", f"/recipient/list/{uuid}")

    async def _recipients(self) -> None:
        """Adds people to one draft, each a second time in another spelling much later."""
        if self._draft is None:
            self._draft = await self.call("POST", "/sending-project", {"name": "draft", "channel": "email"})
            return
        self._round += 1
        people = [
            {"phone": f"Anna.{self._round}@Example.com"},
            {"phone": f"bob.{self._round}@example.com"},
            {"phone": f"anna.{self._round - SPELLED_AGAIN}@example.com"},
            {"phone": f"Bob.{self._round - SPELLED_AGAIN}@example.com"},
        ]
        known = self._round > SPELLED_AGAIN
        path = f"/recipient/{self._draft['uuid']}"
        await self.call("POST", path, {"recipients": people if known else people[:2]})

    async def _logins(self) -> None:
        tokens = await self.call("POST", "/auth/login", {"email": EMAIL, "password": PASSWORD})
        if tokens:
            await self.call("POST", "/auth/refresh", {"refreshToken": tokens["refreshToken"]})

    async def _imports(self) -> None:
        number = next(self._number)
        text = (
            f"Import.{number}@Example.com; Anna\nimport.{number}@example.com; Bob\nother.{number}@example.com"
        )
        made = await self.call("POST", "/recipient-import/text", {"text": text})
        project = await self.call(
            "POST", "/sending-project", {"name": f"imported {number}", "channel": "email"}
        )
        while made and made["status"] not in ("ready", "failed"):
            await asyncio.sleep(0.1)
            made = await self.call("GET", f"/recipient-import/{made['uuid']}")
        if made and project:
            body = {"importUuid": made["uuid"]}
            await self.call("POST", f"/recipient/{project['uuid']}", body)
            await self.call("DELETE", f"/sending-project/{project['uuid']}")
        await asyncio.sleep(0.3)

    async def _reads(self) -> None:
        for request in reads():
            await self.call(*request)
            if self._done.is_set():
                return
