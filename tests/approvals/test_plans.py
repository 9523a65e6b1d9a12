"""A plan is an object with a hash, and a start with this hash sends exactly what it says."""

import hashlib
import hmac
import inspect
import re
from pathlib import Path

import orjson
import pytest
import rfc8785

from engine.projects import project_moves
from engine.projects.approvals import content
from tests.approvals.made import add, plan, project, start
from tests.support.people import Person

CHANGES = {
    "text": {"text": "Bye {{ name }}"},
    "speed": {"speed": {"perMinute": 5}},
    "window": {"window": {"timezone": "UTC", "from": "09:00", "to": "10:00"}},
    "stopOnReply": {"stopOnReply": True},
    "category": {"category": "transactional"},
}


async def test_the_hash_is_that_of_the_canonical_document(ada: Person):
    uuid = await project(ada)
    made = await plan(ada, uuid)
    assert made["hash"] == hashlib.sha256(rfc8785.dumps(made["document"])).hexdigest()
    assert made["number"] == 1
    assert made["document"]["content"]["audience"]["recipients"] == 3
    assert await plan(ada, uuid) == made


@pytest.mark.parametrize("field", CHANGES)
async def test_a_start_with_the_hash_obeys_or_says_what_differs(ada: Person, field: str):
    uuid = await project(ada)
    made = await plan(ada, uuid)
    assert (await ada.rest("PATCH", f"/sending-project/{uuid}", json=CHANGES[field])).status_code == 200
    refused = await start(ada, uuid, made["hash"])
    assert refused.status_code == 409
    assert refused.json()["code"] == "plan_changed"
    (difference,) = refused.json()["details"]["differences"]
    assert difference["field"] == field
    again = await start(ada, uuid, (await plan(ada, uuid))["hash"])
    assert again.status_code == 200, again.text


async def test_a_start_without_a_hash_answers_as_before(ada: Person):
    assert (await start(ada, await project(ada))).status_code == 200
    uuid = await project(ada)
    await plan(ada, uuid)
    assert (await start(ada, uuid)).status_code == 200


async def test_recipients_are_a_part_of_the_plan(ada: Person):
    uuid = await project(ada)
    made = await plan(ada, uuid)
    await add(ada, uuid, [7])
    assert (await start(ada, uuid, made["hash"])).json()["code"] == "plan_changed"
    found = (await ada.rest("GET", f"/recipient/list/{uuid}?limit=10")).json()["items"]
    (seventh,) = [row for row in found if row["phone"].endswith("7")]
    assert (await ada.rest("DELETE", f"/recipient/{uuid}/{seventh['uuid']}")).status_code == 204
    assert (await start(ada, uuid, made["hash"])).status_code == 200


async def test_a_changed_variable_changes_the_digest_and_the_order_does_not(ada: Person):
    first, second, third = await project(ada, 0), await project(ada, 0), await project(ada, 0)
    await add(ada, first, [1, 2, 3])
    await add(ada, second, [3])
    await add(ada, second, [2, 1])
    await add(ada, third, [1, 2])
    await add(ada, third, [3], code="other")
    digests = [
        (await plan(ada, each))["document"]["content"]["audience"]["digest"]
        for each in (first, second, third)
    ]
    assert digests[0] == digests[1] != digests[2]


async def test_the_digest_of_the_statements_is_that_of_a_recount_and_of_python(ada: Person, services):
    uuid = await project(ada, 0)
    await plan_of_empty(ada, uuid)
    await add(ada, uuid, range(20))  # with a key, by the trigger
    kept = (await plan(ada, uuid))["document"]["content"]["audience"]
    async with services.db.reading() as db:
        await db.execute("SELECT postern_count_digest($1)", uuid)
        rows = await db.fetch("SELECT * FROM recipients WHERE project_id = $1", uuid)
        key = await db.fetchrow("SELECT * FROM audience_keys WHERE owner_id = $1", ada.id)
    assert (await plan(ada, uuid))["document"]["content"]["audience"] == kept
    secret = bytes(byte ^ 0x36 for byte in key["inner_block"])
    total = 0
    for row in rows:
        text = await services.db.fetchval(
            "SELECT jsonb_build_array($1::text, $2::text, $3::text, $4::jsonb)::text",
            row["address"], row["name"], row["timezone"], row["variables"],
        )  # fmt: skip
        total += int.from_bytes(hmac.digest(secret, text.encode(), "sha256"))
    assert kept == {"recipients": 20, "digest": f"{total % 2**256:064x}"}
    assert orjson.dumps(kept)


async def plan_of_empty(person: Person, uuid: str) -> None:
    """Gives the owner a key: a plan of another project does."""
    await plan(person, await project(person, 1))
    refused = await person.rest("POST", f"/sending-project/{uuid}/plans")
    assert refused.json()["code"] == "no_recipients"


async def test_the_hash_of_another_project_is_not_there(ada: Person):
    made = await plan(ada, await project(ada, text="Other"))
    answer = await start(ada, await project(ada), made["hash"])
    assert answer.status_code == 404
    assert answer.json()["code"] == "plan_not_found"


async def test_an_erased_person_voids_no_plan(ada: Person, services):
    uuid = await project(ada)
    made = await plan(ada, uuid)
    async with services.db.transaction() as db:
        await db.execute("SELECT set_config('postern.erasure', 'on', true)")
        await db.execute("DELETE FROM recipients WHERE project_id = $1 AND address = '+14155550001'", uuid)
    assert (await start(ada, uuid, made["hash"])).status_code == 200


async def test_a_plan_of_a_running_project_is_refused(ada: Person):
    uuid = await project(ada)
    await start(ada, uuid)
    answer = await ada.rest("POST", f"/sending-project/{uuid}/plans")
    assert answer.json()["code"] == "not_editable"


def test_a_plan_covers_every_field_that_a_project_can_have():
    """A field that is not in the content is changed after an approval; one that the trigger lacks voids nothing."""
    settable = project_moves._SETTABLE - {"name"}
    body = Path("db/functions/postern_project_content.sql").read_text(encoding="utf-8")
    in_trigger = set(re.findall(r"'([a-z_]+)'", body.partition("IN (")[2].partition(")")[0]))
    assert in_trigger == settable
    source = inspect.getsource(content)
    assert {name for name in settable if f'row["{name}"]' not in source} <= {
        "attachment_uuids",
        "track_clicks",
    }
    assert 'row["counts_clicks"]' in source  # what comes of `track_clicks` and the brand
