"""The stories of the pages on people, from beginning to end: their commands, and then the days that follow."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from core.http.allowlist import AllowlistMode
from core.settings import Settings
from tests.docs.pages import blocks, read, section
from tests.docs.shell import run_script

pytestmark = pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)

_LOGIN = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
_GET = 'curl -s "http://127.0.0.1:3000%s" -H "authorization: Bearer $TOKEN"'
READY = '"status":"ready"'
_POST = _GET.replace("curl -s", "curl -s -X POST")


def commands(page: str, title: str) -> list[str]:
    return blocks(section(page, title), "sh")


def until(path: str, text: str) -> str:
    """A command that waits until an answer has a text; it stands in place of a moment that is long enough."""
    return f"until {_GET % path} | grep -q '{text}'; do sleep 0.1; done"


async def story(settings: Settings, folder: Path, *parts: str) -> list[Any]:
    """Runs the parts as one script after the login of the README. Returns the answers that are JSON."""
    script = "\n".join(["set -e", _LOGIN, *parts])
    for command in ("curl", "api", "contact ", "subscribe "):
        script = script.replace(f"\n{command}", f"\necho; {command}")
    text, answers, decoder = (
        "".join(await run_script(settings, script, cwd=folder)),
        list[Any](),
        json.JSONDecoder(),
    )
    while (begin := text.find("{")) >= 0:  # some commands print an id
        answer, end = decoder.raw_decode(text, begin)
        answers.append(answer)
        text = text[end:]
    return answers


async def received(settings: Settings, folder: Path, project: str, *before: str) -> dict[str, list[str]]:
    """Waits for the end of a project. Returns the texts that each address got, by its part before the @."""
    end = until(f"/sending-project/{project}", '"status":"finished"')
    messages = _GET % f"/message/list?sendingProjectUuid={project}&limit=100"
    *_, listed = await story(settings, folder, *before, end, messages)
    assert {item["status"] for item in listed["items"]} <= {"sent", "delivered"}
    texts = dict[str, list[str]]()
    for item in listed["items"]:
        texts.setdefault(item["to"].partition("@")[0].lower(), []).append(item["body"])
    return texts


async def test_a_newsletter_with_a_double_opt_in(settings: Settings, tmp_path: Path, unused_tcp_port: int):
    """Opening the link presses no button, and nothing is sent to Eve, who never pressed hers."""
    form, mails, link = commands("docs/topics.md", "Sign-up forms")
    eve = "curl -s -o page.html http://127.0.0.1:3000/signup/$FORM -d email=eve@example.com"
    newsletter = commands("docs/topics.md", "A newsletter")
    mails = mails.replace(".venv/bin/python", sys.executable).replace("1025", str(unused_tcp_port))
    serving = await asyncio.create_subprocess_shell(f"exec {mails}", cwd=tmp_path)
    printed = f"smtp://127.0.0.1:{unused_tcp_port}?from=hello@example.com"
    real = settings.model_copy(update={"channel_email": printed, "public_url": "http://127.0.0.1:3000"})
    asked = [
        f"until [ $(grep -c /opt-in/ mails.txt) = {number} ]; do sleep 0.1; done" for number in (1, 2, 3)
    ]
    try:
        _, project, opened, confirmed = await story(
            real,
            tmp_path,
            *newsletter,
            form,
            asked[0],
            eve,
            asked[1],
            form.splitlines()[-1],
            asked[2],
            link,
        )
    finally:
        serving.terminate()
        await serving.wait()
    assert [each["state"] for each in opened["items"]] == ["pending", "pending", "active"]
    assert [each["state"] for each in confirmed["items"]] == ["pending", "active", "active"]
    start = _POST % f"/sending-project/start/{project['uuid']}"
    assert {*await received(settings, tmp_path, project["uuid"], start)} == {"anna", "bert"}


async def test_two_lists_that_are_two_topics(settings: Settings, tmp_path: Path):
    """Thirteen addresses on each, six of them on both."""
    (part,) = commands("docs/topics.md", "What a project sends")
    wait = f"for LIST in $LISTS; do {until('/recipient-import/$LIST', READY)}; done"
    (started,) = await story(settings, tmp_path, part.replace("sleep 2", wait))
    texts = await received(settings, tmp_path, started["uuid"])
    assert texts == {f"person{number}": ["Hello!"] for number in range(1, 21)}


async def test_two_lists_that_are_two_files(settings: Settings, tmp_path: Path):
    """The second list spells the addresses in another way."""
    (part,) = commands("docs/projects.md", "Recipients")
    wait = f"for LIST in $LISTS; do {until('/recipient-import/$LIST', READY)}; done"
    first, second, started = await story(settings, tmp_path, part.replace("sleep 2", wait))
    assert (first["added"], second["added"]) == (13, 7)
    assert await received(settings, tmp_path, started["uuid"]) == {
        f"person{number}": [f"You are on our list {'spring' if number <= 13 else 'summer'}"]
        for number in range(1, 21)
    }


_RUNS = "SELECT id, status FROM sending_projects WHERE repeatable_uuid IS NOT NULL ORDER BY fire_at"
# Contacts are older than their first week, or a week has passed: what was then is seven days earlier.
_OLDER = "UPDATE contacts SET created_at = created_at - interval '7 days' {}"


async def test_a_weekly_letter_to_a_segment(settings: Settings, tmp_path: Path):
    """People come into the segment and leave it between two runs, by what is changed and by the days that pass."""
    first, later = commands("docs/segments.md", "A weekly letter")
    started = (await story(settings, tmp_path, first))[-1]
    assert started["status"] == "active"
    db = await asyncpg.connect(settings.db_string.get_secret_value())

    async def run(number: int, *before: str) -> dict[str, list[str]]:
        """The run of a Monday, which is now."""
        due = "UPDATE repeatable_projects SET next_run_at = date_trunc('second', now())"
        await db.execute(due)
        path = "/repeatable-sending-project/$ID"
        await story(settings, tmp_path, f"ID={started['uuid']}", until(path, f'"runs":{number}'))
        runs = await db.fetch(_RUNS)
        assert len(runs) == number
        return await received(settings, tmp_path, str(runs[-1]["id"]))

    await db.execute(_OLDER.format("WHERE name <> 'Bert'"))
    today = await db.fetchval("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')")
    one = await run(1)
    assert {*one} == {"anna", "bert", "carl"}
    assert one["anna"] == [f"Hello Anna, news of {today}"]
    await db.execute(_OLDER.format(""))
    # The commands of the second part need the variables and functions of the first.
    helpers = (
        first[: first.index("IDS=")].replace("api /contact-fields", ": ").replace("TOPIC=$(api", "TOPIC=$(: ")
    )
    topic = started["source"]["audience"]["topicUuids"][0]
    await story(settings, tmp_path, helpers, f"TOPIC={topic}", later)
    assert {*await run(2)} == {"carl", "dora"}
    await db.close()


async def test_a_list_of_a_rival(settings: Settings, tmp_path: Path):
    """Subscribers who had left the other system stay out, and the one who was blocked there is blocked."""
    *_, part = commands("docs/contacts.md", "Importing a list")
    (done,) = await story(
        settings, tmp_path, part.replace("sleep 1", until("/recipient-import/$IMPORT", READY))
    )
    assert [done["contacts"][each] for each in ("created", "subscribed", "suppressed")] == [3, 1, 2]
    (api, *_) = commands("docs/erasure.md", "An erasure")[0].splitlines()
    project = (
        f"TOPIC=$({_GET % '/topics'} | grep -oE '[0-9a-f-]{{36}}' | head -1)\n{api}\n"
        """
api /sending-project '{"name": "x", "channel": "email", "subject": "News", "text": "Hello {{ name }}",
  "audience": {"topicUuids": ["'$TOPIC'"]}}'"""
    )
    (made,) = await story(settings, tmp_path, project)
    start = _POST % f"/sending-project/start/{made['uuid']}"
    assert await received(settings, tmp_path, made["uuid"], start) == {"anna": ["Hello Anna"]}


async def test_a_person_is_erased(settings: Settings, tmp_path: Path):
    """The commands of the page; afterwards the person is nowhere in what the owner can read."""
    (part,) = commands("docs/erasure.md", "An erasure")
    wait = until("/persons/erasures/$ERASURE", '"state":"done"')
    contact, message, erasure = await story(settings, tmp_path, part.replace("sleep 2", wait))
    assert (erasure["state"], erasure["contactId"]) == ("done", contact["id"])
    lists = ("/messages", "/contacts", "/consents", "/audit", "/persons/erasures")
    answers = await story(settings, tmp_path, *(_GET % path for path in lists))
    assert message["id"] in json.dumps(answers)
    assert not any(text in json.dumps(answers) for text in ("anna@example.com", "Anna Berg", "parcel"))


async def test_two_providers_and_a_failover(settings: Settings, tmp_path: Path):
    """A message to Germany goes by the first route, and by the second one while that is switched off."""
    rules, first, second = commands("docs/routes.md", "Two providers, and a failover")
    sent = until("/messages?limit=1", '"status":"\\(sent\\|delivered\\)"')
    answers = await story(settings, tmp_path, rules, first, sent, second, sent)
    ways = [answer["candidates"] for answer in answers if "candidates" in answer]
    assert [[(each["route"], each["use"]) for each in way] for way in ways] == [
        [("berlin", "tried"), ("spare", "tried")],
        [("spare", "tried"), ("berlin", "off")],
    ]
    db = await asyncpg.connect(settings.db_string.get_secret_value())
    rows = await db.fetch("SELECT provider FROM messages WHERE \"to\" = '+4930123456' ORDER BY id")
    await db.close()
    assert [row["provider"] for row in rows] == ["berlin", "spare"]


async def test_a_campaign_to_five_countries_is_reconciled(settings: Settings, tmp_path: Path):
    """Planned by country, sent, and the sum of the messages, the plan and the ledger is the same."""
    prices, plan, costs = commands("docs/prices.md", "A campaign to five countries")
    end = until("/sending-project/$PROJECT", '"status":"finished"')
    messages = _GET % "/message/list?sendingProjectUuid=$PROJECT&limit=100"
    answers = await story(settings, tmp_path, prices, plan, costs.replace("sleep 5", end), messages)
    quote, planned, cost, listed = (
        next(answer for answer in answers if key in answer)
        for key in ("segments", "toSend", "charged", "meta")
    )
    assert (quote["price"], quote["pricePrefix"], quote["country"]) == (0.081, "4915", "DE")
    assert (planned["toSend"], planned["exact"]) == (6, True)
    assert planned["skipped"] == [{"code": "no_price", "count": 1}]
    countries = {entry["country"]: entry["messages"] for entry in planned["cost"]["byCountry"]}
    assert countries == {"DE": 2, "FR": 1, "GB": 1, "PL": 1, "US": 1}
    paid = round(sum(item["price"] for item in listed["items"]), 6)
    assert paid == planned["cost"]["amount"] == cost["cost"] == 0.2649
    assert {item["to"]: item["pricePrefix"] for item in listed["items"] if item["price"]} == {
        "+4915112345678": "4915",
        "+4930123456": "49",
        "+14155550101": "1",
        "+33612345678": "33",
        "+447700900123": "44",
        "+48501234567": "48",
    }


async def test_a_price_list_for_each_tariff(settings: Settings, tmp_path: Path):
    """Two users pay by two lists for the same numbers, to the cent, and the ledger says the same."""
    retail, *_ = commands("docs/prices.md", "A campaign to five countries")
    wholesale, customer = commands("docs/prices.md", "A price list for each tariff")
    numbers = ("+4930123456", "+33612345678")
    quotes = [
        f'{who} /messages/quote \'{{"to": "{to}", "channel": "sms", "body": "Hi"}}\''
        for who in ("api", "customer")
        for to in numbers
    ]
    answers = await story(settings, tmp_path, retail, wholesale, customer, *quotes)
    prices = [(each["price"], each["pricePrefix"]) for each in answers if "segments" in each]
    assert prices[-4:] == [(0.07, "49"), (0.05, "33"), (0.052, "49"), (0.03, None)]
    db = await asyncpg.connect(settings.db_string.get_secret_value())
    customer = "FROM {} AS x JOIN users AS u ON u.id = x.owner_id WHERE u.email = 'customer@example.com'"
    rows = await db.fetch(
        f'SELECT x."to", x.price::float, x.price_prefix {customer.format("messages")} ORDER BY x.id'
    )
    spent = await db.fetchval(
        f"SELECT sum(amount)::float FROM ledger_entries WHERE amount < 0 AND account_id IN"
        f" (SELECT x.id {customer.format('accounts')})"
    )
    await db.close()
    assert [tuple(row.values()) for row in rows] == [
        ("+4930123456", 0.052, "49"), ("+33612345678", 0.03, None),
    ]  # fmt: skip
    assert spent == -0.082


async def test_a_series(settings: Settings, tmp_path: Path):
    """The page makes and starts it, and who subscribes then gets the first message."""
    (page,) = blocks(read("docs/series.md"), "sh")
    anna = """
CONTACT=$(api /contacts '{"name": "Anna", "addresses": [{"channel": "email", "address": "anna@example.com"}]}' | id)
api /topic-subscriptions '{"contactUuids": ["'$CONTACT'"], "topicUuids": ["'$TOPIC'"], "channel": "email"}'
"""
    path = "/series/$SERIES/statistics"
    answers = await story(settings, tmp_path, page, anna, until(path, '"sent":1'), _GET % path)
    started, subscribed, numbers = answers[-3:]
    assert (started["status"], subscribed["active"]) == ("running", 1)
    assert [(step["begun"], step["sent"]) for step in numbers["steps"]] == [(1, 1), (0, 0)]
