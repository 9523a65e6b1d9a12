"""The installation, as administrators see it: what `postern doctor` finds, the routes, and the IP allowlist."""

from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, model_validator

from shapes.described import DescribedEnum
from shapes.rules import never_null
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, Line, Shape, Timestamp
from shapes.statistics import RouteState
from shapes.values import nothing

MAX_LINES = 1000  # of refused requests that are stored
MAX_NETWORKS = 1000  # of the IP allowlist that are shown
_ENABLED = (
    "false: an administrator has switched it off, so that nothing is sent by it; messages take their next route, or"
    " wait"
)
_IGNORES = (
    "true: it keeps its place among the routes that rules name, even if it delivers nothing to a prefix; false: others"
    " are tried before it then"
)


class FindingSeverity(DescribedEnum):
    """The severity of a finding."""

    ok = "ok", "all is well"
    warning = "warning", "worth knowing"
    error = "error", "a problem that must be corrected"


class Finding(Shape):
    """The result of one check of `postern doctor`. It contains no secret."""

    severity: Annotated[FindingSeverity, Field(description="whether something must be done")]
    topic: Annotated[
        str, Field(description="what was checked, as `postern doctor` writes it", examples=["allowlist"])
    ]
    text: Annotated[str, Field(description="the finding, in English")]
    advice: Annotated[str | None, Field(description="what to do about it, in English; null if all is well")]


class DoctorReport(Shape):
    """The findings of `postern doctor` about the process that answers, and about the servers behind it."""

    version: Annotated[str, Field(description="version of Postern that answers", examples=["1.0.0"])]
    python: Annotated[str, Field(description="version of Python that runs it", examples=["3.12.3"])]
    embedded: Annotated[
        bool, Field(description="true: PostgreSQL and Redis are those that Postern starts itself")
    ]
    examined_at: Annotated[Timestamp, Field(description="when the checks ended")]
    findings: Annotated[
        list[Finding],
        Field(description="the findings: errors first, then warnings, then what is well"),
        Cost(most=200),
    ]
    left_out: Annotated[
        list[str],
        Field(description="what only the command `postern doctor` can check, in English"),
    ]


class SystemRoute(Shape):
    """A way to a provider. It shows no address and no credential."""

    name: Annotated[
        str,
        Field(
            description="name of its DSN (`name=`), or else channel and position among the routes of the channel",
            examples=["sms-2"],
        ),
    ]
    channel: Annotated[ProjectChannel, Field(description="channel of the messages that it carries")]
    driver: Annotated[str, Field(description="what it speaks", examples=["smtp"])]
    label: Annotated[str, Field(description="what people call that, in English", examples=["SMTP"])]
    state: Annotated[RouteState, Field(description="state of its circuit breaker; the sandbox's is closed")]
    since: Annotated[
        Timestamp | None, Field(description="when the circuit breaker opened; null while it is closed")
    ]
    probe_at: Annotated[
        Timestamp | None,
        Field(description="when a single test message may be sent through it; null while it is closed"),
    ]
    concurrency: Annotated[int, Field(description="messages that each worker may have in flight")]
    total_concurrency: Annotated[
        int | None, Field(description="messages that all workers may have in flight; null: no limit")
    ]
    enabled: Annotated[bool, Field(description=_ENABLED)]
    ignores_receipts: Annotated[bool, Field(description=_IGNORES)]
    made: Annotated[
        bool,
        Field(
            description="true: an administrator has made it; false: it is one of the settings (`POSTERN_CHANNEL_…`)"
        ),
    ]


class NewSystemRoute(Shape):
    """A route for SMS that an administrator makes. Messages go by it only if a rule of routes names it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "north", "dsn": "twilio://AC1:token@?from=%2B14155550100"}]}
    )

    name: Annotated[
        Line,
        Field(
            min_length=1,
            max_length=32,
            description="its name, which no other route has or had: lower-case letters, digits and hyphens",
            examples=["north"],
        ),
    ]
    dsn: Annotated[
        Line,
        Field(
            min_length=1,
            max_length=2000,
            description="how it is reached, as POSTERN_CHANNEL_SMS has it (smpp, twilio, post or sandbox), without "
            "`name=`; it is stored encrypted, and no answer has it",
            examples=["twilio://AC1:token@?from=%2B14155550100"],
        ),
    ]
    enabled: Annotated[bool, Field(description=_ENABLED)] = True


def _patch_rules(schema: dict[str, Any]) -> None:
    never_null("enabled", "ignoresReceipts")(schema)
    schema["examples"] = [{"enabled": False}]


class SystemRoutePatch(Shape):
    """A change of a route, which holds in every worker within two seconds."""

    model_config = ConfigDict(json_schema_extra=_patch_rules)

    enabled: Annotated[bool | None, Field(description=_ENABLED)] = Field(default_factory=nothing)
    ignores_receipts: Annotated[bool | None, Field(description=_IGNORES)] = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        changes = [getattr(self, name) for name in self.model_fields_set]
        if not changes or None in changes:
            raise ValueError("enabled or ignoresReceipts must be given, and neither can be null")
        return self


class AllowlistReason(DescribedEnum):
    """The reason for which a request is not allowed."""

    # Values of GraphQL enums are in camel case.
    noHeader = "noHeader", "the request has no `x-real-ip`: it did not come through the reverse proxy"  # noqa: N815
    severalHeaders = "severalHeaders", "the request has more than one `x-real-ip`"  # noqa: N815
    unreadable = "unreadable", "`x-real-ip` is not one plain address"
    notListed = "notListed", "the list does not have the address"  # noqa: N815


class IpAllowlist(Shape):
    """The IP allowlist of the process that answers."""

    mode: Annotated[
        str,
        Field(
            description="`Off`: requests of other addresses are only recorded; `Enforce`: they are refused",
            examples=["Off"],
        ),
    ]
    file: Annotated[str, Field(description="path of the file on the server")]
    entries: Annotated[int, Field(description="entries in the file; 0 if there is no file")]
    networks: Annotated[
        list[str],
        Field(description=f"the first {MAX_NETWORKS} networks, sorted; neighbouring entries are merged"),
    ]
    everyone: Annotated[bool, Field(description="true: the list allows all IPv4 or all IPv6 addresses")]
    loaded_at: Annotated[
        Timestamp | None, Field(description="when the list was read; null if there never was a file")
    ]
    error: Annotated[
        str | None,
        Field(description="why the present file can't be used; the last usable list is then in use"),
    ]
    your_address: Annotated[
        str | None, Field(description="the address of this request, by `x-real-ip`; null without it")
    ]
    your_reason: Annotated[
        AllowlistReason | None,
        Field(description="why `Enforce` would refuse this request; null: it would be allowed"),
    ]


class IpAllowlistLine(Shape):
    """A request whose address is not allowed. It expires after a week."""

    at: Annotated[Timestamp, Field(description="when it arrived")]
    address: Annotated[
        str, Field(description="`x-real-ip` as it was sent, printable and shortened; `-` without it")
    ]
    method: Annotated[str, Field(description="HTTP method, or WEBSOCKET", examples=["GET"])]
    path: Annotated[str, Field(description="path as it was sent, shortened, without the query")]
    reason: Annotated[AllowlistReason, Field(description="why it is not allowed")]
    blocked: Annotated[
        bool, Field(description="true: it was refused; false: it passed, as the mode is `Off`")
    ]
    listed: Annotated[bool, Field(description="whether the list has this address now")]
