"""The cases of users, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest

_TOKEN = "A" * 64
_PAGE = "a page for people, behind a link in an email"

CASES: dict[str, Case] = {
    "users.list": Case("admin", Rest("GET", "/users"), None, why=CONNECTION),
    "users.page": Case("admin", None, "{users{nodes{uuid email}}}", why=CONNECTION),
    "users.by_ids": Case("own", None, "{accounts{nodes{owner{uuid email}}}}", why=RELATION),
    "users.get": Case(
        "row", Rest("GET", "/users/{user}"), "query($id:ID!){user(id:$id){uuid email "
            "accounts{nodes{uuid}}}}", {"id": "{user}"}
    ),
    "users.find": Case(
        "row", Rest("GET", "/user?uuid={user}"), "query($id:ID!){findUser(id:$id){uuid email}}", {"id": "{user}"}
    ),
    "users.create": Case(
        "admin",
        Rest("POST", "/user/create", {"email": "made@example.com"}, 201),
        'mutation{createUser(input:{email:"made2@example.com",password:"correct horse"}){uuid invitationToken}}',
    ),
    "users.update": Case(
        "row",
        Rest("PATCH", "/users/{user}", {"displayName": "A"}),
        'mutation($id:ID!){updateUser(id:$id,input:{displayName:"A"}){uuid}}', {"id": "{user}"},
    ),
    "users.delete": Case(
        "row", Rest("DELETE", "/users/{user}", status=204), "mutation($id:ID!){deleteUser(id:$id)}", {"id": "{user}"}
    ),
    "users.suspend": Case(
        "admin", Rest("POST", "/users/{user}/suspend"), "mutation($id:ID!){suspendUser(id:$id){uuid}}", {"id": "{user}"}
    ),
    "users.activate": Case(
        "admin", Rest("POST", "/users/{user}/activate"), "mutation($id:ID!){activateUser(id:$id){uuid}}",
        {"id": "{user}"}
    ),
    "undo.show": Case("public", Rest("GET", f"/undo/{_TOKEN}", status=404), None, why=_PAGE),
    "undo.confirm": Case("public", Rest("POST", f"/undo/{_TOKEN}", status=404), None, why=_PAGE),
}  # fmt: skip
