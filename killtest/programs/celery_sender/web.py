"""Takes `POST /send?to=…` and queues the task; `GET /states` shows the states of all tasks by the result backend."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import redis
from tasks import app, send

_STATES = {"SUCCESS": "sent", "FAILURE": "failed"}
_broker = redis.Redis.from_url(os.environ["KILLTEST_REDIS"])


def states(addresses):
    """Returns the state of each task. One that is not finished waits only if the broker still has its message."""
    queued = b"".join([*_broker.lrange("celery", 0, -1), *_broker.hvals("unacked")])
    rows = []
    for address in addresses:
        task = f"send-{address}"
        waiting = "waiting" if task.encode() in queued else "none"
        rows.append((address, _STATES.get(app.AsyncResult(task).state, waiting)))
    return rows


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        to = parse_qs(urlsplit(self.path).query)["to"][0]
        # The id names the person, so that its state can be read; Celery does not refuse a second task with it.
        send.apply_async((to,), task_id=f"send-{to}", retry=False)
        self.answer(202, b"")

    def do_GET(self):
        to = parse_qs(urlsplit(self.path).query)["to"]
        self.answer(200, json.dumps(states(to)).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
