"""The audience of a project that is sent to the subscribers of topics."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.shape import Shape

MOST_TOPICS = 10
MOST_PROJECTS = 20  # whose recipients are left out

_ID = "01890000-0000-7000-8000-000000000002"


class ProjectAudience(Shape):
    """The contacts that get a project: those that are subscribed to one of these topics on its channel when it starts,
    each once.
    """

    topic_uuids: Annotated[list[UUID], Field(description="uuids of topics", examples=[[_ID]])]
    except_topic_uuids: Annotated[
        list[UUID], Field(description="uuids of topics whose subscribers are left out")
    ] = Field(default_factory=list)
    except_project_uuids: Annotated[
        list[UUID], Field(description="uuids of projects whose recipients are left out")
    ] = Field(default_factory=list)


class ProjectAudienceInput(Shape):
    """The contacts that get a project: those that are subscribed to one of these topics on its channel when it starts,
    each once.
    """

    topic_uuids: Annotated[
        list[UUID],
        Field(
            min_length=1,
            max_length=MOST_TOPICS,
            description=f"uuids of topics, at most {MOST_TOPICS}, of the category that the project has",
            examples=[[_ID]],
        ),
    ]
    except_topic_uuids: Annotated[
        list[UUID],
        Field(max_length=MOST_TOPICS, description="uuids of topics whose subscribers are left out"),
    ] = Field(default_factory=list)
    except_project_uuids: Annotated[
        list[UUID],
        Field(max_length=MOST_PROJECTS, description="uuids of projects whose recipients are left out"),
    ] = Field(default_factory=list)
