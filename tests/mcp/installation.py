"""An installation whose door for agents is open, a provider that records what it gets, and people with money."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from core.passwords import Passwords
from core.settings import Settings
from runtime.services import services
from tests.support import servers
from tests.support.live import Live, serving
from tests.support.people import People, Person

PUBLIC = "https://postern.example.com"


@dataclass
class Provider:
    """An SMS provider that drops no duplicates. A recipient of `refuses` is refused with a reason."""

    taken: list[tuple[str, str]] = field(default_factory=list)
    """Recipient and text of each message that it has accepted."""
    refuses: dict[str, str] = field(default_factory=dict)
    port: int = 0

    def take(self, message: dict[str, Any]) -> tuple[int, dict[str, str]]:
        """Returns the status and the answer for a message."""
        if reason := self.refuses.get(message["to"]):
            return 400, {"message": reason}
        self.taken.append((message["to"], message["body"]))
        return 200, {"id": f"taken-{len(self.taken)}"}


@contextmanager
def listening(provider: Provider) -> Iterator[Provider]:
    """Runs a provider in threads of this process."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, answer = provider.take(json.loads(body))
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Writes nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        provider.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()


@dataclass
class Installation:
    """A running service with a worker, its provider, and owners who have not done anything yet."""

    live: Live
    provider: Provider
    owners: list[Person]

    def owner(self) -> Person:
        """Returns the next owner."""
        return self.owners.pop()


@contextmanager
def installation(owners: int) -> Iterator[Installation]:
    """Runs an installation with so many owners, each of whom has 100 USD."""
    with listening(Provider()) as provider:
        settings = {
            "POSTERN_MCP": "1",
            "POSTERN_MCP_REGISTRATION": "1",
            "POSTERN_PUBLIC_URL": PUBLIC,
            "POSTERN_CHANNEL_SMS": f"post://127.0.0.1:{provider.port}/send?scheme=http",
        }
        with serving(workers=1, **settings) as live:
            yield Installation(live, provider, asyncio.run(_owners(live.database, owners)))


async def _owners(url: str, number: int) -> list[Person]:
    keys: Any = {"secret_key": "s" * 32, "jwt_key": "j" * 32, "access_token_seconds": 86_400}
    settings = Settings(_env_file=None, db_string=url, redis_url=servers.redis_url(), **keys)
    nobody: Any = None  # each test has a client of its own
    async with services(settings) as opened:
        opened.passwords = Passwords(memory_kib=64)
        people = People(opened, nobody)
        return [await people.make(credit="100") for _ in range(number)]
