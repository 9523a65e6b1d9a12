"""Free-form JSON that a caller hands in: its size, and null that is told from nothing."""

from typing import Any, Self

import orjson
from pydantic import AfterValidator, model_validator

from shapes.shape import Shape


def json_at_most(size: int) -> AfterValidator:
    """Returns the validator for `Annotated[Json, json_at_most(…)]`: at most `size` bytes as JSON."""

    def check(value: Any) -> Any:
        try:
            written = len(orjson.dumps(value))
        except orjson.JSONEncodeError as error:  # only what a GraphQL document can hold, never parsed JSON
            raise ValueError("must be JSON with integers of at most 64 bits") from error
        if written > size:
            raise ValueError(f"is larger than {size // 1024} KiB when written as JSON ({written} bytes)")
        return value

    return AfterValidator(check)


class WithValue(Shape):
    """A GraphQL input whose `value` may be null, but not left out.

    For GraphQL a nullable field is an optional one, and a variable that was forgotten would overwrite with
    null. The field has a default factory, since a plain default is filled in before we could tell.
    """

    @model_validator(mode="after")
    def _require_value(self) -> Self:
        if "value" not in self.model_fields_set:
            raise ValueError("value is missing; send null to keep null")
        return self


def nothing() -> None:
    """Returns the default factory of such a `value`."""
