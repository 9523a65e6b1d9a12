"""The cases of members, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{member}"}

CASES: dict[str, Case] = {
    "members.page": Case("own", Rest("GET", "/members"), "{members{nodes{uuid email role permissions}}}"),
    "members.get": Case(
        "row", Rest("GET", "/members/{member}"), "query($id:ID!){member(id:$id){uuid email}}", _ID
    ),
    "members.invite": Case(
        "own",
        Rest("POST", "/members", {"email": "rest@example.com", "role": "editor"}, 201),
        'mutation{inviteMember(input:{email:"graphql@example.com",role:editor}){token member{uuid}}}',
    ),
    "members.change": Case(
        "row",
        Rest("PATCH", "/members/{member}", {"role": "sender"}),
        "mutation($id:ID!){changeMember(id:$id,input:{role:viewer}){uuid role}}",
        _ID,
    ),
    "members.remove": Case(
        "row",
        Rest("DELETE", f"/members/{UNKNOWN}", status=404),
        "mutation($id:ID!){removeMember(id:$id)}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "members.memberships": Case("own", Rest("GET", "/memberships"), "{memberships{uuid ownerUuid role}}"),
    "members.accept": Case(
        "own",
        Rest("POST", "/memberships/accept", {"token": "x"}, 401),
        'mutation{acceptMembership(input:{token:"x"}){uuid}}',
        owner="invalid_invitation",
    ),
    "members.leave": Case(
        "row",
        Rest("DELETE", f"/memberships/{UNKNOWN}", status=404),
        "mutation($id:ID!){leaveOwner(id:$id)}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.rest("POST", "/members", json={"email": "member@example.com", "role": "viewer"})
    return {"member": made.json()["member"]["id"]}
