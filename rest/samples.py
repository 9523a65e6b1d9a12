"""JSON Schema in words and by example: what a person reads of a type."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rest.html import Html, join, tag

Schema = Mapping[str, Any]

# Bounds as large as these guard the machine; nobody who calls has to know them.
_ENDLESS = 1_000_000
_DEEPEST = 6  # levels of an example; a shape may contain itself
_FORMATS = {"uuid": "UUID", "date-time": "time", "email": "email address", "uri": "URL"}
_BY_FORMAT = {
    "uuid": "019a9f6e-7c00-7000-8000-5f3a1c2b4d6e",
    "date-time": "2026-11-20T12:00:00.000Z",
    "email": "ada@example.com",
    "uri": "https://example.com/",
}
# Where a field's first possible value would make an answer that never is.
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
    """The document's named schemas."""

    def __init__(self, document: Schema) -> None:
        self.named: dict[str, Schema] = dict(document.get("components", {}).get("schemas", {}))
        self._examples = self._by_field()

    def _by_field(self) -> dict[str, Any]:
        """An example that one shape has for a field serves all fields of that name."""
        found: dict[str, Any] = {}
        for schema in self.named.values():
            for name, field in schema.get("properties", {}).items():
                if (given := _given(field)) is not None:
                    found.setdefault(name, given)
        return found

    def resolve(self, schema: Schema) -> Schema:
        """Without `$ref`; what stands beside it (a description) goes before what it names."""
        while "$ref" in schema:
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**self.named[name_of(schema)], **beside}
        return schema

    def fields(self, schema: Schema) -> Mapping[str, Schema]:
        """Of an object, or of the objects that a list has, or of the first shape of several."""
        schema = self.resolve(without_null(schema))
        if schema.get("type") == "array":
            return self.fields(schema["items"])
        properties: Mapping[str, Schema] = schema.get("properties", {})
        return properties

    def required(self, schema: Schema) -> set[str]:
        schema = self.resolve(without_null(schema))
        return (
            self.required(schema["items"])
            if schema.get("type") == "array"
            else set(schema.get("required", ()))
        )

    def words(self, schema: Schema) -> Html:
        """`UUID or null`, `array of Message`, with links to the shapes."""
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
        """What a value must keep to, a phrase each."""
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
        # A pattern that only keeps control characters out tells nobody anything.
        told = f"matches `{pattern}`" if pattern and "\\x00" not in pattern else ""
        return [part for part in (said, told) if part]

    def example(self, schema: Schema, name: str = "", depth: int = 0) -> Any:
        """A value that fits, the document's own example where it has one."""
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
        """The least that a caller sends: what is required, else the first field that may be set."""
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
    return str(schema["$ref"]).rpartition("/")[2]


def anchor(name: str) -> str:
    return f"shape-{name.strip('_')}"


def title_of(name: str, schema: Schema) -> str:
    return str(schema.get("title", name))


def described(schema: Schema) -> str:
    """Its description; of something that may be null, that of what it is else."""
    return str(schema.get("description") or without_null(schema).get("description", ""))


def _given(schema: Schema) -> Any:
    for one in (schema, without_null(schema)):
        if "example" in one:
            return one["example"]
        if one.get("examples"):
            return one["examples"][0]
    return None


def without_null(schema: Schema) -> Schema:
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
