"""The cases of domains, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{domain}"}

CASES: dict[str, Case] = {
    "domains.page": Case(
        "own", Rest("GET", "/domains"), "{domains{nodes{uuid name status records{name value}}}}"
    ),
    "domains.get": Case(
        "row", Rest("GET", "/domains/{domain}"), "query($id:ID!){domain(id:$id){uuid name}}", _ID
    ),
    "domains.findings": Case(
        "row",
        Rest("GET", "/domains/{domain}/findings"),
        "query($id:ID!){domainFindings(id:$id){topic state text}}",
        _ID,
    ),
    "domains.check": Case(
        "admin",
        Rest("GET", "/system/domains/example.com"),
        '{domainCheck(domain:"example.com"){topic state text recordName recordValue}}',
    ),
    "domains.create": Case(
        "own",
        Rest("POST", "/domains", {"name": "rest.example"}, 201),
        'mutation{createDomain(input:{name:"graphql.example"}){uuid}}',
    ),
    "domains.verify": Case(
        "row",
        Rest("POST", "/domains/{domain}/verify"),
        "mutation($id:ID!){verifyDomain(id:$id){uuid problem}}",
        _ID,
    ),
    "domains.rotate": Case(
        "row",
        Rest("POST", "/domains/{domain}/rotate-dkim", status=409),
        "mutation($id:ID!){rotateDomainKey(id:$id){uuid}}",
        _ID,
        owner="key_pending",
    ),
    "domains.delete": Case(
        "row",
        Rest("DELETE", f"/domains/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteDomain(id:$id)}",
        {"id": UNKNOWN},
        owner="domain_not_found",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.rest("POST", "/domains", json={"name": "secret.example"})
    return {"domain": made.json()["id"]}
