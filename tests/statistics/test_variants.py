"""Results of each variant of a project: in statistics, in exports, and on the messages."""

import csv
import io
import random
from datetime import UTC, datetime

from tests.exports.conftest import written
from tests.message_records.rows import messages, project

__all__ = ["written"]
NINE = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")
COUNTED = f"""
SELECT project_id, variant, sum(total)::int AS total, {", ".join(f"sum({name})::int AS {name}" for name in NINE)},
  sum(replied)::int AS replied
FROM variant_counters GROUP BY 1, 2 HAVING sum(total) > 0 ORDER BY 1, 2
"""
RECOUNTED = f"""
SELECT project_id, variant, count(*)::int AS total,
  {", ".join(f"(count(*) FILTER (WHERE status = '{name}'))::int AS {name}" for name in NINE)},
  count(replied_at)::int AS replied
FROM message_records WHERE direction = 'outbound' AND variant IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
"""
INSERT = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, direction, variant)
SELECT gen_random_uuid(), $1, $2, 'sms', '+1', 'queued', d, v FROM unnest($3::text[], $4::int[]) AS n (d, v)
"""
MOVE = """
UPDATE message_records AS m SET status = n.s, variant = n.v,
  replied_at = CASE WHEN n.s = 'read' THEN now() ELSE m.replied_at END
FROM unnest($1::uuid[], $2::text[], $3::int[]) AS n (id, s, v) WHERE m.id = n.id
"""


async def halves(services, who):
    """A project with two variants, and one without any."""
    texts = [{"text": "Hi", "weight": 1}, {"text": "Hello", "weight": 1}]
    project_id = await project(services, who, name="halves", variants=texts)
    now = datetime.now(UTC)
    await messages(
        services, who, project_id,
        {"variant": 0, "status": "sent", "sent_at": now},
        {"variant": 0, "status": "failed"},
        {"variant": 1, "status": "read", "sent_at": now, "replied_at": now},
        {"status": "skipped"},
    )  # fmt: skip
    whole = await project(services, who, name="whole")
    await messages(services, who, whole, {"status": "sent"})
    return project_id, whole


async def test_results_of_each_variant_in_both_doors(ada, bob, services):
    one, _ = await halves(services, ada)
    answer = await ada.rest("GET", "/statistics/list")
    assert answer.status_code == 200, answer.text
    without, with_ = answer.json()["items"]
    assert without["variants"] == []
    first, second = with_["variants"]
    assert (first["variant"], first["counts"]["total"], first["counts"]["failed"]) == (0, 2, 1)
    assert first["rates"] == {"sent": 0.5, "failed": 0.5, "delivered": 0.0, "read": 0.0, "replied": 0.0}
    assert (second["variant"], second["counts"]["read"], second["rates"]["replied"]) == (1, 1, 1.0)
    graph = await ada.data(
        "query($id:ID!){sendingProject(id:$id){variantStatistics{variant counts{total} rates{read}}}"
        " statisticsList{nodes{variants{variant counts{read}}}}}",
        {"id": str(one)},
    )
    assert graph["sendingProject"]["variantStatistics"] == [
        {"variant": 0, "counts": {"total": 2}, "rates": {"read": 0.0}},
        {"variant": 1, "counts": {"total": 1}, "rates": {"read": 1.0}},
    ]
    assert [node["variants"] for node in graph["statisticsList"]["nodes"]] == [
        [],
        [{"variant": 0, "counts": {"read": 0}}, {"variant": 1, "counts": {"read": 1}}],
    ]
    assert (await bob.rest("GET", "/statistics/list")).json()["items"] == []


async def test_counters_equal_a_recount(ada, services):
    """The counters also agree when a message changes to another variant, or to none."""
    chance, projects = random.Random(20261121), [await project(services, ada) for _ in range(3)]
    async with services.db.reading() as db:
        for _ in range(20):
            some = chance.randrange(30)
            directions = [chance.choice(("outbound", "outbound", "inbound")) for _ in range(some)]
            variants = [chance.choice((None, 0, 1, 2)) for _ in range(some)]
            await db.execute(INSERT, chance.choice(projects), ada.id, directions, variants)
            rows = await db.fetch("SELECT id FROM message_records ORDER BY seq")
            ids = [row["id"] for row in rows if chance.random() < 0.5]
            states = [chance.choice(NINE) for _ in ids]
            await db.execute(MOVE, ids, states, [chance.choice((None, 0, 1, 2)) for _ in ids])
            counted, again = await db.fetch(COUNTED), await db.fetch(RECOUNTED)
            assert [tuple(row) for row in counted] == [tuple(row) for row in again]


async def test_messages_and_exports_say_their_variant(ada, services, written):
    await halves(services, ada)
    listed = (await ada.rest("GET", "/message/list")).json()["items"]
    assert [item["variant"] for item in listed] == [None, None, 1, 0, 0]
    graph = await ada.data("{messageRecords{nodes{variant}}}")
    assert [node["variant"] for node in graph["messageRecords"]["nodes"]] == [None, None, 1, 0, 0]

    async def exported(source, *columns):
        content = await written.complete(ada, source, columns=[*columns])
        return [*csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))][1:]

    assert await exported("messages", "variant", "status") == [
        ["0", "sent"], ["0", "failed"], ["1", "read"], ["", "skipped"], ["", "sent"],
    ]  # fmt: skip
    # A caller that asks for it gets a row for each.
    assert await exported("statistics", "name", "variant", "total", "readRate") == [
        ["halves", "0", "2", "0.0"], ["halves", "1", "1", "1.0"], ["whole", "", "1", "0.0"],
    ]  # fmt: skip
    assert await exported("statistics", "name", "total") == [["halves", "4"], ["whole", "1"]]
