"""Says how many examples hypothesis and schemathesis try: few in `make test`, four times as many in `make test-all`.

EXAMPLES is the factor, so `EXAMPLES=50 make test-all` searches for as long as a night has time.
"""

import os

FACTOR = "EXAMPLES"
THOROUGH = 4


def examples(few: int) -> int:
    """Returns the number of examples of a property, of which `make test` tries `few`."""
    return few * int(os.environ.get(FACTOR, "1"))
