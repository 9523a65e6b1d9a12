"""Chains for tests: what is asked for, and a look at what has become of it."""

from dataclasses import dataclass
from typing import Any

from channels.port import Receipt, Result
from engine.chains.stepper import BATCH, step_once
from engine.worker import receive_events
from runtime.services import Services
from tests.support.people import Person

PHONE, EMAIL = "+14155550100", "ann@example.com"
SMS = {"channel": "sms", "to": PHONE, "within": 60}
MAIL = {"channel": "email", "to": EMAIL}

_MONEY = """
SELECT (SELECT balance FROM accounts WHERE id = $1) AS balance,
  (SELECT COALESCE(sum(amount), 0) FROM ledger_entries WHERE account_id = $1) AS ledger,
  (SELECT count(*) FROM (SELECT FROM ledger_entries WHERE account_id = $1 AND reference IS NOT NULL
     GROUP BY kind, reference, attempt HAVING count(*) > 1) AS twice) AS twice
"""


def chain(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"chain": [*steps], "body": "Your code is 424242", **more}


@dataclass
class Chains:
    """Chains of one person."""

    services: Services
    person: Person

    async def send(self, *steps: dict[str, Any], **more: Any) -> str:
        answer = await self.person.rest("POST", "/messages", json=chain(*steps, **more))
        assert answer.status_code == 202, answer.text
        id: str = answer.json()["id"]
        return id

    async def step(self) -> None:
        """Takes all chains on that wait, as a worker's round would."""
        while await step_once(self.services) == BATCH:
            pass

    async def read(self, id: str) -> Any:
        return (await self.person.rest("GET", f"/messages/{id}")).json()

    async def states(self, id: str) -> list[str | None]:
        return [step["deliveryState"] for step in (await self.read(id))["steps"]]

    async def report(self, id: str, step: int, result: Result = Result.delivered) -> None:
        """Reports of a step as its provider would."""
        shown = (await self.read(id))["steps"][step - 1]
        (route,) = self.services.routes.of(shown["channel"])
        await receive_events(self.services, route, [Receipt(shown["messageId"], result)])

    async def pass_time(self, seconds: int) -> None:
        """Makes what is stored so many seconds older."""
        for column in ("began_at", "due_at"):
            await self.services.db.fetch(
                f"UPDATE message_chains SET {column} = {column} - make_interval(secs => $1)", float(seconds)
            )
        await self.services.db.fetch(
            "UPDATE messages SET expires_at = expires_at - make_interval(secs => $1) WHERE expires_at IS NOT NULL",
            float(seconds),
        )

    async def money(self) -> Any:
        """Returns the balance, whose ledger must be the same, with no entry twice."""
        row = await self.services.db.fetchrow(_MONEY, self.person.account_id)
        assert row["balance"] == row["ledger"]
        assert row["twice"] == 0
        return row["balance"]
