"""files (contract §3)."""

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from schema.types.shape import Created, Shape, Uuid
from schema.types.where import Contains, Exactly, Ids, Order, TimeSpan, Where


class File(Shape):
    """Bytes that you brought, or that an export made."""

    id: Uuid
    name: Annotated[str, Field(description="shown to people; what it was called when it came")]
    original_name: Annotated[str, Field(description="ours and unique; the payload is fetched by it")]
    mime: Annotated[str, Field(description="its media type, by its name or as declared")]
    size: Annotated[int, Field(description="bytes")]
    sha256: Annotated[str, Field(description="of its bytes, in hexadecimal")]
    created_at: Created


class FileWhere(Where):
    """What must hold for files."""

    kinds: ClassVar = {"id": "File", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose they are")] = None
    name: Annotated[Contains | None, Field(description="a part of what they are called")] = None
    mime: Annotated[Exactly | None, Field(description="their media type")] = None
    sha256: Annotated[Exactly | None, Field(description="of their bytes, in hexadecimal")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they came")] = None


class FileSort(StrEnum):
    """What files are ordered by."""

    createdAt = "createdAt"  # noqa: N815  as GraphQL and its cursors write it
    name = "name"
    size = "size"


class FileOrder(Order):
    """An order to read files in."""

    field: Annotated[FileSort, Field(description="what decides")] = FileSort.createdAt
