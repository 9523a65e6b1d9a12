"""POST /messages by WhatsApp: through Cloud accounts, with templates, files, the window of 24 hours, and receipts."""

from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from core.settings import Settings
from engine.messengers.host import Host
from runtime.services import Services
from tests.support.messengers import ok
from tests.support.people import Person
from tests.whatsapp_cloud.hook import Hook
from tests.whatsapp_cloud.meta import Meta, Number, error, report

TO = "+16505551234"
SHOP = {"login": "shop", "source": "whatsapp"}
MESSAGE = {"to": TO, "channel": "whatsapp", "body": "Your order has left."}
TEMPLATE = {"name": "order_shipped", "language": "de", "params": ["Anna"]}
Drain = Callable[[str], Awaitable[int]]


@pytest.fixture
def settings(make_settings: Any, meta: Meta) -> Settings:
    made: Settings = make_settings(whatsapp_driver=["whatsapp-cloud", "sandbox"], whatsapp_cloud_url=meta.url)
    return made


@pytest.fixture
async def shop(host: Host, ada: Person, number: Number) -> str:
    added = await ok(ada, "addAccount", **SHOP, driver="whatsapp-cloud", credentials=number.credentials)
    await ok(ada, "setState", **SHOP, setState=True)
    return str(added["account"]["accountUuid"])


async def send(person: Person, **fields: Any) -> Any:
    return await person.rest("POST", "/messages", json={**MESSAGE, **fields})


async def state(person: Person, id: str) -> dict[str, Any]:
    shown: dict[str, Any] = (await person.rest("GET", f"/messages/{id}")).json()
    return shown


async def balance(person: Person) -> Decimal:
    answer = await person.rest("GET", f"/accounts/{person.account_id}/balance")
    return Decimal(str(answer.json()["balance"]))


async def test_texts_and_templates_leave_through_the_account(
    shop: str, ada: Person, number: Number, drain: Drain, services: Services
) -> None:
    text, template = await send(ada), await send(ada, template=TEMPLATE, fromAccount=shop)
    assert (text.status_code, template.status_code) == (202, 202), text.text + template.text
    assert await drain("whatsapp") == 2
    taken = {body["type"]: body for body in number.taken}
    assert taken["text"]["text"]["body"] == MESSAGE["body"]
    assert (taken["template"]["template"]["name"], taken["template"]["to"]) == ("order_shipped", TO[1:])
    for answer in (text, template):
        shown = await state(ada, answer.json()["id"])
        assert (shown["deliveryState"], shown["channel"]) == ("sent", "whatsapp")
        item = await services.db.fetchrow(
            "SELECT status, record_id FROM messenger_messages WHERE id = $1", UUID(shown["providerMessageId"])
        )
        assert str(item["record_id"]) == answer.json()["id"]


async def test_receipts_move_the_message(
    shop: str, ada: Person, number: Number, drain: Drain, services: Services
) -> None:
    id = (await send(ada)).json()["id"]
    await drain("whatsapp")
    hook = Hook(ada.client, services, UUID(shop), number)
    await hook.tell(report(number, TO[1:], number.taken[-1]["wamid"], "delivered"))
    assert (await state(ada, id))["deliveryState"] == "delivered"
    await hook.tell(report(number, TO[1:], number.taken[-1]["wamid"], "read"))
    assert (await state(ada, id))["deliveryState"] == "delivered"


async def test_a_closed_window_is_refused_before_the_charge(
    shop: str, ada: Person, services: Services, drain: Drain
) -> None:
    await services.db.fetch(
        "INSERT INTO messenger_chats (id, account_id, thread, phone, last_at, last_incoming_at)"
        " VALUES (gen_random_uuid(), $1, $2, $3, now(), now() - interval '24 hours 1 second')",
        UUID(shop),
        TO[1:],
        TO,
    )
    before = await balance(ada)
    answer = await send(ada)
    assert (answer.status_code, answer.json()["code"]) == (400, "outside_window"), answer.text
    assert await balance(ada) == before
    assert (await send(ada, template=TEMPLATE)).status_code == 202
    await services.db.fetch("UPDATE messenger_chats SET last_incoming_at = now() - interval '23 hours'")
    assert (await send(ada)).status_code == 202


async def test_a_stranger_s_account_is_not_found_and_none_can_be_named_in_metadata(
    shop: str, ada: Person, bob: Person, number: Number, drain: Drain
) -> None:
    answer = await send(bob, fromAccount=shop)
    assert (answer.status_code, answer.json()["code"]) == (404, "account_not_found")
    answer = await send(bob)
    assert answer.status_code == 202, "a configured route sends what no account can"
    await drain("whatsapp")
    assert (await state(bob, answer.json()["id"]))["deliveryState"] == "sent"
    for key in ("messenger_account", "files", "template", "test", "handed_at"):
        answer = await send(ada, metadata={key: shop})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_metadata"), key
    assert await drain("whatsapp") == 0 and not number.taken


async def test_a_failure_refunds_and_says_why(shop: str, ada: Person, meta: Meta, drain: Drain) -> None:
    before = await balance(ada)
    meta.wrong[TO[1:]] = error(400, 131047)
    id = (await send(ada)).json()["id"]
    await drain("whatsapp")
    shown = await state(ada, id)
    assert (shown["deliveryState"], shown["failureCode"]) == ("failed", "outside_window")
    assert await balance(ada) == before


async def test_lists_without_a_filter_have_the_specification_s_channels(shop: str, ada: Person) -> None:
    id = (await send(ada)).json()["id"]
    sms = (await ada.rest("POST", "/messages", json={"to": TO, "channel": "sms", "body": "hi"})).json()["id"]
    for query, expected in (
        ("", [sms]),
        ("?channel=all", [sms, id]),
        ("?channel=whatsapp", [id]),
        ("?channel=sms", [sms]),
        ("?channel=all&status=queued", [sms, id]),
        ("?status=queued", [sms]),
    ):
        listed = (await ada.rest("GET", f"/messages{query}")).json()
        assert [row["id"] for row in listed["items"]] == expected, query
        assert listed["meta"]["total"] == len(expected), query
    nodes = (await ada.data("{messages{totalCount nodes{uuid channel}}}"))["messages"]
    assert [node["uuid"] for node in nodes["nodes"]] == [sms, id]


async def test_sending_through_accounts_needs_their_permission(shop: str, ada: Person) -> None:
    made = await ada.rest("POST", "/api-tokens", json={"name": "sms only", "scopes": ["messages:send"]})
    token = made.json()["token"]
    answer = await ada.client.post("/messages", json=MESSAGE, headers={"authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["details"]["permission"]) == (403, "messengers:send")


async def test_a_field_that_a_channel_can_t_serve_is_refused_by_name(shop: str, ada: Person) -> None:
    for fields in (
        {"channel": "sms", "template": TEMPLATE},
        {"channel": "sms", "fromAccount": shop},
        {"channel": "sms", "replyTo": "a@example.com"},
        {"channel": "sms", "attachments": []},
        {"channel": "telegram", "template": TEMPLATE},
    ):
        answer = await send(ada, **fields)
        name = next(name for name in fields if name != "channel")
        assert (answer.status_code, answer.json()["code"]) == (400, "unsupported"), answer.text
        assert name in answer.json()["message"]


async def test_files_go_along(shop: str, ada: Person, number: Number, drain: Drain) -> None:
    uploaded = await ada.rest("POST", "/file-uploader", files={"file": ("terms.pdf", b"%PDF-1.7")})
    answer = await send(ada, attachments=[uploaded.json()["uuid"]])
    assert answer.status_code == 202, answer.text
    await drain("whatsapp")
    assert number.taken[-1]["type"] == "document", number.taken
    assert (await state(ada, answer.json()["id"]))["deliveryState"] == "sent"
