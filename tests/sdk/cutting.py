"""A proxy that passes requests on, and cuts the connection before the answer: the service has done it, and the client
does not know.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread

from tests.support.waits import PATIENCE


@dataclass
class Proxy:
    """Loses the first `answers`."""

    port: int
    answers: int
    heads: list[dict[str, str]] = field(default_factory=list)  # the headers of each request, in lower case

    def take(self, client: socket.socket, service: int) -> None:
        with client, socket.create_connection(("127.0.0.1", service), timeout=PATIENCE) as onward:
            client.settimeout(PATIENCE)
            request = b""
            while not _is_whole(request):
                part = client.recv(65536)
                if not part:
                    return
                request += part
            head, _, body = request.partition(b"\r\n\r\n")
            lines = head.decode().split("\r\n")
            self.heads.append(_headers(lines[1:]))
            kept = [line for line in lines if not line.lower().startswith("connection:")]
            onward.sendall("\r\n".join([*kept, "connection: close", "", ""]).encode() + body)
            answer = b""
            while part := onward.recv(65536):
                answer += part
            if self.answers > 0:
                self.answers -= 1
                return
            client.sendall(answer)


def _headers(lines: list[str]) -> dict[str, str]:
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


def _is_whole(request: bytes) -> bool:
    head, end, body = request.partition(b"\r\n\r\n")
    if not end:
        return False
    lengths = [
        line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
    ]
    return len(body) >= int(lengths[0] if lengths else 0)


@contextmanager
def cutting(service: int, answers: int) -> Iterator[Proxy]:
    """A proxy before the port of a service that loses so many answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        proxy = Proxy(listener.getsockname()[1], answers)

        def serve() -> None:
            with suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    with suppress(OSError):
                        proxy.take(client, service)

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield proxy
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(PATIENCE)
