"""Random steps of one contact's consent, through the public doors, and a model of what must come of them."""

import random
from dataclasses import dataclass, field
from typing import Any, Self
from uuid import UUID

import httpx

from engine import unsubscribe
from engine.direct.withheld_links import OPT_IN
from runtime.services import Services
from tests.consent.made import subscribe, topic, withdraw
from tests.consent.test_signups import form, preferences
from tests.support.people import Person

_ASKED = "SELECT id FROM opt_ins WHERE contact_id = $1 ORDER BY id DESC LIMIT 1"


@dataclass
class Model:
    """The wishes of one contact as they must be: the state of each topic, and which withdrawals stand."""

    states: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    asked: list[tuple[str, list[str]]] = field(
        default_factory=list
    )  # tokens, and the topics that they are about

    def subscribe(self, topics: list[str], double: set[str], *, evidence: bool) -> None:
        for each in topics:
            if each in self.withdrawn and not evidence:
                continue
            if each in double and not evidence:
                if self.states.get(each) != "active":
                    self.states[each] = "pending"
            else:
                self.activate(each)

    def activate(self, each: str) -> None:
        self.states[each] = "active"
        self.withdrawn.discard(each)

    def withdraw(self, topics: list[str]) -> None:
        for each in topics:
            self.states[each] = "withdrawn"
            self.withdrawn.add(each)

    def sign_up(self, topics: list[str], double: set[str]) -> list[str]:
        """Returns the topics that the person is asked about."""
        asked = []
        for each in topics:
            if self.states.get(each) == "active":
                continue
            if each in double or each in self.withdrawn:
                self.states[each] = "pending"
                asked.append(each)
            else:
                self.activate(each)
        return asked


@dataclass
class Histories:
    """Takes the steps of contacts of one owner, who has a topic with a double opt-in and one without."""

    person: Person
    client: httpx.AsyncClient
    services: Services
    news: str
    offers: str
    form: str

    @classmethod
    async def make(cls, person: Person, client: httpx.AsyncClient, services: Services) -> Self:
        news, offers = await topic(person, optIn="double"), await topic(person, "offers")
        return cls(person, client, services, news, offers, await form(person, [news, offers]))

    @property
    def topics(self) -> list[str]:
        return [self.news, self.offers]

    async def contacts(self, count: int) -> list[str]:
        """Adds contacts with the addresses c0@example.com and so on, and returns their uuids."""
        contacts = [
            {"addresses": [{"channel": "email", "address": f"c{n}@example.com"}]} for n in range(count)
        ]
        answer = await self.person.rest("POST", "/contacts/bulk", json={"contacts": contacts})
        return [*answer.json()["uuids"]]

    async def step(self, chance: random.Random, number: int, uuid: str, model: Model) -> None:
        """Does one thing to the contact with this number, and the same to its model."""
        some, double = chance.sample(self.topics, chance.randint(1, 2)), {self.news}
        match chance.randrange(7):
            case 0 | 1:
                evidence = chance.random() < 0.3
                more: dict[str, Any] = {"evidence": "form"} if evidence else {}
                pending = [each for each in some if each in double and model.states.get(each) != "pending"]
                answer = await subscribe(self.person, [uuid], some, **more)
                model.subscribe(some, double, evidence=evidence)
                if answer["pending"]:
                    model.asked.append((await self._token_of(uuid), pending))
            case 2:
                await withdraw(self.person, [uuid], some, channel="email")
                model.withdraw(some)
            case 3:
                keys = {self.news: "news", self.offers: "offers"}
                data = {"email": f"c{number}@example.com", "topic": [keys[each] for each in some]}
                assert (await self.client.post(f"/signup/{self.form}", data=data)).status_code == 200
                if asked := model.sign_up(some, double):
                    model.asked.append((await self._token_of(uuid), asked))
            case 4 if model.asked:
                token, asked = model.asked.pop()
                assert (await self.client.get(f"/opt-in/{token}")).status_code == 200  # by a scanner
                assert (await self.client.post(f"/opt-in/{token}")).status_code == 200
                for each in asked:
                    if model.states.get(each) == "pending":
                        model.activate(each)
            case 5:
                chosen = chance.sample(self.topics, chance.randint(0, 2))
                boxes = [f"{each}:email" for each in chosen]
                data = {"topic": boxes, "shown": [f"{each}:email" for each in self.topics]}
                answered = await self.client.post(await preferences(self.services, uuid), data=data)
                assert answered.status_code == 200
                refused = [each for each in self.topics if each not in chosen]
                model.withdraw([each for each in refused if model.states.get(each) in ("active", "pending")])
                for each in chosen:
                    model.activate(each)

    async def _token_of(self, contact: str) -> str:
        """Returns the token of the newest message that asked a contact."""
        id = await self.services.db.fetchval(_ASKED, UUID(contact))
        return unsubscribe.token(self.services.key(OPT_IN.purpose), id)
