"""Tests the doctor's checks of a process that serves: cached, bounded, without secrets, for administrators alone."""

import asyncio
import json
import threading
from datetime import UTC, datetime

import pytest

from core.version import __version__
from postern.doctor import running
from resolvers import system
from runtime import breakers
from runtime.installation import installation
from shapes.system import Finding, FindingSeverity
from tests.support.waits import until

DOCTOR = (
    "query($f:Boolean!){doctor(fresh:$f){version embedded examinedAt leftOut findings{severity topic text "
    "advice}}}"
)


async def examined(admin, *, fresh=True):
    return (await admin.data(DOCTOR, {"f": fresh}))["doctor"]


def of(report, topic):
    return [entry for entry in report["findings"] if entry["topic"] == topic]


@pytest.mark.settings(jwt_key="Jw2-9c7eVb4Tn1Mq8Zx5Kp3Ld6Gf0Hs_Ra")
async def test_it_says_what_is_well_and_what_is_not(admin, settings):
    report = await examined(admin)
    assert report["version"] == __version__
    assert report["embedded"] is False
    assert any("port" in text for text in report["leftOut"])
    assert datetime.fromisoformat(report["examinedAt"]) <= datetime.now(UTC)
    (schema,) = of(report, "schema")
    assert (schema["severity"], schema["advice"]) == ("ok", None)
    assert of(report, "Redis")[-1]["text"].startswith("version ")
    (key,) = of(report, "keys")  # the tests' own POSTERN_SECRET_KEY is one letter, repeated
    assert key["severity"] == "error"
    assert key["advice"].startswith("Make one")
    order = ["error", "warning", "ok"]
    places = [order.index(entry["severity"]) for entry in report["findings"]]
    assert places == sorted(places)


@pytest.mark.settings(
    channel_sms="smpp://me:hunter2hunter2@127.0.0.1:9",
    channel_email="smtp://u:swordfish99@127.0.0.1:9?from=a@example.com",
)
async def test_no_secret_is_shown(admin, settings):
    report = await examined(admin)
    assert "can't be reached" in of(report, "sms")[0]["text"]
    everything = json.dumps(report)
    secrets = ("hunter2", "swordfish", settings.db_string.get_secret_value(), "s" * 32, "j" * 32)
    for secret in secrets:
        assert secret not in everything


async def test_a_mended_allowlist_is_found_again(admin, app, settings, monkeypatch):
    monkeypatch.setattr(system, "FRESH_SECONDS", 0.0)
    settings.ip_allowlist_file.write_text("10.0.0.1/8\n")
    app.allowlist.reload()
    (broken,) = of(await examined(admin), "allowlist")
    assert broken["severity"] == "error"
    assert "10.0.0.1/8" in broken["text"]
    assert "an empty list is in use" in broken["advice"]
    settings.ip_allowlist_file.write_text("10.0.0.0/8\n")
    app.allowlist.reload()
    (mended,) = of(await examined(admin), "allowlist")
    assert (mended["severity"], mended["advice"]) == ("ok", None)


async def test_checks_run_once_for_all_who_ask_and_are_cached(admin, services, monkeypatch):
    runs = []
    end = asyncio.Event()

    async def examine():
        runs.append(None)
        await end.wait()
        return [Finding(severity=FindingSeverity.ok, topic="test", text="well", advice=None)]

    made = system.Examinations(examine)
    monkeypatch.setitem(services._singles, system.Examinations, (made, None))
    asking = [asyncio.create_task(examined(admin, fresh=number % 2 == 0)) for number in range(5)]
    await until(lambda: runs)
    asking[0].cancel()
    await asyncio.gather(asking[0], return_exceptions=True)
    end.set()
    reports = await asyncio.gather(*asking[1:])
    assert len(runs) == 1
    assert len({report["examinedAt"] for report in reports}) == 1
    assert await examined(admin, fresh=True) == reports[0], "younger than two seconds"
    monkeypatch.setattr(system, "FRESH_SECONDS", 0.0)
    assert (await examined(admin, fresh=True))["examinedAt"] != reports[0]["examinedAt"]
    await examined(admin, fresh=False)
    assert len(runs) == 2


async def test_a_failed_check_is_tried_again(services):
    runs = []

    async def examine():
        runs.append(None)
        if len(runs) == 1:
            raise RuntimeError("once")
        return []

    made = system.Examinations(examine)
    with pytest.raises(RuntimeError):
        await made.findings(60)
    assert (await made.findings(60))[1] == []


async def test_a_check_that_hangs_or_breaks_hides_no_other(services, monkeypatch):
    async def hang(*_):
        await asyncio.Event().wait()

    def breaks(*_):
        raise RuntimeError("s" * 32)

    monkeypatch.setattr(running, "SECONDS", 4)
    monkeypatch.setattr(running.network, "channels", hang)
    monkeypatch.setattr(running.local, "packages", breaks)
    findings = await installation(services).examine()
    texts = {finding.topic: finding for finding in findings}
    assert texts["channels"].text == "not everything could be checked within 4 s"
    assert texts["settings"].text == "not everything could be checked (RuntimeError)"
    assert texts["Redis"].severity
    assert "s" * 32 not in repr(findings)


async def test_files_that_hang_occupy_one_thread(services, monkeypatch):
    runs, end = [], threading.Event()

    def hang(*_):
        runs.append(None)
        end.wait(30)

    monkeypatch.setattr(running, "SECONDS", 0.5)
    monkeypatch.setattr(running.local, "packages", hang)
    try:
        for _ in range(3):
            findings = {finding.topic: finding for finding in await installation(services).examine()}
            assert findings["settings"].text == "not everything could be checked within 0.5 s"
        assert len(runs) == 1
    finally:
        end.set()


async def test_only_administrators_may_ask(ada, admin):
    for path in ("doctor", "routes", "ip-allowlist", "ip-allowlist/lines"):
        assert (await ada.rest("GET", f"/system/{path}")).status_code == 403, path
        assert (await admin.rest("GET", f"/system/{path}")).status_code == 200, path
    for query in (
        "{doctor{version}}",
        "{systemRoutes{name}}",
        "{ipAllowlist{mode}}",
        "{ipAllowlistLines{at}}",
    ):
        assert await ada.code(query) == "forbidden"


@pytest.mark.settings(
    channel_sms="smpp://me:hunter2hunter2@127.0.0.1:9?window=7&total=20,sandbox://",
    channel_email="sandbox://",
)
async def test_routes_have_their_concurrency_and_their_breaker(admin, services):
    name = "sms-1"
    async with services.db.transaction() as connection:
        await connection.execute(
            "INSERT INTO route_breakers (name, opened_at, pause, probe_at) SELECT $1, now(), '5 s', "
            "now() + '5 s'::interval",
            breakers.route_name(services.routes, services.routes.of("sms")[0]),
        )
    routes = (await admin.rest("GET", "/system/routes")).json()
    by_name = {route["name"]: route for route in routes}
    assert (by_name[name]["driver"], by_name[name]["label"]) == ("smpp", "SMPP")
    assert by_name[name]["state"] == "open"
    assert by_name[name]["probeAt"]
    assert (by_name[name]["concurrency"], by_name[name]["totalConcurrency"]) == (7, 20)
    assert (by_name["sms-2"]["driver"], by_name["sms-2"]["channel"]) == ("sandbox", "sms")
    assert by_name["email-1"]["state"] == "closed"
    assert "hunter2" not in json.dumps(routes)
