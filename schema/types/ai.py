"""Texts by a language model (contract §3)."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from schema.types.shape import Line, Shape, Text

LONGEST = 10_000
"""Characters of one text."""


class GenerateText(Shape):
    """What a text shall say, and how."""

    prompt: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=8000,
            description="what the text shall say",
            examples=["Invite our customers to the summer sale"],
        ),
    ]
    sending_project_uuid: (
        Annotated[UUID, Field(description="the project that it is for: its name, channel and text are told")]
        | None
    ) = None
    tone: (
        Annotated[
            Line, Field(min_length=1, max_length=64, description="how it sounds", examples=["friendly"])
        ]
        | None
    ) = None
    language: (
        Annotated[
            str,
            Field(
                pattern=r"^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8}){0,3}$",
                description="a language tag (BCP 47)",
                examples=["en-GB"],
            ),
        ]
        | None
    ) = None
    max_length: (
        Annotated[int, Field(ge=1, le=LONGEST, description="characters of one text at most")] | None
    ) = None
    variants: Annotated[int, Field(ge=1, le=5, description="how many texts")] = 1


class TokenUsage(Shape):
    """What it took, as the model counts."""

    prompt_tokens: Annotated[int, Field(description="of what was asked")]
    completion_tokens: Annotated[int, Field(description="of what was answered")]
    total_tokens: Annotated[int, Field(description="of both")]


class GeneratedText(Shape):
    """Texts by a language model. Read them before you send them."""

    texts: Annotated[list[str], Field(description="as many as were asked for")]
    model: Annotated[str, Field(description="who wrote them")]
    usage: Annotated[TokenUsage, Field(description="what it took")]
