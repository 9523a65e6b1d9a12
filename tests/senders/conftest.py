"""The DNS of the tests of domains."""

from tests.domains.conftest import zone

__all__ = ["zone"]
