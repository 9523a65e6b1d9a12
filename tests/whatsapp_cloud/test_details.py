"""Meta tells more than texts: presses, forms, orders, advertisements, edits, deletions, notices of an account."""

from typing import Any

import pytest

from tests.event_feed.test_event_feed import opened, read
from tests.support.people import Person
from tests.whatsapp_cloud.hook import SHEENA, Hook
from tests.whatsapp_cloud.meta import came, value

ONE = "query($i:ID!){messengerMessage(item:$i){text details}}"
FORM = '{"date":"2026-12-01","flow_token":"t"}'
ORDER = {
    "catalog_id": "C",
    "text": "soon, please",
    "product_items": [{"product_retailer_id": "sku-1", "quantity": 2, "item_price": 10.5, "currency": "USD"}],
}


async def shown(hook: Hook, ada: Person) -> dict[str, Any]:
    """Returns the newest message as both doors, the webhook and the event show it: it is the same everywhere."""
    row = (await hook.rows())[-1]
    data = (await ada.data(ONE, {"i": str(row.id)}))["messengerMessage"]
    answer = await ada.rest("GET", f"/messenger-accounts/{hook.id}/messages?thread={SHEENA}")
    rest = answer.json()["nodes" if "nodes" in answer.json() else "items"][0]
    [*_, told] = [event for event in await hook.events() if event["hook_type"] == "message"]
    assert (
        (rest["text"], rest["details"])
        == (data["text"], data["details"])
        == (told["text"], told.get("details"))
    )
    return dict(data)


@pytest.mark.parametrize(
    ("kind", "inside", "text", "details"),
    [
        ("button", {"payload": "YES-7", "text": "Yes"}, "Yes", {"button": {"payload": "YES-7", "text": "Yes"}}),
        ("interactive", {"type": "button_reply", "button_reply": {"id": "b1", "title": "Blue"}}, "Blue",
            {"button": {"id": "b1", "title": "Blue"}}),
        ("interactive", {"type": "list_reply", "list_reply": {"id": "l1", "title": "Red", "description": "d"}}, "Red",
            {"list": {"id": "l1", "title": "Red", "description": "d"}}),
        ("interactive", {"type": "nfm_reply", "nfm_reply": {"name": "flow", "body": "Sent", "response_json": FORM}},
            "Sent", {"flow": {"name": "flow", "response": {"date": "2026-12-01", "flow_token": "t"}}}),
        ("order", ORDER, "soon, please\n2 × sku-1 (10.5 USD)", {"order": {"catalogId": "C", "text": "soon, please",
            "items": [{"productId": "sku-1", "currency": "USD", "quantity": 2, "price": 10.5}]}}),
        ("unsupported", {"type": "poll"}, "(A message that can be read in WhatsApp alone: poll.)",
            {"unsupported": {"kind": "poll"}}),
        ("brand_new", {"x": [1]}, "(A message that can be read in WhatsApp alone: brand_new.)",
            {"unsupported": {"kind": "brand_new"}}),
    ],
    ids=["quick-reply", "button", "list", "flow", "order", "unsupported", "new"],
)  # fmt: skip
async def test_what_was_pressed_is_told_everywhere(
    hook: Hook, ada: Person, kind: str, inside: Any, text: str, details: Any
) -> None:
    start = await opened(ada)
    await hook.tell(came(hook.number, SHEENA, kind, inside))
    assert await shown(hook, ada) == {"text": text, "details": details}
    [event] = [each for each in (await read(ada, start))["events"] if each["type"] == "chat.received"]
    assert event["data"]["details"] == details


async def test_an_advertisement_is_told(hook: Hook, ada: Person) -> None:
    referral = {
        "source_url": "https://fb.me/x",
        "source_type": "ad",
        "source_id": "1",
        "headline": "H",
        "ctwa_clid": "c",
    }
    await hook.tell(came(hook.number, SHEENA, "text", {"body": "hi"}, referral=referral))
    assert (await shown(hook, ada))["details"] == {
        "referral": {
            "sourceUrl": "https://fb.me/x", "sourceType": "ad", "sourceId": "1", "headline": "H", "ctwaClid": "c",
        }
    }  # fmt: skip


async def test_an_edit_changes_its_message_and_a_revoke_deletes_it(hook: Hook) -> None:
    text = came(hook.number, SHEENA, "text", {"body": "helo"})
    picture = came(hook.number, SHEENA, "image", {"id": "100", "mime_type": "image/jpeg", "caption": "loook"})
    await hook.tell(text, picture)
    ids = [message["messages"][0]["id"] for message in (text, picture)]
    words = {"type": "text", "text": {"body": "hello"}}
    caption = {"type": "image", "image": {"id": "101", "mime_type": "image/jpeg", "caption": "look"}}
    for id, message in zip(ids, (words, caption), strict=True):
        await hook.tell(came(hook.number, SHEENA, "edit", {"original_message_id": id, "message": message}))
    rows = await hook.rows()
    assert [row.text for row in rows] == ["hello", "look"]
    assert all(row.edited_at is not None for row in rows)
    # Another person's revoke changes nothing.
    await hook.tell(came(hook.number, "16505550000", "revoke", {"original_message_id": ids[0]}))
    assert [row.text for row in await hook.rows()] == ["hello", "look"]
    for id in ids:
        await hook.tell(came(hook.number, SHEENA, "revoke", {"original_message_id": id}))
    rows = await hook.rows()
    assert [(row.text, row.deleted_at is not None) for row in rows] == [("", True), ("", True)]


async def test_notices_of_the_account_are_events(hook: Hook, ada: Person) -> None:
    start, seen = await opened(ada), 0

    async def noticed(hook: Hook, ada: Person, field: str, **inside: Any) -> list[Any]:
        nonlocal seen
        await hook.tell(inside, field=field)
        events = (await read(ada, start))["events"]
        before, seen = seen, len(events)
        return list(events[before:])

    [event] = await noticed(
        hook, ada, "message_template_status_update", event="REJECTED", message_template_id=594425479261596,
        message_template_name="my_template", message_template_language="pt-BR", reason="INCORRECT_CATEGORY",
    )  # fmt: skip
    assert event["type"] == "template.changed"
    assert event["subjectId"] == str(hook.id)
    assert {name: event["data"][name] for name in ("event", "templateName", "templateId", "reason")} == {
        "event": "REJECTED", "templateName": "my_template", "templateId": "594425479261596",
        "reason": "INCORRECT_CATEGORY",
    }  # fmt: skip
    [event] = await noticed(
        hook, ada, "phone_number_quality_update", display_phone_number=hook.number.phone, event="DOWNGRADE",
        current_limit="TIER_1K",
    )  # fmt: skip
    assert (event["type"], event["data"]["limit"]) == ("messengerAccount.rated", "TIER_1K")
    restricted = {"restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING", "expiration": 4102444800}
    events = await noticed(
        hook, ada, "account_update", event="ACCOUNT_RESTRICTION", restriction_info=[restricted]
    )
    by_type = {event["type"]: event["data"] for event in events}
    assert by_type.keys() == {"messengerAccount.updated", "messengerAccount.restricted"}
    assert by_type["messengerAccount.restricted"]["restrictedUntil"].startswith("2100-01-01")
    assert by_type["messengerAccount.updated"]["restrictions"] == [restricted]


async def blocked(ada: Person) -> dict[str, str]:
    answer = await ada.rest("GET", "/block/list")
    return {row["phone"]: row["scope"] for row in answer.json()["items"]}


def preference(hook: Hook, wish: str) -> dict[str, Any]:
    each = {"wa_id": SHEENA, "detail": "User requested", "category": "marketing_messages", "value": wish}
    who = {"profile": {"name": "S", "username": "sheena"}, "wa_id": SHEENA, "user_id": "US.1349"}
    return value(hook.number, contacts=[who], user_preferences=[{**each, "timestamp": 1731705721}])


async def test_who_wants_no_marketing_is_blocked_for_it_until_taken_back(hook: Hook, ada: Person) -> None:
    every = {f"+{SHEENA}": "promotional", "US.1349": "promotional", "@sheena": "promotional"}
    start = await opened(ada)
    for _ in range(2):
        await hook.tell(preference(hook, "stop"), field="user_preferences")
    assert await blocked(ada) == every
    await hook.tell(preference(hook, "resume"), field="user_preferences")
    assert await blocked(ada) == {}
    events = [
        event["type"] for event in (await read(ada, start))["events"] if event["type"].startswith("marketing")
    ]
    assert events == ["marketing.stopped", "marketing.stopped", "marketing.resumed"]
    # A stop word stops everything, and marketing that may come again does not take that back.
    await hook.tell(came(hook.number, SHEENA, "text", {"body": "STOP"}))
    await hook.tell(preference(hook, "resume"), field="user_preferences")
    assert await blocked(ada) == {f"+{SHEENA}": "all"}
