"""The audience of a project that is sent to contacts: subscribers of topics, and those in segments."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from shapes.shape import Shape

MOST_TOPICS = 10
MOST_SEGMENTS = 10
MOST_PROJECTS = 20  # whose recipients are left out

_ID = "01890000-0000-7000-8000-000000000002"


class ProjectAudience(Shape):
    """The contacts that get a project, each once: those that are subscribed to one of the topics on its channel when it
    starts, and are in one of the segments, if there are any.
    """

    topic_uuids: Annotated[
        list[UUID], Field(description="uuids of topics; none: all contacts of the segments", examples=[[_ID]])
    ]
    segment_uuids: Annotated[
        list[UUID], Field(description="uuids of segments; none: all subscribers of the topics")
    ] = Field(default_factory=list)
    except_topic_uuids: Annotated[
        list[UUID], Field(description="uuids of topics whose subscribers are left out")
    ] = Field(default_factory=list)
    except_segment_uuids: Annotated[
        list[UUID], Field(description="uuids of segments whose contacts are left out")
    ] = Field(default_factory=list)
    except_project_uuids: Annotated[
        list[UUID], Field(description="uuids of projects whose recipients are left out")
    ] = Field(default_factory=list)


class ProjectAudienceInput(Shape):
    """The contacts that get a project, each once: those that are subscribed to one of the topics on its channel when it
    starts, and are in one of the segments, if there are any.
    """

    topic_uuids: Annotated[
        list[UUID],
        Field(
            max_length=MOST_TOPICS,
            description=f"uuids of topics, at most {MOST_TOPICS}, of the category that the project has; a promotional "
            "project needs one, because people have agreed to topics",
            examples=[[_ID]],
        ),
    ] = Field(default_factory=list)
    segment_uuids: Annotated[
        list[UUID],
        Field(max_length=MOST_SEGMENTS, description="uuids of segments, to which it is narrowed down"),
    ] = Field(default_factory=list)
    except_topic_uuids: Annotated[
        list[UUID],
        Field(max_length=MOST_TOPICS, description="uuids of topics whose subscribers are left out"),
    ] = Field(default_factory=list)
    except_segment_uuids: Annotated[
        list[UUID],
        Field(max_length=MOST_SEGMENTS, description="uuids of segments whose contacts are left out"),
    ] = Field(default_factory=list)
    except_project_uuids: Annotated[
        list[UUID],
        Field(max_length=MOST_PROJECTS, description="uuids of projects whose recipients are left out"),
    ] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check_contacts(self) -> Self:
        if not self.topic_uuids and not self.segment_uuids:
            raise ValueError("send topicUuids or segmentUuids")
        return self
