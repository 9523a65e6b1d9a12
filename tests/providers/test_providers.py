"""An administrator sets a provider up from what its driver says of itself, and tries it with one message."""

import pytest

from channels import connect
from channels.dsn import BadDsn, Dsn
from channels.providers import PROVIDERS, Part
from core.installation import ROOT
from engine.sms.route_rules import routing_of
from postern.doctor import routes
from postern.doctor.findings import Findings
from tests.support.ports import free_port
from tests.support.smtp import recording
from tests.support.waits import until

_LOCAL = pytest.mark.settings(outbound_allow=["127.0.0.0/8"], public_url="https://post.example.com")
SET_UP = "mutation($input:NewProvider!){setUpProvider(input:$input){name driver channel made enabled}}"
TEST = "mutation($input:ProviderTest!){testProvider(input:$input){sent result code reason seconds}}"
_EXAMPLES = {"user": "AC1", "password": "p:@/?#[]%&=+ x", "from": "a@example.com", "host": "192.0.2.1"}
_SMS_FROM = {"twilio": "+14155550100", "smsc": "+14155550100"}


def _mail(number: int, **more: str) -> dict:
    return {
        "channel": "email",
        "provider": "mail-server",
        "values": {"from": "news@example.com", "host": "127.0.0.1", "port": str(number), **more},
    }


def _values(name: str) -> dict[str, str]:
    provider = PROVIDERS[name]
    values = {
        each.name: each.choices[0] if each.choices else "x" for each in provider.requested if each.required
    }
    values |= {
        key: text for key, text in _EXAMPLES.items() if key in {each.name for each in provider.requested}
    }
    return values | ({"from": _SMS_FROM[name]} if name in _SMS_FROM else {})


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_driver_takes_what_is_made_of_its_description(name):
    provider = PROVIDERS[name]
    for kind in provider.kinds:
        channel = connect(kind, provider.dsn(_values(name)))
        assert channel.name == Dsn.parse(provider.dsn(_values(name))).scheme.removesuffix("s")
    parsed = Dsn.parse(provider.dsn(_values(name)))
    if "password" in _values(name):
        assert parsed.password == _EXAMPLES["password"]  # every character comes through


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_documents_have_each_option(name):
    page = (ROOT / "docs" / "channels.md").read_text(encoding="utf-8")
    for each in PROVIDERS[name].fields:
        assert each.part is not Part.option or f"`{each.name}`" in page, each.name


@pytest.mark.parametrize("name", PROVIDERS)
def test_what_is_missing_or_unknown_is_named_and_no_value_is_repeated(name):
    provider = PROVIDERS[name]
    for each in provider.requested:
        if each.required:
            with pytest.raises(BadDsn, match=f"{each.label} is missing"):
                provider.dsn({key: value for key, value in _values(name).items() if key != each.name})
    with pytest.raises(BadDsn, match="has no field ca") as refused:
        provider.dsn({**_values(name), "ca": "/etc/passwd"})
    assert "/etc" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"port": "99999"}, "Port must be a number"),
        ({"host": "a b/../c"}, "Server must be a host name"),
        ({"encryption": "none"}, "Encryption must be one of smtp, smtps"),
        ({"from": "nobody"}, "must be an email address"),
    ],
)
async def test_wrong_values_are_refused_at_both_doors(admin, change, sentence):
    input = _mail(25, **change)
    refused = await admin.rest("POST", "/system/providers", json=input)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_provider")
    assert sentence in refused.text
    assert await admin.code(SET_UP, {"input": input}) == "bad_provider"


async def test_servers_inside_the_network_are_refused_without_the_operator(admin):
    refused = await admin.rest("POST", "/system/providers/test", json={**_mail(25), "to": "a@example.com"})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_route")
    assert "POSTERN_OUTBOUND_ALLOW" in refused.text


async def test_only_administrators_may(ada):
    assert (await ada.rest("GET", "/system/providers")).status_code == 403
    assert (await ada.rest("POST", "/system/providers", json=_mail(25))).status_code == 403
    assert await ada.code(TEST, {"input": {**_mail(25), "to": "a@example.com"}}) == "forbidden"


@_LOCAL
async def test_a_test_message_leaves_and_is_no_message(admin, services):
    async with recording() as server:
        tested = await admin.data(TEST, {"input": {**_mail(server.port), "to": "you@example.com"}})
        assert tested["testProvider"]["sent"], tested
        (mail,) = server.mails
        assert (mail["To"], mail["From"]) == ("you@example.com", "news@example.com")
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 0
    assert (
        await services.db.fetchval("SELECT count(*) FROM audit_entries WHERE object_type = 'provider'") == 1
    )


@_LOCAL
async def test_the_test_says_what_is_wrong(admin):
    tested = await admin.rest(
        "POST", "/system/providers/test", json={**_mail(free_port()), "to": "you@example.com"}
    )
    answer = tested.json()
    assert (answer["sent"], answer["result"], answer["code"]) == (False, "transient", "unreachable"), answer


@_LOCAL
async def test_tests_are_limited(admin):
    input = {**_mail(free_port()), "to": "you@example.com"}
    answers = [await admin.rest("POST", "/system/providers/test", json=input) for _ in range(11)]
    assert [each.status_code for each in answers] == [200] * 10 + [429]


@_LOCAL
async def test_messages_leave_by_it_in_place_of_the_sandbox_until_it_is_deleted(admin, ada, drain, services):
    async def is_sandbox() -> bool:
        channels = (await ada.rest("GET", "/sending-channels")).json()
        return next(each["sandbox"] for each in channels if each["channel"] == "email")

    async def send() -> dict:
        sent = await ada.rest(
            "POST", "/messages", json={"channel": "email", "to": "you@example.com", "body": "Hello"}
        )
        assert sent.status_code == 202, sent.text
        await drain("email")
        return dict(await services.db.fetchrow("SELECT * FROM messages ORDER BY id DESC LIMIT 1"))

    assert await is_sandbox()
    async with recording() as server:
        made = await admin.rest("POST", "/system/providers", json=_mail(server.port))
        assert made.status_code == 201, made.text
        assert (made.json()["made"], made.json()["channel"]) == (True, "email")
        assert not await is_sandbox()
        message = await send()
        assert (message["provider"], message["state"]) == (made.json()["name"], "sent")
        assert len(server.mails) == 1
        deleted = await admin.rest("DELETE", f"/system/routes/{made.json()['name']}")
        assert deleted.status_code == 204, deleted.text
        await until(is_sandbox, pause=0.1)
        assert (await send())["provider"] == "sandbox"
        assert len(server.mails) == 1


@_LOCAL
async def test_an_sms_provider_gets_all_numbers(admin, services):
    input = {
        "channel": "sms",
        "provider": "http",
        "name": "north",
        "values": {"host": "127.0.0.1", "port": str(free_port()), "token": "secret-token"},
    }
    made = await admin.data(SET_UP, {"input": input})
    assert made["setUpProvider"] == {
        "name": "north",
        "driver": "post",
        "channel": "sms",
        "made": True,
        "enabled": True,
    }
    rules = await services.db.fetch("SELECT prefix, route FROM route_rules")
    assert [(row["prefix"], row["route"]) for row in rules] == [("", "north")]
    stored = await services.db.fetchval("SELECT dsn_encrypted FROM routes WHERE name = 'north'")
    assert b"secret-token" not in stored
    assert "secret-token" not in (await admin.rest("GET", "/system/routes")).text
    again = await admin.rest("POST", "/system/providers", json=input)
    assert again.json()["code"] == "route_exists"


@pytest.mark.parametrize("name", ["twilio", "smtp-2", "messenger", "a/b", "UP"])
async def test_a_route_has_a_name_that_no_driver_has(admin, name):
    refused = await admin.rest("POST", "/system/providers", json={**_mail(25, host="1.1.1.1"), "name": name})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_provider"), refused.text


async def test_values_that_are_too_long_are_refused_without_a_part_of_them(admin):
    input = {
        "channel": "push",
        "provider": "http",
        "values": {"host": "1.1.1.1", "token": "S" * 1990},
    }
    refused = await admin.rest("POST", "/system/providers", json=input)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_provider")
    assert "SSS" not in refused.text


async def test_a_retry_with_a_key_makes_one_route(admin, services):
    input = {"channel": "push", "provider": "http", "values": {"host": "1.1.1.1", "token": "t"}}
    answers = [
        await admin.rest("POST", "/system/providers", json=input, headers={"Idempotency-Key": "one"})
        for _ in range(2)
    ]
    assert answers[0].json()["name"] == answers[1].json()["name"]
    assert await services.db.fetchval("SELECT count(*) FROM routes") == 1


@_LOCAL
async def test_what_waits_never_goes_to_the_sandbox_instead(admin, ada, drain, services):
    made = await admin.rest("POST", "/system/providers", json=_mail(free_port()))
    name = made.json()["name"]
    sent = await ada.rest("POST", "/messages", json={"channel": "email", "to": "a@example.com", "body": "Hi"})
    assert sent.status_code == 202
    refused = await admin.rest("DELETE", f"/system/routes/{name}")
    assert (refused.status_code, refused.json()["code"]) == (409, "route_in_use"), refused.text
    # A worker that can't use the route, since its key is lost.
    services.routes.remove(name)
    await services.db.fetch("UPDATE routes SET dsn_encrypted = 'broken', updated_at = now()")
    await routing_of(services).refresh()
    assert services.routes.of("email") == []
    await drain("email")
    row = await services.db.fetchrow("SELECT state, provider, failure_code FROM messages")
    assert (row["state"], row["provider"]) == ("queued", None), dict(row)


@_LOCAL
async def test_the_rule_of_an_sms_provider_goes_with_it(admin, services):
    input = {"channel": "sms", "provider": "http", "name": "north", "values": {"host": "127.0.0.1"}}
    assert (await admin.rest("POST", "/system/providers", json=input)).status_code == 201
    assert (await admin.rest("DELETE", "/system/routes/north")).status_code == 204
    assert await services.db.fetchval("SELECT count(*) FROM route_rules") == 0


def test_a_path_does_not_change_the_host():
    provider = PROVIDERS["http"]
    dsn = provider.dsn({"host": "sms.example.com", "path": "send", "token": "t"})
    assert (Dsn.parse(dsn).host, Dsn.parse(dsn).path) == ("sms.example.com", "/send")
    with pytest.raises(BadDsn, match="without a port"):
        provider.dsn({"host": "sms.example.com:8080", "token": "t"})


async def test_the_doctor_names_what_was_set_up(admin, services):
    input = {"channel": "push", "provider": "http", "name": "own-push", "values": {"host": "1.1.1.1"}}
    assert (await admin.rest("POST", "/system/providers", json=input)).status_code == 201
    lines: list[str] = []
    await routes.look(Findings(lines.append), services.settings, services.db)
    assert any("own-push (push)" in line for line in lines), lines
