"""A provider that takes each message as one POST of JSON with the field `to`."""

import asyncio
import json
import re
from typing import ClassVar

from killtest.provider.recorder import Decision
from killtest.provider.server import Provider

_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


def _answer(status: str, body: bytes = b"{}") -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


_ANSWERS = {
    Decision.accept: _answer("202 Accepted"),
    Decision.busy: _answer("503 Service Unavailable"),
    Decision.refuse: _answer("422 Unprocessable Content"),
}


class HttpProvider(Provider):
    protocol: ClassVar[str] = "http"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await reader.readexactly(int(length[1]) if length else 0)
            await self.attempt(str(json.loads(body)["to"]), reader, writer, _ANSWERS)
