"""Fields of contacts: their owner says which there are, and of which type."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.shape import Created, Id, Line, Shape, Text, Updated
from shapes.values import nothing
from shapes.where import Exactly, Ids, Where

MOST_FIELDS = 100  # of one owner
WORDS_OF_BOOL: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("yes", "y", "true", "1", "ja", "да", "oui", "si", "sí", "sì", "sim", "tak"), True),
    **dict.fromkeys(("no", "n", "false", "0", "nein", "нет", "non", "não", "nao", "nie"), False),
}
"""Words that cells of a list have for yes and no."""

FieldKey = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$",
        description="name of the field: letters, digits and _, beginning with a letter",
        examples=["birthday"],
    ),
]
FieldLabel = Annotated[
    Line, Field(max_length=100, description="name of the field for people", examples=["Birthday"])
]
FieldPattern = Annotated[
    Text,
    Field(
        max_length=500,
        description="regular expression that texts of the field must match, without look-around and backreferences",
        examples=["^[A-Z]{2}[0-9]{4}$"],
    ),
]


class ContactFieldType(DescribedEnum):
    """Type of a field's values."""

    text = "text", "a text of at most 1,000 characters"
    number = "number", "a number"
    date = "date", "a day, as 2027-01-31"
    bool = "bool", "true or false"
    list = "list", "at most 50 texts of at most 200 characters each"


class ContactField(Shape):
    """A field that the contacts of its owner may have."""

    id: Id
    key: Annotated[str, Field(description="name of the field", examples=["birthday"])]
    type: Annotated[ContactFieldType, Field(description="type of its values; it never changes")]
    label: Annotated[str | None, Field(description="name of the field for people")]
    pattern: Annotated[str | None, Field(description="regular expression that texts of the field must match")]
    created_at: Created
    updated_at: Updated


class NewContactField(Shape):
    """The values of a new field."""

    key: FieldKey
    type: Annotated[ContactFieldType, Field(description="type of its values; it can't be changed later")]
    label: FieldLabel | None = None
    pattern: FieldPattern | None = None


class ContactFieldPatch(Shape):
    """The values of a field that change; the others stay. Contacts keep the values that they have."""

    label: FieldLabel | None = Field(default_factory=nothing)
    pattern: FieldPattern | None = Field(default_factory=nothing)


class ContactFieldWhere(Where):
    """Filter for fields of contacts."""

    kinds: ClassVar = {"id": "ContactField", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    key: Annotated[Exactly | None, Field(description="filter by the name of the field")] = None
