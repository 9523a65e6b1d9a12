"""A program that runs both servers, to be killed by the tests: `python parent.py DATA_DIR [PLACE_FOR_COPIES]`.

It prints a line of JSON when they are up, drains and stops them at SIGINT, and prints "drained" in between.
"""

import json
import signal
import socket
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import structlog

from postern.embedded import EmbeddedError, EmbeddedPostgres, EmbeddedRedis, account


def main() -> None:
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    stopping = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stopping.set())
    if len(sys.argv) > 2:
        account.COPY_FOLDERS = [Path(sys.argv[2])]
    folder = Path(sys.argv[1])
    try:
        with EmbeddedPostgres(folder, options={"fsync": "off"}) as postgres, EmbeddedRedis(folder) as redis:
            servers = {"postgres": postgres, "redis": redis}
            report = {name: {"pid": server.pid, "url": server.url} for name, server in servers.items()}
            print(json.dumps(report), flush=True)
            stopping.wait()
            for started in servers.values():
                with socket.create_connection(("127.0.0.1", urlsplit(started.url).port or 0), 1):
                    assert started.running
            print("drained", flush=True)
    except EmbeddedError as error:
        sys.exit(f"{type(error).__name__}: {error}")


main()
