"""Pictures of letters."""

from typing import Annotated, ClassVar

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.shape import Created, Shape, Uuid
from shapes.where import Contains, Exactly, Ids, Order, TimeSpan, Where


class StoredPicture(Shape):
    """A picture for letters that you uploaded, as it is served: written anew from its pixels, without what else the
    file had.
    """

    id: Uuid
    name: Annotated[str, Field(description="display name: the file name at the upload")]
    mime: Annotated[
        str,
        Field(
            description="media type: `image/png`, `image/jpeg` or `image/gif`; a WebP has become one of them",
            examples=["image/png"],
        ),
    ]
    width: Annotated[int, Field(description="width in pixels")]
    height: Annotated[int, Field(description="height in pixels")]
    frames: Annotated[int, Field(description="number of frames: more than one in an animated GIF")]
    size: Annotated[int, Field(description="size in bytes, as it is served")]
    sha256: Annotated[str, Field(description="SHA-256 hash of the picture as it is served, in hexadecimal")]
    created_at: Created


URL = "public address of the picture, which needs no credential and can't be guessed: the `src` of an `img`"


class Picture(StoredPicture):
    """A picture for letters with its public address."""

    url: Annotated[str, Field(description=URL)]


class PictureWhere(Where):
    """Filter for pictures."""

    kinds: ClassVar = {"id": "Picture", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    name: Annotated[Contains | None, Field(description="filter by a part of the name")] = None
    mime: Annotated[Exactly | None, Field(description="filter by media type")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of the upload")] = None


class PictureSort(DescribedEnum):
    """Sort keys of pictures."""

    createdAt = "createdAt", "time of creation"  # noqa: N815  as GraphQL and its cursors write it
    name = "name", "by name, compared character by character"  # type: ignore[assignment]  # Enum.name
    size = "size", "by size in bytes"


class PictureOrder(Order):
    """Sort order of pictures."""

    field: Annotated[PictureSort, Field(description="sort key")] = PictureSort.createdAt
