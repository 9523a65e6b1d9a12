"""A contract of import-linter: of a module, the kernel and other modules import its entry points alone.

core/modules.py names both. Doors and the roof may import all: their part of a module is its feature's file.
"""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

from core.modules import MODULES

_IMPORTERS = ("engine", "runtime", "resolvers")


class EntryPoints(Contract):
    """Finds imports of what is inside a module, from outside of it; and entry points that nothing imports."""

    type_name = "module_entry_points"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Returns the imports that break the contract, and the entry points without an import."""
        unused = {entry for parts in MODULES.values() for entry in parts.entry_points}
        wrong = []
        for importer in sorted(graph.modules):
            if importer.partition(".")[0] not in _IMPORTERS:
                continue
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                module = _module_of(imported)
                if module is None or module is _module_of(importer):
                    continue
                if imported in MODULES[module].entry_points:
                    unused.discard(imported)
                else:
                    wrong.append((importer, imported, module.value))
        return ContractCheck(
            kept=not wrong and not unused, metadata={"wrong": wrong, "unused": sorted(unused)}
        )

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Prints what is wrong, and what to do."""
        for importer, imported, module in check.metadata["wrong"]:
            output.print_error(f"{importer} imports {imported}, which is inside the module {module}.")
        for entry in check.metadata["unused"]:
            output.print_error(f"{entry} is an entry point in core/modules.py, and nothing imports it.")
        output.print_error("Import an entry point of the module, or name a new one in core/modules.py.")


_OWN = {
    f"{folder}.{name}": module
    for module, parts in MODULES.items()
    for folder, names in (("engine", parts.packages), ("resolvers", (*parts.stems, *parts.switched)))
    for name in names
}


def _module_of(name: str) -> Any:
    return _OWN.get(".".join(name.split(".")[:2]))
