"""The fast path: a query is compiled once, and then run for whole lists of rows. See docs/graphql-plans.md.

`ready(schema, prepared, operation, variables)` gives what is to be run, or None for what graphql-core must
execute, and the points that it took; what both answer is the same (tests/plans).
"""

from schema.plans.cache import Ready, ready
from schema.plans.run import Answer

__all__ = ["Answer", "Ready", "ready"]
