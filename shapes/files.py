"""files (contract §3)."""

from typing import Annotated, ClassVar

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.shape import Created, Shape, Uuid
from shapes.where import Contains, Exactly, Ids, Order, TimeSpan, Where


class File(Shape):
    """A file that you uploaded or that an export created."""

    id: Uuid
    name: Annotated[str, Field(description="display name: the file name at the upload")]
    original_name: Annotated[
        str, Field(description="unique name that the service has given the file; it is used to download it")
    ]
    mime: Annotated[
        str, Field(description="media type, derived from the file name or as declared at the upload")
    ]
    size: Annotated[int, Field(description="size in bytes")]
    sha256: Annotated[str, Field(description="SHA-256 hash of the file, in hexadecimal")]
    created_at: Created


class FileWhere(Where):
    """Filter for files."""

    kinds: ClassVar = {"id": "File", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    name: Annotated[Contains | None, Field(description="filter by a part of the name")] = None
    mime: Annotated[Exactly | None, Field(description="filter by media type")] = None
    sha256: Annotated[Exactly | None, Field(description="filter by SHA-256 hash, in hexadecimal")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of the upload")] = None


class FileSort(DescribedEnum):
    """Sort keys of files."""

    createdAt = "createdAt", "time of creation"  # noqa: N815  as GraphQL and its cursors write it
    name = "name", "by name, compared character by character"  # type: ignore[assignment]  # Enum.name
    size = "size", "by size in bytes"


class FileOrder(Order):
    """Sort order of files."""

    field: Annotated[FileSort, Field(description="sort key")] = FileSort.createdAt
