"""Rotation of POSTERN_SECRET_KEY: old keys still decrypt and verify until nothing is under them."""

from uuid import uuid4

import pytest
from pydantic import SecretStr

from core.database_options import BadSettings
from core.settings import load
from core.vault import Sealed, Vault
from engine import unsubscribe
from engine.messengers import rpc_transport
from engine.secret_keys import key_statuses, rotate
from runtime import links
from runtime.services import Services, derived_keys
from tests.auth.doors import Auth

OLD, NEW, NEWER = "s" * 32, "n" * 32, "o" * 32
SENDER = {"source": "telegram", "login": "+14155550100", "token": "a-long-token-of-ada-7f3c"}


def use(services: Services, newest: str, *older: str) -> None:
    """Changes the keys, as a restart with other settings does."""
    keys = {"secret_key": SecretStr(newest), "secret_key_old": [SecretStr(key) for key in older]}
    services.settings = services.settings.model_copy(update=keys)
    services.vault = Vault(*derived_keys(services.settings, "vault"))


async def test_what_the_old_key_encrypted_is_encrypted_anew_and_opens_without_it(ada, services):
    account = (await ada.rest("POST", "/account/create-or-get", json=SENDER)).json()["uuid"]
    before = await services.db.fetchrow("SELECT token_encrypted, token_hash FROM source_accounts")
    use(services, NEW, OLD)
    assert services.vault.open(before["token_encrypted"], f"source_accounts.token:{account}")
    await rotate(services)
    after = await services.db.fetchrow("SELECT token_encrypted, token_hash FROM source_accounts")
    assert after["token_hash"] != before["token_hash"]
    use(services, NEW)
    place = f"source_accounts.token:{account}"
    assert services.vault.open(after["token_encrypted"], place) == SENDER["token"]
    with pytest.raises(Sealed):
        services.vault.open(before["token_encrypted"], place)
    assert (await ada.rest("POST", "/account/create-or-get", json=SENDER)).json()["uuid"] == account


async def test_every_column_of_secrets_is_encrypted_anew(ada, services):
    """A new column for the vault must be named in engine/secret_keys.py; this test finds it by its name."""
    from engine.secret_keys import _COLUMNS

    columns = await services.db.fetch(
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE data_type = 'bytea' AND column_name LIKE '%encrypted' AND table_schema = 'public'"
    )
    named = {(column.table, column.name) for column in _COLUMNS}
    assert {(row["table_name"], row["column_name"]) for row in columns} | {("hook_secrets", "value")} == named


async def test_secrets_from_before_keys_had_ids_are_encrypted_anew(ada, services):
    id, key = uuid4(), derived_keys(services.settings, "vault")[0]
    sealed = Vault(key).seal("token", f"hook_secrets:{id}")
    first_format = b"\x01" + sealed[5:]
    await services.db.fetch(
        "INSERT INTO hook_secrets (id, user_id, kind, hint, value) VALUES ($1, $2, 'secret', 'oken', $3)",
        id, ada.id, first_format,
    )  # fmt: skip
    use(services, NEW, OLD)
    assert [key.rows for key in await key_statuses(services.db, services.vault)] == [1]
    await rotate(services)
    value = await services.db.fetchval("SELECT value FROM hook_secrets WHERE id = $1", id)
    use(services, NEW)
    assert services.vault.open(value, f"hook_secrets:{id}") == "token"


async def test_a_secret_that_no_key_opens_is_left_and_stops_nothing(ada, services):
    for number in range(3):
        input = {**SENDER, "login": f"+1415555010{number}"}
        await ada.rest("POST", "/account/create-or-get", json=input)
    broken = await services.db.fetchval(
        "UPDATE source_accounts SET token_encrypted = $1 WHERE id = (SELECT min(id::text)::uuid FROM source_accounts)"
        " RETURNING id", b"\x02aaaa" + b"x" * 40,
    )  # fmt: skip
    use(services, NEW, OLD)
    await rotate(services)
    rows = await services.db.fetch("SELECT id, token_encrypted FROM source_accounts")
    assert {row["id"] for row in rows if row["token_encrypted"][:5] != services.vault.prefix} == {broken}


async def test_a_secret_that_is_changed_meanwhile_stays_as_it_was_changed(ada, services, monkeypatch):
    await ada.rest("POST", "/account/create-or-get", json=SENDER)
    use(services, NEW, OLD)
    fetchval = services.db.fetchval

    async def slowly(sql, *arguments):
        if "SET token_encrypted" in sql:
            await services.db.fetch("UPDATE source_accounts SET token_encrypted = 'changed'")
        return await fetchval(sql, *arguments)

    monkeypatch.setattr(services.db, "fetchval", slowly)
    await rotate(services)
    assert await fetchval("SELECT token_encrypted FROM source_accounts") == b"changed"


async def test_two_processes_with_other_newest_keys_make_one_account(ada, services):
    made = set()
    for _ in range(2):
        for keys in ((OLD, NEW), (NEW, OLD)):
            use(services, *keys)
            answer = await ada.rest("POST", "/account/create-or-get", json=SENDER)
            made.add(answer.json()["uuid"])
    assert len(made) == 1
    assert await services.db.fetchval("SELECT count(*) FROM source_accounts") == 1


async def test_links_and_calls_of_the_old_key_are_good_until_it_goes(services):
    id, expires = uuid4(), 4_000_000_000
    link = unsubscribe.token(services.key("unsubscribe"), id)
    signature = links._signature(services, "file.csv", expires)
    call = rpc_transport.call_cipher(services).encrypt({"a": 1}, "place")
    use(services, NEW, OLD)
    assert unsubscribe.read(services.keys("unsubscribe"), link) == id
    assert links.opens(services, "file.csv", expires, signature, None)
    assert rpc_transport.call_cipher(services).decrypt(call, "place") == {"a": 1}
    use(services, NEW)
    assert unsubscribe.read(services.keys("unsubscribe"), link) is None
    assert not links.opens(services, "file.csv", expires, signature, None)
    assert rpc_transport.call_cipher(services).decrypt(call, "place") is None


async def test_a_lost_answer_to_a_refresh_is_given_again_by_a_process_with_another_key(client, ada, services):
    auth = Auth(client)
    _, first = await auth.tokens(ada.email)
    second = (await auth.refresh(first)).data["refreshToken"]
    use(services, NEW, OLD)
    assert (await auth.refresh(first)).data["refreshToken"] == second
    third = (await auth.refresh(second)).data["refreshToken"]
    use(services, OLD, NEW)
    assert (await auth.refresh(second)).data["refreshToken"] == third
    assert await services.db.fetchval("SELECT count(*) FROM refresh_tokens") == 3


async def test_a_key_is_free_when_nothing_is_under_it_and_its_links_are_over(ada, services):
    await rotate(services)
    await ada.rest("POST", "/account/create-or-get", json=SENDER)
    use(services, NEW, OLD)
    (key,) = await key_statuses(services.db, services.vault)
    assert (key.rows, key.free) == (2, False)  # the token of the sender, and the key of the audit
    await rotate(services)
    (key,) = await key_statuses(services.db, services.vault)
    assert (key.rows, key.free) == (0, False)
    await services.db.fetch(
        "UPDATE secret_keys SET last_used_at = now() - interval '90 days 1 second' WHERE id = $1", key.id
    )
    assert [key.free for key in await key_statuses(services.db, services.vault)] == [True]


async def test_an_old_key_that_was_never_written_down_signed_until_the_newest_came(services):
    use(services, NEW, OLD)
    await rotate(services)
    await services.db.fetch("UPDATE secret_keys SET first_used_at = now() - interval '91 days'")
    assert [key.free for key in await key_statuses(services.db, services.vault)] == [True]


def test_each_old_key_is_long_enough(monkeypatch):
    monkeypatch.setenv("POSTERN_SECRET_KEY_OLD", f"{OLD}, {'x' * 31}")
    with pytest.raises(BadSettings, match="POSTERN_SECRET_KEY_OLD needs at least 32 characters") as refused:
        load()
    assert "x" * 31 not in str(refused.value)


def test_several_old_keys_are_read(monkeypatch):
    monkeypatch.setenv("POSTERN_SECRET_KEY_OLD", f"{OLD}, {NEWER}")
    assert [key.get_secret_value() for key in load().secret_key_old] == [OLD, NEWER]


def test_the_vault_finds_the_key_by_its_id():
    keys = [bytes([number]) * 64 for number in range(3)]
    sealed = Vault(*keys).seal("secret", "place")
    assert Vault(keys[1], keys[0]).open(sealed, "place") == "secret"
    for vault, context in ((Vault(keys[1]), "place"), (Vault(keys[0]), "elsewhere")):
        with pytest.raises(Sealed):
            vault.open(sealed, context)
    for damaged in (b"", b"\x02", b"\x09" + sealed[1:], sealed[:-1], sealed[:20]):
        with pytest.raises(Sealed):
            Vault(*keys).open(damaged, "place")
