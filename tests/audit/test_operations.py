"""Operations whose case in tests/doors/cases changes nothing leave an entry when they change something."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from core.dns_lookup import DnsLookup
from core.ids import uuid7
from engine.messengers.host import hosting
from runtime.services import Services
from tests.console.test_session import CONSOLE
from tests.doors.audited import ELSEWHERE
from tests.doors.cases import canned_answers, chat_labels, messenger_accounts, webhooks
from tests.members.made import joined
from tests.second_factors.factor import second_factor
from tests.support.dns import serving_dns
from tests.support.nats import running
from tests.support.people import PASSWORD, People, Person

_RECEIVER_PAUSE = """
INSERT INTO receiver_pauses (id, owner_id, domain, provider_class, until, answer)
VALUES ($1, $2, 'example.com', 'gmail', now() + interval '1 hour', '550 5.7.1 blocked')
"""
_DONE = "SELECT * FROM audit_entries WHERE operation = $1 AND result = 'done' ORDER BY id"


async def left(services: Services, operation: str) -> list[Any]:
    """Returns the entries of an operation. There is at least one."""
    rows: list[Any] = await services.db.fetch(_DONE, operation)
    assert rows, f"{operation} has left no entry"
    return rows


async def called(person: Person, method: str, path: str, body: Any = None, **headers: str) -> Any:
    """Calls a route, which must not refuse it."""
    answer = await person.rest(method, path, json=body, headers=headers)
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None


async def project(person: Person, name: str = "Spring") -> str:
    body = {"name": name, "channel": "sms", "text": "Hi"}
    made = await called(person, "POST", "/sending-project", body)
    await called(person, "POST", f"/recipient/{made['uuid']}", {"recipients": [{"phone": "+14155550100"}]})
    return str(made["uuid"])


async def test_moves_of_a_project(ada: Person, services: Services):
    one, two = await project(ada), await project(ada, "Summer")
    await called(ada, "POST", f"/sending-project/start/{one}")
    assert (await left(services, "sending_projects.start"))[0]["changes"]["status"][0] == "draft"
    await called(ada, "POST", f"/sending-project/stop/{one}")
    assert (await left(services, "sending_projects.stop"))[0]["object_id"] == one
    await called(ada, "POST", f"/sending-project/start/{two}")
    await called(ada, "POST", "/sending-project/stop/multiple", {"uuids": [two]})
    await left(services, "sending_projects.stop_multiple")
    await called(ada, "POST", f"/recipient/{one}/remove", {"text": "4155550100"})
    assert (await left(services, "recipients.remove_some"))[0]["changes"] == {"recipients": [1, 0]}
    await called(ada, "POST", "/sending-project/multiple/delete", {"uuids": [one]})
    assert (await left(services, "project_actions.delete_multiple"))[0]["changes"]["status"][1] == "deleted"


async def test_messages_that_are_sent_again(ada: Person, services: Services):
    for path, operation in (
        ("/sending-project/retry/{}", "sending_projects.retry"),
        ("/sending-project/multiple/retry", "project_actions.retry_multiple"),
    ):
        uuid = await project(ada)
        await services.db.fetch(
            "UPDATE sending_projects SET status = 'finished', content = 1, prepared_to = 1 WHERE id = $1",
            UUID(uuid),
        )
        await services.db.fetch(
            'INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, failure_code, direction)'
            " VALUES ($1, $2, $3, 'sms', '+14155550100', 'failed', 'rejected', 'outbound')",
            uuid7(), UUID(uuid), ada.id,
        )  # fmt: skip
        body = {"uuids": [uuid]} if "multiple" in path else None
        await called(ada, "POST", path.format(uuid), body)
        assert {row["object_id"] for row in await left(services, operation)} == {uuid}


async def test_what_a_team_has(ada: Person, services: Services):
    rows = await canned_answers.rows(ada) | await chat_labels.rows(ada)
    await called(ada, "DELETE", f"/canned-answers/{rows['canned_answer']}")
    assert (await left(services, "canned_answers.delete"))[0]["changes"]["text"][0].startswith("hmac:")
    await called(ada, "DELETE", f"/chat-labels/{rows['chat_label']}")
    await left(services, "chat_labels.delete")
    added = await called(ada, "POST", "/addAccount", {"source": "telegram", "login": "noted"})
    chat = uuid7()
    await services.db.fetch(
        "INSERT INTO messenger_chats (id, account_id, thread, last_at) VALUES ($1, $2, 'x', now())",
        chat, UUID(added["account"]["accountUuid"]),
    )  # fmt: skip
    note = await called(ada, "POST", f"/messenger-chats/{chat}/notes", {"text": "Calls back."})
    (made,) = await left(services, "chat_notes.create")
    assert made["owner_id"] == ada.id and "Calls" not in str(made["changes"])
    await called(ada, "DELETE", f"/chat-notes/{note['id']}")
    await left(services, "chat_notes.delete")


async def test_domains_of_links(ada: Person, services: Services):
    async with serving_dns() as zone:
        services.single(DnsLookup, lambda: DnsLookup([zone.server]))
        domain = await called(ada, "POST", "/brand/domains", {"name": "links.example.com"})
        zone.set(domain["recordName"], "TXT", domain["recordValue"])
        await called(ada, "POST", f"/brand/domains/{domain['id']}/verify")
        (entry,) = await left(services, "brand_domains.verify")
        assert (entry["object_type"], entry["owner_id"]) == ("brandDomain", ada.id)
        assert entry["changes"] == {"status": ["pending", "verified"]}


async def test_domains(ada: Person, services: Services):
    async with serving_dns() as zone:
        services.single(DnsLookup, lambda: DnsLookup([zone.server]))
        domain = await called(ada, "POST", "/domains", {"name": "example.com"})
        zone.publish(domain["records"])
        await called(ada, "POST", f"/domains/{domain['id']}/verify")
        changes = [entry["changes"] for entry in await left(services, "domains.verify")]
        assert {"status": ["pending", "verified"]} in changes
        await called(ada, "POST", f"/domains/{domain['id']}/rotate-dkim")
        assert (await left(services, "domains.rotate"))[0]["object_type"] == "dkimKey"
        await called(ada, "DELETE", f"/domains/{domain['id']}")
        assert {entry["object_type"] for entry in await left(services, "domains.delete")} == {
            "domain",
            "dkimKey",
        }


async def test_contacts(ada: Person, services: Services):
    made = [
        await called(
            ada, "POST", "/contacts", {"externalId": each, "name": "Secret", "addresses": [
                {"channel": "email", "address": f"{each}@example.com"}
            ]}
        )
        for each in ("first", "second")
    ]  # fmt: skip
    entries = await left(services, "contacts.upsert")
    assert {entry["object_type"] for entry in entries} == {"contact", "contactAddress"}
    for entry in entries:
        assert "Secret" not in str(entry["changes"]) and "example.com" not in str(entry["changes"])
    await called(ada, "POST", f"/contacts/{made[0]['id']}/merge", {"otherUuid": made[1]["id"]})
    merged = await left(services, "contacts.merge")
    assert made[1]["id"] in {entry["object_id"] for entry in merged}
    (moved,) = (entry["changes"] for entry in merged if entry["object_type"] == "contactAddress")
    assert moved["contactId"] == [made[1]["id"], made[0]["id"]]
    await called(ada, "DELETE", f"/contacts/{made[0]['id']}")
    assert len(await left(services, "contacts.delete")) == 3
    field = await called(ada, "POST", "/contact-fields", {"key": "city", "type": "text"})
    await called(ada, "DELETE", f"/contact-fields/{field['id']}")
    await left(services, "contact_fields.delete")


async def test_topics_forms_and_segments(ada: Person, services: Services):
    topic = await called(ada, "POST", "/topics", {"key": "news", "name": "News"})
    form = {"name": "News", "topicUuids": [topic["id"]], "text": "Yes, send me news."}
    made = await called(ada, "POST", "/signup-forms", form)
    (entry,) = await left(services, "signup_forms.create")
    assert entry["changes"]["topicUuids"] == [None, [topic["id"]]]
    assert "Yes" not in str(entry["changes"])
    await called(ada, "DELETE", f"/signup-forms/{made['id']}")
    await left(services, "signup_forms.delete")
    filter = {"all": [{"any": [{"contact": {"name": {"contains": "Anna"}}}]}]}
    segment = await called(ada, "POST", "/segments", {"name": "Annas", "filter": filter})
    (entry,) = await left(services, "segments.create")
    assert entry["changes"]["name"] == [None, "Annas"]
    assert 'Anna"' not in str(entry["changes"])
    await called(ada, "DELETE", f"/segments/{segment['id']}")
    await left(services, "segments.delete")
    await called(ada, "DELETE", f"/topics/{topic['id']}")
    (entry,) = await left(services, "topics.delete")
    assert entry["changes"]["key"] == ["news", None]


async def test_templates(ada: Person, services: Services):
    template = await called(ada, "POST", "/templates", {"key": "welcome", "name": "Welcome"})
    texts = {"texts": [{"locale": "en", "text": "Hello {{ name }}"}], "testData": {"name": "Anna"}}
    draft = await called(ada, "POST", f"/templates/{template['id']}/versions", texts)
    (entry,) = await left(services, "template_versions.save")
    assert "Anna" not in str(entry["changes"])
    await called(ada, "DELETE", f"/template-versions/{draft['id']}")
    await left(services, "template_versions.delete")
    await called(ada, "DELETE", f"/templates/{template['id']}")
    (entry,) = await left(services, "templates.delete")
    assert entry["changes"]["key"] == ["welcome", None]


@pytest.mark.settings(sandbox_moment=0.05)
async def test_messenger_accounts(ada: Person, services: Services):
    async with hosting(services):
        rows = await messenger_accounts.rows(ada)
        id = UUID(rows["messenger"])
        for path, operation in (
            ("/forceStop", "messenger_accounts.stop"),
            ("/clearSession", "messenger_accounts.clear"),
        ):
            await services.db.fetch("UPDATE messenger_accounts SET wanted = true WHERE id = $1", id)
            await called(ada, "POST", path, {"source": "telegram", "login": messenger_accounts.UNUSED})
            (entry,) = await left(services, operation)
            assert entry["changes"]["wanted"] == [True, False]
        await services.db.fetch("UPDATE messenger_accounts SET restriction = 'reachOut' WHERE id = $1", id)
        await called(ada, "POST", f"/messenger-accounts/{id}/lift-restriction")
        (entry,) = await left(services, "messenger_accounts.lift_restriction")
        assert entry["changes"]["restriction"] == ["reachOut", None]


async def test_webhooks(ada: Person, services: Services):
    rows = await webhooks.rows(ada)
    hook = rows["webhook"]
    await services.db.fetch(
        "INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, body, thread, state, dead_at)"
        " VALUES ($1, $2, $3, 'x', 'x', 'x', 'dead', now())",
        uuid7(), UUID(hook), uuid7(),
    )  # fmt: skip
    await called(ada, "POST", f"/webhooks/{hook}/dead-letters/replay")
    (entry,) = await left(services, "webhook_deliveries.replay")
    assert (entry["object_id"], entry["changes"]) == (hook, {"replayed": [0, 1]})
    await services.db.fetch(
        "UPDATE webhooks SET position = 1000000 WHERE id = $1", UUID(rows["feed_webhook"])
    )
    await called(ada, "POST", f"/webhooks/{rows['feed_webhook']}/replay", {"since": "2020-01-01T00:00:00Z"})
    await left(services, "webhooks.replay")


@pytest.mark.settings(outbound_allow=["127.0.0.0/8"])
async def test_event_sinks(ada: Person, services: Services, tmp_path: Path):
    async with running(tmp_path) as broker:
        body = {"name": "Lake", "url": broker.url, "stream": "EVENTS", "replicas": 1}
        sink = (await called(ada, "POST", "/event-sinks", body))["id"]
        made = {entry["object_id"]: entry for entry in await left(services, "event_sinks.create")}[sink]
        assert (made["object_type"], made["changes"]["stream"]) == ("eventSink", [None, "EVENTS"])
        await called(ada, "PATCH", f"/event-sinks/{sink}", {"types": ["block.added"]})
        assert (await left(services, "event_sinks.update"))[0]["changes"] == {"types": [[], ["block.added"]]}
        await services.db.fetch("UPDATE event_sink_cursors SET position = 7 WHERE sink_id = $1", UUID(sink))
        await called(ada, "POST", f"/event-sinks/{sink}/replay", {"since": "2020-01-01T00:00:00Z"})
        assert (await left(services, "event_sinks.replay"))[0]["changes"] == {"replayed": [0, 7]}
        await called(ada, "POST", f"/event-sinks/{sink}/test")
        assert not await services.db.fetch(_DONE, "event_sinks.test")
        await called(ada, "DELETE", f"/event-sinks/{sink}")
        assert (await left(services, "event_sinks.delete"))[0]["object_id"] == sink


async def test_second_factors(ada: Person, services: Services):
    login = (await ada.client.post("/auth/login", json={"email": ada.email, "password": PASSWORD})).json()
    ada.token = login["accessToken"]
    factor = await second_factor(ada)
    await left(services, "second_factors.confirm_totp")
    await called(ada, "POST", "/auth/second-factors/verify", {"otp": factor.code()})
    assert (await left(services, "second_factors.verify"))[0]["object_type"] == "login"
    await called(ada, "POST", "/auth/recovery-codes", {})
    (codes,) = await left(services, "second_factors.new_recovery_codes")
    assert codes["changes"] == {"codes": ["***", "***"]}
    await called(ada, "DELETE", f"/auth/second-factors/{factor.id}")
    assert (await left(services, "second_factors.remove"))[0]["object_id"] == factor.id


async def test_the_feed_and_the_tariff(ada: Person, services: Services):
    await called(ada, "PUT", "/events/feed")
    await called(ada, "DELETE", "/events/feed")
    await left(services, "event_feed.disable")
    await services.db.fetch(
        'INSERT INTO tariffs SELECT (jsonb_populate_record(t, \'{"code": "big"}\')).* FROM tariffs AS t'
        " WHERE code = 'default'"
    )
    await called(ada, "POST", "/user/tariff", {"code": "big"})
    assert (await left(services, "tariffs.set"))[0]["changes"] == {"tariffCode": ["default", "big"]}


async def test_price_lists(admin: Person, services: Services):
    made = await called(admin, "POST", "/price-lists", {"name": "Secret", "currency": "USD"})
    path, prices = f"/price-lists/{made['id']}", {"prices": [{"prefix": "49", "price": 0.07}]}
    await called(admin, "PATCH", path, {"name": "Retail"})
    (entry,) = await left(services, "price_lists.update")
    assert (entry["owner_id"], entry["changes"]) == (None, {"name": ["Secret", "Retail"]})
    await called(admin, "POST", f"{path}/versions", prices)
    assert (await left(services, "price_lists.add_version"))[0]["changes"]["size"] == [None, 1]
    await called(admin, "DELETE", f"{path}/versions/1")
    assert (await left(services, "price_lists.delete_version"))[0]["object_type"] == "priceListVersion"
    await called(admin, "DELETE", path)
    assert (await left(services, "price_lists.delete"))[0]["object_id"] == made["id"]


async def test_costs_of_routes_and_invoices(admin: Person, services: Services):
    body = {"listId": None}
    await called(admin, "PUT", "/route-costs/sandbox", body)
    (entry,) = await left(services, "costs.set_route")
    assert (entry["object_type"], entry["object_id"]) == ("routeCost", "sandbox")
    file = await admin.rest("POST", "/file-uploader", files={"file": ("i.csv", b"Message ID\nx\n")})
    period = {"periodFrom": "2026-11-01T00:00:00Z", "periodTo": "2026-12-01T00:00:00Z"}
    invoice = {"route": "sandbox", "fileUuid": file.json()["uuid"], **period}
    made = await called(admin, "POST", "/provider-invoices", invoice)
    assert (await left(services, "provider_invoices.create"))[0]["changes"]["route"] == [None, "sandbox"]
    await called(admin, "DELETE", f"/provider-invoices/{made['id']}")
    assert (await left(services, "provider_invoices.delete"))[0]["object_id"] == made["id"]


async def test_rules_and_pauses_of_receivers(admin: Person, ada: Person, services: Services):
    rule = {"domain": "example.com", "providerClass": "gmail", "perMinute": 60}
    made = await called(admin, "PUT", "/receiver-rules", rule)
    await called(admin, "PUT", "/receiver-rules", {**rule, "perMinute": 90})
    assert {"perMinute": [60, 90]} in [
        entry["changes"] for entry in await left(services, "receivers.set_rule")
    ]
    await called(admin, "DELETE", f"/receiver-rules/{made['uuid']}")
    assert (await left(services, "receivers.delete_rule"))[0]["object_id"] == made["uuid"]
    pause = uuid7()
    await services.db.fetch(_RECEIVER_PAUSE, pause, ada.id)
    await called(admin, "DELETE", f"/receiver-pauses/{pause}")
    (entry,) = await left(services, "receivers.lift_pause")
    assert (entry["object_type"], entry["object_id"], entry["owner_id"]) == (
        "receiverPause",
        str(pause),
        ada.id,
    )


async def test_rules_of_routes(admin: Person, services: Services):
    made = await called(admin, "POST", "/route-rules", {"prefix": "49", "route": "sms-1"})
    path = f"/route-rules/{made['id']}"
    await called(admin, "PUT", path, {"prefix": "49", "route": "sms-1", "priority": 2})
    assert (await left(services, "route_rules.update"))[0]["changes"] == {"priority": [0, 2]}
    await called(
        admin, "PUT", path, {"prefix": "49", "route": "sms-1", "priority": 2, "ownerId": str(admin.id)}
    )
    assert {"ownerId": [None, str(admin.id)]} in [
        entry["changes"] for entry in await left(services, "route_rules.update")
    ]
    await called(admin, "DELETE", path)
    assert (await left(services, "route_rules.delete"))[0]["object_id"] == made["id"]
    await called(admin, "PATCH", "/system/routes/sms-1", {"enabled": False})
    assert (await left(services, "system.set_route"))[0]["changes"]["enabled"] == [True, False]
    await called(admin, "POST", "/system/routes", {"name": "north", "dsn": "sandbox://"})
    await called(admin, "DELETE", "/system/routes/north")
    assert (await left(services, "system.delete_route"))[0]["changes"] == {"dsnEncrypted": ["***", None]}


async def test_members(ada: Person, bob: Person, services: Services):
    member, id = await joined(ada, bob, "editor")
    (entry,) = await left(services, "members.accept")
    assert (entry["owner_id"], entry["actor_id"], entry["object_id"]) == (ada.id, bob.id, id)
    assert entry["changes"]["memberId"] == [None, str(bob.id)] and entry["changes"]["tokenHash"] == [
        "***",
        None,
    ]
    await called(member, "POST", "/block/+14155550107", {})
    (entry,) = await left(services, "blocks.block")
    assert (entry["owner_id"], entry["actor_id"]) == (ada.id, bob.id)
    (mine,) = (await bob.rest("GET", "/memberships")).json()
    await called(bob, "DELETE", f"/memberships/{mine['id']}")
    (entry,) = await left(services, "members.leave")
    assert (entry["owner_id"], entry["actor_id"]) == (ada.id, bob.id)
    _, id = await joined(ada, bob, "viewer")
    await called(ada, "DELETE", f"/members/{id}")
    assert (await left(services, "members.remove"))[0]["changes"]["role"] == ["viewer", None]


async def test_users(people: People, admin: Person, services: Services):
    bob = await people.make()
    await called(admin, "POST", f"/users/{bob.id}/suspend")
    await called(admin, "POST", f"/users/{bob.id}/activate")
    assert (await left(services, "users.activate"))[0]["changes"] == {"status": ["suspended", "active"]}


async def test_a_login_of_the_console(ada: Person, services: Services):
    login = {"email": ada.email, "password": PASSWORD}
    answer = await ada.client.post("/console/session", json=login, headers=CONSOLE)
    assert answer.status_code < 300, answer.text
    cookie = answer.headers["set-cookie"].partition(";")[0]
    (entry,) = await left(services, "console.log_in")
    assert (entry["actor_kind"], entry["actor_id"]) == ("console", ada.id)
    await ada.client.request("DELETE", "/console/session", headers={**CONSOLE, "cookie": cookie})
    assert (await left(services, "console.log_out"))[0]["changes"]["revokedReason"] == [None, "logout"]


def test_every_one_of_them_is_called_here():
    text = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in ELSEWHERE if name not in text] == []
