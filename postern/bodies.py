"""A request's body, read in one go: its bound is postern/middleware.py's."""

from starlette.requests import ClientDisconnect
from starlette.types import Receive


async def whole(receive: Receive) -> bytes:
    """As Starlette's `Request.body`, without its generator, for most bodies are one message.

    Raises ClientDisconnect.
    """
    pieces: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        piece: bytes = message.get("body", b"")
        if not message.get("more_body", False):
            return piece if not pieces else b"".join([*pieces, piece])
        pieces.append(piece)
