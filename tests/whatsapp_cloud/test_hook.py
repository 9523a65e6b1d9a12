"""Meta calls /hooks/whatsapp-cloud/{account id} through the whole application, with real signatures."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from core.ids import uuid7
from core.settings import Settings
from runtime.services import Services
from tests.support.people import Person
from tests.whatsapp_cloud.conftest import MakeAccount
from tests.whatsapp_cloud.hook import SHEENA, Hook
from tests.whatsapp_cloud.meta import Meta, callback, came, signature, value

# verification


def query(**changes: str | None) -> dict[str, str]:
    right = {"hub.mode": "subscribe", "hub.verify_token": "a-verify-token", "hub.challenge": "1158201444"}
    named = {f"hub.{name}": text for name, text in changes.items()}
    return {name: text for name, text in {**right, **named}.items() if text is not None}


async def test_meta_verifies_the_address(hook: Hook) -> None:
    path = f"/hooks/whatsapp-cloud/{hook.id}"
    answer = await hook.client.get(path, params=query())
    assert (answer.status_code, answer.text) == (200, "1158201444")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["x-content-type-options"] == "nosniff"
    for changes, status, code in (
        ({"verify_token": "another"}, 403, "bad_verify_token"),
        ({"verify_token": None}, 403, "bad_verify_token"),
        ({"verify_token": "жук"}, 403, "bad_verify_token"),
        ({"mode": "unsubscribe"}, 403, "bad_verify_token"),
        ({"challenge": None}, 400, "bad_hook"),
        ({"challenge": "a b"}, 400, "bad_hook"),
        ({"challenge": "x" * 257}, 400, "bad_hook"),
    ):
        answer = await hook.client.get(path, params=query(**changes))  # type: ignore[arg-type]
        assert (answer.status_code, answer.json()["code"]) == (status, code), changes
        assert "a-verify-token" not in answer.text


async def test_accounts_that_are_none(
    hook: Hook, ada: Person, account: MakeAccount, services: Services
) -> None:
    other = await account(ada, Meta().number(), driver="sandbox")
    gone = await account(ada, Meta().number())
    await services.db.fetchval("UPDATE messenger_accounts SET deleted_at = now() WHERE id = $1", gone)
    bare = await account(ada, Meta().number())
    await services.db.fetchval(
        "UPDATE messenger_accounts SET credentials_encrypted = NULL WHERE id = $1", bare
    )
    body = callback(("messages", came(hook.number, SHEENA, "text", {"body": "hi"})))
    for id in (uuid7(), other, gone, bare, "sms", "x" * 3000, f"{hook.id}x"):
        path = f"/hooks/whatsapp-cloud/{id}"
        for answer in (
            await hook.client.get(path, params=query()),
            await hook.client.post(path, content=body, headers=signature(body, "an-app-secret")),
        ):
            assert (answer.status_code, answer.json()["code"]) == (404, "account_not_found")


# signatures


async def test_only_what_meta_signed_is_taken(hook: Hook) -> None:
    body = callback(("messages", came(hook.number, SHEENA, "text", {"body": "hi"})))
    right = signature(body, "an-app-secret")["X-Hub-Signature-256"]
    for header in (
        None,
        "",
        right[7:],
        right.upper(),
        right[:-1],
        right + "0",
        "sha1=" + right[7:],
        "sha256=",
        "ж",
    ):
        signed = {} if header is None else {"x-hub-signature-256": header.encode()}
        url = f"/hooks/whatsapp-cloud/{hook.id}"
        answer = await hook.client.post(url, content=body, headers=signed)  # type: ignore[arg-type]
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature"), header
    assert (await hook.body(body, "another-secret")).status_code == 401
    answer = await hook.client.post(
        f"/hooks/whatsapp-cloud/{hook.id}", content=body + b" ", headers={"x-hub-signature-256": right}
    )
    assert answer.status_code == 401
    assert await hook.rows() == []


async def test_what_cannot_be_read(hook: Hook) -> None:
    for body in (b"", b"nonsense", b"[]", b"5", b'{"entry": '):
        answer = await hook.body(body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_hook"), body
    for strange in (
        {}, {"entry": 5}, {"entry": [5, {"changes": "x"}, {"changes": [5, {"value": 5}, {"value": {}, "field": 7}]}]},
        {"object": "page", "entry": [{"changes": [{"field": "feed", "value": {"metadata": []}}]}]},
    ):  # fmt: skip
        assert (await hook.body(json.dumps(strange).encode())).status_code == 200
    inside = (
        {},
        {"messages": [5, {}, {"id": 5, "from": SHEENA}]},
        {"statuses": [[], {"status": "exploded"}]},
        {"contacts": 7},
    )
    for more in inside:
        await hook.tell(value(hook.number, **more))
    assert await hook.rows() == []


async def test_a_large_body(hook: Hook, services: Services) -> None:
    """Meta's largest is 3 MiB, whatever the bound of other requests."""
    messages = [came(hook.number, SHEENA, "text", {"body": f"{n} " + "x" * 4000}) for n in range(700)]
    body = callback(*(("messages", message) for message in messages))
    assert services.settings.max_body_bytes < len(body) < 3 * 2**20
    assert (await hook.body(body)).status_code == 200
    assert len(await hook.rows()) == 700
    answer = await hook.body(b" " * (3 * 2**20 + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


# messages


async def test_a_text_comes_in_once(hook: Hook, ada: Person) -> None:
    message = came(
        hook.number,
        SHEENA,
        "text",
        {"body": "hello ж😀\0"},
        context={"from": hook.number.phone, "id": "wamid.O"},
    )
    for _ in range(3):
        await hook.tell(message, message)
    [row] = await hook.rows()
    assert (row.provider_id, row.thread, row.sender, row.text, row.outgoing, row.name, row.reply_to) == (
        message["messages"][0]["id"], SHEENA, f"+{SHEENA}", "hello ж😀", False, "Sheena Nelson", "wamid.O",
    )  # fmt: skip
    assert abs((row.at - datetime.now(UTC)).total_seconds()) < 3600
    [event] = await hook.events()
    assert (event["hook_type"], event["text"], event["item"], event["from"]) == (
        "message",
        "hello ж😀",
        str(row.id),
        f"+{SHEENA}",
    )
    chat = await hook.services.db.fetchrow("SELECT * FROM messenger_chats WHERE account_id = $1", hook.id)
    assert (chat.thread, chat.phone, chat.unread) == (SHEENA, f"+{SHEENA}", 1)


@pytest.mark.parametrize(
    ("kind", "inside", "text"),
    [
        ("button", {"payload": "p", "text": "Yes"}, "Yes"),
        ("interactive", {"type": "button_reply", "button_reply": {"id": "1", "title": "Blue"}}, "Blue"),
        ("interactive", {"type": "list_reply", "list_reply": {"id": "1", "title": "Red", "description": "d"}}, "Red"),
        ("interactive", {"type": "nfm_reply", "nfm_reply": {"response_json": "{}"}}, "{}"),
        ("location", {"latitude": 37.48, "longitude": -122.15, "name": "HQ", "address": "1 Way"},
            "HQ\n1 Way\ngeo:37.48,-122.15"),
        ("contacts", [{"name": {"formatted_name": "Bo"}, "phones": [{"phone": "+1 650"}]}], "Bo, +1 650"),
        ("unsupported", {"type": "edit"}, "(A message that can be read in WhatsApp alone: edit.)"),
        ("order", {"catalog_id": "1"}, "(An order.)"),
        ("brand_new", {"x": [1]}, "(A message that can be read in WhatsApp alone: brand_new.)"),
        ("text", {}, ""),
        ("text", "nonsense", ""),
    ],
    ids=range(11),
)  # fmt: skip
async def test_every_kind_comes_in(hook: Hook, kind: str, inside: Any, text: str) -> None:
    await hook.tell(came(hook.number, SHEENA, kind, inside))
    [row] = await hook.rows()
    assert (row.text, row.content) == (text, [])


@pytest.mark.parametrize(
    ("kind", "inside", "ours", "name"),
    [
        ("image", {"id": "100", "mime_type": "image/jpeg", "sha256": "x", "caption": "look"}, "image", None),
        ("sticker", {"id": "100", "mime_type": "image/webp", "animated": False}, "image", None),
        ("video", {"id": "100", "mime_type": "video/mp4"}, "video", None),
        ("audio", {"id": "100", "mime_type": "audio/ogg; codecs=opus", "voice": True}, "voice", None),
        ("audio", {"id": "100", "mime_type": "audio/mpeg", "voice": False}, "audio", None),
        ("document", {"id": "100", "mime_type": "application/pdf", "filename": "a.pdf"}, "file", "a.pdf"),
    ],
    ids=range(6),
)
async def test_files_come_in(hook: Hook, kind: str, inside: Any, ours: str, name: str | None) -> None:
    message = came(hook.number, SHEENA, kind, inside)
    await hook.tell(message)
    [row] = await hook.rows()
    assert row.provider_id == f"{message['messages'][0]['id']}#100"  # where it is fetched by
    [content] = row.content
    assert (content["type"], content["name"]) == (ours, name)
    assert content["mime"] == inside["mime_type"].split(";")[0]
    assert row.text == inside.get("caption", "")


async def test_somebody_without_a_phone(hook: Hook) -> None:
    user = "US.13491208655302741918"
    message = came(hook.number, SHEENA, "text", {"body": "hi"})
    message["messages"][0] |= {"from_user_id": user}
    del message["messages"][0]["from"]
    message["contacts"] = [{"profile": {"name": "S", "username": "sheena"}, "user_id": user}]
    await hook.tell(message)
    [row] = await hook.rows()
    assert (row.thread, row.sender, row.name) == (user, user, "S")


async def test_a_group(hook: Hook) -> None:
    await hook.tell(came(hook.number, SHEENA, "text", {"body": "hi"}, group_id="Y2FwaV9ncm91cA"))
    [row] = await hook.rows()
    assert (row.thread, row.sender) == ("Y2FwaV9ncm91cA", f"+{SHEENA}")
    kind = await hook.services.db.fetchval("SELECT kind FROM messenger_chats WHERE account_id = $1", hook.id)
    assert kind == "group"


async def test_what_was_sent_in_the_app(hook: Hook) -> None:
    echo = came(hook.number, hook.number.phone, "text", {"body": "from my phone"}, to=SHEENA)["messages"]
    await hook.tell(value(hook.number, message_echoes=echo), field="smb_message_echoes")
    [row] = await hook.rows()
    assert (row.outgoing, row.thread, row.text, row.recipient) == (
        True,
        SHEENA,
        "from my phone",
        f"+{SHEENA}",
    )


async def test_many_at_once_in_their_order(hook: Hook) -> None:
    bodies = [came(hook.number, SHEENA, "text", {"body": f"{n}"}) for n in range(300)]
    await hook.tell(*bodies)
    assert [row.text for row in await hook.rows()] == [f"{n}" for n in range(300)]
    # Meta tells the same again, over several connections.
    await asyncio.gather(*(hook.tell(*bodies[start::3]) for start in range(3)))
    assert len(await hook.rows()) == 300
    assert len(await hook.events()) == 300


async def test_one_event_that_cannot_be_written_keeps_no_other_from_it(hook: Hook) -> None:
    endless = came(hook.number, SHEENA, "text", {"body": "x"}, id="w" * 5000)
    await hook.tell(
        came(hook.number, SHEENA, "text", {"body": "a"}),
        endless,
        came(hook.number, SHEENA, "text", {"body": "b"}),
    )
    assert [row.text for row in await hook.rows()] == ["a", "b"]


# reports


# one app, several numbers


async def test_another_number_of_the_same_app(
    hook: Hook, ada: Person, bob: Person, account: MakeAccount, services: Services, client: httpx.AsyncClient
) -> None:
    """Meta has one address an app. The event goes to whose number it is, if the app's secret is the same."""
    meta = Meta()
    second, foreign, strange, unknown = (meta.number() for _ in range(4))
    others = {
        "second": await account(ada, second),
        "foreign": await account(bob, foreign),
        "strange": await account(ada, strange, appSecret="of another app"),
    }
    statuses = [
        came(number, SHEENA, "text", {"body": number.phone})
        for number in (hook.number, second, foreign, strange, unknown)
    ]
    await hook.tell(*statuses)
    assert [row.text for row in await hook.rows()] == [hook.number.phone]
    rows_by_name = {name: await Hook(client, services, id, second).rows() for name, id in others.items()}
    assert {name: [row.text for row in rows] for name, rows in rows_by_name.items()} == {
        "second": [second.phone], "foreign": [], "strange": [],
    }  # fmt: skip


# owners that are not active


async def test_a_suspended_owner_s_messages_are_kept_and_wait_to_be_told(
    hook: Hook, ada: Person, admin: Person
) -> None:
    answer = await admin.rest("PATCH", f"/users/{ada.id}", json={"status": "suspended"})
    assert answer.status_code == 200
    await hook.tell(came(hook.number, SHEENA, "text", {"body": "hi"}))
    assert [row.text for row in await hook.rows()] == ["hi"]
    assert [event["text"] for event in await hook.events()] == ["hi"]


async def test_a_deleted_owner_s_messages_are_taken_from_meta_and_ignored(
    hook: Hook, ada: Person, admin: Person
) -> None:
    assert (await admin.rest("DELETE", f"/users/{ada.id}")).status_code in (200, 204)
    await hook.tell(came(hook.number, SHEENA, "text", {"body": "hi"}))
    assert await hook.rows() == []
    assert await hook.events() == []
    body = callback(("messages", came(hook.number, SHEENA, "text", {"body": "hi"})))
    assert (await hook.body(body, "another-secret")).status_code == 401


# when the database is away


async def test_200_means_that_it_is_written(
    hook: Hook, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    from engine.messengers import event_writer

    right = event_writer.record

    async def fails(*arguments: Any, **more: Any) -> Any:
        await right(*arguments, **more)
        raise ConnectionResetError("the database went away before the commit")

    monkeypatch.setattr(event_writer, "record", fails)
    body = callback(("messages", came(hook.number, SHEENA, "text", {"body": "hi"})))
    answer = await hook.body(body)
    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
    assert await hook.rows() == []
    monkeypatch.setattr(event_writer, "record", right)
    assert (await hook.body(body)).status_code == 200  # Meta comes again
    assert len(await hook.rows()) == 1


# Each insert takes a number, which a rollback does not give back; the first ones lose against another transaction.
_LOSES = """
CREATE SEQUENCE lost;
CREATE FUNCTION loses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF nextval('lost') <= {times} THEN
    RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER loses BEFORE INSERT ON messenger_messages FOR EACH ROW EXECUTE FUNCTION loses();
"""
_WINS = "DROP TRIGGER loses ON messenger_messages; DROP FUNCTION loses; DROP SEQUENCE lost"


@pytest.mark.parametrize(("times", "stored"), [(2, True), (3, False)])
async def test_events_that_lose_a_deadlock_are_tried_again(hook: Hook, times: int, stored: bool) -> None:
    """Two lost transactions go unnoticed; after the third Meta is asked to repeat the hook."""
    body = callback(("messages", came(hook.number, SHEENA, "text", {"body": "hi"})))
    async with hook.services.db.reading() as db:
        await db.execute(_LOSES.format(times=times))
    try:
        answer = await hook.body(body)
        tries = await hook.services.db.fetchval("SELECT last_value FROM lost")
    finally:
        async with hook.services.db.reading() as db:
            await db.execute(_WINS)
    assert (answer.status_code, tries) == (200 if stored else 409, 3)
    assert len(await hook.rows()) == stored
    assert (await hook.body(body)).status_code == 200
    assert [row.text for row in await hook.rows()] == ["hi"]
