"""Errors in settings and arguments are reported in plain words, and without the value."""

import pytest

from core.database_options import BadSettings, DatabaseOptions
from core.errors import ValidationFailed
from core.settings import load
from postern.operator import create_token, create_user, credit

JARGON = (
    "Input should",
    "Value error",
    "String should",
    "Decimal input",
    "pattern",
    "validation error",
    "[type=",
)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("POSTERN_PORT", "x", "POSTERN_PORT must be a whole number"),
        ("POSTERN_PORT", "70000", "POSTERN_PORT must be at most 65535"),
        ("POSTERN_LEASE_SECONDS", "0.1", "POSTERN_LEASE_SECONDS must be at least 1"),
        ("POSTERN_SANDBOX_MOMENT", "0", "POSTERN_SANDBOX_MOMENT must be more than 0"),
        ("POSTERN_SANDBOX_MOMENT", "soon", "POSTERN_SANDBOX_MOMENT must be a number"),
        ("POSTERN_GRAPHIQL", "maybe", "POSTERN_GRAPHIQL must be true or false"),
        ("POSTERN_LOG_LEVEL", "loud", "POSTERN_LOG_LEVEL must be debug, info, warning or error"),
        (
            "POSTERN_DEFAULT_REGION",
            "usa",
            "POSTERN_DEFAULT_REGION must be a country in two capital letters, such as US",
        ),
        ("POSTERN_SIGNUP_CREDIT", "much", "POSTERN_SIGNUP_CREDIT must be an amount, such as 0 or 2.50"),
        ("POSTERN_TELEGRAM_DC", "2", "POSTERN_TELEGRAM_DC must be written id@address:port"),
        (
            "POSTERN_WHATSAPP_CLOUD_URL",
            "meta",
            "POSTERN_WHATSAPP_CLOUD_URL must be an http or https URL without a query",
        ),
        ("POSTERN_LIMIT_LOGIN", "often", "POSTERN_LIMIT_LOGIN: a limit is written count/seconds"),
        ("POSTERN_TRUSTED_PROXIES", "10.0.0.1/8", "POSTERN_TRUSTED_PROXIES: 10.0.0.1/8 has host bits set"),
        ("POSTERN_JWT_KEY", "hunter2", "POSTERN_JWT_KEY needs at least 32 characters"),
        ("IP_ALLOWLIST_MODE", "Perhaps", "write Off (observe) or Enforce (block)"),
    ],
)
def test_a_setting(monkeypatch, tmp_path, name, value, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSettings) as refused:
        load()
    assert message in str(refused.value)
    assert "hunter2" not in str(refused.value)
    assert not [word for word in JARGON if word in str(refused.value)]


def test_two_settings_are_two_problems(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POSTERN_PORT", "x")
    monkeypatch.setenv("POSTERN_WORKERS", "-1")
    with pytest.raises(BadSettings) as refused:
        load()
    assert refused.value.problems == (
        "POSTERN_PORT must be a whole number",
        "POSTERN_WORKERS must be at least 0",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[database]\npool_size = 'many'\n", "database.toml can't be used: pool_size must be a whole number"),
        (
            "[database]\npool_size = 0\ntls = 'no'\n",
            "pool_size must be at least 1, tls must be disable, prefer, require or verify-full",
        ),
        ("[database]\npol_size = 1\n", "pol_size is not known"),
        ("[database]\npool_size =\n", "database.toml can't be read: Invalid value (at line 2"),
        ("database = 3\n", "[database]"),
    ],
)
def test_the_file_of_the_database(tmp_path, text, message):
    (tmp_path / "database.toml").write_text(text)
    with pytest.raises(BadSettings) as refused:
        DatabaseOptions.load(tmp_path / "database.toml")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not [word for word in JARGON if word in str(refused.value)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda opened: create_user(opened, "ada", admin=False), "EMAIL"),
        (lambda opened: create_user(opened, "ada@example.com", admin=False, password="x"), (
            "--password must have at least 8 "
            "characters"
        )),
        (lambda opened: create_user(opened, "ada@example.com", admin=False, password="long enough\0"), (
            "--password must be free of control "
            "characters"
        )),
        (lambda opened: create_token(opened, "ada@example.com", ""), "--name must have at least 1 character"),
        (lambda opened: create_token(opened, "ada@example.com", "x" * 65), "--name must have at most 64 characters"),
        (lambda opened: credit(opened, "a@example.com", "0", account_id=None, note=""), "AMOUNT must be more than 0"),
        (lambda opened: credit(opened, "a@example.com", "many", account_id=None, note=""), "AMOUNT must be a number"),
        (lambda opened: credit(opened, "a@example.com", "0.0000001", account_id=None, note=""), (
            "AMOUNT must have at most 6 digits after "
            "the point"
        )),
        (lambda opened: credit(opened, "a@example.com", "1", account_id="7", note=""),
            "--account must be an id, such as"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
async def test_an_argument(services, call, message):
    with pytest.raises(ValidationFailed) as refused:
        await call(services)
    (rule,) = refused.value.rules
    assert rule.startswith(message)
    assert not [word for word in JARGON if word in rule]
