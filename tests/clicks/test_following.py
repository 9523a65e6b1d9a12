"""A click leads on to the target, and to no other; what is recorded of it says who has clicked."""

import base64
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from channels.sandbox import box
from engine import unsubscribe
from engine.clicks.links import LINK_KEY, MESSAGE_KEY, link_id
from engine.clicks.recorder import OF_NETWORK, ClickRecorder
from runtime.services import Services
from shapes.clicks import MOST_LINKS
from tests.clicks.made import BROWSER, SALE, SCANNER, click, counted, links, mailed, path
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until

ANNA, BEN = "anna@example.com", "ben@example.com"


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_a_click_leads_on_and_is_counted_once(
    projects: Projects, ada: Person, client: httpx.AsyncClient
):
    project, sent = await mailed(projects, ada, [ANNA, BEN])
    sale, home = sent[ANNA]
    assert sale.startswith("https://postern.example.com/l/") and len(sale.rpartition("/")[2]) == 86
    assert "example.com/sale" not in sale and not {*sent[ANNA]} & {*sent[BEN]}
    for _ in range(3):
        answer = await click(client, sale)
        assert (answer.status_code, answer.headers["location"], answer.content) == (302, SALE, b"")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert "set-cookie" not in answer.headers
    await click(client, sent[BEN][0])
    await click(client, f"{home}?utm_source=mail")
    await counted(ada, project, SALE, 2, 0, 0)
    await counted(ada, project, "http://example.org/", 1, 0, 0)


async def test_it_is_off_unless_it_is_switched_on(projects: Projects, ada: Person):
    _, off = await mailed(projects, ada, [ANNA], track_clicks=None)
    assert off[ANNA] == [SALE.replace("&", "&amp;"), "http://example.org/"]


async def started(ada: Person, projects: Projects, **fields: Any) -> list[str]:
    """The links of an email of a project that was made and started through the door."""
    box().outbox.clear()
    body = {"name": "x", "channel": "email", "subject": "s", "text": "t", "html": f'<a href="{SALE}">x</a>'}
    project = (await ada.rest("POST", "/sending-project", json={**body, **fields})).json()
    added = await ada.rest("POST", f"/recipient/{project['uuid']}", json={"recipients": [{"phone": ANNA}]})
    assert added.status_code in (200, 201), added.text
    begun = await ada.rest("POST", f"/sending-project/start/{project['uuid']}")
    assert begun.status_code in (200, 201), begun.text
    await projects.work()
    (sent,) = box().outbox
    return [part for part in (sent.message.html or "").split('"') if part.startswith("http")]


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_the_brand_says_it_for_projects_that_do_not(projects: Projects, ada: Person):
    ours = "https://postern.example.com/l/"
    assert await started(ada, projects) == [SALE]
    assert (await started(ada, projects, trackClicks=True))[0].startswith(ours)
    brand = await ada.rest("PUT", "/brand", json={"name": "Shop", "trackClicks": True})
    assert brand.json()["trackClicks"] is True
    assert (await started(ada, projects))[0].startswith(ours)
    assert await started(ada, projects, trackClicks=False) == [SALE]
    # A transactional email, such as a code, is never counted.
    assert await started(ada, projects, trackClicks=True, category="transactional") == [SALE]


async def test_nobody_makes_a_link_lead_elsewhere(
    projects: Projects, services: Services, ada: Person, bob: Person, client: httpx.AsyncClient
):
    project, sent = await mailed(projects, ada, [ANNA, BEN])
    other, _ = await mailed(projects, bob, [ANNA], html='<a href="https://evil.example/">x</a>')
    token = path(sent[ANNA][0]).rpartition("/")[2]
    message, link = token[:43], token[43:]
    id = unsubscribe.read(services.keys(MESSAGE_KEY), message)
    assert id is not None
    evil = link_id(other, "https://evil.example/")

    def flipped(half: str, byte: int) -> str:
        raw = bytearray(base64.urlsafe_b64decode(half + "="))
        raw[byte] ^= 1
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    texts = [flipped(message, byte) + link for byte in (0, 15, 16, 31)]
    texts += [message + flipped(link, byte) for byte in (0, 15, 16, 31)]
    # Of other purposes, of the other half, and of a link that there is not.
    texts += [
        unsubscribe.token(services.key(purpose), id) + link
        for purpose in ("unsubscribe", "web-copies", LINK_KEY)
    ]
    texts += [
        message + unsubscribe.token(services.key(purpose), evil) for purpose in ("unsubscribe", MESSAGE_KEY)
    ]
    texts += [
        message + unsubscribe.token(services.key(LINK_KEY), uuid4()),
        link + message,
        message * 2,
        message,
        link,
    ]
    for text in (*texts, token[:-1], token + "A", "x", "https:%2F%2Fevil.example", token[:-1] + "=", "é"):
        answer = await client.get(f"/l/{text}", headers={"User-Agent": BROWSER})
        assert answer.status_code == 404 and "location" not in answer.headers, text
    page = await client.get("/l/x", headers={"Accept": "text/html", "Accept-Language": "de"})
    assert page.status_code == 404 and "Das hat nicht geklappt" in page.text
    assert page.headers["x-robots-tag"] == "noindex"
    # Signed by us, but of two owners: it leads on, and counts for neither.
    mixed = message + unsubscribe.token(services.key(LINK_KEY), evil)
    assert (await click(client, f"/l/{mixed}")).headers["location"] == "https://evil.example/"
    await click(client, sent[BEN][0])
    await counted(ada, project, SALE, 1, 0, 0)
    assert await links(bob, other) == {"https://evil.example/": (0, 0, 0)}


@pytest.mark.parametrize(
    ("method", "headers", "reason"),
    [
        ("HEAD", {}, "head"),
        ("GET", {"User_Agent": SCANNER}, "crawler"),
        ("GET", {"User_Agent": "curl/8.5.0"}, "crawler"),
        ("GET", {"User_Agent": ""}, "crawler"),
    ],
)
async def test_machines_are_shown_apart_and_a_person_comes_first(
    projects: Projects,
    ada: Person,
    client: httpx.AsyncClient,
    method: str,
    headers: dict[str, str],
    reason: str,
):
    project, sent = await mailed(projects, ada, [ANNA, BEN])
    answer = await click(client, sent[ANNA][0], method, **headers)
    assert (answer.status_code, answer.headers["location"]) == (302, SALE)
    await counted(ada, project, SALE, 0, 1, 0)
    assert [row["machine"] for row in await clicks_of(ada, project, ANNA)] == [reason]
    await click(client, sent[ANNA][0])
    await counted(ada, project, SALE, 1, 0, 0)
    await click(client, sent[ANNA][0], method, **headers)  # it stays that of a person
    await click(client, sent[BEN][0], method, **headers)
    await counted(ada, project, SALE, 1, 1, 0)
    assert [row["machine"] for row in await clicks_of(ada, project, ANNA)] == [None]


async def clicks_of(owner: Person, project: UUID, to: str) -> list[Any]:
    query = """query($p:String!,$to:String!){messageRecords(where:{sendingProjectUuid:{eq:$p} to:{eq:$to}}){
      nodes{clicks{url machine at linkUuid messageUuid to}}}}"""
    answer = await owner.data(query, {"p": str(project), "to": to})
    (row,) = answer["messageRecords"]["nodes"]
    return row["clicks"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("sent_ago", "delivered_ago", "is_soon"),
    [(1, None, True), (10, None, False), (60, 1, True), (60, 10, False), (60, -5, False)],
)
async def test_what_comes_within_two_seconds_is_a_machine(
    projects: Projects,
    ada: Person,
    client: httpx.AsyncClient,
    sent_ago: int,
    delivered_ago: int | None,
    is_soon: bool,
):
    project, sent = await mailed(projects, ada, [ANNA])
    await projects.db.fetch(
        "UPDATE message_records SET handed_at = now() - interval '2 min', sent_at = now() - make_interval(secs => $2),"
        " delivered_at = now() - make_interval(secs => $3) WHERE project_id = $1", project, sent_ago, delivered_ago,
    )  # fmt: skip
    await click(client, sent[ANNA][0])
    await counted(ada, project, SALE, 0 if is_soon else 1, int(is_soon), 0)


async def test_global_privacy_control_is_obeyed(
    projects: Projects, services: Services, ada: Person, client: httpx.AsyncClient
):
    project, sent = await mailed(projects, ada, [ANNA])
    answer = await click(client, sent[ANNA][0], Sec_GPC="1")
    assert answer.headers["location"] == SALE
    await counted(ada, project, SALE, 0, 0, 1)
    assert await services.db.fetch("SELECT * FROM clicks") == []


async def test_a_flood_of_one_network_is_not_recorded_and_still_led_on(
    projects: Projects, services: Services, ada: Person, client: httpx.AsyncClient
):
    html = "".join(f'<a href="https://example.com/{n}">x</a>' for n in range(MOST_LINKS))
    _, sent = await mailed(projects, ada, [f"p{n}@example.com" for n in range(8)], html=html)
    every = [url for urls in sent.values() for url in urls]
    assert len(every) == 800
    answers = [await click(client, url) for url in every]
    assert {answer.status_code for answer in answers} == {302}

    async def is_done() -> bool:
        return ClickRecorder.of(services)._task is None

    await until(is_done)
    stored = await services.db.fetchval("SELECT count(*) FROM clicks")
    # 600 in a minute, of which those that a process does not ask for are the first; more only as the minute turns.
    assert OF_NETWORK.count <= stored <= OF_NETWORK.count + 100, stored


async def test_an_email_has_at_most_so_many_counted_links(projects: Projects, ada: Person):
    html = "".join(f'<a href="https://example.com/{n}">x</a>' for n in range(MOST_LINKS + 20))
    _, sent = await mailed(projects, ada, [ANNA], html=html)
    assert [url for url in sent[ANNA] if "/l/" not in url] == [
        f"https://example.com/{n}" for n in range(MOST_LINKS, MOST_LINKS + 20)
    ]


async def test_links_of_the_recipient_alone_are_left_as_they_are(projects: Projects, ada: Person):
    html = (
        '<a href="{{ unsubscribe_url }}">off</a> <a href="{{ preferences_url }}">choose</a>'
        ' <a href="{{ web_copy_url }}">view</a> <a href="mailto:a@example.com">mail</a> <a href="tel:+1">call</a>'
        ' <a href="https://example.com/?u={{ name }}">own</a> <a href="https://example.com/a">a</a>'
    )
    _, sent = await mailed(projects, ada, [{"address": ANNA, "name": "Anna"}], html=html)
    off, choose, view, mail, call, own, counted_link = sent[ANNA]
    assert "/unsubscribe/" in off and "/unsubscribe/" in choose and "/web-copy/" in view
    assert (mail, call, own) == ("mailto:a@example.com", "tel:+1", "https://example.com/?u=Anna")
    assert "/l/" in counted_link


async def test_texts_with_logic_are_counted_too(projects: Projects, ada: Person, client: httpx.AsyncClient):
    html = (
        '{% if name != blank %}<a href="https://example.com/a">Dear {{ name | upcase }}</a>{% else %}'
        '<a href="https://example.com/b">x</a>{% endif %}'
    )
    people = [{"address": ANNA, "name": "Anna"}, BEN]
    project, sent = await mailed(projects, ada, people, html=html)
    for to, target in ((ANNA, "https://example.com/a"), (BEN, "https://example.com/b")):
        (url,) = sent[to]
        assert (await click(client, url)).headers["location"] == target
        await counted(ada, project, target, 1, 0, 0)


async def test_what_is_shown_has_the_links_as_they_were_written(projects: Projects, ada: Person):
    project, _ = await mailed(projects, ada, [ANNA], text=None)
    shown = await ada.rest("GET", "/message/list", params={"sendingProjectUuid": str(project)})
    (row,) = shown.json()["items"]
    assert "https://example.com/sale" in row["body"] and "/l/" not in row["body"]


async def test_the_people_behind_a_number(
    projects: Projects, ada: Person, bob: Person, client: httpx.AsyncClient
):
    project, sent = await mailed(projects, ada, [ANNA, BEN, "cleo@example.com"])
    await click(client, sent[ANNA][0])
    await click(client, sent[BEN][0], "HEAD")
    await click(client, sent[BEN][1])
    await counted(ada, project, SALE, 1, 1, 0)
    await counted(ada, project, "http://example.org/", 1, 0, 0)
    rows = (await ada.rest("GET", f"/sending-project/{project}/links")).json()
    sale = next(row["id"] for row in rows if row["url"] == SALE)

    async def found(**params: Any) -> set[str]:
        asked = {"sendingProjectUuid": str(project), **params}
        answer = (await ada.rest("GET", "/message/list", params=asked)).json()
        count = (await ada.rest("GET", "/message/count", params=asked)).json()["count"]
        assert answer["meta"]["total"] == count == len(answer["items"])
        query = """query($w:MessageRecordWhere){messageRecords(where:$w){nodes{to} totalCount}}"""
        where = {"sendingProjectUuid": {"eq": str(project)}} | {k: {"eq": v} for k, v in params.items()}
        nodes = (await ada.data(query, {"w": where}))["messageRecords"]["nodes"]
        assert sorted(node["to"] for node in nodes) == sorted(item["to"] for item in answer["items"])
        return {item["to"] for item in answer["items"]}

    assert await found(clicked="human") == {ANNA, BEN}
    assert await found(clicked="machine") == {BEN}
    assert await found(clickedLinkUuid=sale) == {ANNA, BEN}
    assert await found(clickedLinkUuid=sale, clicked="human") == {ANNA}
    assert await found(clickedLinkUuid=str(uuid4())) == set()
    assert (await bob.rest("GET", f"/sending-project/{project}/links")).status_code == 404
    wrong = await ada.rest("POST", "/graphql", json={
        "query": 'query{messageRecords(where:{clickedLinkUuid:{eq:"x"}}){nodes{to}}}'})  # fmt: skip
    assert "clickedLinkUuid" in wrong.text
    asked = {
        "filter": {"all": [{"any": [{"history": {"event": "clicked", "projectUuids": [str(project)]}}]}]}
    }
    assert (await ada.rest("POST", "/segments/preview", json=asked)).json()["size"] == 0
    for to in (ANNA, BEN):
        address = {"channel": "email", "address": to}
        await ada.rest("POST", "/contacts", json={"externalId": to, "addresses": [address]})
    await ada.rest("POST", "/contacts", json={"externalId": "c", "addresses": [
        {"channel": "email", "address": "cleo@example.com"}]})  # fmt: skip
    preview = (await ada.rest("POST", "/segments/preview", json=asked)).json()
    assert {contact["externalId"] for contact in preview["sample"]} == {ANNA, BEN} and preview["size"] == 2
