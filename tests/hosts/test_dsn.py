"""`DB_STRING` in libpq's form."""

import ssl

import pytest

from core.database_options import BadSettings, DatabaseOptions
from db.dsn import location, parse, readable
from tests.support.tls import self_signed

PLAIN = DatabaseOptions()


@pytest.mark.parametrize(
    ("url", "hosts", "attributes"),
    [
        ("postgresql://u:p@h/x", (("h", 5432),), "any"),
        ("postgres://u:p@h:6000/x?target_session_attrs=read-write", (("h", 6000),), "read-write"),
        ("postgresql+asyncpg://u:p@h1:1,h2:2,h3/x", (("h1", 1), ("h2", 2), ("h3", 5432)), "read-write"),
        ("postgresql://u@h1,h2/x?port=7&target_session_attrs=any", (("h1", 7), ("h2", 7)), "any"),
        ("postgresql://u@[::1]:1,[::2]/x", (("::1", 1), ("::2", 5432)), "read-write"),
        ("postgresql://u:p@/x?host=h1,h2&port=1,2", (("h1", 1), ("h2", 2)), "read-write"),
        ("postgresql:///x?host=/run/postgresql&user=u", (("/run/postgresql", 5432),), "any"),
        ("postgresql:///x", (), "any"),
    ],
)
def test_where_it_is(url, hosts, attributes):
    dsn = parse(url, PLAIN)
    assert (dsn.hosts, dsn.attributes) == (hosts, attributes)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://h1,h2/x?target_session_attrs=standby", "read-write or primary or any"),
        ("postgresql:///x?host=h1,h2,h3&port=1,2", "one for each"),
        ("postgresql:///x?host=h1&port=many", "number from 1"),
        ("postgresql://h/x?sslmode=always", "sslmode"),
        ("postgresql://h/x?sslrootcert=/nowhere.pem", "/nowhere.pem.*No such file"),
        ("postgresql://h/x?sslrootcert=system&sslmode=prefer", "verify-full"),
    ],
)
def test_what_it_must_not_say(url, message):
    with pytest.raises(BadSettings, match=message):
        parse(url, PLAIN)


@pytest.mark.parametrize(
    "password", ["hunt/er2", "hunt@er2", "1#hunter", "1?hunter", "1/hunter", "1?hunter=2&x", "hunt,er"]
)
def test_a_password_that_is_not_encoded(password):
    assert not readable(f"postgresql://me:{password}@127.0.0.1/x") or "hunt" not in location(
        f"postgresql://me:{password}@127.0.0.1/x"
    )


def test_what_is_shown():
    assert location("postgresql://u:secret@h1:1,[::2]/x?sslmode=require") == "h1:1,[::2]:5432/x"
    assert location("postgresql:///x?host=/run/postgresql") == "/run/postgresql/x"
    assert location("redis://:secret@h/0", 6379) == "h:6379/0"


def test_tls_of_the_url_goes_before_the_file(tmp_path):
    pem = self_signed(tmp_path)
    checked = DatabaseOptions(tls="verify-full", tls_ca_file=pem)
    assert isinstance(parse("postgresql://h/x", checked).tls, ssl.SSLContext)
    assert parse("postgresql://h/x", DatabaseOptions(tls="disable")).tls is False
    for url, options, expected in (
        ("sslmode=disable", checked, f"sslmode=disable&sslrootcert={pem}"),
        ("sslmode=verify-ca", checked, f"sslmode=verify-ca&sslrootcert={pem}"),
        (f"sslrootcert={pem}", DatabaseOptions(tls="require"), f"sslrootcert={pem}&sslmode=require"),
        ("sslmode=require", PLAIN, "sslmode=require"),
    ):
        dsn = parse(f"postgresql://h/x?{url}", options)
        assert dsn.tls is None
        assert dsn.url.replace("%2F", "/").partition("?")[2] == expected
    system = parse("postgresql://h/x?sslrootcert=system", PLAIN)
    assert system.tls.verify_mode == ssl.CERT_REQUIRED and system.tls.check_hostname
    assert "ssl" not in system.url
