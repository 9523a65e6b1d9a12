"""Lists of contacts through the doors, read as a worker would."""

from tests.imports.conftest import Lists, lists
from tests.webhooks.conftest import settings, spawn

__all__ = ["Lists", "lists", "settings", "spawn"]
