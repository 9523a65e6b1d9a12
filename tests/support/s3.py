"""Serves as much of S3 on loopback as an object store needs: objects, ranges, uploads in parts."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from aiohttp import web

KEY, SECRET, BUCKET = "AKIAPOSTERN", "s3cret/pass+word", "letters"
_SIGNED = re.compile(
    rf"AWS4-HMAC-SHA256 Credential={KEY}/\d{{8}}/[a-z0-9-]+/s3/aws4_request, "
    r"SignedHeaders=[a-z0-9;-]*host;[a-z0-9;-]*, Signature=[0-9a-f]{64}"
)


class S3:
    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.asked: list[str] = []
        self.down = False
        self.url = ""
        self.largest = 0  # body of one request

    async def handle(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.asked.append(f"{request.method} {request.rel_url}")
        self.largest = max(self.largest, len(body))
        if self.down:
            return _error(503, "SlowDown")
        if not _SIGNED.fullmatch(request.headers.get("authorization", "")):
            return _error(403, "AccessDenied")
        bucket, _, key = request.path.strip("/").partition("/")
        if bucket != BUCKET:
            return _error(404, "NoSuchBucket")
        query = request.query
        if "uploads" in query or "uploadId" in query:
            return self._upload(request.method, key, query.get("uploadId"), query.get("partNumber"), body)
        if request.method == "PUT":
            self.objects[key] = body
            return web.Response(headers={"ETag": '"whole"'})
        if request.method == "DELETE":
            self.objects.pop(key, None)
            return web.Response(status=204)
        if key not in self.objects:
            return _error(404, "NoSuchKey")
        return self._get(request, self.objects[key])

    def _upload(
        self, method: str, key: str, upload: str | None, part: str | None, body: bytes
    ) -> web.Response:
        if upload is None:
            upload = uuid4().hex
            self.uploads[upload] = {}
            return _xml(
                f"<InitiateMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{key}</Key>"
                f"<UploadId>{upload}</UploadId></InitiateMultipartUploadResult>"
            )
        if upload not in self.uploads:
            return _error(404, "NoSuchUpload")
        if method == "PUT":
            self.uploads[upload][int(part or 0)] = body
            return web.Response(headers={"ETag": f'"{part}"'})
        parts = self.uploads.pop(upload)
        if method == "DELETE":
            return web.Response(status=204)
        self.objects[key] = b"".join(parts[number] for number in sorted(parts))
        return _xml(
            f"<CompleteMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{key}</Key>"
            '<ETag>"all"</ETag></CompleteMultipartUploadResult>'
        )

    def _get(self, request: web.Request, data: bytes) -> web.Response:
        headers = {"ETag": '"whole"', "Last-Modified": "Fri, 20 Nov 2026 12:00:00 GMT"}
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", request.headers.get("range", ""))
        if match is None:
            headers["Content-Length"] = str(len(data))  # aiohttp says none of an empty body to HEAD
            return web.Response(body=data, headers=headers)
        start, end = int(match[1]), min(int(match[2]) + 1, len(data))
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(data)}"
        return web.Response(status=206, body=data[start:end], headers=headers)


def _xml(text: str, status: int = 200) -> web.Response:
    return web.Response(status=status, text=f'<?xml version="1.0"?>{text}', content_type="application/xml")


def _error(status: int, code: str) -> web.Response:
    return _xml(f"<Error><Code>{code}</Code><Message>{code}</Message></Error>", status)


@asynccontextmanager
async def serving() -> AsyncIterator[S3]:
    made = S3()
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_route("*", "/{path:.*}", made.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield made
    finally:
        await asyncio.wait_for(runner.cleanup(), 30)
