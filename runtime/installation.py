"""Holds what only the process that serves knows about itself. `postern.app` provides it to the operations."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from core.http.allowlist import AllowlistFile
from core.http.refusals import Refusals
from runtime.services import Services
from shapes.system import Finding


@dataclass(frozen=True)
class Installation:
    """The IP allowlist in use, the requests that it refused, and the checks of `postern doctor`."""

    embedded: bool  # the servers are those that Postern starts itself
    allowlist: AllowlistFile
    refusals: Refusals
    examine: Callable[[], Awaitable[Sequence[Finding]]]


def installation(services: Services) -> Installation:
    """Returns what `postern.app` has provided. Raises RuntimeError in a process that serves no API."""
    return services.single(Installation, _missing)


def _missing() -> Installation:
    raise RuntimeError("this process serves no API")
