"""`@defer`: what is there at once comes at once, and the rest later, in parts of one answer."""

import socket
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import httpx
import orjson
import pytest

from core.errors import NotFound
from db.lists import CursorPage
from resolvers import statistics
from schema.frame import executors, incremental
from schema.frame.requests import JSON
from schema.router import GRAPHQL_JSON
from tests.connections.test_statements import counted
from tests.doors.lock import Lock
from tests.message_records.rows import project
from tests.support.documents import at_hand
from tests.support.parts import PARTS, asking, listening, url_of, whole
from tests.support.waits import until

OVERVIEW = """
query($n: Int, $later: Boolean! = true) {
  me { email }
  sendingProjects(first: $n, orderBy: {field: name, direction: asc}) { nodes { name } }
  ... @defer(if: $later, label: "statistics") { deliveryStatusCounts { failureReasons } statisticsTotal { projects } }
}
"""
EACH = """
query($n: Int) {
  sendingProjects(first: $n, orderBy: {field: name, direction: asc}) { nodes {
    name
    ... @defer { failureReasons { code } account { name owner { email } } }
  } }
}
"""


@pytest.fixture
async def url(app) -> AsyncIterator[str]:
    async with listening(app) as server:
        yield url_of(server)


@pytest.fixture
async def projects(ada, services) -> None:
    for name in ("a", "b", "c"):
        await project(services, ada, name=name)


@pytest.fixture
async def lock(database: str) -> AsyncIterator[Lock]:
    connection = await asyncpg.connect(database)
    made = Lock(connection)
    await made.take()
    yield made
    await connection.close()


async def test_what_is_there_comes_before_what_is_slow(url, ada, projects, lock):
    async with asking(url, ada, OVERVIEW, {"n": 2}) as parts:
        assert parts.status == 200
        assert parts.headers["content-type"] == 'multipart/mixed; boundary="-"'
        assert "no-transform" in parts.headers["cache-control"]
        assert "x-request-id" in parts.headers
        assert "content-length" not in parts.headers
        assert await parts.next() == {
            "data": {
                "me": {"email": ada.email},
                "sendingProjects": {"nodes": [{"name": "a"}, {"name": "b"}]},
            },
            "pending": [{"id": "0", "path": [], "label": "statistics"}],
            "hasNext": True,
        }
        await until(lock.waited_for)  # the slow one has begun, and can't be done
        await lock.release()
        (last,) = await parts.all()
    cost = last.pop("extensions")["cost"]
    assert last == {
        "incremental": [{"id": "0",
            "data": {"deliveryStatusCounts": {"failureReasons": {}}, "statisticsTotal": {"projects": 3}}}],
        "completed": [{"id": "0"}],
        "hasNext": False,
    }  # fmt: skip
    assert cost["actual"] == 1 + 1 + 2 + 2


async def test_a_part_for_each_row_costs_no_more_statements(url, ada, projects, services):
    async def statements_of(n: int, query: str) -> list[str]:
        with counted(services) as statements:
            async with asking(url, ada, query, {"n": n}) as parts:
                answers = await parts.all()
            assert [
                row["account"]["owner"]["email"] for row in whole(answers)["sendingProjects"]["nodes"]
            ] == [ada.email] * n
            assert sum(len(part.get("completed", ())) for part in answers) == n
        return statements

    await statements_of(1, EACH)
    few, many = await statements_of(1, EACH), await statements_of(3, EACH)
    assert sorted(few) == sorted(many)


async def test_a_part_in_a_part(url, ada, projects):
    query = """{ sendingProjects(first: 2) { nodes { name
      ... @defer(label: "a") { uuid account { name ... @defer(label: "b") { owner { email } } } } } } }"""
    async with asking(url, ada, query) as parts:
        answers = await parts.all()
    assert [pending["label"] for part in answers for pending in part.get("pending", ())] == [
        "a",
        "a",
        "b",
        "b",
    ]
    assert [part["hasNext"] for part in answers] == [True] * (len(answers) - 1) + [False]
    plain = await ada.data(query)
    assert whole(answers) == plain
    async with asking(url, ada, query, accept=JSON) as parts:
        assert (await parts.body())["data"] == plain


@pytest.mark.parametrize(
    "accept",
    [
        "multipart/mixed",
        "Multipart/Mixed; boundary=-, application/json",
        f"{GRAPHQL_JSON}, application/json, text/event-stream, multipart/mixed",  # urql's
        f"multipart/mixed;incrementalSpec=v0.2,{GRAPHQL_JSON},application/json;q=0.9",  # Apollo's
        "multipart/mixed;deferSpec=20220824, multipart/mixed;q=0.1",
        "*/*, multipart/mixed",
    ],
)
async def test_who_takes_parts_gets_them(url, ada, accept):
    async with asking(url, ada, OVERVIEW, accept=accept) as parts:
        assert parts.headers["content-type"].startswith(PARTS)
        assert len(await parts.all()) == 2
    async with asking(url, ada, "{ me { email } }", accept=accept) as parts:
        assert parts.status == 200
        assert parts.headers["content-type"] in (JSON, GRAPHQL_JSON)


@pytest.mark.parametrize(
    "accept",
    [
        "*/*",
        "",
        JSON,
        f"{GRAPHQL_JSON}, multipart/*",
        f"multipart/mixed;deferSpec=20220824,{GRAPHQL_JSON},application/json;q=0.9",  # Apollo's older format
        f"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,{JSON}",
        f"multipart/mixed;q=0,{JSON}",
        f"multipart/mixed;q=0.000,{JSON}",
        f"multipart/mixed;incrementalSpec=v0.3,{JSON}",
        "a/b, " * 64 + f"multipart/mixed, {JSON}, */*",
    ],
)
async def test_who_does_not_gets_the_whole_at_once(url, ada, projects, accept):
    if "a/b" in accept:
        accept = "*/*, " + accept
    async with asking(url, ada, OVERVIEW, {"n": 1}, accept=accept) as parts:
        assert parts.status == 200
        assert "content-length" in parts.headers
        body = await parts.body()
    assert body["data"]["statisticsTotal"] == {"projects": 3}
    assert "hasNext" not in body


async def test_an_older_format_alone_is_not_acceptable(url, ada):
    async with asking(url, ada, OVERVIEW, accept="multipart/mixed;deferSpec=20220824") as parts:
        assert parts.status == 406


@pytest.mark.parametrize(
    "query", [OVERVIEW, "query($later: Boolean!) { me { email ... @include(if: $later) @defer { uuid } } }"]
)
async def test_nothing_is_deferred_and_the_answer_is_plain(url, ada, query):
    async with asking(url, ada, query, {"later": False}) as parts:
        assert parts.headers["content-type"] == JSON
        body = await parts.body()
    assert set(body) == {"data", "extensions"}


async def test_by_get(url, ada):
    async with asking(url, ada, OVERVIEW, {"n": 1}, method="GET") as parts:
        assert len(await parts.all()) == 2


async def test_mutations_come_at_once(url, ada):
    query = 'mutation { setSetting(input: {key: "k", value: "v"}) { key ... @defer { value } } }'
    async with asking(url, ada, query) as parts:
        assert (await parts.body())["data"] == {"setSetting": {"key": "k", "value": "v"}}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("{ me @defer { email } }", "may not be used on"),
        ("{ ... @stream { me { email } } }", "Unknown directive"),
        ("{ accounts { nodes @stream { name } } }", "Unknown directive"),
        ('{ ... @defer(label: "a") { me { email } } ... @defer(label: "a") { me { id } } }', "label"),
        ("query($l: String) { ... @defer(label: $l) { me { email } } }", "static string"),
        ("subscription { ... @defer { queueStatisticsChanged { queued } } }", "root"),
        ("{ " + "... @defer { me { email } } " * 31 + "}", "more than 30 directives"),
        ("{ ...F ...G } fragment F on Query { ...G ...G ...G ...G } fragment G on Query { "
         + "... @defer { me { email } } " * 10 + "}", "more than 30 directives"),
    ],
    ids=str,
)  # fmt: skip
async def test_a_document_that_is_wrong_is_answered_at_once(url, ada, query, message):
    async with asking(url, ada, query, accept=f"{PARTS}, {GRAPHQL_JSON}") as parts:
        assert parts.status == 400
        assert parts.headers["content-type"] == GRAPHQL_JSON
        body = await parts.body()
    assert message in body["errors"][0]["message"]
    assert "data" not in body


async def test_errors_are_told_in_their_part_and_in_rest_s_words(
    url, ada, bob, services, monkeypatch, caplog
):
    """Somebody else's project is none; a bug is masked; and the rest comes all the same."""
    his = await project(services, bob, name="his")

    async def broken(*_: Any) -> None:
        raise RuntimeError("postgresql://postern:hunter2@10.0.0.7/db is not there")

    monkeypatch.setattr(statistics, "total", broken)
    query = """query($id: ID!) { mine: me { email } early: sendingProject(id: $id) { name }
      ... @defer(label: "his") { sendingProject(id: $id) { name failureReasons { code } } me { uuid } }
      ... @defer(label: "bug") { statisticsTotal { projects } } }"""
    async with asking(url, ada, query, {"id": str(his)}) as parts:
        answers = await parts.all()
    (early,) = answers[0]["errors"]
    assert (early["path"], early["extensions"]["code"]) == (["early"], "sending_project_not_found")
    assert whole(answers) == {
        "mine": {"email": ada.email}, "early": None, "sendingProject": None, "me": {"uuid": str(ada.id)},
        "statisticsTotal": None,
    }  # fmt: skip
    errors_by_field = {
        error["path"][0]: error
        for part in answers[1:]
        for patch in part.get("incremental", ())
        for error in patch.get("errors", ())
    }
    assert set(errors_by_field) == {"sendingProject", "statisticsTotal"}
    assert errors_by_field["sendingProject"]["extensions"] == early["extensions"]
    assert errors_by_field["statisticsTotal"]["extensions"] == {"code": "internal_error"}
    assert "request id" in errors_by_field["statisticsTotal"]["message"]
    assert "hunter2" not in str(answers)
    assert answers[-1]["extensions"]["cost"]["actual"] == 2


async def test_a_part_that_can_t_be_is_completed_with_its_error(url, ada, projects, monkeypatch):
    """A part that may not be null is missing as a whole; what was sent before it stays."""

    async def gone(*_: Any, **__: Any) -> None:
        raise NotFound("It is gone.", code="sending_project_not_found")

    query = "{ sendingProjects(first: 1) { nodes { name } ... @defer { totalCount } } }"
    monkeypatch.setattr(CursorPage, "total_count", gone)
    async with asking(url, ada, query) as parts:
        answers = await parts.all()
    assert answers[0]["data"]["sendingProjects"]["nodes"]
    ((completed,),) = [part["completed"] for part in answers[1:]]
    (error,) = completed["errors"]
    assert error["extensions"]["code"] == "sending_project_not_found"
    assert error["path"] == ["sendingProjects", "totalCount"]


async def test_nobody_is_told_anything(url):
    async with asking(url, None, OVERVIEW) as parts:
        answers = await parts.all()
    assert whole(answers) == dict.fromkeys(
        ("me", "sendingProjects", "deliveryStatusCounts", "statisticsTotal")
    )
    assert {
        error["extensions"]["code"]
        for part in answers
        for patch in (part, *part.get("incremental", ()))
        for error in patch.get("errors", ())
    } == {"unauthenticated"}


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_it_costs_what_it_costs_at_once(url, ada, projects):
    at_hand(EACH, OVERVIEW)
    left = 1000
    for query in (EACH, OVERVIEW):
        async with asking(url, ada, query, {"n": 3}, accept=JSON) as parts:
            plain = (await parts.body())["extensions"]["cost"]
        async with asking(url, ada, query, {"n": 3}) as parts:
            answers = await parts.all()
        assert all("extensions" not in part for part in answers[:-1])
        cost = answers[-1]["extensions"]["cost"]
        left -= 2 * plain["actual"]
        assert cost == {**plain, "remaining": left}


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_who_leaves_ends_what_is_slow_and_pays_what_he_got(url, ada, projects, services, lock, capfd):
    at_hand(OVERVIEW)
    budget, user = services.budget, f"user:{ada.id}"
    for turn in (1, 2):
        async with asking(url, ada, OVERVIEW, {"n": 2}) as parts:
            await parts.next()
            await until(lock.waited_for)
            assert budget.remaining(user) < 1000 - 4 * turn
        await until(lock.forgotten)
        await until(lambda turn=turn: budget.remaining(user) == 1000 - 4 * turn)
    output = "".join(capfd.readouterr())
    assert "Traceback" not in output
    assert "unexpected failure" not in output


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_who_does_not_read_is_given_up(url, ada, services, monkeypatch):
    """The server does not notice that the client reads nothing; the door has a bound of its own."""
    monkeypatch.setattr(incremental, "SEND_SECONDS", 0.1)
    for name in ("a", "b", "c"):
        await project(services, ada, name=name, html="x" * 300_000)
    texts = " ".join(f"a{number}: html" for number in range(28))  # more than two sockets hold
    query = f"{{ sendingProjects {{ nodes {{ {texts} }} }} ... @defer {{ me {{ id }} }} }}"
    at_hand(query)
    body = orjson.dumps({"query": query})
    port = int(url.rpartition(":")[2])
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", port))
        deaf.sendall(
            f"POST /graphql HTTP/1.1\r\nhost: x\r\naccept: {PARTS}\r\nauthorization: Bearer {ada.token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        paid = 1 + 3 + 1  # the second part is made before uvicorn says that the first one waits
        await until(lambda: services.budget.remaining(f"user:{ada.id}") == 1000 - paid)


async def test_a_server_that_stops_lets_it_finish(app, ada, projects, services, lock):
    async with listening(app) as server, asking(url_of(server), ada, OVERVIEW, {"n": 1}) as parts:
        await parts.next()
        await until(lock.waited_for)
        services.stopping.set()
        server.should_exit = True

        async def closed() -> bool:
            async with httpx.AsyncClient() as client:
                try:
                    return not await client.get(f"{url_of(server)}/health")
                except httpx.ConnectError:
                    return True
                except httpx.TransportError:  # the kernel let it in just before the socket was closed
                    return False

        await until(closed)
        await lock.release()
        assert (await parts.all())[-1]["hasNext"] is False
    services.stopping.clear()


async def test_a_bug_of_ours_is_told_and_ends_it(url, ada, projects, monkeypatch):
    def broken(*_: Any) -> None:
        raise RuntimeError("secret")

    async with asking(url, ada, EACH, {"n": 2}) as parts:
        monkeypatch.setattr(incremental.Parts, "_incremental", broken)
        answers = await parts.all()
    assert answers[-1]["hasNext"] is False
    assert [completed["errors"][0]["extensions"]["code"] for completed in answers[-1]["completed"]] == [
        "internal_error"
    ] * 2
    assert "secret" not in str(answers)


async def test_there_are_only_so_many_parts(url, ada, projects, monkeypatch):
    """Parts beyond the bound are answered with what is around them, and nothing is lost."""
    query = """{ sendingProjects(first: 3) { nodes { name ... @defer { uuid account { name
      ... @defer { owner { email accounts(first: 1) { nodes { ... @defer { name } } } } } } } } }
      ... @defer { sendingProjects(first: 3) { nodes { status account { id } } } } }"""
    expected, counts = await ada.data(query), []
    for most in range(20):
        monkeypatch.setattr(executors.InParts, "most", most)
        async with asking(url, ada, query) as parts:
            answers = [await parts.body()] if parts.headers["content-type"] == JSON else await parts.all()
        assert whole(answers) == expected, most
        counts.append(sum(len(part.get("completed", ())) for part in answers))
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert counts[-1] > counts[5] > 0
