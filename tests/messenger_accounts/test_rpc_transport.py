"""A WebSocket on the wire: the bounds on slow requests (core/http/limits.py) end with the upgrade."""

import asyncio
import socket

import orjson
import uvicorn
from websockets.asyncio.client import connect

from core.http.limits import BoundedHttp
from tests.support.waits import until


class Hasty(BoundedHttp):
    head_seconds = idle_seconds = 1.0  # in which the handshake must have come


async def test_a_silent_socket_stays_open(app, ada):
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, http=Hasty, log_config=None, lifespan="off")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([place]))
        await until(lambda: server.started)
        url = f"ws://127.0.0.1:{place.getsockname()[1]}/graphql"
        async with connect(url, subprotocols=["graphql-transport-ws"]) as client:
            hello = {"type": "connection_init", "payload": {"Authorization": f"Bearer {ada.token}"}}
            await client.send(orjson.dumps(hello).decode())
            assert orjson.loads(await client.recv()) == {"type": "connection_ack"}
            await asyncio.sleep(3 * Hasty.idle_seconds)  # the bound that it would break
            await client.send('{"type": "ping"}')
            assert orjson.loads(await client.recv()) == {"type": "pong"}
        server.should_exit = True
        await serving
