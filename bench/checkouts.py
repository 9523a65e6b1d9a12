"""Servers of several checkouts of this project, to compare what it was with what it is, in one run."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import asyncpg

from bench.graphql import Contestant


def _command(root: Path, *arguments: str) -> tuple[str, ...]:
    """Returns the command line of Postern in a checkout."""
    start = (
        f"import sys, runpy; sys.path.insert(0, {str(root)!r});"
        "runpy.run_module('postern', run_name='__main__', alter_sys=True)"
    )
    return (sys.executable, "-c", start, *arguments)


async def server_of(
    root: Path, name: str, port: int, url: str, environment: dict[str, str], emails: Iterable[str]
) -> Contestant:
    """Makes a database with users, by the code of a checkout, and returns the server for it. Their password is
    "bench bench", and each has much money.
    """
    parent, _, _ = url.rpartition("/")
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE bench_{name}")
    await connection.close()
    mine = {**environment, "DB_STRING": f"{parent}/bench_{name}", "PYTHONPATH": str(root)}
    for arguments in (
        ("migrate",),
        *(("user", "create", email, "--password", "bench bench") for email in emails),
    ):
        await asyncio.to_thread(
            subprocess.run, _command(root, *arguments), env={**os.environ, **mine}, cwd=root, check=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
    connection = await asyncpg.connect(mine["DB_STRING"])
    await connection.execute("UPDATE accounts SET balance = 100000000")  # enough for all the messages
    await connection.close()
    return Contestant(name, name, port, _command(root, "serve", "--no-worker", "--port", str(port)), mine)
