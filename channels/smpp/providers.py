"""An SMSC that can be set up without writing a DSN (channels/provider_fields.py)."""

from channels.provider_fields import Part, Provider, ProviderField

PROVIDERS = (
    Provider(
        "smsc",
        "An SMSC by SMPP",
        "SMPP 3.4, as most aggregators and operators offer it",
        "smpp",
        frozenset({"sms"}),
        (
            ProviderField("host", "Server", "the SMSC", Part.host, required=True, example="smpp.example.com"),
            ProviderField("port", "Port", "default 2775", Part.port, example="2775"),
            ProviderField("user", "System id", "the account", Part.user, required=True, example="postern"),
            ProviderField(
                "password",
                "Password",
                "of the account",
                Part.password,
                secret=True,
                required=True,
                example="…",
            ),
            ProviderField(
                "from", "Sender", "of messages that name none: a number or a name", example="+14155550100"
            ),
            ProviderField("system_type", "System type", "only if the provider names one"),
            ProviderField(
                "bind", "Bind", "how it is logged in", default="trx", choices=("trx", "tx+rx", "tx")
            ),
            ProviderField(
                "tls", "TLS", "whether the connection is encrypted", default="0", choices=("0", "1")
            ),
            ProviderField("window", "Window", "messages in flight, as the provider allows", default="10"),
            ProviderField(
                "connections", "Connections", "sessions of each worker, which share the window", default="1"
            ),
        ),
    ),
)
