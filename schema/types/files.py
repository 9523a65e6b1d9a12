"""files (contract §3)."""

from typing import Annotated

from pydantic import Field

from schema.types.shape import Created, Shape, Uuid


class File(Shape):
    """Bytes that you brought, or that an export made."""

    id: Uuid
    name: Annotated[str, Field(description="shown to people; what it was called when it came")]
    original_name: Annotated[str, Field(description="ours and unique; the payload is fetched by it")]
    mime: Annotated[str, Field(description="its media type, by its name or as declared")]
    size: Annotated[int, Field(description="bytes")]
    sha256: Annotated[str, Field(description="of its bytes, in hexadecimal")]
    created_at: Created
