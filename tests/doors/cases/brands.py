"""The cases of brands, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "brands.get": Case(
        "own",
        Rest("GET", "/brand"),
        "{brand{name colors{accent} darkColors{accent} font links{text url} footers{locale text} updatedAt}}",
    ),
    "brands.put": Case(
        "own",
        Rest("PUT", "/brand", {"name": "Ada's Shop"}),
        'mutation{setBrand(input:{name:"Ada\'s Shop",links:[{text:"Home",url:"https://example.com"}]}){name}}',
    ),
    "brands.preview": Case(
        "own",
        Rest("POST", "/brand/preview?locale=de", {"name": "Ada's Shop"}),
        'query{brandPreview(input:{name:"Ada\'s Shop"},locale:"de"){html contrasts{field text on ratio enough}}}',
    ),
    "brands.delete": Case("own", Rest("DELETE", "/brand", status=204), "mutation{deleteBrand}"),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's brand, which has no id."""
    await ada.rest("PUT", "/brand", json={"name": "ada's secret shop"})
    return {}
