"""Every type of the catalogue: what records it, and what its data has."""

from typing import Any
from uuid import UUID

import orjson
import pytest

from channels.sandbox import Effect
from core.ids import uuid7
from engine.chains.stepper import step_once
from engine.consent import capped, expiry
from engine.direct.dispatch import Dispatcher
from engine.feed import rounds
from engine.mail_reports.degraded import find_degraded
from engine.messengers import account_notices
from engine.projects import progress
from engine.reconciliations import making
from messengers.whatsapp_cloud.values import Notice, Preference
from runtime.services import Services
from schema.root import build
from shapes import event_feed as shapes
from tests.approvals import made as approvals
from tests.consent import made as consent
from tests.event_feed.test_event_feed import SMS, opened, read
from tests.members.made import joined
from tests.persons.test_erasing import finished
from tests.second_factors.factor import second_factor
from tests.senders.made import asked, decided
from tests.sinks.made import failing
from tests.support.gateway import MAGIC
from tests.support.people import Person
from tests.support.waits import until
from tests.templates import made as templates
from tools import event_types

_MESSENGER = """
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver)
  VALUES ($1, $2, 'telegram', '1', 'x', 'sandbox')
"""
_CHAT = """
INSERT INTO messenger_messages (id, account_id, thread, provider_id, outgoing, sender, text, at, status, past)
VALUES ($1, $2, 't', $3, $4, 's', 'hello', now(), $5, $6)
"""
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status) VALUES ($1, $2, $3, 'p', 'sms', 'draft')
"""
_RECORD = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to") VALUES ($1, $2, $3, 'sms', '+14155550100')
"""


SMS_STEP = {"channel": "sms", "to": "+14155550100", "within": 60}

_PROGRESSED = """
SELECT true FROM event_inbox WHERE type = 'project.progressed'
UNION ALL SELECT true FROM events WHERE type = 'project.progressed'
"""


class World:
    """Rows of ada's, and SQL that changes them."""

    def __init__(self, services: Services, ada: Person, admin: Person) -> None:
        self.admin = admin
        self.services, self.db, self.ada = services, services.db, ada
        self.message, self.project, self.record = uuid7(), uuid7(), uuid7()
        self.messenger, self.chat = uuid7(), uuid7()

    async def make(self) -> None:
        ada = self.ada
        self.message = (await ada.rest("POST", "/messages", json=SMS)).json()["id"]
        await self.db.fetch(_PROJECT, self.project, ada.id, ada.account_id)
        await self.db.fetch(_RECORD, self.record, self.project, ada.id)
        await self.db.fetch(_MESSENGER, self.messenger, ada.id)
        await self.db.fetch(_CHAT, self.chat, self.messenger, "1", True, "pending", False)

    async def send(self) -> None:
        """Sends what is queued by sms, as a worker would. Nothing is reported of it afterwards."""

        async def ignore(channel: Any, events: Any) -> None: ...

        await self.services.routes.open(ignore)
        try:
            await Dispatcher(self.services, worker="test").drain("sms")
        finally:
            await self.services.routes.close()

    async def set(self, table: str, id: Any, **values: Any) -> None:
        sets = ", ".join(f"{name} = ${number}" for number, name in enumerate(values, 2))
        await self.db.fetch(f"UPDATE {table} SET {sets} WHERE id = $1", id, *values.values())


async def cause(it: World, type: str) -> None:
    """Does what the type is about."""
    ada = it.ada
    area, _, name = type.partition(".")
    match area, name:
        case "contact", "erased":
            made = (await ada.rest("POST", "/contacts", json={"externalId": "1"})).json()
            begun = await ada.rest("POST", "/persons/erase", json={"contactUuid": made["id"]})
            await finished(it.services, ada, begun.json()["id"])
        case "contact", _:
            made = (await ada.rest("POST", "/contacts", json={"externalId": "1"})).json()
            await ada.rest("POST", "/contacts", json={"externalId": "1", "name": "Anna"})
            if name == "deleted":
                await ada.rest("DELETE", f"/contacts/{made['id']}")
        case "approval", _:
            await approvals.rule(ada, mode="off", selfApproval=True)
            project = await approvals.project(ada)
            plan_hash = (await approvals.plan(ada, project))["hash"]
            approval = await approvals.ask(ada, project, plan_hash)
            if name in ("approved", "refused"):
                await approvals.decide(ada, approval, plan_hash, name)
            elif name == "withdrawn":
                await ada.rest("POST", f"/approvals/{approval['uuid']}/withdraw")
            elif name == "voided":
                await ada.rest("PATCH", f"/sending-project/{project}", json={"text": "New"})
        case "template", "published":
            await templates.published(ada, "welcome", templates.text(text="Hi"))
        case "message", "stepped" | "settled":
            steps = [{**SMS_STEP, "to": MAGIC["sms"][Effect.failed]}, SMS_STEP]
            if name == "settled":
                steps = steps[:1]
            await ada.rest("POST", "/messages", json={"chain": steps, "body": "hi"})
            await it.send()
            await step_once(it.services)
        case "message", "queued":
            await ada.rest("POST", "/messages", json=SMS)
            await it.set("message_records", it.record, status="failed", failure_code="x")
            await it.set("message_records", it.record, status="queued")
        case "message", "refused":
            await ada.rest("POST", "/messages", json={**SMS, "to": MAGIC["sms"][Effect.failed]})
            await it.send()
        case "message", "expired":
            await it.set("messages", it.message, state="failed", failure_code="expired")
        case "message", "replied":
            await it.db.fetch("UPDATE message_records SET replied_at = now() WHERE id = $1", it.record)
        case "message", "received":
            await it.db.fetch(
                'INSERT INTO message_records (id, project_id, owner_id, channel, "to", direction, body)'
                " VALUES ($1, $2, $3, 'sms', '+14155550100', 'inbound', 'yes please')", uuid7(), it.project, ada.id,
            )  # fmt: skip
        case "message", "clicked":
            link = uuid7()
            await it.db.fetch(
                "INSERT INTO click_links (id, project_id, url) VALUES ($1, $2, 'https://example.com')",
                link,
                it.project,
            )
            await it.db.fetch(
                "INSERT INTO clicks (message_id, link_id, project_id, owner_id, machine, at)"
                " VALUES ($1, $2, $3, $4, 'head', now())", it.record, link, it.project, ada.id,
            )  # fmt: skip
            await it.db.fetch("UPDATE clicks SET machine = NULL WHERE link_id = $1", link)
        case "message", "bounced" | "complained":
            await it.db.fetch(f"UPDATE message_records SET {name}_at = now() WHERE id = $1", it.record)
            await it.db.fetch(f"UPDATE messages SET {name}_at = now() WHERE id = $1", it.message)
        case "message", status:
            await it.set("message_records", it.record, status="sending")
            await it.set("message_records", it.record, status=status)
        case "project", "reconciled":
            await it.set("sending_projects", it.project, status="running")
            assert await progress.finish(it.services.db, it.project)
            waiting = await it.db.fetchval("SELECT id FROM reconciliations")
            await making.make(it.services, waiting)
        case "project", "started":
            await it.set("sending_projects", it.project, status="running")
        case "project", "resumed":
            await it.set("sending_projects", it.project, status="paused", status_reason="tariff_used_up")
            await it.set("sending_projects", it.project, status="running", status_reason=None)
        case "project", "progressed":
            await it.set("sending_projects", it.project, status="running")
            await it.set("message_records", it.record, status="sent")
            await it.db.fetch("UPDATE event_feed_progress SET progress_at = now() - interval '2 seconds'")

            async def is_recorded() -> bool:
                await rounds.record_progress(it.services)  # passes over what another worker has locked
                return bool(await it.db.fetchval(_PROGRESSED))

            await until(is_recorded)
            await rounds.record_progress(it.services)  # too soon
        case "project", status:
            await it.set("sending_projects", it.project, status=status)
        case "import", _:
            status = "ready" if name == "finished" else "failed"
            id = uuid7()
            await it.db.fetch(
                "INSERT INTO recipient_imports (id, owner_id, region) VALUES ($1, $2, 'US')", id, ada.id
            )
            await it.set("recipient_imports", id, status=status)
        case "export", _:
            started = await ada.rest("POST", "/export-link/start", json={"source": "messages"})
            status = "ready" if name == "finished" else "failed"
            await it.set("export_links", started.json()["uuid"], status=status)
        case "block", "added":
            await ada.rest("POST", "/block/+14155550100")
        case "block", "removed":
            await ada.rest("POST", "/block/+14155550100")
            await ada.rest("POST", "/block/unblock/+14155550100")
        case "address", "suppressed":
            await ada.rest("POST", "/block/+14155550100", json={"reason": "hardBounce"})
            await ada.rest("POST", "/block/+14155550101")
            await ada.rest("POST", "/block/+14155550101", json={"reason": "complaint"})
        case "country", "limited":
            await ada.rest("PUT", "/country-rules", json={"perHour": 1})
            for _ in range(3):
                await ada.rest("POST", "/messages", json=SMS)
        case "account", "credited":
            credit = 'mutation($a:UUID!){creditAccount(input:{accountId:$a,amount:5,note:"paid"}){uuid}}'
            await it.admin.data(credit, {"a": str(ada.account_id)})
        case "account", "low":
            await it.set("accounts", ada.account_id, low_balance=5)
            await it.db.fetch("UPDATE accounts SET balance = 4 WHERE id = $1", ada.account_id)
        case "account", "empty":
            await it.db.fetch("UPDATE accounts SET balance = 0 WHERE id = $1", ada.account_id)
        case ("template", _) | ("marketing", _) | ("messengerAccount", "updated" | "rated"):
            said: Notice | Preference = Notice(type, {"event": "APPROVED", "templateName": "x"})
            if area == "marketing":
                said = Preference(["+14155550100"], name == "stopped", {"address": "+14155550100"})
            async with it.db.transaction() as db:
                await account_notices.record(db, it.messenger, ada.id, said)
        case "messengerAccount", "restricted" | "lifted":
            await it.set("messenger_accounts", it.messenger, restriction="reachOut")
            if name == "lifted":
                await ada.rest("POST", f"/messenger-accounts/{it.messenger}/lift-restriction")
        case "messengerAccount", _:
            await it.set("messenger_accounts", it.messenger, state="working")
        case "chat", "received":
            await it.db.fetch(_CHAT, uuid7(), it.messenger, "4", False, "server", True)
            await it.db.fetch("UPDATE messenger_messages SET past = false WHERE provider_id = '4'")
            await it.db.fetch(_CHAT, uuid7(), it.messenger, "2", False, "server", True)  # of the history
            await it.db.fetch(_CHAT, uuid7(), it.messenger, "3", False, "server", False)
        case "chat", "sent":
            await it.db.fetch(
                _CHAT, uuid7(), it.messenger, "5", True, "server", False
            )  # written on the phone
            await it.set("messenger_messages", it.chat, status="server")
        case "chat", "closed" | "reopened":
            chat = uuid7()
            sql = "INSERT INTO messenger_chats (id, account_id, thread) VALUES ($1, $2, 'other')"
            await it.db.fetch(sql, chat, it.messenger)
            await it.db.fetch("UPDATE messenger_chats SET closed_at = now() WHERE id = $1", chat)
            if name == "reopened":
                await it.set("messenger_chats", chat, closed_at=None)
        case "chat", _:
            status = {"sent": "server", "read": "has_seen", "failed": "errored"}.get(name, name)
            await it.set("messenger_messages", it.chat, status=status)
        case "apiToken", _:
            token = (await ada.data('mutation{createApiToken(input:{name:"x"}){apiToken{id}}}'))[
                "createApiToken"
            ]
            id = token["apiToken"]["id"]
            if name == "revoked":
                await ada.data(f'mutation{{revokeApiToken(id:"{id}"){{id}}}}')
            elif name == "changed":
                await ada.data(f'mutation{{updateApiToken(id:"{id}",input:{{scopes:["ai:write"]}}){{id}}}}')
            elif name == "refused":
                await it.db.fetch("UPDATE api_tokens SET last_refused_at = now(), last_refusal = 'ai:write'")
        case "member", _:
            _, id = await joined(ada, it.admin, "viewer")
            if name == "changed":
                await ada.rest("PATCH", f"/members/{id}", json={"role": "editor"})
            elif name == "removed":
                await ada.rest("DELETE", f"/members/{id}")
        case "domain", "degraded":
            await it.db.fetch(
                "INSERT INTO domain_counters (owner_id, provider_class, bucket, shard, accepted, complaints)"
                " VALUES ($1, 'gmail', now(), 0, 1000, 0), ($1, 'gmail', now(), 32, 0, 3)", ada.id,
            )  # fmt: skip
            await find_degraded(it.services)
        case "brandDomain", status:
            body = {"name": "links.example.com"}
            domain = (await ada.rest("POST", "/brand/domains", json=body)).json()["id"]
            await it.set("brand_domains", domain, status=status)
        case "domain", status:
            domain = (await ada.rest("POST", "/domains", json={"name": "example.com"})).json()["id"]
            await it.set("domains", domain, status=status)
        case "sender", _:
            sender = await asked(ada)
            if name != "requested":
                await decided(it.admin, sender, name, "It is the name of a bank.")
        case "subscription", _:
            topic = await consent.topic(ada, optIn="double" if name in ("pending", "expired") else "none")
            contact = await consent.contact(ada)
            await consent.subscribe(ada, [contact], [topic])
            if name == "withdrawn":
                await consent.withdraw(ada, [contact])
            elif name == "expired":
                await it.db.fetch("UPDATE opt_ins SET created_at = created_at - interval '8 days'")
                await expiry.forget(it.services)
        case "subscribe", _:
            form = {"name": "News", "topicUuids": [await consent.topic(ada)]}
            made = (await ada.rest("POST", "/signup-forms", json=form)).json()
            await capped.emit(it.services, ada.id, UUID(made["id"]))
        case "sink", _:
            await failing(it.services, ada.id, recovered=name == "recovered")
        case "secondFactor", _:
            factor = await second_factor(ada)
            if name == "removed":
                await ada.rest("DELETE", f"/auth/second-factors/{factor.id}")
        case "hookSecret", _:
            secret = (await ada.data("mutation{createHookKey{hookSecret{id}}}"))["createHookKey"]
            if name == "revoked":
                await ada.data(f'mutation{{revokeHookSecret(id:"{secret["hookSecret"]["id"]}"){{id}}}}')
        case "verification", "suspected":
            await it.db.fetch(
                "INSERT INTO suspected_groups (id, owner_id, kind, value, country, hour, threshold, started, approved,"
                " saved, currency) VALUES ($1, $2, 'prefix', '+1415', 'US', now(), 100, 100, 0, 0.01, 'USD')",
                uuid7(), ada.id,
            )  # fmt: skip
        case "verification", _:
            started = await ada.rest("POST", "/verifications", json={"to": SMS["to"], "channel": "sms"})
            if name != "started":
                status = "approved" if name == "approved" else "expired"
                await it.set("verifications", started.json()["id"], status=status)
        case _:
            raise AssertionError(f"{type}: say here what causes it")


@pytest.mark.parametrize(
    "event_type", [t for t in shapes.CATALOGUE if t.subject != "feed"], ids=lambda event_type: event_type.type
)
async def test_each_type_is_recorded_with_fields_of_its_graphql_type(
    event_type: shapes.EventType, ada: Person, bob: Person, admin: Person, services: Services
):
    it = World(services, ada, admin)
    await it.make()
    start, of_bob = await opened(ada), await opened(bob)
    await cause(it, event_type.type)
    events = (await read(ada, start))["events"]
    examples = [event for event in events if event["type"] == event_type.type]
    assert examples, [event["type"] for event in events]
    assert (await read(bob, of_bob))["events"] == []
    schema = build(explorable=True)._schema
    if event_type.type in ("chat.received", "chat.sent"):
        assert len(examples) == 2
    if event_type.type in ("message.queued", "message.bounced", "message.complained"):
        assert {event["subject"] for event in examples} == {"message", "messageRecord"}
    if event_type.type == "address.suppressed":
        assert len(examples) == 2
    if event_type.type == "account.credited":
        (credited,) = examples
        balance = float((await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"])
        assert (credited["data"]["amount"], credited["data"]["balance"]) == (5, balance)
    if event_type.type == "project.progressed":
        assert [event["data"]["counts"]["sent"] for event in examples] == [1]
    for event in examples:
        assert event["subject"] in event_type.subject.split(" or ")
        name = event["subject"][0].upper() + event["subject"][1:]
        fields = schema.type_map[name].fields
        assert name in event_type.data.split(" or ")
        unknown = {key for key in event["data"] if key not in fields} - _EXTRA.get(name, set())
        assert not unknown


_EXTRA = {
    "Message": {"bounceClass", "step", "stepCount"},
    "MessageRecord": {"bounceClass"},
    "Contact": {"mergedIntoUuid", "parts"},
    "Account": {"amount", "entryId", "note"},
    "MessengerAccount": set(
        "address ban detail disabled event limit limitBefore other phone"  # noqa: SIM905  a list has a line for each
        " preference reason rejection restrictions templateCategory templateId templateLanguage templateName"
        " violation".split()
    ),
    "MessengerChat": {"accountUuid"},
    "MessengerMessage": {"accountUuid", "chatUuid"},
}


async def test_no_event_has_a_secret(ada: Person):
    start = await opened(ada)
    made = await ada.data('mutation{createApiToken(input:{name:"x"}){token}}')
    secret = await ada.data("mutation{rotateHookSecret{secret}}")
    page = await read(ada, start)
    assert {event["type"] for event in page["events"]} == {"apiToken.created", "hookSecret.created"}
    body = orjson.dumps(page).decode()
    assert made["createApiToken"]["token"] not in body
    assert secret["rotateHookSecret"]["secret"] not in body


def test_the_page_of_the_docs_has_the_catalogue():
    assert event_types.PAGE.read_text(encoding="utf-8") == event_types.page()


async def test_the_catalogue_by_rest(client):
    answer = await client.get("/events/types")
    assert answer.json() == [line.model_dump() for line in shapes.CATALOGUE]
