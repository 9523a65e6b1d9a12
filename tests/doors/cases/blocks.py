"""blocks: what tests/doors/matrix.py says of this feature."""

from tests.doors.case import Case
from tests.support.people import Person

CASES: dict[str, Case] = {}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    return {}
