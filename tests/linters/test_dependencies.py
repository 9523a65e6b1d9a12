"""Every declared package is imported, and every imported one declared; `make check` says so of pyproject.toml."""

import pytest

from tests.linters import dependencies
from tests.linters.dependencies import BROUGHT, USED_OTHERWISE, breaches, check
from tests.linters.source import Source

OTHERS = [*USED_OTHERWISE]
FINE = "import starlette, graphql, dotenv, httpx2, nkeys, pydantic_core\nfrom core import errors\nimport asyncio\n"


def test_the_product_imports_what_it_declares() -> None:
    assert check() == []


@pytest.mark.parametrize(
    ("declared", "text", "found"),
    [
        (["aiohttp>=3"], "import aiohttp.web", None),
        (["PyWebPush"], "", "pyproject.toml: nothing of the product imports pywebpush; "),
        (["http_ece>=1", "py.vapid"], "def f():\n    import http_ece\nfrom py_vapid import Vapid02", None),
        (["sqlalchemy[asyncio]>=2 ; python_version > '3'"], "from sqlalchemy.orm import Session", None),
        (["not-installed"], "import not_installed", None),
        ([], "import aiohttp.web", "core/x.py: imports aiohttp, which pyproject.toml does not declare"),
        ([], "from . import aiohttp", None),
        ([], "# import aiohttp", None),
        (["httptools"], "import httptools", "pyproject.toml: httptools is imported; remove it from USED_OTHERWISE"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("extra", [False, True])
def test_each_breach_is_found(declared: list[str], text: str, found: str | None, extra: bool) -> None:
    """An extra is held against the imports like what is always installed."""
    project = {"name": "postern", "dependencies": OTHERS, "optional-dependencies": {"all": ["postern[x]"]}}
    if extra:
        project = {**project, "optional-dependencies": {"x": declared}}
    else:
        project = {**project, "dependencies": [*OTHERS, *declared]}
    sentences = [*breaches(project, [Source("core/x.py", FINE + text)])]
    assert len(sentences) == (found is not None), sentences
    assert not found or sentences[0].startswith(found)


def test_an_exception_that_is_needed_no_more_is_found() -> None:
    sentences = [*breaches({"name": "postern", "dependencies": []}, [])]
    assert len(sentences) == len(USED_OTHERWISE) + len(BROUGHT)
    assert all("USED_OTHERWISE" in sentence or "BROUGHT" in sentence for sentence in sentences)


def test_make_check_runs_this_rule() -> None:
    text = (dependencies.ROOT / "tests/linters/__main__.py").read_text(encoding="utf-8")
    assert "dependencies.check(files)" in text
