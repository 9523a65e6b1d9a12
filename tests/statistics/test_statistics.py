"""Statistics through both doors, on counters that the trigger has made or that a test has written."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.message_records.rows import bucket, many, messages, project, unit

NINE = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")
BERLIN_23 = ("2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00")


async def got(who, path, **parameters):
    answer = await who.rest("GET", path, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def mixed(services, who, **values):
    project_id = await project(services, who, **values)
    states = ["sent"] * 3 + ["delivered"] * 2 + ["read"] + ["failed"] * 2 + ["skipped", "unknown"]
    rows = [{"status": status} for status in states]
    rows[5]["replied_at"] = datetime.now(UTC)
    rows[6]["failure_code"] = "expired"
    await messages(services, who, project_id, *rows)
    return project_id


async def test_where_the_messages_are(ada, bob, admin, services):
    await mixed(services, ada)
    await mixed(services, ada, channel="email")
    await mixed(services, bob)
    seen = await got(ada, "/statistics/delivery-status-counts")
    assert seen == {
        "statuses": {
            "queued": 0, "sending": 0, "sent": 6, "delivered": 4, "read": 2, "failed": 4, "skipped": 2, "unknown": 2,
            "canceled": 0,
        },
        "failureReasons": {"rejected": 4, "expired": 2},
    }  # fmt: skip
    assert list(seen["failureReasons"]) == ["rejected", "expired"]
    assert (await got(admin, "/statistics/delivery-status-counts"))["statuses"]["sent"] == 9
    graph = await ada.data("{deliveryStatusCounts{statuses failureReasons}}")
    assert graph["deliveryStatusCounts"] == seen


async def test_they_are_live(ada, services):
    project_id = await project(services, ada)
    (message, _) = await messages(services, ada, project_id, {}, {})
    async with services.db.reading() as db:
        for status, code in (("sending", None), ("failed", "expired"), ("queued", "expired"), ("sent", None)):
            await db.execute(
                "UPDATE message_records SET status = $2, failure_code = $3 WHERE id = $1",
                message,
                status,
                code,
            )
            seen = await got(ada, "/statistics/delivery-status-counts")
            assert (seen["statuses"][status], sum(seen["statuses"].values())) == (1 + (status == "queued"), 2)
            assert seen["failureReasons"] == ({"expired": 1} if status == "failed" else {})


async def test_projects_in_numbers(ada, bob, services):
    old, gone = await mixed(services, ada, name="old"), await mixed(services, ada, status="deleted")
    new = await project(services, ada, name="new")
    await mixed(services, bob)
    page = await got(ada, "/statistics/list")
    assert page["meta"]["total"] == 2
    assert [item["project"]["uuid"] for item in page["items"]] == [str(new), str(old)]
    empty, full = page["items"]
    assert empty["counts"]["total"] == 0
    assert set(empty["rates"].values()) == {None}
    assert full["project"] == {
        "uuid": str(old), "name": "old", "channel": "sms", "status": "draft",
        "createdAt": full["project"]["createdAt"],
    }  # fmt: skip
    assert full["counts"] == {
        "total": 10, "queued": 0, "sending": 0, "sent": 3, "delivered": 2, "read": 1, "failed": 2, "skipped": 1,
        "unknown": 1, "canceled": 0, "replied": 1, "bounced": 0, "complained": 0,
    }  # fmt: skip
    assert full["rates"] == {
        "sent": 0.6,
        "failed": 0.2,
        "delivered": 0.5,
        "read": 0.166667,
        "replied": 0.166667,
    }
    # What was deleted is in no list, and stays in the sums.
    total = await got(ada, "/statistics/total")
    assert (total["projects"], total["counts"]["total"], total["rates"]["sent"]) == (2, 20, 0.6)
    assert str(gone) not in str(page)
    graph = await ada.data(
        "{statisticsList(first:1){nodes{project{uuid name} counts{total} rates{sent}} totalCount}"
        " statisticsTotal{projects counts{total replied} rates{read}}}"
    )
    assert graph["statisticsList"]["nodes"][0]["project"]["uuid"] == str(new)
    assert graph["statisticsTotal"] == {
        "projects": 2, "counts": {"total": 20, "replied": 2}, "rates": {"read": 0.166667},
    }  # fmt: skip


async def test_every_hour_of_a_day_of_23(ada, services):
    one, other = await project(services, ada), await project(services, ada)
    night = datetime(2026, 3, 29, 0, 45, tzinfo=UTC)  # 01:45 there; the next quarter is 03:00
    await bucket(services, ada, one, night, sent=1, failed=2)
    await bucket(services, ada, one, night, shard=3, sent=10)
    await bucket(services, ada, other, night + timedelta(minutes=15), sent=100, replied=7)
    parameters = {"dateFrom": BERLIN_23[0], "dateTo": BERLIN_23[1], "timezone": "Europe/Berlin"}
    items = (await got(ada, "/statistics/general", interval="hour", **parameters))["items"]
    assert len(items) == 23
    assert [item["from"] for item in items[:3]] == [
        "2026-03-28T23:00:00Z", "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z",
    ]  # fmt: skip
    names = ("queued", "sent", "delivered", "read", "failed", "replied", "unknown", "bounced", "complained")
    empty = dict.fromkeys(names, 0)
    shown = [{name: number for name, number in item.items() if name != "from"} for item in items[:4]]
    assert shown == [empty, {**empty, "sent": 11, "failed": 2}, {**empty, "sent": 100, "replied": 7}, empty]
    (day,) = (await got(ada, "/statistics/general", interval="day", **parameters))["items"]
    assert day == {**empty, "from": "2026-03-28T23:00:00Z", "sent": 111, "failed": 2, "replied": 7}
    graph = await ada.data(
        "query($a:DateTime,$b:DateTime){statisticsGeneral(dateFrom:$a,dateTo:$b,interval:day,timezone:"
        '"Europe/Berlin"){items{from sent}}}',
        {"a": BERLIN_23[0], "b": BERLIN_23[1]},
    )
    assert graph["statisticsGeneral"]["items"] == [{"from": "2026-03-28T23:00:00Z", "sent": 111}]


async def test_the_repeated_hour_is_two(ada, services):
    project_id = await project(services, ada)
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # 02:30 summer time; an hour later it is 02:30 again
    await bucket(services, ada, project_id, first, sent=1)
    await bucket(services, ada, project_id, first + timedelta(hours=1), sent=2)
    items = (
        await got(
            ada, "/statistics/general", interval="hour", timezone="Europe/Berlin",
            dateFrom="2026-10-25T00:00:00+02:00", dateTo="2026-10-26T00:00:00+01:00",
        )
    )["items"]  # fmt: skip
    assert len(items) == 25
    assert {item["from"]: item["sent"] for item in items if item["sent"]} == {
        "2026-10-25T00:00:00Z": 1, "2026-10-25T01:00:00Z": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "midnight"),
    [("Asia/Kolkata", "2026-07-01T18:30:00Z"), ("America/St_Johns", "2026-07-02T02:30:00Z")],
)
async def test_days_of_zones_with_half_hours(ada, services, name, midnight):
    project_id = await project(services, ada)
    begin = datetime.fromisoformat(midnight)
    await bucket(services, ada, project_id, begin - timedelta(minutes=15), sent=1)
    await bucket(services, ada, project_id, begin, sent=10)
    await bucket(services, ada, project_id, begin + timedelta(hours=23, minutes=45), sent=100)
    await bucket(services, ada, project_id, begin + timedelta(hours=24), sent=1000)
    parameters = {"dateFrom": midnight, "dateTo": (begin + timedelta(days=1)).isoformat(), "timezone": name}
    assert [item["sent"] for item in (await got(ada, "/statistics/general", **parameters))["items"]] == [110]
    hours = (await got(ada, "/statistics/general", interval="hour", **parameters))["items"]
    assert (len(hours), hours[0]["sent"], hours[-1]["sent"]) == (24, 10, 100)


async def test_what_happens_now_is_in_the_last_interval(ada, bob, services):
    begun = datetime.now(UTC)
    project_id = await project(services, ada)
    (message,) = await messages(services, ada, project_id, {})
    async with services.db.reading() as db:
        await db.execute("UPDATE message_records SET status = 'sent', sent_at = now() WHERE id = $1", message)
    for interval in ("hour", "day", "week", "month"):
        items = (await got(ada, "/statistics/general", interval=interval))["items"]
        # The last one, and the one before it if that has ended since we began.
        late = [items[-1]] if datetime.fromisoformat(items[-1]["from"]) <= begun else items[-2:]
        assert [sum(item[name] for item in late) for name in ("queued", "sent")] == [1, 1], interval
    assert not any(item["queued"] for item in (await got(bob, "/statistics/general"))["items"])


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"interval": "minute"}, "validation_failed"),
        ({"timezone": "Europe/Atlantis"}, "bad_timezone"),
        ({"timezone": "../UTC"}, "bad_timezone"),
        ({"dateFrom": "2026-01-01"}, "validation_failed"),
        ({"dateFrom": "2026-01-02T00:00:00Z", "dateTo": "2026-01-01T00:00:00Z"}, "bad_request"),
        ({"dateFrom": "2020-01-01T00:00:00Z", "interval": "hour"}, "too_many_intervals"),
        ({"dateFrom": "0001-01-01T00:00:00Z"}, "bad_request"),
        ({"dateTo": "9999-12-31T23:59:59Z", "dateFrom": "9999-12-01T00:00:00Z"}, "bad_request"),
    ],
)
async def test_bad_input_is_told(ada, parameters, code):
    answer = await ada.rest("GET", "/statistics/general", params=parameters)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_the_cost_does_not_grow_with_the_messages(ada, services):
    """No plan of a statistic touches the messages."""
    project_id = await project(services, ada, status="running")
    await many(services, ada, project_id, 2000, "sent")
    await unit(services, project_id)
    statements = []
    for name in ("fetch", "fetchrow", "fetchval"):
        real = getattr(services.db, name)

        async def spied(sql, *arguments, real=real):
            statements.append((sql, arguments))
            return await real(sql, *arguments)

        setattr(services.db, name, spied)
    for path in (
        "/statistics/delivery-status-counts", "/statistics/general", "/statistics/list", "/statistics/total",
        "/queue/statistics", "/sending-project-processing/health-check",
    ):  # fmt: skip
        await got(ada, path)
    assert len(statements) >= 9
    async with services.db.reading() as db:
        for sql, arguments in statements:
            plan = "\n".join(row[0] for row in await db.fetch("EXPLAIN " + sql, *arguments))
            assert "message_records" not in plan, plan


EDGES = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z")
BEYOND = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00")
MOMENTS = "query($at: DateTime) { statisticsGeneral(%s: $at) { items { sent } } }"


@pytest.mark.parametrize("name", ["dateFrom", "dateTo"])
@pytest.mark.parametrize("date", [*EDGES, *BEYOND])
async def test_a_span_at_the_edge_of_the_calendar_is_refused(ada, name, date):
    answer = await ada.rest("GET", "/statistics/general", params={name: date})
    assert answer.status_code == 400, answer.text
    assert "years" in answer.text and "NUL" not in answer.text, answer.text
    (error, *_) = (await ada.graphql(MOMENTS % name, {"at": date}))["errors"]
    assert "years" in error["message"], error


@pytest.mark.parametrize("path", ["/message/list", "/sending-project/search"])
async def test_filters_take_the_whole_calendar_and_nothing_beyond_it(ada, path):
    for date in EDGES:
        answer = await ada.rest("GET", path, params={"dateTo": date})
        assert answer.status_code == 200, answer.text
    for date in BEYOND:
        answer = await ada.rest("GET", path, params={"dateTo": date})
        assert answer.status_code == 400, answer.text
        assert "between the years 1 and 9999 in UTC" in answer.text, answer.text


async def test_one_project_by_intervals_and_its_progress_are_the_same_through_both_doors(ada, bob, services):
    one, other = await mixed(services, ada), await mixed(services, ada)
    night = datetime(2026, 3, 29, 0, 45, tzinfo=UTC)
    await bucket(services, ada, one, night, sent=1, failed=2)
    await bucket(services, ada, other, night, sent=100)
    span = {"dateFrom": BERLIN_23[0], "dateTo": BERLIN_23[1], "timezone": "Europe/Berlin", "interval": "hour"}
    path = f"/statistics/intervals/{one}"
    items = (await got(ada, path, **span))["items"]
    progress = await got(ada, f"/sending-project-processing/progress/{one}")
    query = """query($id:ID!,$from:DateTime!,$to:DateTime!){sendingProject(id:$id){
      statistics(interval:hour,dateFrom:$from,dateTo:$to,timezone:"Europe/Berlin"){from sent failed}
      progress{total done percent preparing perMinute etaSeconds endsAt}}}"""
    variables = {"id": str(one), "from": BERLIN_23[0], "to": BERLIN_23[1]}
    graph = (await ada.data(query, variables))["sendingProject"]
    assert [{name: item[name] for name in ("from", "sent", "failed")} for item in items] == graph[
        "statistics"
    ]
    assert (len(items), sum(item["sent"] for item in items)) == (23, 1)
    assert progress == graph["progress"]
    assert (progress["total"], progress["done"], progress["percent"]) == (10, 10, 100)
    for of_one in (path, f"/sending-project-processing/progress/{one}"):
        answer = await bob.rest("GET", of_one)
        assert (answer.status_code, answer.json()["code"]) == (404, "sending_project_not_found")
