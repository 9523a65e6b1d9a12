"""Runs the commands of a page in a shell, against a server and a worker."""

import asyncio
from typing import Any

import uvicorn

from core.settings import Settings
from postern import demo
from postern.app import make_app
from postern.process import Server
from tests.support.waits import PATIENCE


async def run_script(settings: Settings, script: str, **options: Any) -> list[str]:
    """Runs a script against a server and a worker, and returns what it prints; their port replaces the README's."""
    from engine.worker import Worker

    await demo.fill(settings)
    app = make_app(settings)
    server = Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    worker = Worker(app.services)
    working = asyncio.create_task(worker.run())
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        shell = await asyncio.create_subprocess_exec(
            "bash", "-c", script.replace("127.0.0.1:3000", f"127.0.0.1:{port}"),
            stdout=asyncio.subprocess.PIPE, **options,
        )  # fmt: skip
        output, _ = await asyncio.wait_for(shell.communicate(), 2 * PATIENCE)
    finally:
        worker.stop()
        await asyncio.wait_for(working, PATIENCE)
        server.should_exit = True
        await asyncio.wait_for(serving, PATIENCE)
    return output.decode().splitlines()
