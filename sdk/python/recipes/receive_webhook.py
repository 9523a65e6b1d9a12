"""Receives the events of a webhook: `SECRET=whsec_… PORT=8080 python receive_webhook.py`.

Make the webhook with `postern.webhooks.create(NewEventWebhook(url=…))`, whose answer has the secret, once.
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from postern_sdk import WebhookRefused, events_of, verify_webhook

seen: set[str] = set()  # a program that stores events in a database asks that for their ids


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            content = verify_webhook(body, dict(self.headers), os.environ["SECRET"])
        except WebhookRefused as error:
            self.send_error(401, str(error))
            return
        for event in events_of(content):
            if event["id"] not in seen:  # the same event may come twice
                print(event["type"], event["id"], flush=True)
                seen.add(event["id"])
        self.send_response(204)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
