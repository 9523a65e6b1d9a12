"""Receives the events of a webhook: `SECRET=whsec_… uvicorn receive_events:app`. Needs fastapi, uvicorn,
standardwebhooks.
"""

import json
import os
import sqlite3

from fastapi import FastAPI, HTTPException, Request
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["SECRET"])
db = sqlite3.connect(os.environ.get("FILE", "received.sqlite"), check_same_thread=False)
db.execute("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, event TEXT)")
app = FastAPI()


@app.post("/events", status_code=204)
async def receive(request: Request) -> None:
    body = await request.body()
    try:
        content = webhook.verify(body, dict(request.headers))
    except WebhookVerificationError:
        raise HTTPException(401, "The signature is not valid.") from None
    # With `batch` a request has several events. The same event may come twice: its id says so. (A body of a GraphQL
    # document has the id of its request.)
    events = content.get("events", [content])
    first = request.headers["webhook-id"]
    rows = [(event.get("id", f"{first}/{n}"), json.dumps(event)) for n, event in enumerate(events)]
    with db:  # stored before the answer: what is answered with 2xx does not come again
        db.executemany("INSERT OR IGNORE INTO events VALUES (?, ?)", rows)
