"""The packages as such: what they import, their types, and that nothing of the document is missing in them."""

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.installation import ROOT
from tests.sdk.conftest import Sdk
from tests.sdk.programs import RECIPES, SAMPLES
from tests.support.described import openapi
from tests.support.waits import PATIENCE
from tools.sdk import advice, document

PYTHON = ROOT / "sdk" / "python"
FOREIGN = {"httpx"}  # the generated models import attrs, too


def test_the_python_core_imports_nothing_of_ours():
    for path in (PYTHON / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names | FOREIGN, path


def test_the_typescript_core_has_no_dependency():
    package = json.loads((ROOT / "sdk" / "typescript" / "package.json").read_text())
    assert not [key for key in package if key.lower().endswith("dependencies")]
    for path in (ROOT / "sdk" / "typescript" / "src").glob("*.ts"):
        for name in re.findall(r"""(?:from |import\()["']([^"']+)["']""", path.read_text()):
            assert name.startswith("./") or (name == "node:crypto" and path.name == "webhooks.ts"), path


def test_the_document_of_the_sdks_has_each_operation_that_a_program_calls():
    ours = {operation["operationId"] for _, _, operation in document.operations(document.prepared())}
    all_of_them = {each["operationId"] for item in openapi()["paths"].values() for each in item.values()}
    assert len({id.replace(".", "_") for id in ours}) == len(ours)
    assert {id.replace(".", "_") for id in ours} <= all_of_them
    missing = all_of_them - {id.replace(".", "_") for id in ours}
    left_out = r"(console|graphql|hooks|legacy|metrics)_.*|.*_(show|ask|confirm|save|enter|form|sign_up|opt_in|printed)"
    assert [id for id in missing if not re.fullmatch(left_out, id)] == []


def test_every_code_has_advice():
    texts = advice.advice()
    assert len(texts) > 300
    assert all(text and "](" not in text and "`" not in text for text in texts.values())


def test_a_build_is_asked_for_by_its_sources(python_sdk: Sdk):
    """Nobody has to renew a generated file: another document is another build."""
    generated = python_sdk.folder / "src" / "postern_sdk" / "api"
    described = document.prepared()
    for _, _, operation in document.operations(described):
        feature, name = operation["operationId"].split(".")
        assert (generated / feature / f"{feature}_{name}.py").exists(), operation["operationId"]
    keyed = [path for path in generated.glob("*/*_*.py") if "keyed=True" in path.read_text()]
    assert len(keyed) == len(document.keyed(described))


@pytest.mark.slow
def test_the_types_of_the_core_the_recipes_and_the_samples(python_sdk: Sdk, tmp_path: Path):
    """As mypy sees them with all that is generated. TypeScript's are compiled by the fixture."""
    source = python_sdk.folder / "src"
    by_hand = [source / "postern_sdk" / path.name for path in (PYTHON / "src" / "postern_sdk").glob("*.py")]
    for sample in SAMPLES.glob("*/python.py"):
        shutil.copy(sample, tmp_path / f"{sample.parent.name}.py")
    programs = [*(PYTHON / "recipes").glob("*.py"), *tmp_path.glob("*.py")]
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--python-version=3.11",
               "--follow-imports=silent", "--cache-dir", str(python_sdk.folder / ".mypy_cache")]  # fmt: skip
    for files in (by_hand, programs):
        done = subprocess.run(
            [*command, *map(str, files)], env={**python_sdk.environment(1, "x"), "MYPYPATH": str(source)},
            capture_output=True, text=True, timeout=8 * PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_recipes_are_in_the_page():
    page = (ROOT / "docs" / "sdks.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == {
        path.stem.replace("-", "_") for path in RECIPES.glob("*.ts")
    }
