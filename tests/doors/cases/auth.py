"""The cases of auth, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

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
        "public",
        Rest("POST", "/auth/invitations/accept", {"token": "{invitation}", "password": "correct horse"}),
        'mutation{acceptInvitation(input:{token:"{other_invitation}",password:"correct horse"}){accessToken}}',
    ),
    "auth.request_password_reset": Case(
        "public",
        Rest("POST", "/auth/password/reset-request", {"email": "ada@example.com"}, 503),
        'mutation{requestPasswordReset(input:{email:"ada@example.com"})}',
        owner="password_mail_unavailable",
    ),
    "auth.reset_password": Case(
        "public",
        Rest("POST", "/auth/password/reset", {"token": "x", "password": "correct horse"}, 401),
        'mutation{resetPassword(input:{token:"x",password:"correct horse"})}',
        owner="invalid_reset_token",
    ),
    "auth.me": Case("own", Rest("GET", "/auth/me"), "{me{uuid email accounts{nodes{uuid}}}}"),
    "auth.logout": Case("own", Rest("POST", "/auth/logout", status=204), "mutation{logout}"),
    "auth.logout_everywhere": Case(
        "own", Rest("POST", "/auth/logout-everywhere", status=204), "mutation{logoutEverywhere}"
    ),
    "auth.change_password": Case(
        "own",
        Rest("POST", "/auth/password", {"currentPassword": "{password}", "newPassword": "a longer horse"}),
        'mutation{changePassword(input:{currentPassword:"{password}",newPassword:"a longer horse"}){accessToken}}',
    ),
    "auth.invite": Case(
        "admin",
        Rest("POST", "/auth/invitations", {"email": "i@example.com"}, 201),
        'mutation{inviteUser(input:{email:"i@example.com"}){token}}',
    ),
}  # fmt: skip
