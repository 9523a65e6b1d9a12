"""A tool, made from an operation: its sentence, its permission and its schemas are the operation's.

    operation ──► parameters: UUID → a property, a shape → its properties, a page → limit and after
              ──► text, permission, mode → description, who is offered the tool, hints
    shape of the answer ──► the fields of it that a model needs

A model reads every word of a tool with each request, so a tool offers only fields that are named here.
"""

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Final
from uuid import UUID

from mcp_types import Tool as OfferedTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, TypeAdapter, ValidationError

from core.errors import ValidationFailed
from core.validation import readable_message
from db.lists import PageArgs, conditions
from runtime.fast.row_writer import converter_of
from runtime.operation import Operation
from shapes.where import like

PAGE: Final = 20
"""Rows of a list that one call returns at most."""
LONGEST_TEXT: Final = 1_000
"""Characters of a text that came from outside, and of each other one, in an answer."""
_IDEMPOTENCY: Final = {
    "idempotencyKey": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "a new text of yours for each new act, such as a UUID; repeat a call with the same one",
    },
    "again": {
        "type": "boolean",
        "description": "true: do it although the same was done in the last 15 minutes",
    },
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A filter of a list that a tool offers: its type, and what it is compared with."""

    type: Any
    name: str
    operator: str = "eq"

    def value(self, sent: Any, public: str) -> Any:
        """Returns the value as the list compares it. Raises ValidationFailed."""
        value = _valid(self.type, sent, public)
        return like(value) if self.operator == "contains" else value


@dataclass(frozen=True)
class Tool:
    """A tool of the catalog. Names of fields are those that the API shows."""

    name: str
    call: Callable[..., Coroutine[Any, Any, Any]]
    """The operation, as a door calls it."""
    gives: type[BaseModel]
    """The shape of the answer, or of the rows of a list."""
    fields: Sequence[str]
    """Fields of the answer that are returned."""
    takes: Sequence[str] = ()
    """Fields of the operation's input that are offered."""
    input: type[BaseModel] | None = None
    """The shape of the input, if a door's is another one than the operation's."""
    requires: Sequence[str] = ()
    """Fields that a call must have, beside those that the input requires."""
    filters: Mapping[str, Comparison] = field(default_factory=dict)
    says: str = ""
    """Further sentences for a model, beside the operation's own text."""
    strangers: frozenset[str] = frozenset()
    """Fields whose texts others have written, such as those who answer a message."""
    sends: bool = False
    """True if it moves money or reaches a crowd: then a call needs an idempotency key."""
    is_same_act: bool = True
    """False if the same arguments may be a new act within minutes, as a start after a stop is."""
    destroys: bool = False

    @property
    def operation(self) -> Operation:
        """Returns the operation."""
        operation: Operation = self.call.operation  # type: ignore[attr-defined]  # `@operation` has set it
        return operation

    @cached_property
    def _parameters(self) -> Mapping[str, Any]:
        signature = inspect.signature(self.operation.work)
        return {name: parameter.annotation for name, parameter in [*signature.parameters.items()][1:]}

    @cached_property
    def _input(self) -> tuple[str, type[BaseModel]] | None:
        """Returns the parameter that is a shape, with it."""
        for name, annotation in self._parameters.items():
            if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
                return name, self.input or annotation
        return None

    @property
    def lists(self) -> bool:
        """Returns whether the tool reads a page of a list."""
        return PageArgs in self._parameters.values()

    @cached_property
    def _plain(self) -> Callable[[Any], Mapping[str, Any]]:
        """Returns what turns a row into plain data, as for REST."""
        converter = converter_of(self.gives)
        if converter is None:
            raise TypeError(f"{self.gives.__name__} is no shape")
        return converter

    def offered(self) -> OfferedTool:
        """Returns the tool as `tools/list` shows it."""
        reads = self.operation.mode == "read"
        return OfferedTool(
            name=self.name,
            description=" ".join(part for part in (_first_sentence(self.operation.text), self.says) if part),
            input_schema=self.schema,
            annotations=ToolAnnotations(
                read_only_hint=reads,
                destructive_hint=None if reads else self.destroys,
                idempotent_hint=None if reads else self.sends,
                open_world_hint=self.sends,
            ),
        )

    @cached_property
    def schema(self) -> dict[str, Any]:
        """Returns the JSON Schema of the arguments, without what no property needs."""
        properties: dict[str, Any] = {}
        required: list[str] = []
        definitions: dict[str, Any] = {}
        for name, annotation in self._parameters.items():
            if annotation is UUID:
                properties[_public(name)] = {"type": "string", "format": "uuid"}
                required.append(_public(name))
            elif annotation is PageArgs:
                properties["limit"] = {"type": "integer", "minimum": 1, "maximum": PAGE}
                properties["after"] = {"type": "string", "description": "`next` of the page before"}
        if self._input is not None:
            whole = self._input[1].model_json_schema(by_alias=True)
            properties |= {name: whole["properties"][name] for name in self.takes}
            required += [name for name in whole.get("required", ()) if name in self.takes]
            definitions = whole.get("$defs", {})
        for name, comparison in self.filters.items():
            properties[name] = TypeAdapter(comparison.type).json_schema()
            definitions |= properties[name].pop("$defs", {})
        if self.sends:
            properties |= _IDEMPOTENCY
            required.append("idempotencyKey")
        required += self.requires
        schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
        if required:
            schema["required"] = required
        if used := _used(properties, definitions):
            schema["$defs"] = used
        plain: dict[str, Any] = _without_noise(schema)
        return plain

    def arguments(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments of the operation. Raises ValidationFailed, with a sentence for each broken rule."""
        unknown = [name for name in sent if name not in self.schema["properties"]]
        missing = [name for name in self.schema.get("required", ()) if name not in sent]
        rules = [f"{name[:100]}: this tool has no such argument" for name in unknown]
        rules += [f"{name}: this argument is needed" for name in missing]
        if rules:
            raise ValidationFailed(rules[:20])
        arguments: dict[str, Any] = {}
        for name, annotation in self._parameters.items():
            if annotation is UUID:
                arguments[name] = _valid(UUID, sent[_public(name)], _public(name))
            elif annotation is PageArgs:
                first = _valid(int, sent.get("limit", PAGE), "limit")
                after = _valid(str | None, sent.get("after"), "after")
                arguments[name] = PageArgs(first=min(max(first, 1), PAGE), after=after)
            elif name == "where":
                arguments[name] = conditions(
                    {
                        (comparison.name, comparison.operator): comparison.value(sent[public], public)
                        for public, comparison in self.filters.items()
                        if public in sent
                    }
                )
        if self._input is not None:
            name, shape = self._input
            arguments[name] = _valid(shape, {each: sent[each] for each in self.takes if each in sent}, "")
        return arguments

    def answer(self, row: Any) -> dict[str, Any]:
        """Returns a row, or an answer, as the fields that the tool gives."""
        plain = self._plain(row)
        return {
            name: _bounded(plain[name], outside=name in self.strangers)
            for name in self.fields
            if plain.get(name) is not None
        }


def _valid(type: Any, value: Any, name: str) -> Any:
    """Returns a value as the type that the operation takes. Raises ValidationFailed."""
    try:
        return _adapter(type).validate_python(value)
    except ValidationError as error:
        rules = [
            f"{'.'.join(str(part) for part in (name, *each['loc']) if part != '')}:"
            f" {readable_message(each['type'], each['msg'])}"
            for each in error.errors(include_url=False, include_input=False)[:20]
        ]
        raise ValidationFailed(rules) from error


@cache
def _adapter(type: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type)


def _bounded(value: Any, *, outside: bool) -> Any:
    """Returns a value whose texts have a bound. Texts that came from outside are marked as data for the model."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", by_alias=True)
    if isinstance(value, str):
        text = value if len(value) <= LONGEST_TEXT else f"{value[:LONGEST_TEXT]}…"
        return {"untrustedText": text} if outside else text
    if isinstance(value, dict):
        return {name: _bounded(each, outside=outside) for name, each in [*value.items()][:50]}
    if isinstance(value, list):
        return [_bounded(each, outside=outside) for each in value[:50]]
    return value


def _public(name: str) -> str:
    """Returns the name of an argument, as an API writes it."""
    first, *further = name.split("_")
    return first + "".join(part.capitalize() for part in further)


def _first_sentence(text: str) -> str:
    end = text.find(". ")
    return text if end < 0 else text[: end + 1]


def _used(node: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the definitions that a schema refers to, and those that these refer to."""
    used: dict[str, Any] = {}
    open = [node]
    while open:
        each = open.pop()
        if isinstance(each, dict):
            name = str(each.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions and name not in used:
                used[name] = definitions[name]
                open.append(definitions[name])
            open += each.values()
        elif isinstance(each, list):
            open += each
    return used


def _without_noise(schema: Any) -> Any:
    """Returns a schema without titles and examples: they cost a model's context, and say nothing new."""
    if isinstance(schema, dict):
        return {
            name: _without_noise(value)
            for name, value in schema.items()
            if name not in ("examples", "default") and not (name == "title" and isinstance(value, str))
        }
    return [_without_noise(each) for each in schema] if isinstance(schema, list) else schema
