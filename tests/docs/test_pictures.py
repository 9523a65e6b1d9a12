"""Each package of engine/ begins with a small picture of its flow."""

import ast
from pathlib import Path

import pytest

from core.installation import ROOT

PACKAGES = sorted((ROOT / "engine").rglob("__init__.py"))


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.name)
def test_a_package_of_the_engine_begins_with_a_picture(path: Path):
    picture = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert "──►" in picture, "draw what comes in, what becomes of it, and where it goes"
    assert len(picture.splitlines()) <= 25
