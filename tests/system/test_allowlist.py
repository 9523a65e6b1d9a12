"""Requests that the IP allowlist refuses or would refuse: recorded, bounded, and shown to administrators alone."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest

from core.http import refusals as module
from core.http.allowlist import Allowlist, AllowlistMode
from core.http.refusals import KEY, MOST, Refusals
from core.store import Store
from resolvers.system import networks
from shapes.system import MAX_LINES
from tests.support.ports import free_port

LINES = "query($a:String){ipAllowlistLines(address:$a){at address method path reason blocked listed}}"
OFFICE, FOREIGN = "10.0.0.7", "203.0.113.9"


@pytest.fixture
def office(app, settings):
    """A list with the office's network, and a way to ask from an address."""
    settings.ip_allowlist_file.write_text("10.0.0.0/8\n192.0.2.1\n2001:db8::/32\n")
    assert app.allowlist.reload()
    return {"x-real-ip": OFFICE}


async def lines(admin, headers, address=None):
    body = await admin.graphql(LINES, {"a": address}, **headers)
    return body["data"]["ipAllowlistLines"]


async def test_a_foreign_request_is_recorded_and_passes(admin, client, office):
    before = datetime.now(UTC)
    assert (await client.get("/users?page=1", headers={"x-real-ip": FOREIGN})).status_code == 401
    await client.post("/messages", headers={"x-real-ip": f"{FOREIGN}, {OFFICE}"})
    await client.get("/users", headers=[("x-real-ip", OFFICE), ("x-real-ip", OFFICE)])
    await client.get("/docs")
    await client.get("/health", headers={"x-real-ip": FOREIGN})  # never checked
    nothing, two, unreadable, foreign = await lines(admin, office)
    assert before - timedelta(seconds=1) <= datetime.fromisoformat(foreign.pop("at")) <= datetime.now(UTC)
    assert foreign == {
        "address": FOREIGN, "method": "GET", "path": "/users", "reason": "notListed", "blocked": False, "listed": False,
    }  # fmt: skip
    assert (unreadable["reason"], unreadable["method"]) == ("unreadable", "POST")
    assert two["reason"] == "severalHeaders"
    assert (nothing["reason"], nothing["address"]) == ("noHeader", "-")
    assert [line["path"] for line in await lines(admin, office, FOREIGN)] == ["/users"]
    rest = await admin.rest("GET", f"/system/ip-allowlist/lines?address={FOREIGN}", headers=office)
    assert [line["path"] for line in rest.json()] == ["/users"]


async def test_a_line_says_that_its_address_is_listed_by_now(admin, client, app, settings, office):
    await client.get("/users", headers={"x-real-ip": FOREIGN})
    settings.ip_allowlist_file.write_text(f"10.0.0.0/8\n{FOREIGN}\n")
    assert app.allowlist.reload()
    (line,) = await lines(admin, office)
    assert line["listed"] is True


async def test_enforce_records_what_it_refuses(admin, client, app, office):
    app.allowlist.mode = AllowlistMode.Enforce
    assert (await client.get("/users", headers={"x-real-ip": FOREIGN})).status_code == 403
    (line,) = await lines(admin, office)
    assert line["blocked"] is True


async def test_the_list_itself_and_the_own_address(admin, settings, office):
    query = "{ipAllowlist{mode file entries networks everyone loadedAt error yourAddress yourReason}}"

    async def status(**headers):
        return (await admin.graphql(query, **headers))["data"]["ipAllowlist"]

    inside = await status(**office)
    assert inside.pop("loadedAt")
    assert inside == {
        "mode": "Off", "file": str(settings.ip_allowlist_file), "entries": 3, "everyone": False, "error": None,
        "networks": ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"], "yourAddress": OFFICE, "yourReason": None,
    }  # fmt: skip
    outside = await status(**{"x-real-ip": FOREIGN})
    assert (outside["yourAddress"], outside["yourReason"]) == (FOREIGN, "notListed")
    nowhere = await status()
    assert (nowhere["yourAddress"], nowhere["yourReason"]) == (None, "noHeader")


def test_few_networks_are_shown_of_many():
    many = Allowlist.parse("\n".join(f"10.{number}.0.1" for number in range(200)), "many")
    assert networks(many, 3) == ["10.0.0.1", "10.1.0.1", "10.2.0.1"]
    assert networks(Allowlist.parse("10.0.0.0/9\n10.128.0.0/9\n::/0", "merged"), 10) == ["10.0.0.0/8", "::/0"]


# attacks


async def test_nobody_fills_the_memory_or_redis(services):
    refusals = Refusals(services.store)
    for number in range(3 * MOST):
        refusals.record(f"198.51.100.{number}", "X" * 10_000, "/" + "p" * 500, "notListed", blocked=False)
    assert len(refusals._queue) == MOST
    await refusals.flush()
    for number in range(MOST // 2):
        refusals.record(f"later-{number}", "GET", "/", "notListed", blocked=False)
    stored = await refusals.read()
    assert len(stored) == MOST == MAX_LINES == await services.store.client.zcard(KEY)
    assert stored[0].address.startswith("later-")
    assert all(len(refusal.method) <= 20 and len(refusal.path) <= 200 for refusal in stored)
    assert await services.store.client.memory_usage(KEY) < 1_000_000
    assert not refusals._queue


async def test_equal_requests_are_lines_of_their_own(services, monkeypatch):
    monkeypatch.setattr(module.time, "time", lambda: 1_800_000_000.0)
    refusals = Refusals(services.store)
    for _ in range(20):
        refusals.record(FOREIGN, "GET", "/", "notListed", blocked=False)
    assert len(await refusals.read()) == 20


async def test_addresses_expire(services, monkeypatch):
    refusals = Refusals(services.store)
    refusals.record(FOREIGN, "GET", "/old", "notListed", blocked=False)
    await refusals.flush()
    assert 0 < await services.store.client.ttl(KEY) <= module.STORED_SECONDS
    real = time.time
    monkeypatch.setattr(module.time, "time", lambda: real() + module.STORED_SECONDS + 1)
    assert await refusals.read() == []
    refusals.record(FOREIGN, "GET", "/new", "notListed", blocked=False)
    assert [refusal.path for refusal in await refusals.read()] == ["/new"]
    assert await services.store.client.zcard(KEY) == 1


async def test_what_another_version_has_stored_is_left_out(admin, client, office, services):
    await client.get("/mine", headers={"x-real-ip": FOREIGN})
    odd = [
        b"[]",
        b"{",
        b'[1, "a", "GET", "/b", "unheardOf", true, 1]',
        b'[null, "a", "GET", "/b", "notListed", true, 1]',
    ]
    await services.store.client.zadd(KEY, {member: time.time() for member in odd})
    assert [line["path"] for line in await lines(admin, office)] == ["/mine"]


async def test_a_token_in_a_path_is_not_stored(admin, client, office):
    token = "t" * 60
    await client.get(f"/unsubscribe/{token}", headers={"x-real-ip": FOREIGN})
    await client.get("/x/pst_abcdefghijkl", headers={"x-real-ip": FOREIGN})
    await client.get("/reset/0123456789abcdef0123456789abcdef", headers={"x-real-ip": FOREIGN})
    await client.get("/sending-project-processing/health-check", headers={"x-real-ip": FOREIGN})
    await client.get("/messages/01890000-0000-7000-8000-000000000000", headers={"x-real-ip": FOREIGN})
    assert [line["path"] for line in await lines(admin, office)] == [
        "/messages/01890000-0000-7000-8000-000000000000",
        "/sending-project-processing/health-check",
        "/reset/01234567...",
        "/x/pst_***",
        "/unsubscribe/tttttttt...",
    ]


async def test_nobody_forges_a_line(admin, client, office):
    forged = '1.1.1.1","GET","/","notListed",true,1],["'
    await client.get("/a%0Ab/<script>", headers={"x-real-ip": forged})
    (line,) = await lines(admin, office)
    assert line["path"] == "/a%0Ab/%3Cscript%3E" or "<" in line["path"]
    assert "\n" not in line["path"]
    assert line["address"] == forged[:100]
    assert line["reason"] == "unreadable"


async def test_without_redis_requests_are_answered_and_lines_wait():
    store = Store(f"redis://127.0.0.1:{free_port()}/0")
    refusals = Refusals(store)
    refusals.record(FOREIGN, "GET", "/", "notListed", blocked=False)
    await refusals.flush()
    assert len(refusals._queue) == 1
    await store.close()


async def test_without_redis_the_answer_says_so(admin, office, services, monkeypatch):
    store = Store(f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setattr(services.store, "client", store.client)
    answer = await admin.rest("GET", "/system/ip-allowlist/lines", headers=office)
    assert (answer.status_code, answer.json()["code"]) == (503, "allowlist_lines_unavailable")
    await store.close()


async def test_lines_recorded_during_a_flush_are_not_lost(services):
    refusals = Refusals(services.store)
    refusals.record(FOREIGN, "GET", "/1", "notListed", blocked=False)
    flushing = asyncio.create_task(refusals.flush())
    await asyncio.sleep(0)
    refusals.record(FOREIGN, "GET", "/2", "notListed", blocked=False)
    await flushing
    assert {refusal.path for refusal in await refusals.read()} == {"/1", "/2"}
