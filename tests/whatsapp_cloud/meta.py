"""Meta's Graph API on loopback, as its documentation shows it, and the callbacks that Meta makes."""

import hashlib
import hmac
import itertools
import json
import ssl
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.channels.http_stub import HttpStub, Reply, Seen, Wire

VERSION = "v23.0"
_ids = itertools.count(1)


@dataclass
class Number:
    """A business's phone number, and what Meta knows about it."""

    id: str
    phone: str  # digits
    token: str
    name: str = "Test Business"
    app_secret: str = "an-app-secret"
    verify_token: str = "a-verify-token"
    refused: tuple[int, int] | None = None  # status and code of every call
    taken: list[dict[str, Any]] = field(default_factory=list)  # bodies of messages, with their `wamid`
    marked: list[dict[str, Any]] = field(default_factory=list)  # bodies that mark as read or show typing

    @property
    def credentials(self) -> dict[str, str]:
        return {
            "phoneNumberId": self.id,
            "accessToken": self.token,
            "appSecret": self.app_secret,
            "verifyToken": self.verify_token,
        }


def error(status: int, code: int, details: str = "", *, subcode: int | None = None, **headers: str) -> Reply:
    change: dict[str, Any] = {
        "message": f"(#{code}) Something about it",
        "type": "OAuthException",
        "code": code,
        "fbtrace_id": "AbCdEf",
    }
    if details:
        change["error_data"] = {"messaging_product": "whatsapp", "details": details}
    if subcode is not None:
        change["error_subcode"] = subcode
    return Reply.of(status, {"error": change}, **headers)


class Meta:
    """`async with Meta() as meta:`; the driver's base URL is `meta.url`."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.stub = HttpStub(self.answer, tls=tls)
        self.numbers: dict[str, Number] = {}
        self.media: dict[str, tuple[str, bytes, str]] = {}  # mime, data, and the number's id
        self.wrong: dict[str, Any] = {}  # recipient (digits) → what comes in place of an answer
        self.after: dict[str, Wire] = {}  # recipient → what comes though the message was taken
        self.wa_ids: dict[str, str] = {}  # what was asked for → how WhatsApp writes it

    @property
    def url(self) -> str:
        return f"{self.stub.url}/{VERSION}"

    async def __aenter__(self) -> Self:
        await self.stub.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stub.__aexit__()

    def number(self, **more: Any) -> Number:
        one = next(_ids)
        made = Number(f"10654035224{one:04d}", f"1555010{one:04d}", f"EAAG{one:04d}{'token' * 12}", **more)
        self.numbers[made.id] = made
        return made

    def keep(self, number: Number, data: bytes, mime: str) -> str:
        """A file at Meta; its media id."""
        id = f"{90_000_000 + next(_ids)}"
        self.media[id] = (mime, data, number.id)
        return id

    def answer(self, seen: Seen) -> Any:
        url = urlsplit(seen.target)
        parts = url.path.strip("/").split("/")
        token = seen.headers.get("authorization", "").removeprefix("Bearer ")
        number = next((number for number in self.numbers.values() if number.token == token), None)
        if number is None:
            return error(401, 190, "Error validating access token: it has expired")
        if number.refused is not None:
            return error(*number.refused)
        if parts[0] == "download":
            return self._download(parts[1], number)
        if parts[0] != VERSION:
            return error(400, 2500)
        match (seen.method, parts[1:]):
            case ("GET", [id]) if id == number.id:
                assert parse_qs(url.query)["fields"] == ["display_phone_number,verified_name"]
                shown = f"+{number.phone[0]} {number.phone[1:4]}-{number.phone[4:7]}-{number.phone[7:]}"
                return Reply.of(200, {"display_phone_number": shown, "verified_name": number.name, "id": id})
            case ("POST", [id, "messages"]) if id == number.id:
                return self._message(number, seen.json)
            case ("POST", [id, "media"]) if id == number.id:
                return self._upload(number, seen)
            case ("GET", [id]) if id in self.media and self.media[id][2] == number.id:
                assert parse_qs(url.query)["phone_number_id"] == [number.id]
                mime, data, _ = self.media[id]
                return Reply.of(
                    200,
                    {
                        "messaging_product": "whatsapp", "url": f"{self.stub.url}/download/{id}", "mime_type": mime,
                        "sha256": hashlib.sha256(data).hexdigest(), "file_size": len(data), "id": id,
                    },
                )  # fmt: skip
        return error(400, 100, "Object does not exist, or permission is missing", subcode=33)

    def _message(self, number: Number, body: dict[str, Any]) -> Any:
        assert body["messaging_product"] == "whatsapp"
        if body.get("status") == "read":
            number.marked.append(body)
            return Reply.of(200, {"success": True})
        to = body.get("to") or body["recipient"]
        if to in self.wrong:
            return self.wrong[to]
        inside = body[body["type"]]
        if body["type"] in ("image", "video", "audio", "document") and inside["id"] not in self.media:
            return error(400, 100, "Invalid parameter: no such media id")
        wamid = f"wamid.{next(_ids):032d}"
        number.taken.append({**body, "wamid": wamid})
        if to in self.after:
            return self.after[to]
        who = {"wa_id": self.wa_ids.get(to, to)} if "to" in body else {"user_id": to}
        return Reply.of(
            200,
            {
                "messaging_product": "whatsapp",
                "contacts": [{"input": to, **who}],
                "messages": [{"id": wamid, "message_status": "accepted"}],
            },
        )

    def _upload(self, number: Number, seen: Seen) -> Reply:
        head = f"Content-Type: {seen.headers['content-type']}\r\n\r\n".encode()
        fields: dict[str, Any] = {}
        for part in BytesParser(policy=HTTP).parsebytes(head + seen.body).iter_parts():  # type: ignore[attr-defined]
            fields[part.get_param("name", header="content-disposition")] = part
        assert fields["messaging_product"].get_content().strip() == "whatsapp"
        file = fields["file"]
        mime = file.get_content_type()
        assert fields["type"].get_content().strip() == mime
        if mime == "text/html":
            return error(400, 131053, "Unsupported media type")
        return Reply.of(200, {"id": self.keep(number, file.get_payload(decode=True), mime)})

    def _download(self, id: str, number: Number) -> Reply:
        if id not in self.media or self.media[id][2] != number.id:
            return Reply.of(404, {})
        mime, data, _ = self.media[id]
        return Reply(200, data, {"content-type": mime})


@asynccontextmanager
async def meta() -> AsyncIterator[Meta]:
    async with Meta() as made:
        yield made


# callbacks


def callback(*changes: tuple[str, Mapping[str, Any]]) -> bytes:
    """Returns one body; each change is a field and its value, in an entry of its own."""
    entries = [
        {"id": "102290129340398", "changes": [{"value": value, "field": name}]} for name, value in changes
    ]
    return json.dumps({"object": "whatsapp_business_account", "entry": entries}).encode()


def value(number: Number, **more: Any) -> dict[str, Any]:
    return {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": number.phone, "phone_number_id": number.id},
        **more,
    }


def came(number: Number, sender: str, kind: str, inside: Any, **more: Any) -> dict[str, Any]:
    """A message that somebody wrote (`sender`: digits), as the value of a change."""
    message = {
        "from": sender,
        "id": f"wamid.IN{next(_ids):030d}",
        "timestamp": str(int(time.time())),
        "type": kind,
        kind: inside,
        **more,
    }
    who = [{"profile": {"name": "Sheena Nelson"}, "wa_id": sender}]
    return value(number, contacts=who, messages=[message])


def report(number: Number, to: str, wamid: str, status: str, **more: Any) -> dict[str, Any]:
    """Returns a status report of a message, as the value of a change."""
    change = {"id": wamid, "status": status, "timestamp": str(int(time.time())), "recipient_id": to, **more}
    return value(number, statuses=[change])


def signature(body: bytes, secret: str) -> dict[str, str]:
    """https://developers.facebook.com/docs/graph-api/webhooks/getting-started#validate-payloads, by hand."""
    return {"X-Hub-Signature-256": f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"}
