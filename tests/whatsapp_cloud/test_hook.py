"""Meta calls /hooks/whatsapp-cloud/{account id} through the whole application, with real signatures."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx
import pytest

from core.ids import uuid7
from core.settings import Settings
from runtime.services import Services
from tests.support.people import Person
from tests.whatsapp_cloud.conftest import MakeAccount
from tests.whatsapp_cloud.meta import Meta, Number, callback, came, report, signature, value

SHEENA = "16505551234"
_WAITING = """
INSERT INTO messenger_messages (id, account_id, outgoing, recipient, text, status, at)
VALUES ($1, $2, true, $3, 'our text', 'pending', now())
"""


@pytest.fixture
def number() -> Number:
    return Meta().number()


class Hook:
    """An account, and the calls that Meta makes about it."""

    def __init__(self, client: httpx.AsyncClient, services: Services, id: UUID, number: Number) -> None:
        self.client, self.services, self.id, self.number = client, services, id, number

    async def body(self, body: bytes, secret: str | None = "an-app-secret", **headers: str) -> httpx.Response:
        signed = signature(body, secret) if secret is not None else {}
        return await self.client.post(
            f"/hooks/whatsapp-cloud/{self.id}", content=body,
            headers={"content-type": "application/json", **signed, **headers},
        )  # fmt: skip

    async def tell(self, *values: dict[str, Any], field: str = "messages") -> None:
        answer = await self.body(callback(*((field, change) for change in values)))
        assert (answer.status_code, answer.content) == (200, b""), answer.text

    async def rows(self) -> list[Any]:
        return await self.services.db.fetch(
            "SELECT * FROM messenger_messages WHERE account_id = $1 ORDER BY seq", self.id
        )

    async def told(self) -> list[dict[str, Any]]:
        """Returns the events that wait for webhooks."""
        rows = await self.services.db.fetch(
            "SELECT d.body FROM webhook_deliveries AS d JOIN webhooks AS w ON w.id = d.webhook_id"
            " WHERE w.account_id = $1 ORDER BY d.seq",
            self.id,
        )
        return [json.loads(row.body) for row in rows]

    async def waiting(self) -> UUID:
        """A message of ours that Meta has not answered yet; its item."""
        id = uuid7()
        await self.services.db.fetchval(_WAITING, id, self.id, f"+{SHEENA}")
        return id


@pytest.fixture
async def hook(
    client: httpx.AsyncClient, services: Services, ada: Person, account: MakeAccount, number: Number
) -> Hook:
    id = await account(ada, number)
    await services.db.fetchval(
        "INSERT INTO webhooks (id, account_id, url, secret_encrypted, owner_id)"
        " VALUES ($1, $2, 'https://e.example', '', $3)",
        uuid7(), id, ada.id,
    )  # fmt: skip
    return Hook(client, services, id, number)


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
        answer = await hook.client.post(f"/hooks/whatsapp-cloud/{hook.id}", content=body, headers=signed)  # type: ignore[arg-type]
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
    [event] = await hook.told()
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
        ("location", {"latitude": 37.48, "longitude": -122.15, "name": "HQ", "address": "1 Way"}, "HQ\n1 Way\ngeo:37.48,-122.15"),
        ("contacts", [{"name": {"formatted_name": "Bo"}, "phones": [{"phone": "+1 650"}]}], "Bo, +1 650"),
        ("unsupported", {"type": "edit"}, ""),
        ("order", {"catalog_id": "1"}, ""),
        ("brand_new", {"x": [1]}, ""),
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
    assert len(await hook.told()) == 300


async def test_one_event_that_cannot_be_written_keeps_no_other_from_it(hook: Hook) -> None:
    endless = came(hook.number, SHEENA, "text", {"body": "x"}, id="w" * 5000)
    await hook.tell(
        came(hook.number, SHEENA, "text", {"body": "a"}),
        endless,
        came(hook.number, SHEENA, "text", {"body": "b"}),
    )
    assert [row.text for row in await hook.rows()] == ["a", "b"]


# reports


async def test_how_far_a_message_got(hook: Hook) -> None:
    item = await hook.waiting()
    await hook.services.db.fetchval(
        "UPDATE messenger_messages SET provider_id = 'wamid.A', thread = $2, status = 'server' WHERE id = $1",
        item,
        SHEENA,
    )
    for status, ours in (
        ("sent", "server"), ("delivered", "delivered"), ("read", "has_seen"), ("played", "has_seen"),
        ("delivered", "has_seen"), ("warning", "has_seen"),
    ):  # fmt: skip
        await hook.tell(report(hook.number, SHEENA, "wamid.A", status, biz_opaque_callback_data=str(item)))
        [row] = await hook.rows()
        assert (row.id, row.status) == (item, ours)
    assert [event["content"][0]["type"] for event in await hook.told()] == ["delivered", "has_seen"]


async def test_why_it_failed(hook: Hook) -> None:
    item = await hook.waiting()
    await hook.services.db.fetchval(
        "UPDATE messenger_messages SET provider_id = 'wamid.A', thread = $2, status = 'server' WHERE id = $1",
        item,
        SHEENA,
    )
    error = {"code": 131047, "title": "Re-engagement message", "error_data": {"details": "24 hours"}}
    await hook.tell(report(hook.number, SHEENA, "wamid.A", "failed", errors=[error]))
    [row] = await hook.rows()
    assert (row.status, row.failure_code) == ("errored", "outside_window")
    assert "131047" in row.failure_reason


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"code": 999999, "title": "Something new"}, "failed"),
        ({"code": 190}, "credentials_refused"),
        ({"code": 131056}, "throttled"),
        ({}, "failed"),
    ],
    ids=range(4),
)
async def test_a_failure_of_any_kind(hook: Hook, error: Any, code: str) -> None:
    item = await hook.waiting()
    errors = [error] if error else "nonsense"
    status = report(
        hook.number, SHEENA, "wamid.A", "failed", errors=errors, biz_opaque_callback_data=str(item)
    )
    await hook.tell(status)
    [row] = await hook.rows()
    assert (row.id, row.status, row.failure_code) == (item, "errored", code)


async def test_a_report_that_comes_before_the_answer(hook: Hook) -> None:
    """The answer may also never come: the item says which message it is."""
    item = await hook.waiting()
    delivered = report(hook.number, SHEENA, "wamid.A", "delivered", biz_opaque_callback_data=str(item))
    await hook.tell(delivered)
    [row] = await hook.rows()
    assert (row.id, row.provider_id, row.thread, row.status, row.text) == (
        item,
        "wamid.A",
        SHEENA,
        "delivered",
        "our text",
    )
    await hook.tell(
        delivered, report(hook.number, SHEENA, "wamid.A", "read", biz_opaque_callback_data=str(item))
    )
    [row] = await hook.rows()
    assert row.status == "has_seen"


async def test_reports_of_others_make_no_messages(
    hook: Hook, bob: Person, account: MakeAccount, services: Services
) -> None:
    """Somebody else sends through this number, too; or it is another account's item; or a further part of ours."""
    other = Hook(hook.client, services, await account(bob, Meta().number()), hook.number)
    foreign, mine = await other.waiting(), await hook.waiting()
    for back in ("their own words", str(uuid7()), str(foreign), f"{mine}/1", ""):
        await hook.tell(report(hook.number, SHEENA, "wamid.B", "sent", biz_opaque_callback_data=back))
    [row] = await hook.rows()
    assert (row.id, row.provider_id, row.status) == (mine, None, "pending")
    [row] = await other.rows()
    assert row.provider_id is None


async def test_a_reaction(hook: Hook) -> None:
    item = await hook.waiting()
    await hook.tell(report(hook.number, SHEENA, "wamid.A", "sent", biz_opaque_callback_data=str(item)))
    for inside, left in (({"message_id": "wamid.A", "emoji": "👍"}, ["👍"]), ({"message_id": "wamid.A"}, [])):
        await hook.tell(came(hook.number, SHEENA, "reaction", inside))
        [row] = await hook.rows()
        assert [reaction["emoji"] for reaction in row.reactions.values() if reaction["emoji"]] == left


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
    assert [event["text"] for event in await hook.told()] == ["hi"]


async def test_a_deleted_owner_s_messages_are_taken_from_meta_and_ignored(
    hook: Hook, ada: Person, admin: Person
) -> None:
    assert (await admin.rest("DELETE", f"/users/{ada.id}")).status_code in (200, 204)
    await hook.tell(came(hook.number, SHEENA, "text", {"body": "hi"}))
    assert await hook.rows() == []
    assert await hook.told() == []
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
