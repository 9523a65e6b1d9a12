"""Contacts that integrations bring in."""

import asyncio
from datetime import timedelta

import pytest

from tests.message_records.rows import project
from tests.support.rounds import run_round


async def opened(who, project_id, source="amocrm", **options):
    body = {"source": source, "sendingProjectUuid": str(project_id), **options}
    answer = await who.rest("POST", "/export-link/start", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def page(who, link, *items, done=False, **options):
    body = {"exportLinkUuid": link["uuid"], "items": [*items], "done": done}
    return await who.rest("POST", "/export-link/handle", json=body, **options)


async def people(services, project_id):
    rows = await services.db.fetch(
        "SELECT address, name, variables, timezone FROM recipients WHERE project_id = $1 ORDER BY seq",
        project_id,
    )
    return [tuple(row) for row in rows]


async def test_contacts_become_recipients(ada, services):
    project_id = await project(services, ada)
    link = await opened(ada, project_id, filters={"stage": "won"})
    assert (link["status"], link["filters"]) == ("created", {"stage": "won"})
    assert await services.db.fetchval("SELECT count(*) FROM pgqueuer") == 0
    first = await page(
        ada,
        link,
        {"phone": "+1 415 555 0100", "name": "Ann", "variables": {"city": "Riga"}, "timezone": "Europe/Riga"},
        {"phone": "(415) 555-0101"},
        {"phone": "+14155550100", "name": "the same"},
    )
    assert first.status_code == 200, first.text
    assert (first.json()["status"], first.json()["total"], first.json()["done"]) == ("running", 3, 2)
    last = (await page(ada, link, {"phone": "+14155550101"}, {"phone": "+14155550102"}, done=True)).json()
    assert (last["status"], last["total"], last["done"], last["statusReason"]) == ("ready", 5, 3, None)
    assert await people(services, project_id) == [
        ("+14155550100", "Ann", {"city": "Riga"}, "Europe/Riga"),
        ("+14155550101", None, {}, None),
        ("+14155550102", None, {}, None),
    ]
    closed = await page(ada, link, {"phone": "+14155550103"})
    assert (closed.status_code, closed.json()["code"]) == (409, "export_not_open")


async def test_what_is_wrong_is_left_out_and_told(ada, services):
    project_id = await project(services, ada)
    link = await opened(ada, project_id)
    items = [
        {"phone": "nobody"},
        {},
        {"phone": "+14155550100"},
        {"phone": "+14155550101", "timezone": "Mars"},
        {"name": "x"},
    ]
    seen = (await page(ada, link, *items)).json()
    assert (seen["total"], seen["done"]) == (5, 1)
    assert seen["statusReason"].startswith(
        "4 of the last items were left out. Item 1: 'nobody' is not a phone number"
    )
    assert "And 1 more." in seen["statusReason"]


@pytest.mark.parametrize(
    ("channel", "item", "address"),
    [
        ("email", {"address": "Ann@Example.com"}, "Ann@example.com"),
        ("push", {"address": "device-token-1"}, "device-token-1"),
        ("telegram", {"address": "@ann_lee"}, "@ann_lee"),
        ("telegram", {"phone": "+14155550100"}, "+14155550100"),
        ("whatsapp", {"address": "+1 415 555 0100"}, "+14155550100"),
    ],
)
async def test_by_the_channel(ada, services, channel, item, address):
    project_id = await project(services, ada, channel=channel)
    assert (await page(ada, await opened(ada, project_id), item)).json()["done"] == 1
    assert (await people(services, project_id))[0][0] == address


@pytest.mark.parametrize("status", ["running", "paused", "finished"])
async def test_only_while_the_project_takes_recipients(ada, services, status):
    project_id = await project(services, ada)
    link = await opened(ada, project_id)
    async with services.db.reading() as db:
        await db.execute("UPDATE sending_projects SET status = $2 WHERE id = $1", project_id, status)
    answer = await page(ada, link, {"phone": "+14155550100"})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")
    assert await people(services, project_id) == []
    again = await ada.rest(
        "POST", "/export-link/start", json={"source": "x", "sendingProjectUuid": str(project_id)}
    )
    assert again.status_code == 409


async def test_pages_at_once(ada, services):
    project_id = await project(services, ada)
    link = await opened(ada, project_id)
    pages = [[{"phone": f"+1415555{number:04}"} for number in range(at, at + 60)] for at in range(0, 300, 30)]
    answers = await asyncio.gather(*(page(ada, link, *items) for items in pages))
    assert {answer.status_code for answer in answers} == {200}
    seen = (await ada.rest("GET", f"/export-link/{link['uuid']}")).json()
    assert (seen["total"], seen["done"]) == (600, 330)
    assert len(await people(services, project_id)) == 330


async def test_a_page_that_is_sent_again_under_its_key_counts_once(ada, services):
    link = await opened(ada, await project(services, ada))
    headers = {"Idempotency-Key": "page-1"}
    first = await page(ada, link, {"phone": "+14155550100"}, headers=headers)
    again = await page(ada, link, {"phone": "+14155550100"}, headers=headers)
    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert (await ada.rest("GET", f"/export-link/{link['uuid']}")).json()["total"] == 1


async def test_what_is_no_integration_takes_nothing(ada):
    link = (await ada.rest("POST", "/export-link/start", json={"source": "messages"})).json()
    answer = await page(ada, link, {"phone": "+14155550100"})
    assert (answer.status_code, answer.json()["code"]) == (400, "not_an_integration")


async def test_another_s_link_is_not_found(ada, bob, services):
    link = await opened(ada, await project(services, ada))
    answers = [
        await page(bob, link, {"phone": "+14155550100"}),
        await bob.rest("GET", f"/export-link/{link['uuid']}"),
        await bob.rest("POST", f"/export-link/cancel/{link['uuid']}"),
    ]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {
        (404, "export_link_not_found")
    }


async def test_a_canceled_link_takes_nothing(ada, services):
    link = await opened(ada, await project(services, ada))
    assert (await ada.rest("POST", f"/export-link/cancel/{link['uuid']}")).json()["status"] == "canceled"
    assert (await page(ada, link, {"phone": "+14155550100"})).status_code == 409


async def test_bounds(ada, services):
    link = await opened(ada, await project(services, ada))
    assert (await page(ada, link, *({"phone": "1"} for _ in range(1001)))).status_code == 400
    assert (await page(ada, link, {"phone": "+14155550100", "color": "red"})).status_code == 400
    assert (await page(ada, link, {"phone": "+14155550100", "name": "a\nb"})).status_code == 400
    assert (await page(ada, link)).json()["done"] == 0


async def test_the_tariff_bounds_them_too(ada, services):
    async with services.db.reading() as db:
        await db.execute("UPDATE tariffs SET max_recipients_per_project = 2")
    project_id = await project(services, ada)
    link = await opened(ada, project_id)
    answer = await page(ada, link, *({"phone": f"+1415555{number:04}"} for number in range(3)))
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_recipients")
    assert await people(services, project_id) == []


async def test_one_that_was_forgotten_is_closed(ada, services):
    link = await opened(ada, await project(services, ada))
    await run_round(services, "give_up_integrations")
    assert (await ada.rest("GET", f"/export-link/{link['uuid']}")).json()["status"] == "created"
    async with services.db.reading() as db:
        await db.execute("UPDATE export_links SET updated_at = now() - $1::interval", timedelta(days=2))
    await run_round(services, "give_up_integrations")
    seen = (await ada.rest("GET", f"/export-link/{link['uuid']}")).json()
    assert (seen["status"], seen["statusReason"]) == ("failed", "Nothing came for a day.")


async def test_through_graphql(ada, services):
    project_id = await project(services, ada)
    made = await ada.data(
        'mutation($p:UUID!){startExport(input:{source:"bitrix24",sendingProjectUuid:$p}){uuid}}',
        {"p": str(project_id)},
    )
    seen = await ada.data(
        'mutation($i:UUID!){handleExport(input:{exportLinkUuid:$i,done:true,items:[{phone:"+14155550100",'
        "variables:{a:1}}]}){status total done}}",
        {"i": made["startExport"]["uuid"]},
    )
    assert seen["handleExport"] == {"status": "ready", "total": 1, "done": 1}
    assert await people(services, project_id) == [("+14155550100", None, {"a": 1}, None)]
