"""Tells which operation a door calls, for the papers of both doors: by the rules of this house it calls exactly one."""

import dis
from collections.abc import Iterator
from functools import partial
from types import CodeType, FunctionType, ModuleType
from typing import Any

from runtime.operation import Operation


def operation_of(door: Any) -> Operation | None:
    """Returns the operation that a route or a field calls as `feature.name(…)`; None: it calls none so.

    A door that a decorator has wrapped is looked for in the closure of the wrapper.
    """
    return next(
        (operation for code, names in _codes(door, set()) if (operation := _called(code, names))), None
    )


def _codes(door: Any, seen: set[int]) -> Iterator[tuple[CodeType, dict[str, Any]]]:
    """Yields the code of a function and of what is in it, with its global names."""
    if isinstance(door, partial):
        yield from _codes(door.func, seen)
    if not isinstance(door, FunctionType) or id(door) in seen:
        return
    seen.add(id(door))
    inner = [door.__code__]
    while inner:
        code = inner.pop()
        yield code, door.__globals__
        inner += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    for cell in door.__closure__ or ():
        yield from _codes(cell.cell_contents, seen)


def _called(code: CodeType, names: dict[str, Any]) -> Operation | None:
    feature: Any = None
    for instruction in dis.get_instructions(code):
        name = instruction.argval
        if isinstance(feature, ModuleType) and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            operation = getattr(getattr(feature, str(name), None), "operation", None)
            if isinstance(operation, Operation):
                return operation
            feature = getattr(feature, str(name), None)  # a module of a package: `chats.drafts.save`
            continue
        feature = names.get(name) if instruction.opname == "LOAD_GLOBAL" else None
        if not (isinstance(feature, ModuleType) and feature.__name__.startswith("resolvers.")):
            feature = None
    return None
