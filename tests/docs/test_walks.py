"""The commands and the SQL that the documents give are run as they stand there."""

import json
import re
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from core.http.allowlist import AllowlistMode
from core.settings import Settings
from postern import demo
from tests.docs.pages import blocks, read, section
from tests.docs.shell import run_script


async def _walked(settings: Settings, folder: Path) -> list[str]:
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    script = "\n".join(["set -e", login, *blocks(section("docs/first-steps.md", "A first project"), "sh")])
    query = (
        """curl -s "http://127.0.0.1:3000/%s" -H "authorization: Bearer $TOKEN" | grep -q '"status":"%s"'"""
    )
    for moment, path, status in (
        ("1", "recipient-import/$IMPORT", "ready"),
        ("2", "sending-project/$PROJECT", "finished"),
    ):
        script = script.replace(f"sleep {moment}", f"until {query % (path, status)}; do sleep 0.1; done")
    return await run_script(settings, script.replace("\ncurl", "\necho; curl"), cwd=folder)


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)
async def test_the_first_message_of_the_readme(settings):
    """The commands as they stand there, run by a shell against a server and a worker."""
    # In place of a moment that is long enough on a machine that has nothing else to do.
    call = 'curl -s "http://127.0.0.1:3000/messages?limit=1" -H "authorization: Bearer $TOKEN"'
    sent = f"""until {call} | grep -q '"status":"delivered"'; do sleep 0.1; done"""
    commands = [
        *blocks(section("README.md", "A first message"), "sh"),
        *blocks(section("docs/first-steps.md", "The same message by GraphQL"), "sh"),
    ]
    script = "set -e\n" + "echo\n".join(commands)
    lines = await run_script(settings, script.replace("\ncurl", "\necho; curl").replace("sleep 1", sent))
    sent, listed, mutated, queried = (json.loads(line) for line in lines if line)
    assert sent["status"] == "queued"
    assert (listed["items"][0]["id"], listed["items"][0]["status"]) == (sent["id"], "delivered")
    assert mutated["data"]["sendMessage"]["price"] == 0.01
    assert queried["data"]["me"]["email"] == demo.USER
    assert len(queried["data"]["messages"]["nodes"]) == 3


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)
async def test_the_first_project_of_the_first_steps(settings, tmp_path):
    """The same for the second walk."""
    answers = [json.loads(line) for line in await _walked(settings, tmp_path) if line]
    rows, added, started, finished, failed = answers
    assert [row["error"] and row["error"]["code"] for row in rows["items"]] == [None, None, "invalid_email"]
    assert added["added"] == 2
    assert started["status"] == "running"
    assert (finished["status"], finished["counts"]["sent"], finished["counts"]["failed"]) == (
        "finished",
        1,
        1,
    )
    assert [item["to"] for item in failed["items"]] == ["failed@sandbox.postern.test"]
    assert failed["items"][0]["body"] == "Dear Борис, greetings to Казань!"


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off, sandbox_moment=2)
async def test_the_first_messenger_account_of_the_first_steps(settings):
    """Somebody scans the QR a moment after it is shown, and it must be asked for before that."""
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    script = "\n".join(
        ["set -e", login, *blocks(section("docs/first-steps.md", "A first messenger account"), "sh")]
    )
    works = """until call getInfo | grep -q '"accountState":"working"'; do sleep 0.1; done"""
    chat = """call getChatMessages ', "to": "+15005550100"'"""
    answered = f"""until {chat} | grep -q '"outgoing":false'; do sleep 0.1; done"""
    script = script.replace("sleep 3", works).replace("sleep 2", answered)
    added, state, qr, info, sent, chat = [
        json.loads(line) for line in await run_script(settings, script) if line
    ]
    assert added["account"]["login"] == "15005559001"
    assert (state["status"], state["error"]["message"]) == ("error", "QR received")
    assert qr["value"]
    assert (info["accountState"], info["state"], info["step"]["value"]) == ("working", True, 5)
    mine, theirs = chat["messages"][:2]
    assert (mine["item"], mine["text"]) == (sent["results"][0]["result"]["item"], "Hello")
    assert theirs["outgoing"] is False


async def test_the_sql_for_unknown_messages(ada, services, drain):
    listing, taken, again, given_up = (
        sql.replace(":id", "$1") for sql in blocks(read("docs/operations.md"), "sql") if "unknown" in sql
    )

    async def unknown() -> UUID:
        message = await ada.rest(
            "POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "hi"}
        )
        id = UUID(message.json()["id"])
        await services.db.fetch(
            "UPDATE messages SET state = 'unknown', handed_at = now(), claim_id = id WHERE id = $1", id
        )
        assert [row.id for row in await services.db.fetch(listing)] == [id]
        return id

    async def state(id: UUID) -> str:
        return await services.db.fetchval("SELECT state FROM messages WHERE id = $1", id)

    async def balance() -> float:
        return (await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"]

    first = await unknown()
    await services.db.fetch(taken, first)
    assert await state(first) == "sent"
    second = await unknown()
    await services.db.fetch(again, second)
    assert await drain("sms") == 1
    assert await state(second) == "sent"
    third = await unknown()
    before = await balance()
    for _ in range(2):
        await services.db.fetch(given_up, third)
    assert await state(third) == "failed"
    assert await balance() == pytest.approx(before + 0.01)


async def test_the_other_sql_of_the_operations_page_runs(services):
    for sql in re.findall(r"`(SELECT [^`]+)`", read("docs/operations.md")):
        await services.db.fetch(sql)
    (revoke,) = re.findall(r"`(UPDATE sessions[^`]+)`", read("docs/operations.md"))
    await services.db.fetch(" ".join(revoke.split()))


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)
async def test_the_first_contacts(settings):
    """The commands of the page on contacts."""
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    script = "\n".join(["set -e", login, *blocks(section("docs/contacts.md", "The first contacts"), "sh")])
    lines = await run_script(settings, script.replace("\ncurl", "\necho; curl"))
    anna, many, listed = (json.loads(line) for line in lines if line)
    assert anna["fields"] == {"birthday": "1990-02-28", "city": "Berlin", "points": 7}
    assert (many["created"], many["changed"], many["unchanged"]) == (1, 1, 1)
    (taken,) = many["invalid"]
    assert (taken["place"], taken["code"], taken["contactUuid"]) == (4, "address_taken", anna["id"])
    (node,) = listed["data"]["contacts"]["nodes"]
    assert (node["name"], node["fields"]["points"], len(node["addresses"])) == ("Anna Berg", 8, 2)


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)
async def test_the_first_newsletter(settings):
    """The commands of the page on topics."""
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    script = "\n".join(["set -e", login, *blocks(section("docs/topics.md", "A newsletter"), "sh")])
    lines = await run_script(settings, script.replace("\ncurl", "\necho; curl"))
    subscribed, project = (json.loads(line) for line in lines if line)
    assert subscribed == {"active": 1, "pending": 0, "unchanged": 0, "invalid": []}
    assert len(project["audience"]["topicUuids"]) == 1


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)
async def test_birthdays_from_a_growing_list(settings):
    """The commands of the page on segments, and then the run of a day that is somebody's birthday."""
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    script = "\n".join(["set -e", login, *blocks(section("docs/segments.md", "A birthday greeting"), "sh")])
    lines = await run_script(settings, script.replace("\napi", "\necho; api"))
    started = json.loads(lines[-1])
    assert (started["status"], started["source"]["audience"]["topicUuids"] != []) == ("active", True)
    db = await asyncpg.connect(settings.db_string.get_secret_value())
    today = "to_char(now() AT TIME ZONE 'Europe/Berlin', '{}')"
    await db.execute(
        f"""UPDATE contacts SET fields = jsonb_build_object('birthday', {today.format("1990-MM-DD")});"""
        "UPDATE repeatable_projects SET next_run_at = now()"
    )
    due = await db.fetchval(f"SELECT {today.format('YYYY-MM-DD')}")
    await db.close()
    query = "{messageRecords{nodes{body to status}}}"
    ask = (
        f"""curl -s http://127.0.0.1:3000/graphql -H "authorization: Bearer $TOKEN" """
        f"""-H 'content-type: application/json' -d '{{"query": "{query}"}}'"""
    )
    sent = f"{login}\nuntil {ask} | grep -q Happy; do sleep 0.1; done\necho; {ask}"
    (node,) = json.loads((await run_script(settings, sent))[-1])["data"]["messageRecords"]["nodes"]
    assert node["to"] == "anna@example.com"
    assert node["body"] == f"Happy birthday, Anna Berg! This code is for you until the end of {due}: CAKE"
