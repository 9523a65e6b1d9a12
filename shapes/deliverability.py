"""Deliverability: the emails that each mailbox provider was sent, and what came back."""

from typing import Annotated, Final
from uuid import UUID

import strawberry
from pydantic import Field

from shapes.described import DescribedEnum
from shapes.shape import Cost, Shape, Timestamp

WARNING_RATE: Final = 0.001
"""The share of complaints from which providers put mail into spam folders more often."""

BAD_RATE: Final = 0.003
"""The share of complaints from which providers refuse mail."""


LEAST: Final = 1_000
"""The emails from which a share of complaints counts as it is."""

MOST_DEGRADED: Final = 100
"""The degraded providers in an answer, which administrators get of all owners."""

MOST_PROJECTS: Final = 100
"""The projects in an answer."""


class ProviderClass(DescribedEnum):
    """The provider of a mailbox: well-known domains by their name, all others by their MX records."""

    gmail = "gmail", "Gmail and Google Workspace"
    microsoft = "microsoft", "Outlook, Hotmail and Microsoft 365"
    yahoo = "yahoo", "Yahoo and AOL"
    apple = "apple", "iCloud"
    yandex = "yandex", "Yandex"
    mailru = "mailru", "Mail.ru"
    other = (
        "other",
        "all others, and domains whose MX records were not looked up yet when an email was counted",
    )


class ComplaintLevel(DescribedEnum):
    """The share of complaints, compared with the limits that large providers publish."""

    ok = "ok", "below 0.1 %"
    warning = "warning", "from 0.1 %: emails may be put into the spam folder"
    bad = "bad", "from 0.3 %: emails may be refused"


class _Reports(Shape):
    """Emails that reports were about, by what these said."""

    deferred: Annotated[int, Field(description="emails of which a report said that they are delayed")]
    bounced: Annotated[
        int,
        Field(description="emails that came back: the sum of hard, mailboxFull, content, policy and soft"),
    ]
    hard: Annotated[int, Field(description="came back: the address does not exist")]
    mailbox_full: Annotated[int, Field(description="came back: the mailbox is full")]
    content: Annotated[int, Field(description="came back: the provider refused the content")]
    policy: Annotated[
        int, Field(description="came back: the provider refused the sender, such as for its reputation")
    ]
    soft: Annotated[int, Field(description="came back: a passing failure, or one without a known reason")]
    complaints: Annotated[int, Field(description="emails that recipients reported as spam")]
    rescued: Annotated[int, Field(description="emails that recipients took out of the spam folder")]


class _Rates(Shape):
    """Shares of the accepted emails, and what they mean."""

    bounce_rate: Annotated[
        float | None,
        Field(description="bounced by accepted, from 0 to 1; null without accepted emails", examples=[0.012]),
    ]
    complaint_rate: Annotated[
        float | None,
        Field(
            description="complaints by accepted, from 0 to 1; null without accepted emails", examples=[0.0004]
        ),
    ]
    complaint_level: Annotated[
        ComplaintLevel,
        Field(description="what the complaint rate means; of fewer than 1,000 emails it is that of 1,000"),
    ]


class ProviderReports(_Reports):
    """The emails of a project that came back from mailboxes of one provider, or that its users reported as spam. Of
    several reports of one type about an email only the first is counted.
    """

    provider_class: Annotated[ProviderClass, Field(description="the provider")]


class ProviderDeliverability(_Reports, _Rates):
    """The emails to mailboxes of one provider in a period, and the reports about emails that came in it. Of several
    reports of one type about an email only the first is counted.
    """

    provider_class: Annotated[ProviderClass, Field(description="the provider")]
    accepted: Annotated[int, Field(description="emails that the relay accepted in this period")]
    delivered: Annotated[
        int, Field(description="emails that were reported as delivered; many relays report none")
    ]


class DegradedProvider(Shape):
    """A mailbox provider that refused emails, or whose users reported them as spam: 0.3 % of at least 1,000 emails
    within 24 hours. It has recovered when both are below 0.1 % of the emails of 24 hours.
    """

    provider_class: Annotated[ProviderClass, Field(description="the provider")]
    accepted: Annotated[int, Field(description="emails of these 24 hours that the relay accepted")]
    policy: Annotated[
        int, Field(description="emails of them that the provider refused because of the sender")
    ]
    complaints: Annotated[int, Field(description="emails of them that recipients reported as spam")]
    created_at: Annotated[Timestamp, Field(description="when this was found")]


class ProjectDeliverability(_Rates):
    """The emails of one project in a period, and the reports about its emails that came in it."""

    sending_project_uuid: Annotated[UUID, Field(description="uuid of the project")]
    name: Annotated[str, Field(description="its display name")]
    sender: Annotated[
        str | None,
        Field(
            validation_alias="from",
            serialization_alias="from",
            description="its From address; null: that of the channel",
            examples=["news@example.com"],
        ),
        strawberry.field(name="from", description="its From address; null: that of the channel"),
    ]
    accepted: Annotated[int, Field(description="emails that the relay accepted in this period")]
    delivered: Annotated[
        int, Field(description="emails that were reported as delivered; many relays report none")
    ]
    bounced: Annotated[int, Field(description="emails that came back")]
    complaints: Annotated[int, Field(description="emails that recipients reported as spam")]


class _Period(Shape):
    begins: Annotated[
        Timestamp,
        Field(
            validation_alias="from",
            serialization_alias="from",
            description="start of the period, at a quarter of an hour",
        ),
        strawberry.field(name="from", description="start of the period, at a quarter of an hour"),
    ]
    ends: Annotated[
        Timestamp,
        Field(
            validation_alias="to",
            serialization_alias="to",
            description="end of the period, at a quarter of an hour",
        ),
        strawberry.field(name="to", description="end of the period, at a quarter of an hour"),
    ]


class Deliverability(_Period):
    """The emails of a period by the provider of the mailbox."""

    items: Annotated[
        list[ProviderDeliverability],
        Field(description="each provider that has counts, in the order of the enum"),
        Cost(most=len(ProviderClass)),
    ]
    degraded: Annotated[
        list[DegradedProvider],
        Field(description="providers that have degraded and not recovered, whatever the period; at most 100"),
        Cost(most=MOST_DEGRADED),
    ]


class DeliverabilityByProject(_Period):
    """The emails of a period by project."""

    items: Annotated[
        list[ProjectDeliverability],
        Field(
            description="the email projects with the most complaints, and of these with the most bounces; at most 100"
        ),
        Cost(most=MOST_PROJECTS),
    ]
