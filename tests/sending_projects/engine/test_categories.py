"""Projects are promotional unless they say otherwise, and skip whom a block of their kind stops."""

import re
from typing import Any

import httpx
import pytest

from channels.sandbox import box
from channels.sms_text import segments
from tests.support.people import Person
from tests.support.projects import Projects


@pytest.mark.parametrize("when", ["before the start", "after the start"])
async def test_each_category_skips_whom_it_must(projects: Projects, ada: Person, when: str):
    async def block() -> None:
        for address, scope in (("all@example.com", "all"), ("ads@example.com", "promotional")):
            await ada.rest("POST", f"/block/{address}", json={"scope": scope})

    if when == "before the start":
        await block()
    people = ["all@example.com", "ads@example.com", "nobody@example.com"]
    made = {
        category: await projects.make(ada, people, category=category)
        for category in ("promotional", "transactional")
    }
    if when == "after the start":
        await projects.step()
        await projects.step()
        await block()
    await projects.work()
    result: dict[str, Any] = {
        category: {row["to"].partition("@")[0]: row["status"] for row in await projects.records(project)}
        for category, project in made.items()
    }
    assert result == {
        "promotional": {"all": "skipped", "ads": "skipped", "nobody": "sent"},
        "transactional": {"all": "skipped", "ads": "sent", "nobody": "sent"},
    }
    for project in made.values():
        await projects.sound(project)


async def test_only_promotional_mails_offer_to_unsubscribe(projects: Projects, ada: Person):
    box().outbox.clear()
    for category in ("promotional", "transactional"):
        await projects.make(ada, [f"{category}@example.com"], category=category)
    await projects.work()
    headers = {
        accepted.message.to.partition("@")[0]: set(accepted.message.headers) for accepted in box().outbox
    }
    assert headers == {
        "promotional": {"List-Id", "List-Unsubscribe", "List-Unsubscribe-Post"},
        "transactional": set(),
    }


async def test_a_project_is_promotional_unless_it_says_otherwise(ada: Person):
    body = {"name": "x", "channel": "email", "subject": "s", "text": "t"}
    made = (await ada.rest("POST", "/sending-project", json=body)).json()
    assert made["category"] == "promotional"
    other = (await ada.rest("POST", "/sending-project", json={**body, "category": "transactional"})).json()
    assert other["category"] == "transactional"
    seen = await ada.data(
        "mutation($i:NewSendingProject!){createSendingProject(input:$i){category}}",
        {"i": {**body, "category": "transactional"}},
    )
    assert seen["createSendingProject"]["category"] == "transactional"


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_a_preview_of_an_sms_counts_the_link_that_is_sent(projects: Projects, ada: Person):
    box().outbox.clear()
    text = (
        "x" * 70 + " {{ unsubscribe_url }}"
    )  # 158 characters: one part, and two if the link were not of GSM's alphabet
    query = "query($t:String){previewMessage(input:{channel:sms text:$t}){segments encoding characters}}"
    seen = (await ada.data(query, {"t": text}))["previewMessage"]
    await projects.make(ada, ["+14155550100"], channel="sms", text=text)
    await projects.work()
    (accepted,) = box().outbox
    assert seen == {"segments": 1, "encoding": "gsm", "characters": len(accepted.message.body)}
    assert segments(accepted.message.body) == 1


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_a_promotional_text_can_say_where_to_unsubscribe(
    projects: Projects, ada: Person, client: httpx.AsyncClient
):
    box().outbox.clear()
    text = "Sale! {{ unsubscribe_url }}"
    made = {
        category: await projects.make(ada, [f"{category}@example.com"], text=text, category=category)
        for category in ("promotional", "transactional")
    }
    await projects.work()
    bodies = {accepted.message.to.partition("@")[0]: accepted.message.body for accepted in box().outbox}
    assert bodies["transactional"] == "Sale! "
    link = re.fullmatch(r"Sale! https://postern\.example\.com(/unsubscribe/[\w-]{43})", bodies["promotional"])
    assert link
    # Histories and previews show that there is a link, and not whose it is.
    shown = await ada.rest("GET", "/message/list", params={"sendingProjectUuid": str(made["promotional"])})
    assert [row["body"] for row in shown.json()["items"]] == ["Sale! https://example.com/unsubscribe/…"]
    seen = await ada.data(
        "query($id:UUID!){previewMessage(input:{sendingProjectUuid:$id}){body missing}}",
        {"id": str(made["promotional"])},
    )
    # A preview's link has the length and the alphabet of a real one, so that the parts of an SMS are those that are
    # charged.
    preview = seen["previewMessage"]
    assert preview["missing"] == []
    assert preview["body"] != bodies["promotional"]
    assert re.fullmatch(
        r"Sale! https://postern\.example\.com/unsubscribe/[\w-]{43}", preview["body"], re.ASCII
    )
    # It leads to a page that says what it is, and blocks nobody: below there is one block.
    shown_page = await client.post(preview["body"].removeprefix("Sale! https://postern.example.com"))
    assert shown_page.status_code == 200
    assert "This link is from a test message or a preview" in shown_page.text
    assert (await client.post(link[1])).status_code == 200
    (row,) = (await ada.rest("GET", "/block/list")).json()["items"]
    assert (row["phone"], row["reason"], row["scope"]) == (
        "promotional@example.com",
        "unsubscribed",
        "promotional",
    )
