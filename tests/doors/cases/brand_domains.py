"""The cases of domains for links and pages, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "brand_domains.page": Case(
        "own", Rest("GET", "/brand/domains"), "{brandDomains{nodes{uuid name status owner{email}}}}"
    ),
    "brand_domains.get": Case(
        "row",
        Rest("GET", "/brand/domains/{brand_domain}"),
        "query($id:ID!){brandDomain(id:$id){uuid name recordName recordValue problem}}",
        {"id": "{brand_domain}"},
    ),
    "brand_domains.create": Case(
        "own",
        Rest("POST", "/brand/domains", {"name": "links.example-com.example"}, status=201),
        'mutation{createBrandDomain(input:{name:"pages.example-com.example"}){uuid name status}}',
    ),
    "brand_domains.verify": Case(
        "row",
        Rest("POST", "/brand/domains/{brand_domain}/verify"),
        "mutation($id:ID!){verifyBrandDomain(id:$id){uuid status problem checkedAt}}",
        {"id": "{brand_domain}"},
    ),
    "brand_domains.delete": Case(
        "row",
        Rest("DELETE", "/brand/domains/{other_brand_domain}", status=204),
        "mutation($id:ID!){deleteBrandDomain(id:$id)}",
        {"id": "{brand_domain}"},
    ),
    "brand_domains.ask": Case(
        "public",
        Rest("GET", "/brand/domains/ask?domain=links.example-com.example", status=404),
        None,
        why="a proxy asks for certificates; GraphQL shows the state of a domain to its owner",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = [
        (
            await ada.rest("POST", "/brand/domains", json={"name": f"adas-secret-{n}.example-com.example"})
        ).json()
        for n in range(2)
    ]
    return {"brand_domain": made[0]["id"], "other_brand_domain": made[1]["id"]}
