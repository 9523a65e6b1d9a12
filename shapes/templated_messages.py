"""Messages whose text comes from a template."""

from typing import Annotated, Any, Self

import strawberry
from pydantic import model_validator
from strawberry.scalars import JSON

from shapes.messages import SendMessage
from shapes.shape import Text
from shapes.template_sources import FIELDS, RequestedLocale, TemplateKey, Variables, VersionNumber

WITH_TEMPLATE = "key of a template of yours, in place of `body`: its newest published text is rendered"


class TemplatedMessage(SendMessage):
    """A message whose text comes from a template: it has no body of its own."""

    body: Text | None = None  # type: ignore[assignment]  # the template has it
    template_key: TemplateKey
    template_version: VersionNumber | None = None
    locale: RequestedLocale | None = None
    variables: Annotated[Variables | None, strawberry.field(graphql_type=JSON | None)] = None

    @model_validator(mode="after")
    def _require_single_text(self) -> Self:
        if self.body is not None:
            raise ValueError("body and templateKey exclude each other; leave out one of them")
        return self


def names_template(data: Any) -> bool:
    """Returns whether the data of a message name a template. Raises ValueError if they have values for none."""
    if not isinstance(data, dict):
        return False
    # pydantic is values the names of the attributes by GraphQL, and the public ones by REST.
    values = {
        name for name, public in FIELDS.items() if any(data.get(each) is not None for each in (name, public))
    }
    if values and "template_key" not in values:
        names = ", ".join(FIELDS[name] for name in FIELDS if name in values)
        raise ValueError(f"{names}: it goes with templateKey; leave it out, or name a template")
    return bool(values)


def without_template(data: Any) -> Any:
    """Returns the data of a message that names no template, without the fields for one."""
    fields = FIELDS.keys() | FIELDS.values()
    if not isinstance(data, dict):
        return data
    return (
        {name: value for name, value in data.items() if name not in fields} if fields & data.keys() else data
    )
