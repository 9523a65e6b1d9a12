"""Messenger accounts through both doors: contract §4."""

import asyncio
from uuid import UUID

import pytest

from core.ids import uuid7
from tests.support.messengers import BANNED, PLAIN, UNUSED, added, call, ok, working, wrong
from tests.support.waits import until

pytestmark = pytest.mark.settings(sandbox_moment=0.05, qr_attempts=1000, whatsapp_driver=["sandbox"])

# Public addresses, so that nothing has to be looked up.
HOOK, OTHER = "https://93.184.215.14/one", "https://93.184.215.14/two"
FIELDS = """
id uuid source login name driver wanted state reason reasonCode until attemptsLeft stateAt checkedAt phone
connectedPhone proxy createdAt updatedAt step { value message } me { messengerId phone } next owner { email }
"""
ADD = f"mutation($input: NewMessengerAccount!) {{ addMessengerAccount(input: $input) {{ {FIELDS} }} }}"


async def of(person, id):
    data = await person.data(f"query($id: ID!) {{ messengerAccount(id: $id) {{ {FIELDS} }} }}", {"id": id})
    return data["messengerAccount"]


async def mutate(person, field, id, input=""):
    query = f"mutation($id: ID!) {{ answer: {field}(id: $id{input}) {{ {FIELDS} }} }}"
    return (await person.data(query, {"id": id}))["answer"]


async def test_an_account_that_is_added(ada, bob):
    answer = await ok(ada, "addAccount", PLAIN, webhookUrl=HOOK, webhookUrls=[OTHER, HOOK], name="Support")
    account = answer["account"]
    assert account == {
        "accountUuid": account["accountUuid"],
        "login": PLAIN,
        "source": "telegram",
        "name": "Support",
        "driver": "sandbox",
        "activated": False,
        "state": False,
        "accountState": "stopped",
        "step": {"value": None, "message": None},
        "connectedPhone": None,
        "webhookUrls": [OTHER, HOOK],
        "checkedAt": None,
        "proxy": None,
        "until": None,
        "reason": None,
        "reasonCode": None,
        **dict.fromkeys(("restriction", "restrictionReason", "restrictedAt", "restrictedUntil")),
    }
    info = await ok(ada, "getInfo", PLAIN, skipDetails=True)
    assert {**account, "status": "ok", "uuid": info["uuid"]} == info
    UUID(info["uuid"])
    shown = await of(ada, account["accountUuid"])
    assert (shown["login"], shown["state"], shown["owner"]) == (PLAIN, "stopped", {"email": ada.email})
    assert await wrong(ada, "addAccount", PLAIN) == (
        "account_exists",
        "Account already exists. Use it, or delete it first (deleteAccount).",
    )
    # The same name with another messenger, and with another user.
    await ok(ada, "addAccount", PLAIN, source="whatsapp")
    await ok(bob, "addAccount", PLAIN)


async def test_the_same_by_graphql(ada):
    input = {"source": "telegram", "login": " x ", "webhookUrls": [HOOK]}
    made = (await ada.data(ADD, {"input": input}))["addMessengerAccount"]
    assert (made["login"], made["name"], made["driver"], made["state"]) == ("x", "x", "sandbox", "stopped")
    assert await ada.code(ADD, {"input": input}) == "account_exists"
    assert (await ok(ada, "getInfo", "x"))["webhookUrls"] == [HOOK]
    assert (
        await ada.code(ADD, {"input": {**input, "login": "y", "driver": "whatsapp_cloud"}})
        == "driver_not_enabled"
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"login": ""}, "login: string should have at least 1 character"),
        ({"login": "x" * 65}, "login: string should have at most 64 characters"),
        ({"login": "a\nb"}, "login: must not contain line breaks or control characters"),
        ({"login": None}, "login: field required"),
        ({"source": "icq"}, "source: input should be 'telegram' or 'whatsapp'"),
        ({"name": "x" * 129}, "name: string should have at most 128 characters"),
        ({"proxyString": "x" * 1025}, "proxyString: string should have at most 1024 characters"),
        ({"webhookUrls": ["https://a.example/"] * 21}, "webhookUrls: list should have at most 10 items"),
        ({"webhookUrls": "https://a.example/"}, "webhookUrls: input should be a valid list"),
        ({"webhookUrl": "x" * 2049}, "webhookUrl"),
        ({"driver": "pigeon"}, "driver: input should be"),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_what_is_refused_as_it_stands(ada, fields, reason):
    code, message = await wrong(ada, "addAccount", **{"login": "x", **fields})
    assert code == "validation_failed"
    assert reason in message
    assert "x" * 65 not in message


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"webhookUrl": "http://127.0.0.1/"}, "webhook_url_refused"),
        ({"webhookUrl": "ftp://93.184.215.14/"}, "webhook_url_refused"),
        ({"proxyString": "socks5://10.0.0.1:1080"}, "bad_proxy"),
        ({"proxyString": "nonsense"}, "bad_proxy"),
        ({"driver": "telegram"}, "driver_not_enabled"),
        ({"driver": "whatsapp-cloud", "source": "whatsapp"}, "driver_not_enabled"),
        (
            {
                "credentials": {
                    "phoneNumberId": "1",
                    "accessToken": "very-secret",
                    "appSecret": "very-secret",
                    "verifyToken": "v",
                }
            },
            "bad_credentials_for_driver",
        ),
    ],
    ids=str,
)
async def test_what_is_refused_for_what_it_means(ada, fields, code):
    answer = await call(ada, "addAccount", "x", **fields)
    assert answer["error"]["code"] == code
    assert "very-secret" not in str(answer)
    assert (await ok(ada, "getInfoByToken"))["clients"] == []


@pytest.mark.settings(whatsapp_driver=["sandbox", "whatsapp-cloud"], sandbox_moment=0.05)
async def test_credentials_are_kept_encrypted(ada, services):
    assert await wrong(ada, "addAccount", "x", source="whatsapp", driver="whatsapp-cloud") == (
        "bad_credentials_for_driver",
        "The driver whatsapp-cloud needs `credentials`: see docs/messengers.md.",
    )
    credentials = {"phoneNumberId": "1", "accessToken": "very-secret", "appSecret": "s", "verifyToken": "v"}
    answer = await ok(
        ada, "addAccount", "x", source="whatsapp", driver="whatsapp-cloud", credentials=credentials
    )
    assert "very-secret" not in str(answer)
    row = await services.db.fetchrow("SELECT * FROM messenger_accounts")
    assert b"very-secret" not in row.credentials_encrypted
    place = f"messenger_accounts.credentials:{row.id}"
    assert '"accessToken":"very-secret"' in services.vault.open(row.credentials_encrypted, place)


@pytest.mark.settings(messenger_accounts_per_user=3)
async def test_there_is_a_most_even_at_once(ada, bob):
    answers = await asyncio.gather(*(call(ada, "addAccount", f"x{number}") for number in range(6)))
    assert (
        sorted(answer.get("error", {}).get("code", "") for answer in answers)
        == ["", "", ""] + ["too_many_messenger_accounts"] * 3
    )
    await ok(bob, "addAccount", "x0")
    assert (await ok(ada, "getInfoByToken"))["summary"]["total"] == 3


async def test_one_name_is_added_once_even_at_once(ada):
    answers = await asyncio.gather(*(call(ada, "addAccount", "x") for _ in range(5)))
    assert (
        sorted(answer.get("error", {}).get("code", "") for answer in answers) == [""] + ["account_exists"] * 4
    )


async def test_an_account_that_is_changed(ada, host):
    id = await added(ada, UNUSED, webhookUrls=[HOOK])
    answer = await ok(ada, "updateAccount", UNUSED, name="Sales")
    assert (answer["account"]["name"], answer["account"]["webhookUrls"]) == ("Sales", [HOOK])
    assert (await ok(ada, "updateAccount", UNUSED, webhookUrl=OTHER))["account"]["webhookUrls"] == [OTHER]
    # Webhooks at any time, the proxy while it is stopped.
    await wrong(ada, "setState", UNUSED, setState=True)
    for none in ([], [""], ["  ", ""]):
        assert (await ok(ada, "updateAccount", UNUSED, webhookUrls=none))["account"]["webhookUrls"] == []
        answer = await ok(ada, "updateAccount", UNUSED, webhookUrls=["", OTHER])
        assert answer["account"]["webhookUrls"] == [OTHER]
    assert (await ok(ada, "updateAccount", UNUSED, webhookUrls=[]))["account"]["webhookUrls"] == []
    code, message = await wrong(ada, "updateAccount", UNUSED, proxyString="socks5://u:p@93.184.215.14:1080")
    assert code == "wrong_state"
    assert "forceStop" in message
    assert (await wrong(ada, "getNewProxy", UNUSED))[0] == "wrong_state"
    await ok(ada, "forceStop", UNUSED)
    answer = await ok(ada, "updateAccount", UNUSED, proxyString="socks5://u:pass-word@93.184.215.14:1080")
    assert "pass-word" not in str(answer)
    assert answer["account"]["proxy"].startswith("socks5://")
    assert (await of(ada, id))["proxy"] == answer["account"]["proxy"]
    assert (await ok(ada, "updateAccount", UNUSED, name="x"))["account"]["proxy"] == answer["account"][
        "proxy"
    ]
    assert (await ok(ada, "updateAccount", UNUSED, proxyString=""))["account"]["proxy"] is None
    assert (await wrong(ada, "getNewProxy", UNUSED))[0] == "proxies_not_configured"
    changed = await mutate(ada, "updateMessengerAccount", id, ', input: {name: "y", webhookUrls: null}')
    assert changed["name"] == "y"


async def test_another_s_account_is_not_there(ada, bob, admin):
    id = await added(ada, "hers")
    for method in (
        "getInfo",
        "updateAccount",
        "deleteAccount",
        "forceStop",
        "clearSession",
        "getMe",
        "getNewProxy",
    ):
        assert (await wrong(bob, method, "hers"))[0] == "account_not_found"
        assert (await wrong(admin, method, "hers"))[0] == "account_not_found"  # names find only one's own
    assert (await wrong(bob, "setState", "hers", setState=True))[0] == "account_not_found"
    assert (await ok(bob, "getInfoByToken"))["clients"] == []
    assert (await bob.data("{messengerAccounts{nodes{uuid} totalCount}}"))["messengerAccounts"] == {
        "nodes": [],
        "totalCount": 0,
    }
    assert (await of(admin, id))["owner"] == {"email": ada.email}
    assert (await admin.data("{messengerAccounts{nodes{uuid}}}"))["messengerAccounts"]["nodes"] == [
        {"uuid": id}
    ]
    assert (await ok(ada, "getInfo", "hers"))["accountState"] == "stopped"


async def test_an_account_that_is_deleted(ada, host, services):
    id = await working(ada)
    await ok(ada, "deleteAccount", PLAIN)
    assert (await wrong(ada, "getInfo", PLAIN))[0] == "account_not_found"
    assert (await wrong(ada, "deleteAccount", PLAIN))[0] == "account_not_found"
    assert await ada.code("query($id:ID!){messengerAccount(id:$id){id}}", {"id": id}) == "account_not_found"
    again = await added(ada, PLAIN)  # its name is free at once
    assert again != id

    async def forgotten():
        row = await services.db.fetchrow("SELECT * FROM messenger_accounts WHERE id = $1", UUID(id))
        return not row.clearing and row.session_encrypted is None and row.state == "stopped"

    await until(forgotten)
    deleted = await ada.data("mutation($id:ID!){deleteMessengerAccount(id:$id)}", {"id": again})
    assert deleted == {"deleteMessengerAccount": True}


async def test_all_accounts_and_where_they_are(ada, host):
    await working(ada)
    await added(ada, UNUSED)
    await wrong(ada, "setState", UNUSED, setState=True)
    await added(ada, BANNED)
    await wrong(ada, "setState", BANNED, setState=True)
    await added(ada, "fourth", source="whatsapp")
    answer = await ok(ada, "getInfoByToken", source=None)
    assert [client["login"] for client in answer["clients"]] == [PLAIN, UNUSED, BANNED, "fourth"]
    assert [client["accountState"] for client in answer["clients"]] == [
        "working",
        "waitQr",
        "blocked",
        "stopped",
    ]
    summary = {"total": 4, "working": 1, "stopped": 1, "waiting": 1, "failed": 1}
    assert answer["summary"] == summary
    data = await ada.data("{messengerAccountsSummary{total working stopped waiting failed}}")
    assert data == {"messengerAccountsSummary": summary}
    assert [
        client["login"] for client in (await ok(ada, "getInfoByToken", source="whatsapp"))["clients"]
    ] == ["fourth"]
    page = (await ada.data("{messengerAccounts(last:2){nodes{login} totalCount}}"))["messengerAccounts"]
    assert page == {"nodes": [{"login": UNUSED}, {"login": PLAIN}], "totalCount": 4}
    query = "query($w:MessengerAccountWhere){messengerAccounts(where:$w){nodes{login} totalCount}}"
    for where, logins in (
        ({"source": {"eq": "whatsapp"}}, ["fourth"]),
        ({"state": {"eq": "working"}}, [PLAIN]),
        ({"state": {"in": ["waitQr", "blocked"]}}, [BANNED, UNUSED]),
        ({"state": {"notIn": ["working", "blocked", "waitQr"]}}, ["fourth"]),
        ({"wanted": {"eq": False}}, ["fourth", BANNED]),
        ({"text": {"contains": "FOUR"}, "driver": {"eq": "sandbox"}}, ["fourth"]),
        ({"login": {"eq": "four"}}, []),
    ):
        listed = (await ada.data(query, {"w": where}))["messengerAccounts"]
        assert [node["login"] for node in listed["nodes"]] == logins, where
        assert listed["totalCount"] == len(logins)
    named = "{messengerAccounts(orderBy:{field:name,direction:asc},first:2){nodes{name} pageInfo{endCursor}}}"
    listed = (await ada.data(named))["messengerAccounts"]
    assert [node["name"] for node in listed["nodes"]] == sorted([PLAIN, UNUSED, BANNED, "fourth"])[:2]


async def test_a_thousand_accounts_are_one_statement(ada, services, monkeypatch):
    await services.db.fetch(
        "INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver)"
        " SELECT gen_random_uuid(), $1, 'telegram', n::text, n::text, 'sandbox' FROM generate_series(1, 1000) n",
        ada.id,
    )
    await ok(ada, "getInfoByToken")  # who is calling is known now
    statements, real = [], services.db._read

    async def read(how, sql, arguments):
        statements.append(sql)
        return await real(how, sql, arguments)

    monkeypatch.setattr(services.db, "_read", read)
    answer = await ok(ada, "getInfoByToken")
    assert answer["summary"] == {"total": 1000, "working": 0, "stopped": 1000, "waiting": 0, "failed": 0}
    assert len(statements) == 1


RELATIONS = """
{ messengerAccounts(first: 50) { nodes {
  login state owner { email } webhooks(first: 10) { nodes { url waiting dead account { login state step { value } } } }
  chats(first: 3) { nodes { thread account { state } } } configs { nodes { name account { uuid } } }
  sourceAccounts(first: 3) { nodes { messengerAccount { uuid } } }
} } }
"""


async def test_relations_cost_the_same_however_many_accounts(ada, bob, services, monkeypatch):
    async def cost(count):
        for _ in range(count):
            login = f"x{uuid7()}"
            id = await added(ada, login, webhookUrls=[HOOK, OTHER])
            await ok(ada, "setConfig", login, name="mine", config={"a": 1})
            await services.db.fetch(
                "INSERT INTO messenger_chats (id, account_id, thread, last_at)"
                " SELECT gen_random_uuid(), $1, n::text, now() + n * interval '1 s' FROM generate_series(1, 5) n",
                UUID(id),
            )
        await services.db.fetch("UPDATE messenger_accounts SET state = 'working', wanted = true")
        statements, real = [], services.db.fetch

        async def fetch(sql, *arguments):
            statements.append(sql)
            return await real(sql, *arguments)

        monkeypatch.setattr(services.db, "fetch", fetch)
        items = (await ada.data(RELATIONS))["messengerAccounts"]["nodes"]
        monkeypatch.setattr(services.db, "fetch", real)
        for item in items:
            # A relation knows as well as a list that no process holds the account.
            assert [hook["url"] for hook in item["webhooks"]["nodes"]] == [HOOK, OTHER]
            assert {hook["account"]["state"] for hook in item["webhooks"]["nodes"]} == {"starting"}
            assert item["state"] == "starting"
            assert [chat["thread"] for chat in item["chats"]["nodes"]] == ["5", "4", "3"]
            assert "mine" in [config["name"] for config in item["configs"]["nodes"]]
        return len(statements)

    assert await cost(1) == await cost(10)
    assert (await bob.data(RELATIONS))["messengerAccounts"]["nodes"] == []
