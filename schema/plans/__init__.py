"""The fast path: a query is compiled once, and then run for whole lists of rows. See docs/graphql-plans.md.

`ready(schema, prepared, operation, variables)` returns the compiled query, or None if graphql-core must execute it, and
the points that compiling cost. Both ways give the same response (tests/plans).
"""

from schema.plans.cache import Ready, ready
from schema.plans.run import Answer

__all__ = ["Answer", "Ready", "ready"]
