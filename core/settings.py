"""All settings of an operator. Read once, at the start, from the environment (and `.env`).

`DB_STRING`, `IP_ALLOWLIST_FILE` and `IP_ALLOWLIST_MODE` are the specification's names (§1, §5); all others but
`REDIS_URL` begin with `POSTERN_`. Further database options come from `database.toml`. A test compares the table in
docs/configuration.md with this class.
"""

import os
from functools import cached_property
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from core.database_options import BadSettings, DatabaseOptions
from core.dns_lookup import server_of
from core.http.allowlist import AllowlistMode
from core.installation import FOLDER
from core.mailbox_address import MailboxAddress
from core.setting_values import COMMAS, FORMS, CommaList, Countries, PlainUrl, RateLimit, SenderKinds
from core.stop_words import STOP_WORDS
from core.wording import sentence
from shapes.country_rules import each_once
from shapes.purposes import Billing, Purpose


class Settings(BaseSettings):
    """The settings; docs/configuration.md explains each."""

    model_config = SettingsConfigDict(
        env_prefix="POSTERN_", env_file=".env", extra="ignore", populate_by_name=True
    )

    # Servers. Without DB_STRING, an embedded PostgreSQL and Redis store their data under data_dir.
    db_string: SecretStr | None = Field(None, validation_alias="DB_STRING")
    # Names PostgreSQL itself where DB_STRING names a pooler in transaction mode.
    db_direct_string: SecretStr | None = Field(None, validation_alias="DB_DIRECT_STRING")
    redis_url: SecretStr | None = Field(None, validation_alias="REDIS_URL")
    database_file: Path = FOLDER / "database.toml"
    data_dir: Path = FOLDER / "data"
    host: str = "127.0.0.1"
    port: int = Field(3000, ge=0, le=65535)
    public_url: str | None = Field(None, description="the public address, for links and callbacks")
    trusted_proxies: CommaList = Field(
        default_factory=list, description="CIDRs whose x-real-ip counts for rate limits"
    )
    cors_origins: CommaList = Field(default_factory=list)
    mcp: bool = False  # the door for agents, /mcp
    resend: bool = False  # the door for Resend's clients, /doors/resend
    mcp_registration: bool = False  # whether clients of it may register themselves (RFC 7591)
    # The door for mail programs: host:port, or smtps://host:port for TLS from the first byte.
    smtp_listen: CommaList = Field(default_factory=list)
    smtp_certificate: Path | None = None
    smtp_certificate_key: Path | None = None
    smtp_plain: bool = Field(False, description="logins without TLS, from this machine alone")
    smtp_mail_bytes: int = Field(10 * 1024 * 1024, ge=64 * 1024, le=100 * 1024 * 1024)
    smtp_memory_bytes: int = Field(
        128 * 1024 * 1024, ge=1024 * 1024, description="of mails in memory at once"
    )
    drain_seconds: float = Field(
        5.0,
        ge=0,
        le=300,
        description="after SIGTERM /health is 503 and requests are still answered for so long",
    )
    shutdown_seconds: float = Field(10.0, ge=0, le=300)
    max_body_bytes: int = Field(2 * 1024 * 1024, ge=1024)

    # Secrets.
    secret_key: SecretStr | None = Field(None, description="encrypts at rest, derives refresh tokens; ≥ 32")
    secret_key_old: Annotated[list[SecretStr], NoDecode, COMMAS] = Field(
        default_factory=list, description="keys before secret_key: they still decrypt and verify"
    )
    jwt_key: SecretStr | None = Field(None, description="HS256 key, ≥ 32 characters")
    jwt_key_file: Path | None = Field(None, description="PEM private key: RS256 or ES256 by its type")
    access_token_seconds: int = Field(900, ge=1, le=86400)
    refresh_token_days: int = Field(30, ge=1, le=365)
    second_factor: Literal["optional", "admins", "all"] = "optional"  # of whom logins demand one

    # The purpose of the installation (contract §9.9, 9.10). Unset: an administrator chooses in the console.
    purpose: Annotated[list[Purpose], NoDecode, COMMAS] = []
    billing: Billing | None = None

    # The allowlist (specification §5).
    ip_allowlist_file: Path = Field(
        Path("/etc/postern/ip-allowlist.conf"), validation_alias="IP_ALLOWLIST_FILE"
    )
    ip_allowlist_mode: AllowlistMode = Field(AllowlistMode.Off, validation_alias="IP_ALLOWLIST_MODE")

    # Messages.
    channel_email: str = "sandbox://"
    channel_sms: str = "sandbox://"
    channel_push: str = "sandbox://"
    channel_telegram: str = "sandbox://"
    channel_whatsapp: str = "sandbox://"
    verify_domains: bool = Field(False, description="refuse emails from a domain that is not verified")
    dns_servers: CommaList = Field(default_factory=list, description="address or address:port")
    signup_credit: Annotated[str, Field(pattern=r"^\d{1,9}(\.\d{1,6})?$")] = "0"
    sms_senders_approved: SenderKinds = []  # those that need no administrator
    sms_number_countries: Countries = []  # that refuse letters: +XX and -XX change the table, XX replaces it
    default_region: str = Field("US", pattern="^[A-Z]{2}$", description="of phones that have no +")
    new_user_countries: Annotated[CommaList, AfterValidator(each_once)] = []  # of their SMS; none: all
    accounts_per_user: int = Field(20, ge=1, le=10_000)
    plans_by: Literal["owner", "operator"] = Field("owner", description="who chooses the plan of an account")
    send_attempts: int = Field(5, ge=1, le=20)
    lease_seconds: float = Field(
        30.0, ge=1, le=600, description="after which a dead worker's messages are taken over"
    )
    restore_gap_seconds: float = Field(60.0, ge=10, le=86_400, description="seconds that a failover loses")
    worker_projects: int = Field(
        16,
        ge=1,
        le=1000,
        description="projects that a worker sends at once; three quarters of them of one channel",
    )
    workers: int = Field(1, ge=0, le=64, description="worker processes that `postern serve` starts")
    retention_days: int | None = Field(None, ge=1)
    reconciliation_hours: int = Field(
        72, ge=1, le=720, description="reports are waited for so long until a project is settled"
    )
    record_retention_days: int | None = Field(None, ge=30)
    chat_retention_days: int | None = Field(None, ge=1)
    import_retention_days: int | None = Field(None, ge=1)
    ledger_retention_days: int | None = Field(None, ge=1)
    event_retention_days: int = Field(7, ge=1, le=365, description="days for which a feed keeps an event")
    audit_days: int = Field(400, ge=31, le=36_500, description="days for which the audit is kept")
    event_limit: int = Field(1_000_000, ge=1000, le=100_000_000, description="events that a feed keeps")
    bounce_listen: str | None = Field(
        None,
        pattern=r"^((smtp|lmtp)://)?([^/\s]+:\d{1,5}|/\S+)$",
        description="where returned mails are taken: host:port, lmtp://host:port, lmtp:///path/of/a/socket",
    )
    bounce_mailbox: SecretStr | None = Field(
        None, description="a mailbox of returned mails: imaps://user:password@host/INBOX?done=Processed"
    )
    soft_bounces: str = Field("5/30", description="soft bounces in so many days after which an address rests")
    report_days: int = Field(90, ge=1, le=3650, description="days for which reports about emails are kept")
    report_raw_days: int = Field(7, ge=0, le=3650, description="the same of the mails they were read from")
    outbound_allow: CommaList = Field(
        default_factory=list, description="CIDRs that user-supplied URLs may reach"
    )

    consent_ip: bool = Field(False, description="whether the proof of consent has network addresses")

    # Sending Projects.
    stop_words: CommaList = Field(
        default_factory=lambda: [*STOP_WORDS],
        description="a reply that is one of these blocks its sender",
    )
    files_url: SecretStr | None = Field(
        None, description="s3://key:secret@bucket/prefix?endpoint=…; none: under POSTERN_DATA_DIR"
    )
    max_file_bytes: int = Field(200 * 1024 * 1024, ge=1024)
    max_user_files_bytes: int = Field(10 * 1024**3, ge=1024, description="of all files of one user")
    max_user_pictures: int = Field(1000, ge=1, le=100_000)
    media_url: PlainUrl | None = Field(None, description="where a CDN serves pictures")
    link_seconds: int = Field(
        3600, ge=60, le=604_800, description="how long a signed link to a file opens it"
    )
    hook_tolerance_seconds: int = Field(300, ge=1, le=3600)
    ai_url: str | None = Field(None, description="an OpenAI-compatible server, up to and with /v1")
    ai_key: SecretStr | None = None
    ai_model: str = "gpt-4o-mini"
    ai_timeout: float = Field(30.0, gt=0, le=120)
    ai_requests_per_day: int = Field(100, ge=0)

    # Messenger accounts. Of each list the first driver is the default; callers can choose any of them.
    telegram_driver: CommaList = Field(
        default_factory=list, description="telegram, sandbox; none: telegram with POSTERN_TELEGRAM_API_ID"
    )
    whatsapp_driver: CommaList = Field(
        default_factory=list, description="whatsapp, whatsapp-cloud, sandbox; none: sandbox"
    )
    qr_attempts: int = Field(
        10, ge=1, le=1000, description="QRs or pairing codes shown in a row before a login has failed"
    )
    sandbox_moment: float = Field(
        1.0, gt=0, le=60, description="seconds of a moment in the messengers' sandbox; docs/messengers.md"
    )

    # Telegram: an application of my.telegram.org. An own data center is only for tests.
    telegram_api_id: int | None = Field(None, ge=1, lt=2**31)
    telegram_api_hash: SecretStr | None = None
    telegram_dc: str | None = Field(None, pattern=r"^\d{1,5}@[0-9A-Fa-f.:\[\]]+:\d{1,5}$")
    telegram_dc_key: Path | None = Field(None, description="its RSA public key: a PKCS#1 PEM file")

    # Messenger accounts by Meta's HTTP API, and the operator's proxies.
    whatsapp_cloud_url: str = Field(
        "https://graph.facebook.com/v23.0", pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$"
    )
    proxies_file: Path | None = Field(None, description="one proxy a line; getNewProxy takes from it")

    messenger_accounts_per_user: int = Field(1000, ge=1, le=100_000)

    # Rate limits, `count/seconds`.
    limit_login: RateLimit = "10/300"
    limit_login_global: RateLimit = "1000/300"
    limit_second_factor: RateLimit = "5/300"
    limit_register: RateLimit = "20/3600"
    limit_signups: RateLimit = Field("20/3600", description="sign-ups by forms, of a network address")
    limit_signup_address: RateLimit = Field("5/86400", description="messages that ask an address to confirm")
    limit_signup_owner: RateLimit = Field("1000/86400", description="the same of an owner")
    limit_messages: RateLimit = "60/60"
    limit_verifications: RateLimit = Field("600/60", description="codes of an owner")
    limit_verification_address: RateLimit = Field("10/3600", description="the same to an address")
    limit_verification_ip: RateLimit = Field("30/3600", description="the same for a person's endUserIp")
    limit_test_sending: RateLimit = "10/60"
    limit_messenger_messages: RateLimit = Field("60/60", description="messages of one messenger account")
    limit_messenger_lookups: RateLimit = Field("30/60", description="people and histories that it asks for")
    limit_graphql: RateLimit = Field("200000/60", description="points of a caller; docs/graphql.md")
    limit_documents: RateLimit = Field(
        "300/60", description="points for new GraphQL documents without a login, of one network"
    )
    limit_documents_global: RateLimit = Field("15000/60", description="the same of all networks together")

    # GraphQL; docs/graphql.md.
    graphql_max_cost: int = Field(10_000, ge=1, le=1_000_000, description="points of one operation")
    graphql_documents: Path | None = Field(None, description="the trusted documents: a file, or a folder")
    graphql_allow_only: bool = Field(False, description="run nothing but the trusted documents")
    graphql_plans: bool = Field(True, description="whether queries take the fast path; docs/graphql-plans.md")

    fast_routes: bool = Field(
        True,
        description="whether requests skip FastAPI's layers; docs/decisions/0023-straight-to-the-route.md",
    )

    # The legacy bridge.
    legacy_url: str | None = None
    legacy_prefixes: CommaList = Field(default_factory=lambda: ["/"])
    legacy_token: SecretStr | None = None
    legacy_timeout: float = Field(15.0, gt=0, le=120)

    # Operating.
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "json", "pretty"] = "auto"
    metrics_token: SecretStr | None = None
    graphiql: bool | None = Field(
        None, description="explorer and introspection; default: on with the embedded servers"
    )
    console: bool | None = Field(
        None, description="the web console at /console; default: on with the embedded servers"
    )

    @field_validator("ip_allowlist_mode", mode="before")
    @classmethod
    def _mode(cls, value: Any) -> Any:
        return AllowlistMode.parse(value) if isinstance(value, str) else value

    @field_validator("telegram_driver", "whatsapp_driver")
    @classmethod
    def _drivers(cls, value: list[str], info: ValidationInfo) -> list[str]:
        source = str(info.field_name).removesuffix("_driver")
        available = {
            "telegram": ("telegram", "sandbox"),
            "whatsapp": ("whatsapp", "whatsapp-cloud", "sandbox"),
        }
        if unknown := [name for name in value if name not in available[source]]:
            raise ValueError(
                f"the drivers of {source} are {', '.join(available[source])}; got {unknown[0]!r}"
            )
        return value

    @field_validator("bounce_mailbox")
    @classmethod
    def _mailbox(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            MailboxAddress.parse(value.get_secret_value())  # its ValueError says how it is written
        return value

    @field_validator("trusted_proxies", "outbound_allow")
    @classmethod
    def _networks(cls, value: list[str]) -> list[str]:
        for cidr in value:
            ip_network(cidr)  # its ValueError says which network is wrong, and why
        return value

    @field_validator("dns_servers")
    @classmethod
    def _dns_servers(cls, value: list[str]) -> list[str]:
        for text in value:
            server_of(text)  # its ValueError says which one is wrong
        return value

    @field_validator("soft_bounces")
    @classmethod
    def _bounces(cls, value: str) -> str:
        count, _, days = value.partition("/")
        if not (count.isdigit() and days.isdigit() and 0 < int(count) <= 100 and 0 < int(days) <= 365):
            raise ValueError(f"soft bounces are written count/days, at most 100/365; got {value!r}")
        return value

    @model_validator(mode="after")
    def _complete(self) -> "Settings":
        if self.db_direct_string is not None and self.db_string is None:
            raise ValueError(
                "DB_DIRECT_STRING names PostgreSQL behind a pooler; DB_STRING must name the pooler"
            )
        for name in ("secret_key", "jwt_key"):
            value = getattr(self, name)
            if value is not None and len(value.get_secret_value()) < 32:
                raise ValueError(f"POSTERN_{name.upper()} needs at least 32 characters")
        if any(len(key.get_secret_value()) < 32 for key in self.secret_key_old):
            raise ValueError("each key of POSTERN_SECRET_KEY_OLD needs at least 32 characters")
        if self.graphql_allow_only and self.graphql_documents is None and not self.has_console:
            raise ValueError(
                "POSTERN_GRAPHQL_ALLOW_ONLY needs POSTERN_GRAPHQL_DOCUMENTS or POSTERN_CONSOLE: nothing else runs"
            )
        return self

    @property
    def embedded(self) -> bool:
        """Returns whether the embedded servers are used, because DB_STRING is not set."""
        return self.db_string is None

    @property
    def direct_string(self) -> SecretStr | None:
        """Returns the URL of PostgreSQL itself, past a pooler: for what keeps state on its session."""
        return self.db_direct_string or self.db_string

    @property
    def explorable(self) -> bool:
        """Returns whether GraphiQL, introspection and suggestions are on."""
        return self.embedded if self.graphiql is None else self.graphiql

    @property
    def has_console(self) -> bool:
        """Returns whether the console is served."""
        return self.embedded if self.console is None else self.console

    @cached_property
    def database(self) -> DatabaseOptions:
        """Returns the options of database.toml. Raises BadSettings."""
        return DatabaseOptions.load(self.database_file)

    def require_own_servers(self) -> None:
        """Raises BadSettings that lists the missing settings beside DB_STRING: with it set, nothing has a default."""
        missing = [
            name
            for name, value in (
                ("REDIS_URL", self.redis_url),
                ("POSTERN_SECRET_KEY", self.secret_key),
                ("POSTERN_JWT_KEY or POSTERN_JWT_KEY_FILE", self.jwt_key or self.jwt_key_file),
            )
            if not value
        ]
        if missing:
            raise BadSettings(
                f"DB_STRING is set, so these must be set too: {', '.join(missing)}. "
                "A key is made by: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
            )


def load() -> Settings:
    """Reads the settings. Raises BadSettings with one line for each wrong setting."""
    try:
        return Settings()
    except ValidationError as error:
        problems = [
            sentence(_name(item["loc"]), item, FORMS.get(str(item["loc"][0]) if item["loc"] else ""))
            for item in error.errors()
        ]
        raise BadSettings(*problems) from error


def _name(loc: tuple[int | str, ...]) -> str:
    if not loc:
        return ""  # the sentence itself names the settings
    first = str(loc[0])
    return first if first in os.environ or first.isupper() else f"POSTERN_{first.upper()}"
