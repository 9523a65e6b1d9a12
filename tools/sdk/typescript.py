"""Makes the TypeScript SDK: the generated operations beside what is written by hand, compiled to ES modules."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from core import npm
from core.installation import ROOT
from core.version import __version__
from tools.sdk import document, generators
from tools.sdk.advice import advice

SOURCE = ROOT / "sdk" / "typescript"
_BY_HAND = shutil.ignore_patterns("recipes", "node_modules", "dist")


def make(folder: Path) -> None:
    """Writes the package, with its compiled files in `dist/`, into a folder, which must not exist. Raises
    Unavailable.
    """
    packages = generators.node()
    shutil.copytree(SOURCE, folder, ignore=_BY_HAND)
    shutil.copy(ROOT / "LICENSE", folder)
    (folder / "node_modules").symlink_to(packages / "node_modules")
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    text = json.dumps({**package, "version": __version__}, indent=2)
    (folder / "package.json").write_text(f"{text}\n", encoding="utf-8")
    described = document.prepared()
    (folder / "openapi.json").write_text(json.dumps(described), encoding="utf-8")
    run(folder, "run", "generate")
    (folder / "openapi.json").unlink()
    generated = folder / "src" / "generated"
    lines = "".join(f"  {json.dumps(code)}: {json.dumps(what)},\n" for code, what in advice().items())
    (generated / "advice.ts").write_text(
        "/** Says for each error code what the caller does next, in the words of docs/errors.md. */\n"
        f"export const ADVICE: Readonly<Record<string, string>> = {{\n{lines}}};\n",
        encoding="utf-8",
    )
    names = "".join(f"  {json.dumps(name)},\n" for name in document.keyed(described))
    (generated / "keyed.ts").write_text(
        "/** The operations that honour an idempotency key. */\n"
        f"export const KEYED: ReadonlySet<string> = new Set([\n{names}]);\n",
        encoding="utf-8",
    )
    run(folder, "run", "compile")


def run(folder: Path, *words: str) -> None:
    """Runs npm in a folder. Raises Unavailable."""
    with TemporaryDirectory() as work:
        npm.run(words, folder, Path(work), print, node=True)
