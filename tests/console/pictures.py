"""Makes the pictures of the papers from today's console, with data as people have it.
`python -m tests.console.pictures docs/pictures`.
"""

import argparse
import asyncio
import math
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import asyncpg

from tests.console.messengers import connect
from tests.console.steps import Tab
from tests.console.test_members import join
from tests.console.users import call, ends, new_user, send
from tests.members.made import acting
from tests.support import servers
from tests.support.browser import browsing
from tests.support.live import Live, serving
from tests.support.people import Person
from tests.support.waits import eventually

_NAMES = ("Anna", "Ben", "Cleo", "Dennis", "Emma", "Farid", "Grace", "Hugo", "Ines", "Jonas")
_TOWNS = ("Vienna", "Leeds", "Lyon", "Turin", "Porto")
_SALE = "Hello {{ name }}, until Sunday everything in {{ town }} is 20 % off. Reply STOP to opt out."

_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!, $i: StartProject) { startSendingProject(id: $id, input: $i) { uuid } }"
_RULE = "mutation { setApprovalRule(input: {mode: off, selfApproval: true}) { mode } }"
_PLAN = "mutation ($id: ID!) { makeProjectPlan(id: $id) { hash } }"
_ASK = "mutation ($id: ID!, $i: AskApproval!) { askApproval(id: $id, input: $i) { uuid } }"
_DECIDE = "mutation ($id: ID!, $i: DecideApproval!) { decideApproval(id: $id, input: $i) { state } }"
_STATUS = "query ($id: ID!) { sendingProject(id: $id) { status } }"
_BLOCK = (
    "mutation ($phone: String!, $input: BlockPhone) { blockPhone(phone: $phone, input: $input) { uuid } }"
)
_HOOK = "mutation ($i: NewEventWebhook!) { createWebhook(input: $i) { webhook { uuid } } }"
_NEW_ACCOUNT = "mutation ($i: NewMessengerAccount!) { addMessengerAccount(input: $i) { uuid } }"
_CONNECT = "mutation ($id: ID!) { startMessengerAccount(id: $id) { state } }"
_CHATS = "query ($id: ID!) { messengerChats(accountId: $id) { nodes { uuid } } }"
_LABEL = "mutation ($i: NewChatLabel!) { createChatLabel(input: $i) { uuid } }"
_GIVE_LABEL = "mutation ($id: ID!, $l: [ID!]!) { setMessengerChatLabels(id: $id, labels: $l) { uuid } }"
_PLAN = "mutation ($id: ID!) { makeProjectPlan(id: $id) { hash } }"
_ASK = "mutation ($id: ID!, $i: AskApproval!) { askApproval(id: $id, input: $i) { uuid } }"
_DECIDE = "mutation ($id: ID!, $i: DecideApproval!) { decideApproval(id: $id, input: $i) { uuid } }"
_CHANGE = (
    "mutation ($id: ID!, $i: SendingProjectPatch!) { updateSendingProject(id: $id, input: $i) { uuid } }"
)
_ACCOUNT = "query { me { accounts { nodes { uuid } } } }"

# A picture's name, the page's address, and what is there when the page is complete.
_PAGES = (
    ("overview", "/console", "main canvas"),
    ("messages", "/console/messages", "[role=cell] a"),
    ("message", "/console/messages/{message}", "main dl"),
    ("send", "/console/messages?send=1", "[role=dialog] textarea"),
    ("projects", "/console/projects", "main a[href*='/console/projects/']"),
    ("project", "/console/projects/{finished}", "main dl"),
    ("project-text", "/console/projects/new?project={draft}&step=text", "main select, main textarea"),
    ("project-schedule", "/console/projects/new?project={draft}&step=schedule", "main input"),
    ("project-plan", "/console/projects/new?project={draft}&step=check", "main dl"),
    ("approval", "/console/approvals/{approval}", "main dl"),
    ("blocks", "/console/blocks", "main table td"),
    ("inbox", "/console/inbox/{desk}/{chat}", "[role=log] li[data-outgoing]"),
    ("messengers", "/console/messengers/{waiting}", "main img"),
    ("account", "/console/accounts/{account}", "[role=cell], main table td"),
    ("webhook", "/console/webhooks/{webhook}", "main table td"),
)


class _Taker(BaseHTTPRequestHandler):
    """A program that takes the events of a webhook."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _project(live: Live, user: Person, name: str, count: int, **fields: Any) -> str:
    new = {"name": name, "channel": "email", "subject": "Autumn offer", "text": _SALE, **fields}
    id = str(call(live, user, _MAKE, i=new)["createSendingProject"]["uuid"])
    by_phone = new["channel"] == "sms"
    people = [
        {
            "address": f"+1415555{number:04}"
            if by_phone
            else f"{_NAMES[number % 10].lower()}.{number}@example.com",
            "name": _NAMES[number % 10],
            "variables": {"town": _TOWNS[number % 5]},
        }
        for number in range(count)
    ]
    call(live, user, _ADD, id=id, i={"recipients": people})
    return id


def _finishes(live: Live, user: Person, project: str, plan_hash: str | None = None) -> None:
    call(live, user, _START, id=project, i={"planHash": plan_hash})

    def has_finished() -> bool:
        return bool(call(live, user, _STATUS, id=project)["sendingProject"]["status"] == "finished")

    eventually(has_finished, "the project has finished")


def _projects(live: Live, user: Person) -> dict[str, str]:
    """Projects of all states. One has two texts, and recipients whom the sandbox refuses."""
    sale = [{"text": _SALE}, {"text": f"Psst! {_SALE}"}]
    finished = _project(live, user, "Autumn offer", 400, text=None, variants=sale)
    failing = [{"address": f"{word}@sandbox.postern.test", "name": "Max"} for word in ("failed", "bounced")]
    call(live, user, _ADD, id=finished, i={"recipients": failing})
    text = "Dear {{ name }}, your order was sent to {{ town }} today."
    _finishes(live, user, finished, _approve(live, user, finished))
    orders = _project(live, user, "Order updates, week 47", 200, text=text, category="transactional")
    for id in (orders, _project(live, user, "Newsletter November", 350)):
        _finishes(live, user, id)
    draft = _project(live, user, "Black Friday", 1200, channel="sms", subject=None)
    slow = _project(live, user, "Appointment reminders", 240, speed={"perMinute": 4})
    call(live, user, _START, id=slow)
    return {"finished": finished, "draft": draft}


def _approve(live: Live, user: Person, project: str) -> str:
    """Returns the hash of a plan that its owner has approved alone."""
    call(live, user, _RULE)
    plan_hash = call(live, user, _PLAN, id=project)["makeProjectPlan"]["hash"]
    approval = call(live, user, _ASK, id=project, i={"planHash": plan_hash})["askApproval"]["uuid"]
    call(live, user, _DECIDE, id=approval, i={"planHash": plan_hash, "decision": "approved"})
    return str(plan_hash)


def _take_reconciliation(tab: Tab, folder: Path, user: Person, project: str) -> None:
    """Takes the page to print, which needs a Bearer credential."""
    tab.page.call("Network.setExtraHTTPHeaders", headers={"Authorization": f"Bearer {user.token}"})
    path = f"/sending-project/{project}/reconciliation?format=html"

    def is_made() -> bool:
        tab.open(path)
        text = str(tab.page.evaluate("document.body.innerText"))
        return "Balanced" in text

    eventually(is_made, "the project is reconciled")
    size = {"width": 800, "height": 1150}
    tab.page.call("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1, mobile=False)
    tab.page.evaluate("document.body.style.margin = '2rem auto'")
    tab.page.picture(folder / "reconciliation.png")
    tab.page.call("Network.setExtraHTTPHeaders", headers={})
    tab.at_width(1280)


def _approval(live: Live, user: Person) -> dict[str, str]:
    """An editor has changed what was approved, and asks anew."""
    member = new_user(live)
    join(live, user, member, "editor")
    editor = acting(member, user)
    text = "Hello {{ name }}, on Friday everything in {{ town }} is 20 % off. Doors open at eight."
    id = _project(live, editor, "Winter evening", 300, subject="Winter evening", text=text)
    made, approval = "", ""
    for change in ({}, {"text": text.replace("eight", "nine"), "speed": {"perMinute": 100}}):
        if change:
            call(live, user, _DECIDE, id=approval, i={"planHash": made, "decision": "approved"})
            call(live, editor, _CHANGE, id=id, i=change)
        made = call(live, editor, _PLAN, id=id)["makeProjectPlan"]["hash"]
        asked = {"planHash": made, "note": "The hall opens later than we said."}
        approval = str(call(live, editor, _ASK, id=id, i=asked)["askApproval"]["uuid"])
    return {"approval": approval}


def _chats(live: Live, user: Person) -> dict[str, str]:
    desk = connect(live, user, "Support")
    others = [connect(live, new_user(live), name) for name in ("Cleo Martin", "Ben Okafor", "Anna Berg")]
    for other, text in zip(others, ("Are you open on Sunday?", "It came like this.", "Hello!"), strict=True):
        other.writes(desk.phone, text)
    cleo, ben, anna = others
    desk.writes(cleo.phone, "Yes, from ten to six.")
    ben.writes(desk.phone, "What can I do?")
    anna.writes(desk.phone, "Is my table booked for tonight?")
    desk.writes(anna.phone, "Yes: two people at eight, by the window.")
    anna.writes(desk.phone, "Wonderful! Could we come a little later, at half past eight? My train is late.")
    last = desk.writes(anna.phone, "Of course. See you at 20:30.")
    chat = str(last["chat"]["uuid"])
    label = call(live, user, _LABEL, i={"name": "Table", "color": "blue"})["createChatLabel"]["uuid"]
    call(live, user, _GIVE_LABEL, id=chat, l=[label])
    eventually(lambda: len(call(live, user, _CHATS, id=desk.id)["messengerChats"]["nodes"]) == 3, "the chats")
    new = {"source": "telegram", "login": "15005551014", "name": "Sales", "driver": "sandbox"}
    waiting = str(call(live, user, _NEW_ACCOUNT, i=new)["addMessengerAccount"]["uuid"])
    return {"desk": desk.id, "chat": chat, "waiting": waiting}


async def _count(database: str, owner: Any) -> None:
    """Counts messages of the hours before, which the overview draws, without making them."""
    db = await asyncpg.connect(database)
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    for back in range(1, 24):
        sent = round(650 + 350 * math.sin(back / 2.4) + 60 * math.cos(back))
        failed = sent // 75
        at = hour - timedelta(hours=back)
        await db.execute(
            "INSERT INTO message_buckets (owner_id, bucket, channel, shard, queued, sent, delivered, failed)"
            " VALUES ($1, $2, 'sms', 0, $3, $3, $4, $5)",
            owner, at, sent, sent - 2 * failed, failed,
        )  # fmt: skip
        await db.execute(
            "INSERT INTO outcome_counters (owner_id, bucket, kind, channel, shard, delivered, sent, failed)"
            " VALUES ($1, $2, 'direct', 'sms', 0, $3, $4, $4)",
            owner, at, sent - 2 * failed, failed,
        )  # fmt: skip
    await db.close()


def _fill(live: Live, user: Person, hook: str) -> dict[str, str]:
    webhook = call(live, user, _HOOK, i={"url": hook})["createWebhook"]["webhook"]["uuid"]
    for name, text in (
        ("alan", "Your code is 414243."),
        ("grace", "Your order is on its way."),
        ("ada", "Your table is booked for eight."),
    ):
        send(live, user, f"{name}@example.com", text)
    failed = send(live, user, "failed@sandbox.postern.test", "Your parcel waits at the post office.")
    message = send(live, user, "delivered@sandbox.postern.test")
    ends(live, user, failed, "failed")
    ends(live, user, message, "delivered")
    for phone, scope in (("+14155550177", "all"), ("+442079460958", "promotional"), ("+14155550199", "all")):
        call(live, user, _BLOCK, phone=phone, input={"scope": scope})
    ids = {**_projects(live, user), **_approval(live, user), **_chats(live, user)}
    asyncio.run(_count(live.database, user.id))
    account = call(live, user, _ACCOUNT)["me"]["accounts"]["nodes"][0]["uuid"]
    return {**ids, "webhook": str(webhook), "message": message, "account": str(account)}


def _take(tab: Tab, folder: Path, name: str, path: str, there: str) -> None:
    tab.open(path)
    tab.sees_element(there)
    tab.page.wait("document.querySelector('main .mantine-Loader-root, main .mantine-Skeleton-root') === null")
    tab.stands_still()
    tab.page.evaluate("new Promise((drawn) => setTimeout(drawn, 500))")  # a chart draws itself in steps
    tab.page.picture(folder / f"console-{name}.png")


def main() -> None:
    parse = argparse.ArgumentParser(prog="python -m tests.console.pictures")
    parse.add_argument("folder", type=Path)
    folder = parse.parse_args().folder
    taker = HTTPServer(("127.0.0.1", 0), _Taker)
    Thread(target=taker.serve_forever, daemon=True).start()
    with (
        servers.running(),
        serving(
            workers=1,
            POSTERN_CONSOLE="true",
            POSTERN_OUTBOUND_ALLOW="127.0.0.0/8",
            IP_ALLOWLIST_FILE="/etc/postern/ip-allowlist.conf",
        ) as live,
        browsing() as browser,
        browser.page() as page,
    ):
        user = new_user(live, credit="2500")
        ids = _fill(live, user, f"http://127.0.0.1:{taker.server_port}/orders")
        tab = Tab(page, live)
        tab.has_login_of(user)
        for name, path, there in _PAGES:
            if name == "messengers":  # the sandbox scans the QR code by itself after a moment
                call(live, user, _CONNECT, id=ids["waiting"])
            _take(tab, folder, name, path.format(**ids), there)
        _take_reconciliation(tab, folder, user, ids["finished"])
        tab.has_login_of(live.admin)
        _take(tab, folder, "system", "/console/system", "main button")


if __name__ == "__main__":
    main()
