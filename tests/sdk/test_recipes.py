"""The recipes of `sdk/`, each as its users would start it, against a running service."""

import json
import subprocess
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import httpx
from standardwebhooks import Webhook

from core.installation import ROOT
from tests.sdk.conftest import LANGUAGES, Sdk, ask, fresh_phone
from tests.sdk.cutting import cutting
from tests.support.live import Live, serving
from tests.support.ports import free_port
from tests.support.waits import PATIENCE, eventually


def test_both_languages_have_the_same_recipes():
    names = [
        {path.stem.replace("-", "_") for path in (ROOT / "sdk" / language / "recipes").glob(f"*.{ending}")}
        for language, ending in zip(LANGUAGES, ("py", "ts"), strict=True)
    ]
    assert names[0] == names[1]
    assert len(names[0]) == 8


def test_send_and_wait(sdk: Sdk, live: Live):
    (line,) = sdk.run(live, "send_and_wait", fresh_phone())
    id, status = line.split()
    assert status == "delivered"
    assert ask(live, "GET", f"/messages/{id}")["status"] == "delivered"


def test_bulk_project(sdk: Sdk, live: Live, tmp_path: Path):
    people = [{"phone": f"+1415556{number:04}", "variables": {"name": f"P{number}"}} for number in range(25)]
    (tmp_path / "people.json").write_text(json.dumps(people))
    lines = sdk.run(live, "bulk_project", str(tmp_path / "people.json"))
    assert lines[0].startswith("plan 25 recipients")
    assert lines[-1].startswith("progress finished"), lines
    newest = ask(live, "GET", "/sending-project/list")["items"][0]
    assert (newest["status"], newest["counts"]["total"]) == ("finished", 25)


def test_safe_retry(sdk: Sdk, live: Live):
    """The first answer is lost, after the service has sent the message."""
    to, order = fresh_phone(), f"order-{uuid4().hex[:8]}"
    with cutting(live.port, answers=1) as proxy:
        (id,) = sdk.run(live, "safe_retry", to, order, port=proxy.port)
    keys = [head["idempotency-key"] for head in proxy.heads]
    assert keys == [f"on-its-way-{order}"] * 2
    sent = [
        message["id"] for message in ask(live, "GET", "/messages?limit=100")["items"] if message["to"] == to
    ]
    assert sent == [id]
    assert sdk.run(live, "safe_retry", to, order) == [id]  # the program runs again


def test_safe_retry_says_what_to_do_when_nobody_answers(sdk: Sdk, live: Live):
    with cutting(live.port, answers=100) as proxy:
        lines = sdk.run(live, "safe_retry", fresh_phone(), uuid4().hex, port=proxy.port, fails=True)
    assert len(proxy.heads) == 6
    assert "with the same key: that is safe" in lines[-1]


def test_all_messages(sdk: Sdk, live: Live):
    for _ in range(4):
        ask(live, "POST", "/messages", json={"channel": "sms", "to": fresh_phone(), "body": "page"})
    *ids, statuses = sdk.run(live, "all_messages")
    total = ask(live, "GET", "/messages?limit=1")["meta"]["total"]
    assert len(ids) == len(set(ids)) == total > 3
    assert "delivered" in statuses or "queued" in statuses or "sent" in statuses


def test_receive_webhook(sdk: Sdk, live: Live, tmp_path: Path):
    """A real delivery is taken; one that was changed, has another secret or is old, is not."""
    port, out = free_port(), tmp_path / "out"
    made = ask(
        live, "POST", "/webhooks", json={"url": f"http://127.0.0.1:{port}/", "types": ["message.queued"]}
    )
    environment = sdk.environment(live.port, live.ada.token, SECRET=made["secret"], PORT=str(port))
    with ExitStack() as ends, out.open("w") as stream:
        process = subprocess.Popen(
            sdk.command("receive_webhook"), env=environment, stdout=stream, stderr=stream
        )
        ends.callback(process.wait, PATIENCE)
        ends.callback(process.kill)
        ends.callback(ask, live, "PATCH", f"/webhooks/{made['id']}", json={"enabled": False})
        sent = ask(live, "POST", "/messages", json={"channel": "sms", "to": fresh_phone(), "body": "event"})
        eventually(lambda: "message.queued" in out.read_text(), "the event comes", patience=2 * PATIENCE)
        (delivery, *_) = ask(live, "GET", f"/webhooks/{made['id']}/deliveries")["items"]
        assert sent["id"] in json.dumps(delivery["body"])

        def answer(secret: str, at: float, body: str, sent_body: str = "") -> int:
            headers = {"webhook-id": uuid4().hex, "webhook-timestamp": str(int(at))}
            headers["webhook-signature"] = Webhook(secret).sign(headers["webhook-id"], _moment(at), body)
            return httpx.post(
                f"http://127.0.0.1:{port}/", content=sent_body or body, headers=headers
            ).status_code

        body, now = json.dumps({"id": uuid4().hex, "type": "message.sent"}), time.time()
        assert answer(made["secret"], now, body) == 204
        assert answer(made["secret"], now, body, body.replace("sent", "failed")) == 401
        assert answer("whsec_" + "bm90IHRoaXMgb25lLCBidXQgYW5vdGhlciBvbmU=", now, body) == 401
        assert answer(made["secret"], now - 600, body) == 401
        assert answer(made["secret"], now + 600, body) == 401
        assert httpx.post(f"http://127.0.0.1:{port}/", content=body).status_code == 401
    printed = out.read_text()
    assert "message.sent" in printed
    assert "message.failed" not in printed


def test_rate_limits(sdk: Sdk):
    """Four messages, of which two may be sent in two seconds."""
    with serving(POSTERN_LIMIT_MESSAGES="2/2") as slow:
        begun = time.monotonic()
        ids = sdk.run(slow, "rate_limits", *(fresh_phone() for _ in range(4)))
        assert len(set(ids)) == 4
        assert ask(slow, "GET", "/messages")["meta"]["total"] == 4
        assert '"status":429' in slow.logged().replace(" ", "")
        assert time.monotonic() - begun > 1


def test_import_contacts(sdk: Sdk, live: Live, tmp_path: Path):
    mark = uuid4().hex[:8]
    (tmp_path / "people.csv").write_text(
        f"email,name,city\nanna-{mark}@example.com,Anna,Berlin\nbob-{mark}@example.com,Bob,Paris\nnonsense,Eve,Rome\n"
    )
    lines = sdk.run(live, "import_contacts", str(tmp_path / "people.csv"))
    assert lines[0].split()[:5] == ["ready", "2", "valid", "1", "invalid"]
    assert lines[1].startswith("line ")
    assert mark in json.dumps(ask(live, "GET", "/contacts"))


def test_templates_and_errors(sdk: Sdk, live: Live):
    to = f"{uuid4().hex}@example.com"
    for template in ask(live, "GET", "/templates")["items"]:  # of the other language
        ask(live, "PATCH", f"/templates/{template['id']}", json={"key": f"done-{uuid4().hex[:8]}"})
    explained, missing, sent = sdk.run(live, "templates_and_errors", to)
    assert explained.startswith("missing_variable: ")
    assert "What to do: Send them in variables." in explained
    assert "(request " in explained
    assert missing == "missing order"
    message = ask(live, "GET", f"/messages/{sent.removeprefix('sent ')}")
    assert (message["to"], message["body"]) == (to, "Hello Anna, order 4711 is on its way.")
    lines = sdk.run(live, "templates_and_errors", to, fails=True)
    assert "What to do" in lines[-1]


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
