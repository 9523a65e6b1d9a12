"""Every operation with a call of each door that succeeds for its owner: who may call it, and who must not.

`kind` says what another user meets: `public` (anybody may call it), `own` (it knows the caller alone, so
another user sees none of ada's rows), `row` (it names a row of ada's: not found, as if it did not exist),
`admin` (forbidden to every user).

`{name}` in calls is filled from the test's world. A new operation without an entry fails the test.
"""

from typing import Any

from tests.doors.case import CONNECTION, RELATION, UNKNOWN, Case, Rest
from tests.doors.cases import FEATURES

__all__ = ["MATRIX", "OTHER_WAYS", "SMS", "UNKNOWN", "Case", "Rest"]

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
NOT_LISTED = "the specification lists no REST route for it (contract §1, §2: GraphQL has it)"

MATRIX: dict[str, Case] = {
    # health
    "health.live": Case("public", Rest("GET", "/health"), "{health{status}}"),
    "health.ready": Case("public", Rest("GET", "/health/v2"), "{readiness{status info error details}}"),
    # auth
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
    # users
    "users.list": Case("admin", Rest("GET", "/users"), None, why=CONNECTION),
    "users.page": Case("admin", None, "{users{nodes{uuid email}}}", why=CONNECTION),
    "users.by_ids": Case("own", None, "{accounts{nodes{owner{uuid email}}}}", why=RELATION),
    "users.get": Case(
        "row", Rest("GET", "/users/{user}"), "query($id:ID!){user(id:$id){uuid email accounts{nodes{uuid}}}}", {"id": "{user}"}
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
        "admin", None, "mutation($id:ID!){suspendUser(id:$id){uuid}}", {"id": "{user}"}, why=NOT_LISTED
    ),
    "users.activate": Case(
        "admin", None, "mutation($id:ID!){activateUser(id:$id){uuid}}", {"id": "{user}"}, why=NOT_LISTED
    ),
    # accounts
    "accounts.list": Case(
        "own", Rest("GET", "/accounts"), None, why=CONNECTION
    ),
    "accounts.page": Case(
        "own", None, "{accounts{nodes{uuid ownerId owner{uuid email}}}}", why=CONNECTION
    ),
    "accounts.of_owners": Case("own", None, "{me{accounts{nodes{uuid} totalCount}}}", why=RELATION),
    "accounts.by_ids": Case("own", None, "{messages{nodes{account{uuid name}}}}", why=RELATION),
    "accounts.entry": Case(
        "row", None, "query($id:ID!){ledgerEntry(id:$id){amount account{uuid}}}", {"id": "{ledger_entry}"}, why=NOT_LISTED
    ),
    "accounts.ledgers": Case(
        "row", None, "query($id:ID!){account(id:$id){ledger{nodes{amount}}}}", {"id": "{account}"}, why=NOT_LISTED
    ),
    "accounts.get": Case(
        "row", Rest("GET", "/accounts/{account}"), "query($id:ID!){account(id:$id){uuid owner{email}}}", {"id": "{account}"}
    ),
    "accounts.balance": Case(
        "row", Rest("GET", "/accounts/{account}/balance"), "query($id:ID!){balance(accountId:$id){balance}}", {"id": "{account}"}
    ),
    "accounts.create": Case(
        "own", Rest("POST", "/accounts", {"name": "n"}, 201), 'mutation{createAccount(input:{name:"n"}){uuid}}'
    ),
    "accounts.update": Case(
        "row",
        Rest("PATCH", "/accounts/{account}", {"name": "m"}),
        'mutation($id:ID!){updateAccount(id:$id,input:{name:"m"}){uuid}}', {"id": "{account}"},
    ),
    "accounts.credit": Case(
        "admin", None,
        "mutation($id:UUID!){creditAccount(input:{accountId:$id,amount:5}){balance}}", {"id": "{account}"},
        why=NOT_LISTED,
    ),
    # messages
    "messages.list": Case(
        "own", Rest("GET", "/messages"), None, why=CONNECTION
    ),
    "messages.page": Case(
        "own", None, "{messages{nodes{uuid body account{uuid owner{email}}}}}", why=CONNECTION
    ),
    "messages.of_accounts": Case("own", None, "{accounts{nodes{messages{nodes{uuid body}}}}}", why=RELATION),
    "messages.of_owners": Case("own", None, "{me{messages{nodes{uuid body owner{email}}}}}", why=RELATION),
    "messages.get": Case(
        "row", Rest("GET", "/messages/{message}"),
        "query($id:ID!){message(id:$id){uuid body account{uuid}}}", {"id": "{message}"},
    ),
    "messages.status": Case(
        "row", Rest("GET", "/messages/{message}/status"),
        "query($id:ID!){messageStatus(id:$id){status}}", {"id": "{message}"},
    ),
    "messages.send": Case(
        "row",
        Rest("POST", "/messages", {**SMS, "accountId": "{account}"}, 202),
        'mutation($id:UUID!){sendMessage(input:{to:"+14155550100",channel:sms,body:"hi",accountId:$id}){uuid}}',
        {"id": "{account}"},
    ),
    # settings
    "settings.list": Case("own", Rest("GET", "/settings"), "{settings}"),
    "settings.of_users": Case("own", None, "{me{settings}}", why=RELATION),
    "settings.get": Case("own", Rest("GET", "/settings/secret.key"), '{setting(key:"secret.key"){value}}'),
    "settings.update": Case(
        "own", Rest("PATCH", "/settings", {"a": 1}), "mutation($v:JSON!){updateSettings(input:{values:$v})}", {"v": {"a": 1}}
    ),
    "settings.put": Case(
        "own", Rest("PUT", "/settings/a", {"value": 1}), 'mutation{setSetting(input:{key:"a",value:1}){value}}'
    ),
    "settings.delete": Case(
        "own", Rest("DELETE", "/settings/a", status=204), 'mutation{deleteSetting(input:{key:"a"})}'
    ),
    # common
    "common.countries": Case("public", Rest("GET", "/common/countries"), "{countries{code}}"),
    "common.timezones": Case("public", Rest("GET", "/common/timezones"), "{timezones}"),
    "common.currencies": Case("public", Rest("GET", "/common/currencies"), "{currencies{code}}"),
    # storage
    "storage.list": Case("own", Rest("GET", "/storage"), None, why=CONNECTION),
    "storage.page": Case("own", None, "{storageValues{nodes{key value} totalCount}}", why=CONNECTION),
    "storage.get": Case("own", Rest("GET", "/storage/secret"), '{storageValue(key:"secret"){value}}'),
    "storage.put": Case(
        "own", Rest("PUT", "/storage/a", {"value": 1}), 'mutation{putStorageValue(input:{key:"a",value:1}){key}}'
    ),
    "storage.delete": Case("own", Rest("DELETE", "/storage/a", status=204), 'mutation{deleteStorageValue(key:"a")}'),
    # the bridge and the hooks
    "legacy.call": Case(
        "own", Rest("GET", "/legacy/x", status=503), 'mutation{legacyCall(input:{path:"/x"}){ok}}',
        owner="legacy_not_configured",
    ),
    "hooks.receive": Case(
        "public", Rest("POST", "/hooks/twilio/sms", status=404), None,
        why="providers call back by HTTP, under their own signature; the sandbox of the tests has no such channel",
        owner="channel_not_found",
    ),
    "hooks.verify_cloud": Case(
        "public", Rest("GET", f"/hooks/whatsapp-cloud/{UNKNOWN}?hub.mode=subscribe", status=404), None,
        why="Meta asks by HTTP", owner="account_not_found",
    ),
    "hooks.receive_cloud": Case(
        "public", Rest("POST", f"/hooks/whatsapp-cloud/{UNKNOWN}", status=404), None,
        why="Meta calls by HTTP, under its own signature", owner="account_not_found",
    ),
}  # fmt: skip
for feature in FEATURES:
    MATRIX |= feature.CASES

# The same operation by an id that stands elsewhere than in the path: accounts of settings and lists.
OTHER_WAYS: dict[str, tuple[str, str, Any, int]] = {
    "settings.list by account": ("GET", "/settings?scope=account&accountId={account}", None, 404),
    "settings.get by account": ("GET", "/settings/a?scope=account&accountId={account}", None, 404),
    "settings.put by account": ("PUT", "/settings/a?scope=account&accountId={account}", {"value": 1}, 404),
    "settings.update by account": ("PATCH", "/settings?scope=account&accountId={account}", {"a": 1}, 404),
    "settings.delete by account": ("DELETE", "/settings/a?scope=account&accountId={account}", None, 404),
    "messages.list by account": ("GET", "/messages?accountId={account}", None, 200),
}
