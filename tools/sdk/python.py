"""Makes the Python SDK: the generated operations and models beside what is written by hand."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from core.installation import ROOT
from core.version import __version__
from tools.sdk import document, generators
from tools.sdk.advice import advice

SOURCE = ROOT / "sdk" / "python"
_BY_HAND = shutil.ignore_patterns("templates", "recipes", "generator.yaml", "__pycache__", "*.egg-info")
_GENERATED = ("api", "models", "types.py")


class Incomplete(Exception):
    """The generator has left out a part of the document; the message says which."""


def make(folder: Path) -> None:
    """Writes the source of the package into a folder, which must not exist. Raises Unavailable and Incomplete."""
    shutil.copytree(SOURCE, folder, ignore=_BY_HAND)
    shutil.copy(ROOT / "LICENSE", folder)
    package = folder / "src" / "postern_sdk"
    generated = folder / "generated"
    _generate(folder, generated)
    for name in _GENERATED:
        shutil.move(generated / name, package / name)
    shutil.rmtree(generated)
    (package / "py.typed").touch()
    (package / "version.py").write_text(f'__version__ = "{__version__}"\n', encoding="utf-8")
    lines = "".join(f"    {json.dumps(code)}: {json.dumps(text)},\n" for code, text in advice().items())
    (package / "error_advice.py").write_text(
        '"""Says for each error code what the caller does next, in the words of docs/errors.md."""\n\n'
        f"ADVICE: dict[str, str] = {{\n{lines}}}\n",
        encoding="utf-8",
    )


def _generate(folder: Path, into: Path) -> None:
    source = folder / "openapi.json"
    source.write_text(json.dumps(document.without_free_objects(document.prepared())), encoding="utf-8")
    tools = generators.python()
    command: list[str | Path] = [
        tools / "openapi-python-client", "generate", "--meta", "none", "--path", source, "--output-path", into,
        "--config", SOURCE / "generator.yaml", "--custom-template-path", SOURCE / "templates",
    ]  # fmt: skip
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}  # it calls ruff
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    source.unlink()
    if done.returncode or "WARNING" in done.stderr or "Unable to" in done.stderr:
        raise Incomplete(f"openapi-python-client has left something out:\n{done.stdout}{done.stderr}")
