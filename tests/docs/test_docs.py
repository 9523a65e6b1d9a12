"""The documents are held against the code: settings, error codes, states, links, and the commands that they name."""

import ast
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from core import errors
from core.database_options import DatabaseOptions
from core.installation import ROOT
from core.settings import Settings
from engine.messengers.states import INACTIVE, LOGIN
from engine.messengers.states import MOVES as ACCOUNT_MOVES
from engine.projects.states import MOVES as PROJECT_MOVES
from resolvers.users import MOVES
from rest.frame import errors as rest_errors
from shapes.messages import DeliveryState
from shapes.users import UserStatus
from tests.docs.pages import PAGES, blocks, plain, read, rows, section

FOLDERS = ("core", "engine", "postern", "resolvers", "rest", "runtime", "schema")


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
    codes = {
        str(field.validation_alias or f"POSTERN_{name.upper()}")
        for name, field in Settings.model_fields.items()
    } | {"POSTERN_URL", "POSTERN_TOKEN"}  # what the SDKs read where they run
    for page in PAGES:
        for name in re.findall(r"\b(?:POSTERN|IP_ALLOWLIST)_[A-Z_]*[A-Z]\b", page.read_text()):
            whole = name in codes or any(other.startswith(f"{name}_") for other in codes)
            assert whole, f"{page.name}: {name}"


# error codes


def codes() -> dict[str, set[int]]:
    """Every code that the doors can answer, with its statuses as far as the code tells them."""
    statuses_by_code: dict[str, set[int]] = {}
    classes = {
        name: int(thing.status)
        for name, thing in vars(errors).items()
        if isinstance(thing, type) and issubclass(thing, errors.AppError) and thing is not errors.AppError
    }
    for name, status in classes.items():
        statuses_by_code[vars(errors)[name].code] = {status}
    for status, code in rest_errors._CODES.items():
        statuses_by_code.setdefault(code, set()).add(status)
    for path in (ROOT / "sinks").rglob("*.py"):  # engine/sinks answers with the code of a SinkFailed
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "SinkFailed":
                statuses_by_code.setdefault(ast.literal_eval(node.args[0]), set())
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if folder == "engine" and getattr(getattr(node, "func", None), "id", None) not in classes:
                    continue  # the other codes there are those of failed messages
                for code in _codes(node):
                    statuses = statuses_by_code.setdefault(code, set())
                    if isinstance(node, ast.Call) and getattr(node.func, "id", None) in classes:
                        statuses.add(classes[node.func.id])
    return statuses_by_code


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
            drawn |= {
                (member, event, ends[event]) for event in events.split(", ") for member in members(start)
            }
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
    differing |= {"scheduled": "queued"}  # it is stored as `queued`
    assert table == {state.value: differing.get(state.value, state.value) for state in DeliveryState}
    for *_, where in rows(section("docs/states.md", "Messages"), "from"):
        places = re.findall(r"`([\w/]+\.py)`((?:,? `_[A-Z_]+`)+)", where)
        assert places, where
        for path, names in places:
            for name in re.findall(r"`(_[A-Z_]+)`", names):
                assert f"\n{name} = " in (ROOT / path).read_text(), where


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
        r"`((?:postern|schema|rest|resolvers|db|engine|channels|messengers|runtime|core|shapes|tools|bench|tests)"
        r"/[\w/.]+\.py)`",
        page.read_text(),
    ):
        assert (ROOT / name).exists(), name


def test_decisions_are_short_and_whole():
    for page in (ROOT / "docs/decisions").glob("[!R]*.md"):
        text = page.read_text()
        assert re.match(r"\d{4}-", page.name)
        assert len(text.splitlines()) <= 25, page.name
        for part in ("**Status:**", "**Context.**", "**Decision.**", "**Consequences.**"):
            assert part in text, f"{page.name}: {part}"


def test_each_decision_is_in_the_index_by_its_title():
    listed = re.findall(r"^- \[(.+)\]\((.+)\)$", read("docs/decisions/README.md"), re.MULTILINE)
    pages = sorted((ROOT / "docs/decisions").glob("[!R]*.md"))
    titles = [(page.read_text().partition("\n")[0].removeprefix("# "), page.name) for page in pages]
    assert sorted(listed) == sorted(titles)


def test_each_page_is_in_the_index_of_its_folder():
    for folder in ("docs", "docs/recipes", "docs/moving"):
        index = read(f"{folder}/README.md")
        for page in (ROOT / folder).glob("[!R]*.md"):
            assert f"]({page.name}" in index, page.name


def test_the_licence_is_the_whole_apache_licence():
    import hashlib

    # https://www.apache.org/licenses/LICENSE-2.0.txt
    official = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == official


def test_the_metrics_that_the_pages_name_exist():
    source = (
        read("resolvers/metrics/__init__.py")
        + read("resolvers/metrics/families.py")
        + read("core/metrics.py")
    )
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
            for word in re.findall(r"^[a-z -]+", line)[0].split(" -")[0].split():
                if not hasattr(command, "commands"):
                    break  # arguments follow
                command = command.commands[word]
            options = {option for parameter in command.params for option in parameter.opts}
            assert set(re.findall(r"--[a-z-]+", line)) <= options, line


def test_the_python_of_contributing_is_python():
    for code in blocks(read("CONTRIBUTING.md").replace("\n   ", "\n"), "python"):
        ast.parse(code)
