"""The mail providers that can be set up without writing a DSN (channels/provider_fields.py)."""

from collections.abc import Mapping

from channels.provider_fields import Part, Provider, ProviderField

_KINDS = frozenset({"email"})
_FROM = ProviderField(
    "from", "Sender", "the From of messages that name no other", required=True, example="news@example.com"
)
_USER = ProviderField("user", "User", "the login at the mail server", Part.user, example="postern")
_PASSWORD = ProviderField("password", "Password", "its password", Part.password, secret=True, example="…")
_HOST = ProviderField(
    "host", "Server", "name of the mail server", Part.host, required=True, example="mail.example.com"
)
_PORT = ProviderField(
    "port", "Port", "587 with STARTTLS, 465 with TLS from the first byte", Part.port, example="587"
)
_SCHEME = ProviderField(
    "encryption",
    "Encryption",
    "smtp: STARTTLS if the server offers it; smtps: TLS from the first byte",
    Part.scheme,
    default="smtp",
    choices=("smtp", "smtps"),
)
_REPORTS = ProviderField("reports", "Reports", "the provider whose callbacks report bounces and complaints")
_FIELDS = (_FROM, _HOST, _PORT, _SCHEME, _USER, _PASSWORD, _REPORTS)


def _hosted(
    name: str, label: str, about: str, fixed: Mapping[str, str], *, user: str = "", login: str
) -> Provider:
    """Returns a provider whose server is known: only the login and the sender are asked for."""
    fields = tuple(
        ProviderField(each.name, each.label, about, each.part, each.secret, required=True, example=example)
        for each, about, example in ((_USER, user, "…"), (_PASSWORD, login, "…"))
    )
    return Provider(
        name, label, about, "smtp", _KINDS, (_FROM, _HOST, _PORT, _SCHEME, *fields, _REPORTS), fixed
    )


PROVIDERS = (
    Provider(
        "mail-server",
        "Your own mail server",
        "any server that takes mail by SMTP",
        "smtp",
        _KINDS,
        _FIELDS,
        {"reports": ""},
    ),
    Provider(
        "ses",
        "Amazon SES",
        "by its SMTP interface; the region is in the server's name",
        "smtp",
        _KINDS,
        (
            _FROM,
            ProviderField(
                "host",
                "Server",
                "of your region",
                Part.host,
                required=True,
                example="email-smtp.eu-central-1.amazonaws.com",
            ),
            _PORT,
            ProviderField(
                "user",
                "SMTP user",
                "of the SMTP credentials, not of IAM",
                Part.user,
                required=True,
                example="AKIA…",
            ),
            ProviderField(
                "password",
                "SMTP password",
                "made with the user",
                Part.password,
                secret=True,
                required=True,
                example="…",
            ),
        ),
        {"port": "587"},
    ),
    _hosted(
        "postmark",
        "Postmark",
        "by its SMTP interface",
        {"host": "smtp.postmarkapp.com", "port": "587", "reports": ""},
        user="the server API token",
        login="the same server API token",
    ),
    _hosted(
        "sendgrid",
        "SendGrid",
        "by its SMTP interface",
        {"host": "smtp.sendgrid.net", "port": "587", "user": "apikey", "reports": ""},
        login="an API key with the right to send mail",
    ),
    _hosted(
        "mailgun",
        "Mailgun",
        "by its SMTP interface, in the EU by smtp.eu.mailgun.org (choose your own mail server)",
        {"host": "smtp.mailgun.org", "port": "587", "reports": ""},
        user="the SMTP login of your domain",
        login="its password",
    ),
    _hosted(
        "brevo",
        "Brevo",
        "by its SMTP interface",
        {"host": "smtp-relay.brevo.com", "port": "587", "reports": ""},
        user="the SMTP login",
        login="the SMTP key",
    ),
    _hosted(
        "resend",
        "Resend",
        "by its SMTP interface",
        {"host": "smtp.resend.com", "port": "465", "encryption": "smtps", "user": "resend", "reports": ""},
        login="an API key",
    ),
)
