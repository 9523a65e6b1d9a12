"""The cases of auth, as tests/doors/case.py describes them."""

from tests.doors.case import NOT_LISTED, RELATION, Case, Rest

CASES: dict[str, Case] = {
    "auth.register": Case(
        "public",
        Rest("POST", "/auth/register", {"email": "new@example.com", "password": "correct horse"}, 201),
        'mutation{register(input:{email:"new2@example.com",password:"correct horse"}){uuid}}',
    ),
    "auth.login": Case(
        "public",
        Rest("POST", "/auth/login", {"email": "{ada_email}", "password": "{password}"}),
        'mutation{login(input:{email:"{ada_email}",password:"{password}"}){accessToken}}',
    ),
    "auth.refresh": Case(
        "public",
        Rest("POST", "/auth/refresh", {"refreshToken": "{refresh}"}),
        'mutation{refresh(input:{refreshToken:"{refresh}"}){accessToken}}',
    ),
    "auth.exchange": Case(
        "public",
        Rest("POST", "/auth", {"token": "{pst_token}"}),
        'mutation{loginWithToken(input:{token:"{pst_token}"}){accessToken}}',
    ),
    "auth.accept_invitation": Case(
        "public", None,
        'mutation{acceptInvitation(input:{token:"{invitation}",password:"correct horse"}){accessToken}}',
        why=NOT_LISTED,
    ),
    "auth.me": Case("own", Rest("GET", "/auth/me"), "{me{uuid email accounts{nodes{uuid}}}}"),
    "auth.logout": Case("own", Rest("POST", "/auth/logout", status=204), "mutation{logout}"),
    "auth.logout_everywhere": Case("own", None, "mutation{logoutEverywhere}", why=NOT_LISTED),
    "auth.change_password": Case(
        "own", None,
        'mutation{changePassword(input:{currentPassword:"{password}",newPassword:"a longer horse"}){accessToken}}',
        why=NOT_LISTED,
    ),
    "auth.invite": Case("admin", None, 'mutation{inviteUser(input:{email:"i@example.com"}){token}}', why=NOT_LISTED),
    "auth.api_tokens": Case("own", None, "{apiTokens{nodes{uuid name}}}", why=NOT_LISTED),
    "auth.api_tokens_of": Case("own", None, "{me{apiTokens{nodes{uuid name}}}}", why=RELATION),
    "auth.api_token": Case(
        "row", None, "query($id:ID!){apiToken(id:$id){uuid name}}", {"id": "{api_token}"}, why=NOT_LISTED
    ),
    "auth.create_api_token": Case("own", None, 'mutation{createApiToken(input:{name:"t"}){token}}', why=NOT_LISTED),
    "auth.revoke_api_token": Case(
        "row", None, "mutation($id:ID!){revokeApiToken(id:$id){uuid}}", {"id": "{api_token}"}, why=NOT_LISTED
    ),
}  # fmt: skip
