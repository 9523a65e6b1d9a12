"""The audience of a project: subscribers of topics, contacts in segments, or recipients of another project."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from shapes.message_chains import StepUntil
from shapes.shape import Shape

MOST_TOPICS = 10
MOST_SEGMENTS = 10
MOST_PROJECTS = 20  # whose recipients are left out
MOST_FOLLOWING = 3  # projects that follow one after the other
SHORTEST_WITHIN = 60
LONGEST_WITHIN = 2_592_000

_ID = "01890000-0000-7000-8000-000000000002"


_FOLLOWS = (
    "the project that it follows: its recipients are those whom the messages of that project do not reach, "
    "each as soon as that is clear; null: none"
)


class FollowedProject(Shape):
    """A project that another one follows, and when its message counts as one that did not reach the recipient."""

    project_uuid: Annotated[UUID, Field(description="uuid of the project", examples=[_ID])]
    until: Annotated[
        StepUntil, Field(description="state with which a message of the project has reached its recipient")
    ]
    within: Annotated[
        int,
        Field(description="seconds after a message was submitted in which it has to be as far as `until`"),
    ]


class FollowedProjectInput(Shape):
    """A project that another one follows, and when its message counts as one that did not reach the recipient."""

    project_uuid: Annotated[UUID, Field(description="uuid of the project, which is yours", examples=[_ID])]
    until: Annotated[
        StepUntil | None,
        Field(
            description="state with which a message of the project has reached its recipient; default: `delivered` "
            "if the channel of the project reports that, else `accepted`, which leaves those whose message failed"
        ),
    ] = None
    within: Annotated[
        int,
        Field(
            ge=SHORTEST_WITHIN,
            le=LONGEST_WITHIN,
            description="seconds after a message was submitted in which it has to be as far as `until`; a message "
            "that fails before is followed at once",
            examples=[3600],
        ),
    ] = 86_400


class ProjectAudience(Shape):
    """The contacts that get a project, each once: those that are subscribed to one of the topics on its channel when it
    starts, and are in one of the segments, if there are any. With `follows` they are the recipients of another project.
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
    follows: Annotated[FollowedProject | None, Field(description=_FOLLOWS)] = None


class ProjectAudienceInput(Shape):
    """The contacts that get a project, each once: those that are subscribed to one of the topics on its channel when it
    starts, and are in one of the segments, if there are any. With `follows` they are the recipients of another project.
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
    follows: Annotated[FollowedProjectInput | None, Field(description=_FOLLOWS)] = None

    @model_validator(mode="after")
    def _check_contacts(self) -> Self:
        narrowed = self.segment_uuids or self.except_topic_uuids or self.except_segment_uuids
        if self.follows is not None and (narrowed or self.except_project_uuids):
            raise ValueError("of the other fields only topicUuids go with follows; leave out the others")
        if self.follows is None and not self.topic_uuids and not self.segment_uuids:
            raise ValueError("send topicUuids, segmentUuids or follows")
        return self
