"""The documents are held against the code: settings, error codes, states, and the commands that they give."""

import ast
import asyncio
import json
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import uvicorn
from pydantic import BaseModel

from core import errors
from core.http.allowlist import AllowlistMode
from core.installation import ROOT
from core.settings import DatabaseOptions, Settings
from engine.messengers.states import INACTIVE, LOGIN
from engine.messengers.states import MOVES as ACCOUNT_MOVES
from engine.projects.states import MOVES as PROJECT_MOVES
from postern import demo
from postern.app import make_app
from postern.process import Server
from resolvers.users import MOVES
from rest.frame import errors as rest_errors
from shapes.messages import DeliveryState
from shapes.users import UserStatus
from tests.support.waits import PATIENCE

FOLDERS = ("core", "engine", "postern", "resolvers", "rest", "runtime", "schema")
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """What stands under a heading, up to the next one of its level or higher."""
    found = re.search(
        rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,2}} |\Z)", read(page), re.MULTILINE | re.DOTALL
    )
    assert found, f"{page} has no heading {title!r}"
    return found[2]


def rows(text: str, first: str) -> Iterator[list[str]]:
    """The cells of the table whose head begins with `first`."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {first} |"):
            break
    else:
        raise AssertionError(f"there is no table that begins with {first!r}")
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]


def plain(cell: str) -> str:
    return cell.strip("`")


# settings


def shown(default: Any) -> str:
    """A default as the tables write it."""
    if default in (None, []):
        return "–"
    if isinstance(default, list):
        return ",".join(default)
    if isinstance(default, Path):
        return str(default.relative_to(ROOT) if default.is_relative_to(ROOT) else default)
    if isinstance(default, float):
        return f"{default:g}"
    return str(default.value if isinstance(default, Enum) else default)


def defaults(model: type[BaseModel]) -> dict[str, str]:
    return {
        name: shown(field.get_default(call_default_factory=True))
        for name, field in model.model_fields.items()
    }


def test_every_setting_is_listed_with_its_default():
    of_class = {
        str(Settings.model_fields[name].validation_alias or f"POSTERN_{name.upper()}"): default
        for name, default in defaults(Settings).items()
    }
    table = {
        plain(name): plain(default) for name, default, _ in rows(read("docs/configuration.md"), "setting")
    }
    assert table == of_class


def test_every_database_option_is_listed_and_in_the_example():
    table = {
        plain(name): plain(default) for name, default, _ in rows(read("docs/configuration.md"), "option")
    }
    assert table == defaults(DatabaseOptions)
    example = ROOT / "database.toml.example"
    assert DatabaseOptions.load(example) == DatabaseOptions()
    for name in DatabaseOptions.model_fields:
        assert re.search(rf"^(# )?{name} = ", example.read_text(), re.MULTILINE), name


def test_settings_that_the_pages_name_exist():
    known = {
        str(field.validation_alias or f"POSTERN_{name.upper()}")
        for name, field in Settings.model_fields.items()
    }
    for page in PAGES:
        for name in re.findall(r"\b(?:POSTERN|IP_ALLOWLIST)_[A-Z_]*[A-Z]\b", page.read_text()):
            whole = name in known or any(other.startswith(f"{name}_") for other in known)
            assert whole, f"{page.name}: {name}"


# error codes


def codes() -> dict[str, set[int]]:
    """Every code that the doors can answer, with its statuses as far as the code tells them."""
    found: dict[str, set[int]] = {}
    classes = {
        name: int(thing.status)
        for name, thing in vars(errors).items()
        if isinstance(thing, type) and issubclass(thing, errors.AppError) and thing is not errors.AppError
    }
    for name, status in classes.items():
        found[vars(errors)[name].code] = {status}
    for status, code in rest_errors._CODES.items():
        found.setdefault(code, set()).add(status)
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if folder == "engine" and getattr(getattr(node, "func", None), "id", None) not in classes:
                    continue  # the other codes there are those of failed messages
                for code in _codes(node):
                    statuses = found.setdefault(code, set())
                    if isinstance(node, ast.Call) and getattr(node.func, "id", None) in classes:
                        statuses.add(classes[node.func.id])
    return found


def _codes(node: ast.AST) -> Iterator[str]:
    values: list[ast.expr] = []
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) != "Outcome":  # those are of messages
        values = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
        computed = [value for value in values if isinstance(value, ast.JoinedStr)]
        assert [ast.unparse(value) for value in computed] in ([], ["f'user_{user.status}'"])
        if getattr(node.func, "id", None) in ("envelope", "_plain"):
            values += node.args[2:]
    elif isinstance(node, ast.Dict):
        values = [
            value
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and key.value == "code"
        ]
    for value in values:
        if (
            isinstance(value, ast.Constant)
            and isinstance(value.value, str)
            and re.fullmatch(r"[a-z_]+", value.value)
        ):
            yield value.value
        elif ast.unparse(value) == "f'user_{user.status}'":
            yield from (f"user_{status}" for status in UserStatus if status is not UserStatus.active)


def test_every_error_code_is_listed_with_its_status():
    listed = {
        plain(code): {int(number) for number in re.findall(r"\d{3}", status)}
        for code, status, *_ in rows(section("docs/errors.md", "Codes"), "code")
    }
    raised = codes()
    assert set(listed) == set(raised), f"only here or there: {set(listed) ^ set(raised)}"
    for code, statuses in raised.items():
        assert statuses <= listed[code], f"{code}: {statuses} are raised, {listed[code]} are listed"


def test_failure_codes_that_are_listed_exist():
    source = "".join(
        path.read_text() for folder in ("channels", "engine") for path in (ROOT / folder).rglob("*.py")
    )
    for code, _ in rows(section("docs/errors.md", "Why a message failed"), "code"):
        assert re.search(rf"[\"']{plain(code)}[\"']", source), code


# states


def moves(title: str) -> set[tuple[str, str]]:
    return {(plain(start), plain(end)) for start, end, *_ in rows(section("docs/states.md", title), "from")}


def drawn(title: str) -> set[tuple[str, str]]:
    """The arrows of the drawing, those from nowhere apart."""
    arrows = re.findall(r"^    (\S+) --> (\w+)", section("docs/states.md", title), re.MULTILINE)
    return {(start, end) for start, end in arrows if start != "[*]"}


def test_the_moves_of_a_project():
    table = list(rows(section("docs/states.md", "Sending Projects"), "from"))
    assert [tuple(map(plain, row[:3])) for row in table] == [tuple(map(str, move)) for move in PROJECT_MOVES]
    arrows = re.findall(
        r"^    (\S+) --> (\w+): (.+)$", section("docs/states.md", "Sending Projects"), re.MULTILINE
    )
    drawn = {
        (start, event, end) for start, end, events in arrows for event in events.split(", ") if start != "[*]"
    }
    assert drawn == {tuple(map(str, move)) for move in PROJECT_MOVES}


def test_the_moves_of_a_messenger_account():
    groups = {"login": LOGIN, "rest": INACTIVE}

    def members(name: str) -> tuple[str, ...]:
        return tuple(map(str, groups.get(name, (name,))))

    page = section("docs/states.md", "Messenger accounts")
    table = {
        (start, plain(event), plain(end))
        for starts, event, end, _ in rows(page, "from")
        for name in starts.split(", ")
        for start in members(plain(name))
    }
    code = {(str(start), str(event), str(end)) for starts, event, end in ACCOUNT_MOVES for start in starts}
    assert table == code
    ends = {str(event): str(end) for _, event, end in ACCOUNT_MOVES}
    arrows = re.findall(r"^    (\S+) --> (\w+): (.+)$", page, re.MULTILINE)
    drawn = set()
    for start, end, events in arrows:
        if start != "[*]":
            assert {ends[event] for event in events.split(", ")} == set(members(end)), (start, end)
            drawn |= {(one, event, ends[event]) for event in events.split(", ") for one in members(start)}
    assert drawn == code
    for group, states in groups.items():
        inside = re.search(rf"^    state {group} {{\n(.*?)^    }}", page, re.MULTILINE | re.DOTALL)
        assert inside, group
        assert inside[1].split() == [str(state) for state in states]


def test_the_moves_of_a_user():
    assert moves("Users") == {
        (start, end.value) for start, ends in MOVES.items() for end in map(UserStatus, ends)
    }
    assert drawn("Users") == moves("Users")


def test_the_moves_of_a_message():
    from db.models.messages import STATUS_OF_STATE

    assert drawn("Messages") == moves("Messages")
    table = {
        plain(state): plain(status)
        for state, _, status in rows(section("docs/states.md", "Messages"), "state")
    }
    assert set(table) == {state.value for state in DeliveryState}
    differing = dict(re.findall(r"WHEN '(\w+)' THEN '(\w+)'", STATUS_OF_STATE))
    assert table == {state.value: differing.get(state.value, state.value) for state in DeliveryState}
    for *_, where in rows(section("docs/states.md", "Messages"), "from"):
        path = ROOT / plain(where.split()[0])
        for name in re.findall(r"`(_[A-Z]+)`", where):
            assert f"\n{name} = " in path.read_text(), where


# links and names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if target.startswith(("http", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        other = (page.parent / name).resolve() if name else page
        assert other.exists(), target
        if anchor and other.suffix == ".md":
            headings = re.findall(r"^#+ (.+)$", other.read_text(), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in slugs, target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_are_named_exist(page):
    for name in re.findall(
        r"`((?:postern|schema|rest|resolvers|db|engine|channels|messengers|runtime|core|shapes|tools|bench|tests)/[\w/.]+\.py)`",
        page.read_text(),
    ):
        assert (ROOT / name).exists(), name


def test_decisions_are_short_and_whole():
    for page in (ROOT / "docs/decisions").glob("*.md"):
        text = page.read_text()
        assert re.match(r"\d{4}-", page.name)
        assert len(text.splitlines()) <= 25, page.name
        for part in ("**Status:**", "**Context.**", "**Decision.**", "**Consequences.**"):
            assert part in text, f"{page.name}: {part}"


def test_the_licence_is_the_whole_apache_licence():
    import hashlib

    # https://www.apache.org/licenses/LICENSE-2.0.txt
    official = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == official


def test_the_metrics_that_the_pages_name_exist():
    source = read("resolvers/metrics.py") + read("core/metrics.py")
    for page in ("docs/first-steps.md", "docs/operations.md"):
        for name in re.findall(r"\bpostern_[a-z_]+[a-z]\b", read(page)):
            # prometheus_client adds _total to counters itself.
            assert f'"{name.removesuffix("_total")}' in source, name


# commands


def test_the_commands_of_the_operations_page_exist():
    import typer

    from postern.cli import app

    group = typer.main.get_command(app)
    for cell, _ in rows(read("docs/operations.md"), "command"):
        for line in re.findall(r"`postern ([^`]+)`", cell):
            command: Any = group
            for word in re.findall(r"^[a-z ]+", line)[0].split():
                command = command.commands[word]
            known = {option for parameter in command.params for option in parameter.opts}
            assert set(re.findall(r"--[a-z-]+", line)) <= known, line


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


async def _run(settings: Settings, script: str, **options: Any) -> list[str]:
    """What a shell prints that runs it against a server and a worker; the README's port stands for theirs."""
    from engine.worker import Worker

    await demo.fill(settings)
    app = make_app(settings)
    server = Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    worker = Worker(app.services)
    working = asyncio.create_task(worker.run())
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        shell = await asyncio.create_subprocess_exec(
            "bash", "-c", script.replace("127.0.0.1:3000", f"127.0.0.1:{port}"),
            stdout=asyncio.subprocess.PIPE, **options,
        )  # fmt: skip
        said, _ = await asyncio.wait_for(shell.communicate(), 2 * PATIENCE)
    finally:
        worker.stop()
        await asyncio.wait_for(working, PATIENCE)
        server.should_exit = True
        await asyncio.wait_for(serving, PATIENCE)
    return said.decode().splitlines()


async def _walked(settings: Settings, folder: Path) -> list[str]:
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    script = "\n".join(["set -e", login, *blocks(section("docs/first-steps.md", "A first project"), "sh")])
    asked = (
        """curl -s "http://127.0.0.1:3000/%s" -H "authorization: Bearer $TOKEN" | grep -q '"status":"%s"'"""
    )
    for moment, path, status in (
        ("1", "recipient-import/$IMPORT", "ready"),
        ("2", "sending-project/$PROJECT", "finished"),
    ):
        script = script.replace(f"sleep {moment}", f"until {asked % (path, status)}; do sleep 0.1; done")
    return await _run(settings, script.replace("\ncurl", "\necho; curl"), cwd=folder)


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)
async def test_the_first_message_of_the_readme(settings):
    """The commands as they stand there, run by a shell against a server and a worker."""
    # In place of a moment that is long enough on a machine that has nothing else to do.
    sent = """until curl -s "http://127.0.0.1:3000/messages?limit=1" -H "authorization: Bearer $TOKEN" | grep -q '"status":"delivered"'; do sleep 0.1; done"""
    commands = [
        *blocks(section("README.md", "A first message"), "sh"),
        *blocks(section("docs/first-steps.md", "The same message by GraphQL"), "sh"),
    ]
    script = "set -e\n" + "echo\n".join(commands)
    said = await _run(settings, script.replace("\ncurl", "\necho; curl").replace("sleep 1", sent))
    sent, listed, mutated, asked = (json.loads(line) for line in said if line)
    assert sent["status"] == "queued"
    assert (listed["items"][0]["id"], listed["items"][0]["status"]) == (sent["id"], "delivered")
    assert mutated["data"]["sendMessage"]["price"] == 0.01
    assert asked["data"]["me"]["email"] == demo.USER
    assert len(asked["data"]["messages"]["nodes"]) == 3


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)
async def test_the_first_project_of_the_first_steps(settings, tmp_path):
    """The same for the second walk."""
    told = [json.loads(line) for line in await _walked(settings, tmp_path) if line]
    rows, added, started, finished, failed = told
    assert [row["error"] and row["error"]["code"] for row in rows["items"]] == [None, None, "invalid_email"]
    assert added["added"] == 2
    assert started["status"] == "running"
    assert (finished["status"], finished["counts"]["sent"], finished["counts"]["failed"]) == (
        "finished",
        1,
        1,
    )
    assert [one["to"] for one in failed["items"]] == ["failed@sandbox.postern.test"]
    assert failed["items"][0]["body"] == "Dear Борис, greetings to Казань!"


@pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off, sandbox_moment=2)
async def test_the_first_messenger_account_of_the_first_steps(settings):
    """Somebody scans the QR a moment after it is shown, and it must be asked for before that."""
    login = blocks(section("README.md", "A first message"), "sh")[0].partition("\n\n")[0]
    script = "\n".join(
        ["set -e", login, *blocks(section("docs/first-steps.md", "A first messenger account"), "sh")]
    )
    works = """until call getInfo | grep -q '"accountState":"working"'; do sleep 0.1; done"""
    answered = """until call getChatMessages ', "to": "+15005550100"' | grep -q '"outgoing":false'; do sleep 0.1; done"""
    script = script.replace("sleep 3", works).replace("sleep 2", answered)
    added, state, qr, info, sent, chat = [json.loads(line) for line in await _run(settings, script) if line]
    assert added["account"]["login"] == "15005559001"
    assert (state["status"], state["error"]["message"]) == ("error", "QR received")
    assert qr["value"]
    assert (info["accountState"], info["state"], info["step"]["value"]) == ("working", True, 5)
    mine, theirs = chat["messages"][:2]
    assert (mine["item"], mine["text"]) == (sent["results"][0]["result"]["item"], "Hello")
    assert theirs["outgoing"] is False


async def test_the_sql_for_unknown_messages(ada, services, drain):
    listing, taken, again, given_up = (
        sql.replace(":id", "$1") for sql in blocks(read("docs/operations.md"), "sql") if "unknown" in sql
    )

    async def unknown() -> UUID:
        message = await ada.rest(
            "POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "hi"}
        )
        id = UUID(message.json()["id"])
        await services.db.fetch(
            "UPDATE messages SET state = 'unknown', handed_at = now(), claim_id = id WHERE id = $1", id
        )
        assert [row.id for row in await services.db.fetch(listing)] == [id]
        return id

    async def state(id: UUID) -> str:
        return await services.db.fetchval("SELECT state FROM messages WHERE id = $1", id)

    async def balance() -> float:
        return (await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"]

    first = await unknown()
    await services.db.fetch(taken, first)
    assert await state(first) == "sent"
    second = await unknown()
    await services.db.fetch(again, second)
    assert await drain("sms") == 1
    assert await state(second) == "sent"
    third = await unknown()
    before = await balance()
    for _ in range(2):
        await services.db.fetch(given_up, third)
    assert await state(third) == "failed"
    assert await balance() == pytest.approx(before + 0.01)


async def test_the_other_sql_of_the_operations_page_runs(services):
    for sql in re.findall(r"`(SELECT [^`]+)`", read("docs/operations.md")):
        await services.db.fetch(sql)
    (revoke,) = re.findall(r"`(UPDATE sessions[^`]+)`", read("docs/operations.md"))
    await services.db.fetch(" ".join(revoke.split()))


def test_the_python_of_contributing_is_python():
    for code in blocks(read("CONTRIBUTING.md").replace("\n   ", "\n"), "python"):
        ast.parse(code)
