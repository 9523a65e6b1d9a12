"""Describes JSON Schemas by words and examples, for people."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rest.frame.html import Html, join, tag

Schema = Mapping[str, Any]

# Limits as large as this only protect the service; callers do not need to know them.
_ENDLESS = 1_000_000
_DEEPEST = 6  # nested levels of an example, because a shape may contain itself
_FORMATS = {"uuid": "UUID", "date-time": "time", "email": "email address", "uri": "URL"}
_BY_FORMAT = {
    "uuid": "019a9f6e-7c00-7000-8000-5f3a1c2b4d6e",
    "date-time": "2026-11-20T12:00:00.000Z",
    "email": "ada@example.com",
    "uri": "https://example.com/",
}
# Examples of fields whose first possible value would make an impossible response.
_BY_NAME: dict[str, Any] = {
    "accessToken": "eyJhbGciOiJIUzI1NiJ9.…",
    "balance": 12.5,
    "direction": "outbound",
    "limit": 20,
    "providerMessageId": "1f6c0d7e",
    "refreshToken": "qE1…",
    "roles": ["user"],
}
_BY_TYPE: dict[str, Any] = {"string": "text", "integer": 1, "number": 0.5, "boolean": True, "null": None}


class Shapes:
    """The named schemas of the OpenAPI document."""

    def __init__(self, document: Schema) -> None:
        self.named: dict[str, Schema] = dict(document.get("components", {}).get("schemas", {}))
        self._examples = self._by_field()

    def _by_field(self) -> dict[str, Any]:
        """Returns examples by field name. One shape's example serves all fields of that name."""
        found: dict[str, Any] = {}
        for schema in self.named.values():
            for name, field in schema.get("properties", {}).items():
                if (given := _given(field)) is not None:
                    found.setdefault(name, given)
        return found

    def resolve(self, schema: Schema) -> Schema:
        """Returns the schema without `$ref`. Keys beside the `$ref` (a description) override the referenced schema."""
        while "$ref" in schema:
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**self.named[name_of(schema)], **beside}
        return schema

    def fields(self, schema: Schema) -> Mapping[str, Schema]:
        """Returns the fields of an object, of a list's items, or of the first alternative of several."""
        schema = self.resolve(without_null(schema))
        if schema.get("type") == "array":
            return self.fields(schema["items"])
        properties: Mapping[str, Schema] = schema.get("properties", {})
        return properties

    def required(self, schema: Schema) -> set[str]:
        """Returns the names of the required fields."""
        schema = self.resolve(without_null(schema))
        return (
            self.required(schema["items"])
            if schema.get("type") == "array"
            else set(schema.get("required", ()))
        )

    def words(self, schema: Schema) -> Html:
        """Returns the type in words, with links to shapes: `UUID or null`, `array of Message`."""
        if "$ref" in schema:
            name = name_of(schema)
            if "enum" in self.named[name]:
                return _one_of(self.named[name]["enum"])
            return tag("a", title_of(name, self.named[name]), href=f"#{anchor(name)}")
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            return _joined([self.words(option) for option in options], " or ")
        if "enum" in schema:
            return _one_of(schema["enum"])
        if "const" in schema:
            return _one_of([schema["const"]])
        kind = schema.get("type")
        if isinstance(kind, list):
            return _joined([self.words({**schema, "type": one}) for one in kind], " or ")
        if kind == "array":
            return join("array of ", self.words(schema.get("items", {})))
        if kind is None:
            return join("any JSON")
        return join(_FORMATS.get(schema.get("format", ""), kind))

    def limits(self, schema: Schema) -> list[str]:
        """Returns the limits of a value, one phrase each."""
        schema = without_null(schema)
        kind = schema.get("type")
        low, high = schema.get("minimum"), schema.get("maximum")
        said = _between(low, high, "")
        if kind == "string":
            said = _between(schema.get("minLength"), schema.get("maxLength"), " characters")
        elif kind == "array":
            said = _between(schema.get("minItems"), schema.get("maxItems"), " entries")
        elif kind == "object":
            said = _between(schema.get("minProperties"), schema.get("maxProperties"), " keys")
        pattern = schema.get("pattern", "")
        # A pattern that only excludes control characters is not worth showing.
        told = f"matches `{pattern}`" if pattern and "\\x00" not in pattern else ""
        return [part for part in (said, told) if part]

    def example(self, schema: Schema, name: str = "", depth: int = 0) -> Any:
        """Returns a valid value, the document's own example if there is one."""
        if (given := _given(schema)) is not None:
            return given
        if name in _BY_NAME:
            return _BY_NAME[name]
        schema = self.resolve(without_null(schema))
        if (given := _given(schema)) is not None:
            return given
        if "default" in schema and schema["default"] is not None:
            return schema["default"]
        for key in ("enum", "const"):
            if key in schema:
                return schema[key][0] if key == "enum" else schema[key]
        kind = schema.get("type")
        if kind == "object" and "properties" in schema:
            fields = schema["properties"].items() if depth < _DEEPEST else ()
            return {key: self.example(field, key, depth + 1) for key, field in fields}
        if kind == "array":
            return [self.example(schema.get("items", {}), "", depth + 1)]
        if name in self._examples:
            return self._examples[name]
        if kind == "object":
            return {}
        if schema.get("format") in _BY_FORMAT:
            return _BY_FORMAT[schema["format"]]
        return max(schema.get("minimum", 1), 1) if kind == "integer" else _BY_TYPE.get(str(kind), "any JSON")

    def request(self, schema: Schema) -> Any:
        """Returns the smallest useful body: the required fields, otherwise the first field that may be set."""
        if (given := _given(schema)) is not None:
            return given
        fields, required = self.fields(schema), self.required(schema)
        if not fields or self.resolve(without_null(schema)).get("type") == "array":
            return self.example(schema)
        free = [name for name, its in fields.items() if not described(its).startswith("read-only")]
        shown = [name for name in free if name in required]
        shown = shown or [name for name in free if _given(fields[name]) is not None][:1] or free[:1]
        return {name: self.example(fields[name], name) for name in shown}


def name_of(schema: Schema) -> str:
    """Returns the name of the schema that a `$ref` points to."""
    return str(schema["$ref"]).rpartition("/")[2]


def anchor(name: str) -> str:
    """Returns the id of a shape's section on the page."""
    return f"shape-{name.strip('_')}"


def title_of(name: str, schema: Schema) -> str:
    """Returns the title of a shape."""
    return str(schema.get("title", name))


def described(schema: Schema) -> str:
    """Returns the description of a schema, or that of its alternative to null."""
    return str(schema.get("description") or without_null(schema).get("description", ""))


def _given(schema: Schema) -> Any:
    for one in (schema, without_null(schema)):
        if "example" in one:
            return one["example"]
        if one.get("examples"):
            return one["examples"][0]
    return None


def without_null(schema: Schema) -> Schema:
    """Returns the schema without the alternative null."""
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    if not options:
        return schema
    return {**{key: value for key, value in schema.items() if key != "anyOf"}, **options[0]}


def _one_of(values: list[Any]) -> Html:
    return _joined([tag("code", str(value)) for value in values], " | ")


def _joined(parts: Sequence[Html], between: str) -> Html:
    return Html(escape(between).join(parts))


def _between(low: Any, high: Any, unit: str) -> str:
    low = None if low in (None, 0) else _number(low)
    high = None if high is None or high >= _ENDLESS * 1000 or (unit and high >= _ENDLESS) else _number(high)
    if low is not None and high is not None:
        return f"{low} to {high}{unit}" if low != high else f"{low}{unit}"
    if low is not None:
        return f"at least {low}{unit}"
    return f"at most {high}{unit}" if high is not None else ""


def _number(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) and value != int(value) else str(int(value))
