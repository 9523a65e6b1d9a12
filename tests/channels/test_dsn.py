"""DSNs: what they say, what is refused, and that no error repeats a secret."""

import pytest

from channels import DRIVERS, BadDsn, Dsn, connect, parse_list

SECRET = "pa%3Ass%2Cw0rd"


def test_every_part_is_decoded() -> None:
    dsn = Dsn.parse("SMTP://u%40x:pa%3Ass%2Cw0rd@[::1]:2525/a%20b?from=%C3%BC@example.com&to=+1415&empty=")
    assert (dsn.scheme, dsn.user, dsn.password) == ("smtp", "u@x", "pa:ss,w0rd")
    assert (dsn.host, dsn.port, dsn.path) == ("::1", 2525, "/a b")
    assert dsn.options == {"from": "ü@example.com", "to": "+1415", "empty": ""}


def test_parts_that_are_not_there() -> None:
    assert Dsn.parse("sandbox://") == Dsn("sandbox")
    assert Dsn.parse(" fcm:///etc/key.json ").path == "/etc/key.json"


def test_an_apprise_url_is_kept_as_it_is() -> None:
    assert (
        Dsn.parse("apprise:mailto://me:p%40ss@x.com?to={to}#frag").path
        == "mailto://me:p%40ss@x.com?to={to}#frag"
    )


def test_repr_shows_no_value() -> None:
    shown = repr(Dsn.parse(f"smtp://user:{SECRET}@host:25/path?token=abc&from=x"))
    assert shown == "<Dsn smtp://***@host:25/…?token&from>"
    assert repr(Dsn.parse("apprise:tgram://123:TOKEN/")) == "<Dsn apprise:///…>"
    assert repr(Dsn.parse("sandbox://")) == "<Dsn sandbox://>"


def test_mask() -> None:
    assert Dsn.parse(f"smtp://u:{SECRET}@h").mask("bad pa:ss,w0rd!") == "bad ***!"
    assert Dsn.parse("smtp://h").mask("fine") == "fine"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "starts with its scheme"),
        ("localhost", "starts with its scheme"),
        (f"smtp:user:{SECRET}@host", "followed by ://"),
        (f"smtp://user:{SECRET}@host:port", "host or port cannot be read"),
        (f"smtp://user:{SECRET}@host:99999", "host or port cannot be read"),
        (f"smtp://user:{SECRET}@[::1", "host or port cannot be read"),
        (f"smtp://user:{SECRET}#@host", "write # as %23"),
        (f"smtp://user:{SECRET}%zz@host", "% itself as %25"),
        (f"smtp://user:{SECRET} @host", "space as %20"),
        (f"smtp://user:{SECRET}@host?a=1&a=2", "option a is given twice"),
        (f"nope://user:{SECRET}@host", "known are smtp, smtps"),
        (
            f"smtp://user:{SECRET}@host?from=a@b.com&form=1",
            "unknown option form; allowed are bounce, ca, from,",
        ),
        (f"smtp://user:{SECRET}@host?from=a@b.com&s3cret", "unknown option without a value"),
        ("sandbox://?deliver=maybe", "option deliver must be 1 or 0"),
        ("sandbox://?deliver=", "option deliver is empty"),
        ("sandbox://?keep=1.5", "option keep must be a whole number from 1 to 1000000"),
        ("sandbox://?timeout=nan", "option timeout must be a number from 0 to 600"),
        ("sandbox://?timeout=601", "option timeout must be a number from 0 to 600"),
        ("sandbox://user@box", "write sandbox://"),
    ],
)
def test_what_is_refused(line: str, says: str) -> None:
    with pytest.raises(BadDsn) as raised:
        connect("email", line)
    text = str(raised.value)
    assert says in text
    assert "w0rd" not in text
    assert "s3cret" not in text
    assert "w0rd" not in repr(raised.value.__cause__)
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_a_scheme_that_cannot_carry_the_kind() -> None:
    with pytest.raises(
        BadDsn, match="smtp cannot carry sms; these can: smpp, twilio, post, apprise, sandbox"
    ):
        connect("sms", "smtp://host?from=a@example.com")


def test_flags_and_numbers() -> None:
    dsn = Dsn.parse("x://?a=1&b=off&c=TRUE&d=-2.5&e=7")
    assert [dsn.flag(name) for name in "abc"] == [True, False, True]
    assert dsn.flag("z", default=True)
    assert dsn.number("d", 0, at_least=-3, at_most=0) == -2.5
    assert dsn.integer("e", 0, at_least=0, at_most=9) == 7
    assert dsn.integer("z", 3, at_least=0, at_most=9) == 3
    dsn.refuse_unread()


def test_a_driver_without_options_says_so() -> None:
    with pytest.raises(BadDsn, match="unknown option a; it has none"):
        Dsn.parse("x://?a=1").refuse_unread()


def test_list() -> None:
    assert parse_list("smtp://a%2Cb, sandbox://") == ["smtp://a%2Cb", "sandbox://"]
    for line in ("smtp://a,b", "", "smtp://a,", ", smtp://a"):
        with pytest.raises(BadDsn, match="written %2C"):
            parse_list(line)


@pytest.mark.parametrize("scheme", sorted(DRIVERS))
def test_a_scheme_alone_is_a_clear_error_or_enough(scheme: str) -> None:
    """No driver answers an incomplete DSN with anything but BadDsn."""
    kind = min(DRIVERS[scheme].kinds)
    if scheme == "sandbox":
        assert connect(kind, "sandbox://").name == "sandbox"
        return
    with pytest.raises(BadDsn, match=scheme):
        connect(kind, f"{scheme}://")
