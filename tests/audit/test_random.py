"""Random operations: the entries of each are what the tables differ by before and after it, and none tells a secret."""

import random
import re
from typing import Any

from runtime.services import Services
from tests.support.examples import examples
from tests.support.people import People, Person

_TRIGGERS = """
SELECT tgrelid::regclass::text AS tab, pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgname = 'audit'
"""
_ENTRIES = "SELECT * FROM audit_entries ORDER BY id"
State = dict[tuple[str, str], dict[str, Any]]


class Tables:
    """The rows of all audited tables, with the fields that the audit tells of, as the triggers have them."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.fields: dict[str, tuple[str, str, list[str]]] = {}

    async def learn(self) -> None:
        for row in await self.services.db.fetch(_TRIGGERS):
            arguments = re.findall(r"'([^']*)'", row["definition"].rpartition("EXECUTE FUNCTION")[2])
            type, key, _, *lists = arguments
            self.fields[row["tab"]] = (
                type,
                key,
                [name for names in lists for name in names.split(",") if name],
            )
        self.fields["blocked_phones"] = "block", "id", ["reason", "scope", "phone"]

    async def rows(self) -> State:
        state: State = {}
        for table, (type, key, names) in self.fields.items():
            for row in await self.services.db.fetch(f"SELECT to_jsonb(t) AS row FROM {table} AS t"):
                whole = row["row"]
                if type == "login" and whole["revoked_reason"] not in ("logout", "refresh token reused"):
                    whole |= {"revoked_at": None, "revoked_reason": None}  # what has ended it has the entry
                state[type, str(whole[key])] = {name: whole[name] for name in names}
        return state


def differences(before: State, after: State) -> set[tuple[str, str]]:
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


class Player:
    """Somebody who does one thing after another, at random, and remembers what must be in no entry."""

    def __init__(self, person: Person, admin: Person, chance: random.Random) -> None:
        self.person, self.admin, self.chance = person, admin, chance
        self.hidden: set[str] = {person.email}
        self.ids: dict[str, list[str]] = {}

    def phone(self) -> str:
        phone = f"+1415555{self.chance.randrange(100, 130):04}"
        self.hidden.add(phone)
        return phone

    def text(self) -> str:
        text = f"offer {self.chance.getrandbits(64):x}"
        self.hidden.add(text)
        return text

    def one(self, kind: str) -> str:
        return self.chance.choice(self.ids.get(kind) or ["01890000-0000-7000-8000-000000000000"])

    async def call(
        self, method: str, path: str, body: Any = None, *, makes: str = "", id: str = "id"
    ) -> None:
        answer = await self.person.rest(method, path, json=body)
        assert answer.status_code < 500, answer.text
        if makes and answer.status_code < 300:
            made = answer.json()
            for key in ("token", "secret"):
                if isinstance(made.get(key), str):
                    self.hidden.add(made[key])
            self.ids.setdefault(makes, []).append(made.get("apiToken", made.get("webhook", made))[id])

    async def step(self) -> None:
        name = self.text().replace("offer", "name")
        project = {"name": name, "channel": "sms", "text": self.text()}
        state = self.chance.choice(("suspend", "activate"))
        doings = (
            lambda: self.call("POST", f"/block/{self.phone()}", {"reason": self.chance.choice(("manual", "optOut"))}),
            lambda: self.call("POST", f"/block/unblock/{self.phone()}"),
            lambda: self.call("POST", "/api-tokens", {"name": name}, makes="token"),
            lambda: self.call("PATCH", f"/api-tokens/{self.one('token')}", {"name": self.chance.choice("ab")}),
            lambda: self.call("DELETE", f"/api-tokens/{self.one('token')}"),
            lambda: self.call("POST", "/canned-answers", {"shortcut": name[:16].replace(" ", ""), "text": self.text()},
                              makes="answer"),
            lambda: self.call("DELETE", f"/canned-answers/{self.one('answer')}"),
            lambda: self.call("PATCH", f"/accounts/{self.person.account_id}", {"name": self.chance.choice("ab")}),
            lambda: self.call("PUT", f"/settings/{self.chance.choice('abc')}", {"value": self.text()}),
            lambda: self.call("DELETE", f"/settings/{self.chance.choice('abc')}"),
            lambda: self.call("POST", "/sending-project", project, makes="project", id="uuid"),
            lambda: self.call("PATCH", f"/sending-project/{self.one('project')}", {"text": self.text()}),
            lambda: self.call("DELETE", f"/sending-project/{self.one('project')}"),
            lambda: self.call("POST", "/webhooks", {"url": f"https://example.com/{self.text()[6:]}"}, makes="hook"),
            lambda: self.call("DELETE", f"/webhooks/{self.one('hook')}"),
            lambda: self.admin.rest("POST", f"/users/{self.victim}/{state}"),
            lambda: self.call("PATCH", f"/users/{self.person.id}", {"displayName": self.text()}),
            lambda: self.call("GET", "/users"),
        )  # fmt: skip
        await self.chance.choice(doings)()

    victim: Any = None


async def test_entries_are_the_differences(people: People, admin: Person, services: Services):
    chance = random.Random(57)
    ada, bob = await people.make(), await people.make()
    player = Player(ada, admin, chance)
    player.victim = bob.id
    tables = Tables(services)
    await tables.learn()
    assert len(tables.fields) > 20
    before, seen, changed = await tables.rows(), len(await services.db.fetch(_ENTRIES)), 0
    for _ in range(examples(120)):
        await player.step()
        after, entries = await tables.rows(), await services.db.fetch(_ENTRIES)
        new = [row for row in entries[seen:] if row["result"] == "done"]
        assert {(row["object_type"], row["object_id"]) for row in new} == differences(before, after)
        before, seen, changed = after, len(entries), changed + len(new)
    assert changed > 40
    whole = str([dict(row) for row in await services.db.fetch(_ENTRIES)])
    assert len(player.hidden) > 50
    assert [secret for secret in player.hidden if secret in whole] == []
