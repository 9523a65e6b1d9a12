"""tariffs: what tests/doors/matrix.py says of this feature."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "tariffs.current": Case("own", Rest("GET", "/user/tariff"), "{tariff{code prices used{messagesToday}}}"),
    "tariffs.list": Case("own", Rest("GET", "/user/tariff/all/configs"), "{tariffs{items{code channels}}}"),
    "tariffs.set": Case(
        "own",
        Rest("POST", "/user/tariff", {"code": "default"}),
        'mutation{setTariff(input:{code:"default"}){code used{concurrentProjects}}}',
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    return {}
