"""Problems of a template's text, which can be sent all the same."""

from typing import Annotated, Final, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from shapes.described import DescribedEnum
from shapes.rules import exclusive
from shapes.shape import Shape

MOST_PROBLEMS: Final = 100
"""The most problems of a version, or of a preview."""
MOST_EXAMINED: Final = 1_000
"""The most people of an audience whose values are examined."""


class ProblemKind(DescribedEnum):
    """Kind of a problem."""

    no_unsubscribe = (
        "no_unsubscribe",
        "a promotional text without a visible link to unsubscribe: no {{ unsubscribe_url }} or {{ preferences_url }}",
    )
    image_without_alt = "image_without_alt", "a picture without an `alt`, which is read in its place"
    too_large = "too_large", "HTML of more than 102 kB, which Gmail cuts"
    insecure_link = "insecure_link", "a link or picture that does not begin with `https:`"
    missing_variable = "missing_variable", "a variable that it prints has no value"


class TemplateProblem(Shape):
    """A problem of a text, which does not keep it from being sent."""

    kind: Annotated[ProblemKind, Field(description="kind of the problem")]
    locale: Annotated[str, Field(description="language of the text", examples=["en"])]
    part: Annotated[
        str | None, Field(description="part of the text: `text` or `html`; null: it has none")
    ] = None
    detail: Annotated[
        str | None,
        Field(description="the link, the picture or the variable; null: none. At most 200 characters"),
    ] = None
    lacking: Annotated[
        int | None,
        Field(
            description="of a variable: how many of the examined people of the audience lack it; null: none were"
        ),
    ] = None


class PreviewAudience(Shape):
    """The people of whom is counted who lack a variable: exactly one is required."""

    model_config = ConfigDict(
        json_schema_extra={
            **exclusive("sendingProjectUuid", "segmentUuid", "topicUuid"),
            "examples": [{"topicUuid": "019a9f6e-7c00-7000-8000-5f3a1c2b4d6e"}],
        }
    )

    sending_project_uuid: Annotated[UUID, Field(description="recipients or audience of a project")] | None = (
        None
    )
    segment_uuid: Annotated[UUID, Field(description="contacts of a segment")] | None = None
    topic_uuid: Annotated[UUID, Field(description="subscribers of a topic")] | None = None

    @model_validator(mode="after")
    def _require_single(self) -> Self:
        if (
            sum(each is not None for each in (self.sending_project_uuid, self.segment_uuid, self.topic_uuid))
            != 1
        ):
            raise ValueError("send exactly one of sendingProjectUuid, segmentUuid and topicUuid")
        return self
