"""Compiles TypeScript programs against the built SDK, once for all test processes."""

import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from core.installation import ROOT
from tools.sdk import generators

RECIPES = ROOT / "sdk" / "typescript" / "recipes"
SAMPLES = ROOT / "static" / "docs" / "samples"


def compiled(sdk: Path, packages: Path) -> Path:
    """Returns a folder with the recipes in `recipes/` and the samples of /docs in `samples/`, as JavaScript. They find
    the package as if npm had installed it.
    """
    sources = {f"recipes/{path.name}": path.read_text() for path in RECIPES.glob("*.ts")}
    sources |= {f"samples/{path.parent.name}.ts": path.read_text() for path in SAMPLES.glob("*/*.ts")}
    sources["tests/core.ts"] = (ROOT / "tests" / "sdk" / "core.ts").read_text()
    digest = sha256(repr(sorted(sources.items())).encode() + (sdk / ".done").read_bytes()).hexdigest()
    folder = sdk.parent / "programs"
    with generators.alone(sdk.parent / "programs.lock"):
        done = folder / ".done"
        if done.exists() and done.read_text() == digest:
            return folder / "dist"
        shutil.rmtree(folder, ignore_errors=True)
        modules = folder / "node_modules"
        modules.mkdir(parents=True)
        for name in ("@types", "undici-types"):
            (modules / name).symlink_to(packages / "node_modules" / name)
        (modules / "postern-sdk").symlink_to(sdk)
        (folder / "package.json").write_text('{"type": "module"}')
        shutil.copy(RECIPES / "tsconfig.json", folder)
        for name, text in sources.items():
            path = folder / "src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        tsc = packages / "node_modules" / ".bin" / "tsc"
        made = subprocess.run([tsc, "-p", folder], capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stdout
        done.write_text(digest)
    return folder / "dist"
