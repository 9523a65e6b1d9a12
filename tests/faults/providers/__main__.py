"""Starts one provider; the package says how."""

import asyncio
import os
import sys
from pathlib import Path

from tests.faults.providers import http, smpp, smtp
from tests.faults.providers.effects import Effects

SERVERS = {"http": http.serve, "smtp": smtp.serve, "smpp": smpp.serve}


async def main(kind: str, log: str, honours: str, seed: str, trouble: str) -> None:
    effects = Effects(Path(log), honours=honours == "1", seed=int(seed), trouble=float(trouble))
    port = await SERVERS[kind](effects)
    print(port, flush=True)
    await asyncio.to_thread(sys.stdin.read)  # until the process that started us ends
    os._exit(0)  # answers that are still withheld are of no interest


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
