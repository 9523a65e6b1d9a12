"""Plans and numbers of series."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.project_languages import MOST_LANGUAGES
from shapes.sending_projects import ProjectChannel
from shapes.series import MOST_STEPS, StopReason
from shapes.shape import Cost, Money, Shape


class SeriesPlanStep(Shape):
    """A step as it would be sent."""

    number: Annotated[int, Field(description="number of the step, from 1 on")]
    channel: Annotated[ProjectChannel, Field(description="channel of its messages")]
    template_key: Annotated[str, Field(description="key of the template")]
    template_version: Annotated[int, Field(description="number of its version")]
    template_locale: Annotated[str, Field(description="language of the text")]
    locale_from: Annotated[
        str | None, Field(description="variable that has the language of each person; null: all get the text")
    ]
    locales: Annotated[
        list[str],
        Field(max_length=MOST_LANGUAGES, description="the languages that are sent, the default first"),
    ]
    files: Annotated[int, Field(description="number of files that its messages carry")]
    subject: Annotated[str | None, Field(description="subject of the text; Liquid")]
    text: Annotated[str | None, Field(description="the text; Liquid; null: it has HTML alone")]
    price: Annotated[
        Money | None,
        Field(description="price of a message, or of a part of an SMS; null: it depends on the number"),
    ]


class SeriesPlan(Shape):
    """A series before it is started: its steps, their prices, and how many people would enter now."""

    hash: Annotated[str, Field(description="SHA-256 of what would be sent to whom; `start` takes it")]
    members_now: Annotated[
        int | None,
        Field(
            description="people who are in the topic or segment now; null: they can't be counted in a few seconds"
        ),
    ]
    enters_now: Annotated[
        int | None,
        Field(description="people who would enter at the start; null: they can't be counted in time"),
    ]
    currency: Annotated[str, Field(description="currency of the account that pays")]
    price_per_person: Annotated[
        Money | None,
        Field(
            description="price of all steps for a person, with one part for each SMS; null: it depends on numbers"
        ),
    ]
    cost_now: Annotated[
        Money | None, Field(description="price of all steps for those who would enter now; null: not known")
    ]
    steps: Annotated[list[SeriesPlanStep], Field(description="its steps"), Cost(most=MOST_STEPS)]


class StopCount(Shape):
    """The number of people who were stopped for a reason."""

    reason: Annotated[StopReason, Field(description="the reason")]
    count: Annotated[int, Field(description="the number of people")]


class SeriesStepStatistics(Shape):
    """The numbers of a step. The people behind the messages are those of its Sending Project."""

    number: Annotated[int, Field(description="number of the step, from 1 on")]
    project_uuid: Annotated[
        UUID | None, Field(description="uuid of its Sending Project; null: the series was never started")
    ]
    begun: Annotated[int, Field(description="people for whom it has begun")]
    waiting: Annotated[int, Field(description="people who wait for it")]
    stopped: Annotated[int, Field(description="people who were stopped before it")]
    without_message: Annotated[
        int,
        Field(
            description="people without an address for its channel, without consent, or with a shared address"
        ),
    ]
    sent: Annotated[
        int, Field(description="messages that a provider has accepted, also those that came back later")
    ]
    delivered: Annotated[int, Field(description="messages that were delivered or read")]
    bounced: Annotated[int, Field(description="emails that came back")]
    replied: Annotated[int, Field(description="messages that were answered")]
    failed: Annotated[int, Field(description="messages that failed")]
    skipped: Annotated[
        int, Field(description="messages that were not sent: withdrawn, blocked, or a variable lacks")
    ]
    queued: Annotated[int, Field(description="messages that are still to be sent")]


class SeriesStatistics(Shape):
    """The people of a series by what has become of them, and the numbers of its steps."""

    entered: Annotated[int, Field(description="people who have entered")]
    waiting: Annotated[int, Field(description="people who are under way")]
    finished: Annotated[int, Field(description="people for whom all steps are over")]
    stopped: Annotated[int, Field(description="people who were stopped")]
    excluded: Annotated[int, Field(description="people who were in the segment before the first start")]
    stop_reasons: Annotated[
        list[StopCount],
        Field(description="people who were stopped, by the reason"),
        Cost(most=len(StopReason)),
    ]
    steps: Annotated[list[SeriesStepStatistics], Field(description="its steps"), Cost(most=MOST_STEPS)]
