"""Inputs and results of actions on Sending Projects: retry, stop, count, preview."""

from typing import Annotated
from uuid import UUID

import strawberry
from pydantic import AfterValidator, Field
from strawberry.scalars import JSON

from shapes.project_settings import LONGEST_TEXT
from shapes.sending_projects import Html, Name, ProjectChannel, Subject, distinct
from shapes.shape import Cost, JsonObject, Shape, Text
from shapes.values import json_at_most


def _can_change(codes: list[str]) -> list[str]:
    if "invalid_recipient" in codes:
        raise ValueError("invalid_recipient can't be retried: the channel can't reach these addresses")
    return codes


class RetryProject(Shape):
    """Selects the messages to send again."""

    unknown: Annotated[
        bool,
        Field(
            description="true: also messages in state `unknown`; some recipients may get the message twice"
        ),
    ] = False
    skipped: Annotated[
        list[Annotated[str, Field(pattern="^[a-z_]{1,64}$")]],
        Field(
            max_length=20,
            description="also skipped messages with one of these failure codes; the cause of skipping is checked "
            "again",
            examples=[["missing_variable", "blocked"]],
        ),
        AfterValidator(_can_change),
    ] = Field(default_factory=list)
    failed: (
        Annotated[
            list[Annotated[str, Field(pattern="^[a-z_]{1,64}$")]],
            Field(
                max_length=20,
                description="only failed messages with one of these failure codes; empty: none; default: all failed "
                "messages",
                examples=[["timeout", "rejected"]],
            ),
        ]
        | None
    ) = None


Uuids = Annotated[
    list[UUID],
    Field(
        min_length=1,
        max_length=100,
        description="uuids of the projects",
        examples=[["01890000-0000-7000-8000-000000000000"]],
    ),
    AfterValidator(distinct),
]


class StopProjects(Shape):
    """The projects to stop."""

    uuids: Uuids


class DeleteProjects(Shape):
    """The projects to delete."""

    uuids: Uuids


class RetryProjects(Shape):
    """The projects whose failed messages are sent again."""

    uuids: Uuids
    unknown: Annotated[
        bool,
        Field(
            description="true: also messages in state `unknown`; some recipients may get the message twice"
        ),
    ] = False


class RefusedProject(Shape):
    """A project that stays as it is."""

    uuid: Annotated[UUID, Field(description="uuid of the project")]
    code: Annotated[str, Field(description="the reason as a code for programs")]
    message: Annotated[str, Field(description="the reason as a sentence")]


class NotStopped(RefusedProject):
    """A project that could not be stopped."""


class StoppedProjects(Shape):
    """Result of stopping several projects."""

    stopped: Annotated[list[UUID], Field(description="projects that are stopped now")]
    failed: Annotated[
        list[NotStopped], Field(description="projects that could not be stopped"), Cost(most=100)
    ]


class DeletedProjects(Shape):
    """Result of deleting several projects."""

    deleted: Annotated[list[UUID], Field(description="projects that are deleted now")]
    failed: Annotated[
        list[RefusedProject], Field(description="projects that could not be deleted"), Cost(most=100)
    ]


class RetriedProjects(Shape):
    """Result of sending the failed messages of several projects again."""

    retried: Annotated[list[UUID], Field(description="projects that send their failed messages again")]
    failed: Annotated[
        list[RefusedProject],
        Field(description="projects that have nothing to send again, or may not"),
        Cost(most=100),
    ]


class DuplicateProject(Shape):
    """The parts of a copy beside the settings, texts and files of the project."""

    name: (
        Annotated[Name, Field(description="name of the copy; default: that of the project with “(copy)”")]
        | None
    ) = None
    recipients: Annotated[
        bool, Field(description="true: also the recipients, of whom there may be 50,000; false: none")
    ] = False


class ProjectCount(Shape):
    """Number of projects."""

    count: Annotated[int, Field(description="the number")]


class PreviewMessage(Shape):
    """A text to render. Texts that are not given are taken from the project, variables that are not given from the
    recipient.
    """

    channel: (
        Annotated[
            ProjectChannel, Field(description="default: the project's channel, or sms without a project")
        ]
        | None
    ) = None
    subject: Subject | None = None
    html: Html | None = None
    text: (
        Annotated[
            Text,
            Field(
                max_length=LONGEST_TEXT,
                description="text; Liquid; empty: none, so that the text of an email is made from its HTML",
                examples=["Hello {{ name }}, …"],
            ),
        ]
        | None
    ) = None
    variant: (
        Annotated[int, Field(ge=0, le=9, description="index of the project's text variant, from 0")] | None
    ) = None
    variables: Annotated[
        JsonObject | None,
        json_at_most(64 * 1024),
        Field(description="values of variables by name; they override those of the recipient"),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    sending_project_uuid: Annotated[UUID, Field(description="the project whose texts are used")] | None = None
    recipient_uuid: (
        Annotated[UUID, Field(description="a recipient of that project, whose variables are used")] | None
    ) = None


class MessagePreview(Shape):
    """A text rendered for a recipient."""

    subject: Annotated[str | None, Field(description="subject, on one line")]
    body: Annotated[str, Field(description="text of the message")]
    html: Annotated[str | None, Field(description="HTML part of an email")]
    params: Annotated[list[str], Field(description="parameters of the WhatsApp template")]
    variables: Annotated[
        list[str], Field(description="names of the variables in the texts, in alphabetical order")
    ]
    missing: Annotated[list[str], Field(description="variables that the texts print but that have no value")]
    characters: Annotated[int, Field(description="number of characters of the text")]
    segments: Annotated[
        int | None, Field(description="number of SMS segments that are charged; null for other channels")
    ]
    encoding: Annotated[
        str | None, Field(description="encoding of the SMS: gsm or ucs2; null for other channels")
    ]
