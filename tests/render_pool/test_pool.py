"""Texts and schedules of users run in processes of their own, bounded, and slow nobody else."""

import asyncio
import io
import os
import zipfile
from collections import Counter
from pathlib import Path
from uuid import uuid4

import openpyxl
import pytest

import engine.projects.schedules
import engine.texts.liquid_rules
import engine.texts.project_texts
from core.errors import RateLimited, Unavailable
from resolvers import trial
from runtime.render_pool import RenderPool, TooComplex, pool
from tests.support.render_pool import stop_processes
from tests.support.waits import until

pytestmark = pytest.mark.servers

IMPOSSIBLE = ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6")
MANY_TAGS = "{% if a %}x{% endif %}" * 990
LOOPS = "{% for a in (1..99) %}{% for b in (1..99) %}{{ a | append: b }}{% endfor %}{% endfor %}" * 40
PROJECT = {"name": "p", "channel": "email", "subject": "s"}


@pytest.fixture
def nothing_here(monkeypatch):
    """Parsing Liquid and searching calendars fails in this process."""

    def forbidden(*_, **__):
        raise AssertionError("a user's program ran in the process of the API")

    monkeypatch.setattr(engine.texts.project_texts, "parse", forbidden)
    monkeypatch.setattr(engine.texts.project_texts, "run", forbidden)
    monkeypatch.setattr(engine.texts.liquid_rules, "run", forbidden)
    for name in ("check", "next_after", "firings"):
        monkeypatch.setattr(engine.projects.schedules, name, forbidden)


async def code(who, method, path, body):
    answer = await who.rest(method, path, json=body)
    return answer.status_code, answer.json().get("code")


async def test_no_program_of_a_user_runs_in_the_process_of_the_api(ada, services, nothing_here, monkeypatch):
    monkeypatch.setattr(trial, "WAIT", 0.1)  # nobody sends here
    text = "{% if name %}Dear {{ name | upcase }}{% endif %}"
    made = await ada.rest("POST", "/sending-project", json={**PROJECT, "text": text})
    assert made.status_code == 201, made.text
    uuid = made.json()["uuid"]
    assert (await ada.rest("PATCH", f"/sending-project/{uuid}", json={"text": text + "!"})).status_code == 200
    preview = await ada.data(
        "query($i: PreviewMessage!) { previewMessage(input: $i) { body } }",
        {"i": {"channel": "sms", "text": text, "variables": {"name": "ada"}}},
    )
    assert preview["previewMessage"]["body"] == "Dear ADA"
    sent = await ada.rest(
        "POST", "/test-sending",
        json={"channel": "sms", "to": "+15005550000", "text": text, "variables": {"name": "ada"}},
    )  # fmt: skip
    assert sent.status_code in (200, 202), sent.text
    schedule = {"rrule": "FREQ=DAILY", "timezone": "Europe/Berlin", "startAt": "2027-01-01T09:00:00Z"}
    template = {"channel": "email", "subject": "s", "text": text}
    body = {"name": "r", "template": template, "schedule": schedule, "source": {"sendingProjectUuid": uuid}}
    repeatable = await ada.rest("POST", "/repeatable-sending-project", json=body)
    assert repeatable.status_code == 201, repeatable.text
    runs = await ada.data(
        "query($id: ID!) { repeatableSendingProject(id: $id) { nextRuns(count: 2) } }",
        {"id": repeatable.json()["uuid"]},
    )
    assert len(runs["repeatableSendingProject"]["nextRuns"]) == 2


@pytest.mark.parametrize("rule", IMPOSSIBLE)
async def test_a_rule_that_never_meets_is_refused_soon(ada, rule, monkeypatch):
    monkeypatch.setattr(engine.projects.schedules, "SECONDS", 0.05)
    project = (await ada.rest("POST", "/sending-project", json={**PROJECT, "text": "t"})).json()["uuid"]
    body = {
        "name": "r", "template": {"channel": "email", "subject": "s", "text": "t"},
        "schedule": {"rrule": rule, "timezone": "UTC", "startAt": "2026-11-21T00:00:00Z"},
        "source": {"sendingProjectUuid": project},
    }  # fmt: skip
    assert await code(ada, "POST", "/repeatable-sending-project", body) == (400, "schedule_too_complex")


async def test_a_text_that_takes_too_long_is_refused(ada, monkeypatch):
    monkeypatch.setattr(RenderPool.run, "__kwdefaults__", {"seconds": 0.02})
    body = {**PROJECT, "text": MANY_TAGS}
    assert await code(ada, "POST", "/sending-project", body) == (400, "text_too_complex")
    test = {"channel": "sms", "to": "+15005550000", "text": LOOPS}
    assert await code(ada, "POST", "/test-sending", test) == (400, "text_too_complex")


async def test_a_user_has_one_task_at_a_time_and_few_that_wait():
    render_pool, ada, bob = RenderPool(), uuid4(), uuid4()
    rule = {"rrule": IMPOSSIBLE[0], "timezone": "UTC", "startAt": "2026-11-21T00:00:00Z"}
    slow = {"schedule": rule, "now": "2026-11-21T00:00:00+00:00"}
    quick = {"sources": [["text", "{{ a | upcase }}"]], "sms": []}
    await asyncio.gather(render_pool.run(ada, "check", quick), render_pool.run(bob, "check", quick))
    tasks = [
        asyncio.create_task(render_pool.run(ada, "check_schedule", slow, seconds=0.3)) for _ in range(20)
    ]
    await asyncio.sleep(0.1)
    await render_pool.run(bob, "check", quick)
    assert not all(task.done() for task in tasks)  # bob's did not wait for ada's
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    refused = [end for end in ends if isinstance(end, RateLimited)]
    assert len(refused) == 20 - pool.WAITING_PER_USER
    assert all(end.code == "programs_busy" and end.headers["Retry-After"] for end in refused)
    assert all(isinstance(end, (dict, TooComplex, RateLimited)) for end in ends)
    assert not len(render_pool._queue)


async def test_the_queue_of_all_is_bounded(monkeypatch):
    monkeypatch.setattr(pool, "WAITING", 3)
    render_pool = RenderPool()
    quick = {"sources": [["text", "{{ a | upcase }}"]], "sms": []}
    ends = await asyncio.gather(
        *(render_pool.run(uuid4(), "check", quick) for _ in range(8)), return_exceptions=True
    )
    assert sum(isinstance(end, RateLimited) for end in ends) == 5


async def test_many_users_of_one_network_keep_nobody_else_out():
    """Without turns between networks, sixteen users filled the queue: 48 of 56 of a stranger's previews were
    refused.
    """
    render_pool, crowd = RenderPool(), [uuid4() for _ in range(16)]
    slow = {"schedule": {"rrule": IMPOSSIBLE[0], "timezone": "UTC", "startAt": "2026-11-21T00:00:00Z"}}
    slow["now"] = "2026-11-21T00:00:00+00:00"
    quick = {"sources": [["text", "{{ a | upcase }}"]], "sms": []}
    over, ended = asyncio.Event(), Counter()

    async def insist(user):
        while not over.is_set():
            try:
                await render_pool.run(user, "check_schedule", slow, seconds=0.02, network="192.0.2.1")
                ended["done"] += 1
            except TooComplex:
                ended["done"] += 1
            except RateLimited:
                ended["refused"] += 1
                await asyncio.sleep(0.02)

    crowded = [asyncio.create_task(insist(user)) for user in crowd for _ in range(5)]
    await until(lambda: ended["done"])
    stranger = uuid4()
    for _ in range(20):
        await render_pool.run(stranger, "check", quick, network="198.51.100.7")
    over.set()
    await asyncio.gather(*crowded)
    assert ended["refused"]
    assert not len(render_pool._queue)


async def test_a_process_that_dies_is_replaced():
    render_pool = RenderPool()
    quick = {"sources": [], "sms": []}
    await render_pool.run(None, "check", quick)
    for pid in render_pool.pids():
        os.kill(pid, 9)
    await until(lambda: all(gone(pid) for pid in render_pool.pids()))
    ends = [
        await asyncio.gather(render_pool.run(None, "check", quick), return_exceptions=True) for _ in range(4)
    ]
    assert ends[-1] == [{"parts": []}]
    assert all(isinstance(end, (dict, Unavailable)) for (end,) in ends)


def gone(pid: int) -> bool:
    try:
        with Path(f"/proc/{pid}/stat").open() as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def test_a_busy_machine_is_no_fault_of_the_text(ada, services, monkeypatch):
    """The processes are stopped: like processes that other ones leave no processor time."""
    monkeypatch.setattr(pool, "_STRETCH", 0.3)
    render_pool = services.render_pool
    await stop_processes(render_pool)
    body = {**PROJECT, "text": MANY_TAGS}
    assert await code(ada, "POST", "/sending-project", body) == (503, "programs_unavailable")
    render_pool._pool.end()
    answer = await ada.rest("POST", "/sending-project", json=body)
    assert answer.status_code == 201, answer.text


@pytest.mark.alone  # in a fifth of a second the process must get ten milliseconds of a processor
async def test_a_task_that_its_timer_does_not_end_is_ended(monkeypatch):
    """The timer is set to an hour, as if nothing could interrupt the task, which takes half a second."""
    monkeypatch.setattr(pool, "_STRETCH", 0.2)
    children = pool._Pool(1)
    rule = {"rrule": IMPOSSIBLE[0], "timezone": "UTC", "startAt": "2026-11-21T00:00:00Z"}
    arguments = {"schedule": rule, "now": "2026-11-21T00:00:00+00:00"}
    with pytest.raises(pool._Stuck):
        await children.ask({"name": "check_schedule", "arguments": arguments, "seconds": 3600}, 0.01)
    assert children.pids() == []


async def test_no_process_can_be_started_is_503(ada, monkeypatch):
    monkeypatch.setattr(pool.sys, "executable", "/does/not/exist")
    monkeypatch.setattr("runtime.render_pool.pool._POOL", None)
    render_pool = RenderPool(pool._Pool(1))
    with pytest.raises(Unavailable) as refused:
        await render_pool.run(None, "check", {"sources": [], "sms": []})
    assert (refused.value.code, refused.value.headers["Retry-After"]) == ("programs_unavailable", "2")


async def test_what_a_process_may_have():
    render_pool = RenderPool()
    await render_pool.run(None, "check", {"sources": [], "sms": []})
    for pid in render_pool.pids():
        with Path(f"/proc/{pid}/limits").open() as limits:
            memory = next(line for line in limits if line.startswith("Max address space"))
        assert int(memory.split()[3]) == 512 * 2**20
        assert os.getpriority(os.PRIO_PROCESS, pid) >= 10
        with Path(f"/proc/{pid}/environ").open() as environment:
            assert "POSTERN" not in environment.read().replace("POSTERN_TEST", "")


def far_apart() -> bytes:
    book = openpyxl.Workbook()
    book.active["A1"] = "phone"
    book.active["A1048576"] = "+14155550100"
    plain = io.BytesIO()
    book.save(plain)
    changed = io.BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"1048576", b"4294967295"))
    return changed.getvalue()


async def test_a_spreadsheet_with_cells_far_apart_fails_soon(ada, services):
    from engine import imports

    sent = await ada.rest("POST", "/recipient-import", files={"file": ("far.xlsx", far_apart())})
    assert sent.status_code == 202, sent.text
    uuid = sent.json()["uuid"]
    await imports.read(services, uuid)
    row = (
        await ada.data(
            "query($id: ID!) { recipientImport(id: $id) { status failureCode statusReason } }", {"id": uuid}
        )
    )["recipientImport"]
    assert (row["status"], row["failureCode"]) == ("failed", "file_too_complex")
    assert "too far apart" in row["statusReason"]
