"""The rules hold, and each of them bites."""

import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.linters import rules
from tests.linters.rules import FREE, GUESTS, LONGER, OTHER_CLIENTS, check
from tests.linters.source import OURS, ROOT, Source

LAYERS = [folder for folder in OURS if folder not in {"bench", "killtest", "tests", "tools"}]

DOOR = "from resolvers import blocks\n\n@api.get('/x')\nasync def x(ctx):\n    '''One.'''\n"
FIELD = (
    "from resolvers import blocks\n\nclass Query:\n    @graphql.query('x')\n    async def x(self, info):\n"
)


def test_the_house_rules_hold():
    done = subprocess.run(
        [sys.executable, "-m", "tests.linters"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "The house rules hold.\n")


@pytest.mark.parametrize("path", [*LONGER, *FREE, *OTHER_CLIENTS, *(path for path, _ in GUESTS)])
def test_an_exception_is_for_a_file_that_is_there(path: str):
    assert (ROOT / path).exists()


def test_an_exception_that_nobody_needs_is_taken_from_its_list(monkeypatch: pytest.MonkeyPatch):
    sources = [Source(path, (ROOT / path).read_text()) for path in sorted(LONGER)]
    before = len(check(sources))
    for entry in list(LONGER):
        with monkeypatch.context() as patch:
            patch.delitem(rules.LONGER, entry)
            assert len(check(sources)) > before, entry


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("resolvers/x.py", "from fastapi import Request"),
        ("resolvers/x.py", "import starlette.requests"),
        ("resolvers/x.py", "import strawberry"),
        ("resolvers/x.py", "async def f(op):\n    await op.session.commit()"),
        ("rest/x.py", "session.rollback()"),
        ("engine/x.py", "from sqlalchemy.ext.asyncio import AsyncSession"),
        ("runtime/fast/x.py", "import sqlalchemy"),
        ("channels/x.py", "import requests"),
        ("channels/x.py", "def f():\n    from httpx import AsyncClient"),
        ("channels/exchange.py", "from urllib.request import urlopen"),
        ("core/x.py", "import http.client"),
        ("postern/x.py", "print('x')"),
        ("engine/x.py", "def f():\n    print()"),
        ("engine/x.py", "'''What is sent.'''"),
        ("engine/x.py", "def f():\n    '''Whether it works.'''"),
        ("shapes/x.py", "class A:\n    a = 1\n    '''How many there are.'''"),
        ("shapes/x.py", "class A:\n    '''To whom it is shown.'''"),
        ("tests/x.py", "'''What is sent.'''"),
        ("tests/x.py", "from tests.support.waits import gone"),
        ("tests/x.py", "from tests.gone import until"),
        ("bench/x.py", "def f():\n    from engine.queue import gone"),
        ("engine/x.py", "x = 1\n" * 401),
        ("engine/x.py", "def f(a, b, c, d, /, e, f, g, *, h, i):\n    pass"),
        (
            "tests/x.py",
            "class A:\n    async def f(self, a, b, c, d, e, f, g, *more, **others):\n        pass",
        ),
        ("engine/x.py", f"# {'x' * 119}"),
        ("tests/x.py", f'x = 1\ny = """\n{"é" * 121}\n"""'),
        ("db/migrations/versions/x.py", f"x = '{'y' * 120}'"),
        ("rest/blocks.py", DOOR + "    a = 1\n    b = 2\n    return await blocks.x(ctx)"),
        ("rest/blocks.py", DOOR + "    if ctx:\n        return await blocks.x(ctx)"),
        ("rest/blocks.py", DOOR + "    try:\n        return await blocks.x(ctx)\n    finally:\n        pass"),
        ("rest/blocks.py", DOOR + "    return 1"),
        ("rest/blocks.py", DOOR + "    return await blocks.x(ctx) or await blocks.y(ctx)"),
        ("rest/other.py", DOOR + "    return await blocks.x(ctx)"),
        ("rest/blocks.py", "async def call(ctx):\n    return 1\n\napi.add_api_route('/x', call)"),
        (
            "schema/blocks.py",
            FIELD + "        for a in ():\n            pass\n        return await blocks.x(info)",
        ),
        ("schema/blocks.py", FIELD + "        return None"),
        ("schema/other.py", FIELD + "        return await blocks.x(info)"),
    ],
)
def test_a_breach_is_found(path: str, text: str):
    (problem,) = check([Source(path, dedent(text))])
    assert problem.startswith(f"{path}:")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "channels/x.py",
            "import asyncio\nimport aiohttp\nfrom channels.port import Channel\nfrom core.outbound import Guard",
        ),
        ("channels/x/y.py", "from .port import Channel"),
        (
            "resolvers/x.py",
            "from shapes.users import User\nfrom db import models\nfrom core.errors import NotFound",
        ),
        ("rest/blocks.py", DOOR + "    found = await blocks.x(ctx)\n    return found"),
        (
            "rest/blocks.py",
            "def helper(a):\n    if a:\n        return 1\n    return 2\n"
            + DOOR
            + "    return await blocks.x(ctx)",
        ),
        ("schema/blocks.py", FIELD + "        '''Two.'''\n        await blocks.x(info)\n        return True"),
        ("runtime/operation.py", "session.commit()"),
        ("postern/cli.py", "print('x')"),
        ("bench/x.py", "print('x')"),
        ("db/x.py", "connection.rollback()"),
        ("db/x.py", "x = 1\n" * 400),
        ("db/x.py", "class A:\n    def f(self, a, b, c, d, e, f, g, h):\n        pass"),
        ("core/outbound/guard.py", "import httpx"),
        ("channels/exchange.py", "from urllib.request import getproxies\nfrom urllib.parse import urlsplit"),
        ("tests/x.py", "import httpx"),
        ("db/x.py", f"# {'é' * 118}\n"),
        ("db/x.py", "def f():\n    '''Returns whether it works.'''"),
    ],
)
def test_what_is_fine_is_left_alone(path: str, text: str):
    assert check([Source(path, text)]) == []


def test_a_package_has_the_stem_of_its_folder():
    assert Source("shapes/users.py", "").package == "shapes"
    assert Source("rest/users.py", "").stem == "users"
    assert Source("rest/users/routes.py", "").stem == "users"
    assert Source("rest/users/__init__.py", "").stem == "users"


UPWARDS = {
    "channels/x.py": "import db.models",
    "db/x.py": "from resolvers import users",
    "engine/x.py": "import rest.frame.errors",
    "killtest/x.py": "from core import errors",
    "resolvers/x.py": "def f():\n    import schema.users",
    "rest/x.py": "from db.session import Database",
    "schema/x.py": "from rest.users import api",
    "shapes/x.py": "from core import errors",
}


def test_each_import_that_points_up_is_found(tmp_path: Path):
    """All of them are in one copy of the tree, because the linter takes seconds to read it."""
    for folder in (*LAYERS, "killtest", "tools"):  # tools has a contract of ours
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for path, text in UPWARDS.items():
        (tmp_path / path).write_text(text)
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache", "--no-logo"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout
    missed = [path for path in UPWARDS if f"{path.split('/', maxsplit=1)[0]}.x -> " not in done.stdout]
    assert not missed, done.stdout


@pytest.mark.parametrize("folder, most", [("engine", 12), ("resolvers", 45)])
def test_a_folder_has_few_flat_files(folder: str, most: int):
    files = sorted(file.name for file in (ROOT / folder).glob("*.py"))
    assert len(files) <= most, f"make packages of {folder}/ by subject: {', '.join(files)}"
