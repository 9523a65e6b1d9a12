"""Follows your events into an SQLite table, and goes on where it was after a crash: `follow_events.py FILE`."""

import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

url, token = os.environ["URL"], os.environ["TOKEN"]
db = sqlite3.connect(sys.argv[1])
db.execute(
    "CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, type TEXT, at TEXT, subject TEXT, data TEXT)"
)
db.execute("CREATE TABLE IF NOT EXISTS cursors (feed TEXT PRIMARY KEY, cursor TEXT)")
cursor = dict(db.execute("SELECT feed, cursor FROM cursors")).get(url)

while True:
    query = urllib.parse.urlencode({"first": 1000, **({"after": cursor} if cursor else {})})
    request = urllib.request.Request(f"{url}/events?{query}", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            page = json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == 410:  # too old: load the present state by `updatedSince` here, then go on
            page = {"events": [], "next": json.load(error)["details"]["oldest"], "more": True}
        elif error.code < 500 and error.code != 429:
            raise SystemExit(error.read().decode()) from None
        else:
            time.sleep(1)
            continue
    except OSError:  # the service is away for a moment
        time.sleep(1)
        continue
    cursor = page["next"]
    with db:  # the events and the cursor in one transaction: nothing is lost, nothing is stored twice
        rows = [(e["id"], e["type"], e["at"], e["subjectId"], json.dumps(e["data"])) for e in page["events"]]
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)
        db.execute("INSERT OR REPLACE INTO cursors VALUES (?, ?)", (url, cursor))
    if not page["more"]:
        time.sleep(1)
