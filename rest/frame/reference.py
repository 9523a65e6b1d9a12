"""Renders the OpenAPI document as one HTML page, for `/docs`."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from rest.frame.html import Html, join, page, paragraphs, prose, tag
from rest.frame.samples import Schema, Shapes, anchor, described, name_of, title_of, without_null
from runtime.operation import OPERATIONS
from runtime.operation_index import RootField
from runtime.permissions import ROLES, Permission
from shapes.users import Role

_DEEPEST = 4  # levels of nested fields that are shown
_BODYLESS = "nothing"


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the document, with the operations that it calls."""

    method: str
    path: str
    spec: Mapping[str, Any]
    operations: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """The id of the route's section on the page."""
        return str(self.spec["operationId"])

    @property
    def group(self) -> str:
        """The heading under which the page lists the route: its first tag."""
        return str(self.spec["tags"][0])


@dataclass
class Reference:
    """The content of the page. `behind` gives the operations of a route, by method and path."""

    document: Mapping[str, Any]
    fields: Sequence[RootField]
    behind: Callable[[str, str], tuple[str, ...]]
    base: str  # URL of this service, without a trailing slash
    shapes: Shapes = field(init=False)
    routes: list[Route] = field(init=False)
    _refusals: Mapping[str, Schema] = field(init=False)

    def __post_init__(self) -> None:
        self.shapes = Shapes(self.document)
        self.routes = [
            Route(method.upper(), path, spec, self.behind(method.upper(), path))
            for path, item in self.document["paths"].items()
            for method, spec in item.items()
        ]
        self._refusals = self.document["components"].get("responses", {})

    def render(self) -> bytes:
        """Returns the page."""
        info = self.document["info"]
        title = f"{info['title']} {info['version']}"
        return page(
            f"{title}: reference",
            tag("a", "Skip to the operations", class_="skip", href="#operations"),
            self._contents(title),
            tag(
                "main",
                tag("h1", f"{info['title']}: reference"),
                paragraphs(info.get("description", "")),
                self._start(),
                tag("div", *(self._group(name, routes) for name, routes in self._groups()), id="operations"),
                self._only_graphql(),
                self._shapes(),
            ),
            class_="reference",
        )

    def _groups(self) -> list[tuple[str, list[Route]]]:
        """Returns the routes by their first tag, in the document's order."""
        groups: dict[str, list[Route]] = {}
        for route in self.routes:
            groups.setdefault(route.group, []).append(route)
        return list(groups.items())

    def _contents(self, title: str) -> Html:
        def entry(route: Route) -> Html:
            return tag(
                "li", tag("a", _method(route), tag("span", _breakable(route.path)), href=f"#{route.anchor}")
            )

        groups = [
            tag("li", tag("a", name, href=f"#{name}"), tag("ul", *map(entry, routes)))
            for name, routes in self._groups()
        ]
        return tag(
            "nav",
            tag("a", title, class_="brand", href="#operations"),
            tag(
                "ul",
                *groups,
                tag("li", tag("a", "only in GraphQL", href="#only-graphql")),
                tag("li", tag("a", "shapes", href="#shapes")),
            ),
            class_="contents",
            aria_label="Contents",
        )

    def _start(self) -> Html:
        login = self._curl("POST", "/auth/login", "-H 'content-type: application/json'", _LOGIN)
        scheme = self.document["components"]["securitySchemes"]["bearer"]
        return join(
            tag("h2", "A credential", id="credential"),
            tag("p", prose(f"Send it as `Authorization: Bearer …`. {scheme['description']}")),
            _copied(f"TOKEN=$({login} \\\n  | {_PICK})"),
            tag(
                "p",
                prose("The lines below take it from there. This document for machines: "),
                tag("a", "/openapi.json", href="/openapi.json"),
                ". GraphQL: ",
                tag("a", "/graphql", href="/graphql"),
                ".",
            ),
        )

    def _group(self, name: str, routes: Sequence[Route]) -> Html:
        return join(tag("h2", name, id=name), *map(self._route, routes))

    def _route(self, route: Route) -> Html:
        spec = route.spec
        name = f"#{route.anchor}"
        return tag(
            "section",
            tag("h3", tag("a", _method(route), tag("code", _breakable(route.path)), href=name)),
            paragraphs(spec.get("description", spec.get("summary", ""))),
            self._facts(route),
            self._parameters(spec.get("parameters", ())),
            self._body(spec.get("requestBody")),
            tag("h4", "Try it"),
            _copied(self._line(route)),
            self._answers(spec["responses"]),
            class_="operation",
            id=route.anchor,
        )

    def _facts(self, route: Route) -> Html:
        doors = [
            tag("code", f"{one.kind} {{ {one.name} }}")
            for one in self.fields
            if set(one.operations) & set(route.operations)
        ]
        facts = [("Who", join(who(route)))]
        if doors:
            facts.append(("GraphQL", Html(", ".join(doors))))
        if route.spec.get("x-postern-extension"):
            facts.append(("Note", join("Postern's own; the specification doesn't list it")))
        rows = [part for word, said in facts for part in (tag("dt", word), tag("dd", said))]
        return tag("dl", *rows, class_="facts")

    def _parameters(self, parameters: Sequence[Schema]) -> Html | None:
        if not parameters:
            return None
        rows = [
            self._field(
                one["name"],
                {
                    **without_null(one.get("schema", {})),
                    "description": one.get("description") or described(one["schema"]),
                },
                required=bool(one.get("required")),
                where=one["in"],
            )
            for one in parameters
        ]
        return join(tag("h4", "Parameters"), tag("dl", *rows, class_="fields"))

    def _body(self, body: Schema | None) -> Html | None:
        if body is None:
            return None
        kind, content = _content(body)
        schema = content.get("schema", {})
        said = [kind if body.get("required") else f"{kind}, optional", body.get("description", "")]
        fields = self._fields(schema)
        return join(
            tag("h4", f"Body: {'; '.join(part for part in said if part)}"),
            fields if fields is not None else tag("p", self.shapes.words(schema), class_="soft"),
        )

    def _fields(self, schema: Schema, depth: int = 0) -> Html | None:
        fields = self.shapes.fields(schema) if depth < _DEEPEST else {}
        if not fields:
            return None
        required = self.shapes.required(schema)
        rows = [
            self._field(name, its, required=name in required, depth=depth) for name, its in fields.items()
        ]
        return tag("dl", *rows, class_="fields")

    def _field(
        self, name: str, schema: Schema, *, required: bool, where: str | None = None, depth: int = 0
    ) -> Html:
        facts = self.shapes.limits(self.shapes.resolve(schema))
        if schema.get("default") is not None:
            facts.append(f"default `{_inline(schema['default'])}`")
        examples = schema.get("examples")
        if examples:
            facts.append(f"for example `{_inline(examples[0])}`")
        said = [part.rstrip(".") for part in (described(schema), *facts) if part]
        kind = join(f"{where}, " if where else None, self.shapes.words(schema))
        return tag(
            "div",
            tag(
                "dt",
                tag("code", name),
                tag("span", "required", class_="required") if required else None,
                tag("span", kind, class_="type"),
            ),
            tag("dd", prose("; ".join(said)), self._fields(schema, depth + 1) if where is None else None),
        )

    def _answers(self, answers: Mapping[str, Schema]) -> Html:
        good = [self._good(status, answer) for status, answer in answers.items() if status < "400"]
        bad = [
            tag("li", tag("span", status, class_="status bad"), self._refusal(answer))
            for status, answer in answers.items()
            if status >= "400"
        ]
        refusals = tag(
            "details",
            tag("summary", f"Refusals: {', '.join(status for status in answers if status >= '400')}"),
            tag("ul", *bad, class_="answers"),
        )
        return join(tag("h4", "Answers"), *good, refusals if bad else None)

    def _good(self, status: str, answer: Schema) -> Html:
        kind, content = _content(answer)
        said = answer.get("description", "")
        schema = content.get("schema", {})
        shown = _BODYLESS if not content else self.shapes.words(schema)
        head = (
            tag("span", status, class_="status ok"),
            shown if isinstance(shown, Html) else tag("span", shown),
            None if said in ("", "Success") else join(": ", prose(said)),
        )
        if not content or "json" not in kind:
            return tag("p", *head)
        example = content.get("example", self.shapes.example(schema))
        return tag(
            "details", tag("summary", *head), tag("pre", tag("code", _json(example)), tabindex="0"), open=True
        )

    def _refusal(self, answer: Schema) -> Html:
        if "$ref" in answer:
            answer = self._refusals[name_of(answer)]
        _, content = _content(answer)
        example = content.get("example", {})
        code = example.get("code") if isinstance(example, dict) else None
        return join(
            prose(answer.get("description", "")),
            join(", for example ", tag("code", code)) if code else None,
        )

    def _line(self, route: Route) -> str:
        """Returns a curl command. It works once TOKEN and the variables in its path are set."""
        path = route.path
        query: list[str] = []
        for one in route.spec.get("parameters", ()):
            schema = one.get("schema", {})
            given = one.get("example", (one.get("examples") or schema.get("examples") or [None])[0])
            if one["in"] == "path":
                shown = f"${one['name'].upper()}" if given is None else quote(str(given), safe="/")
                path = path.replace(f"{{{one['name']}}}", shown)
            elif one["in"] == "query" and one.get("required"):
                given = self.shapes.example(schema, one["name"]) if given is None else given
                query.append(f"{one['name']}={quote(str(given), safe='')}")
        if route.path == "/graphql" and route.method == "GET":
            query = ["query=" + quote("{ health { status } }", safe="")]
        options = []
        if {"bearer": []} in route.spec.get("security", ()):
            options.append('-H "authorization: Bearer $TOKEN"')
        body = None
        kind, content = _content(route.spec.get("requestBody", {}))
        # A form is sent from a file.
        if kind == "multipart/form-data":
            options += [f"-F '{name}=@list.csv'" for name in self.shapes.required(content["schema"])]
        elif content:
            options.append(f"-H 'content-type: {kind}'")
            body = content.get("example", self.shapes.request(content.get("schema", {})))
        return self._curl(route.method, path + ("?" + "&".join(query) if query else ""), *options, body)

    def _curl(self, method: str, path: str, *options: Any) -> str:
        *flags, body = options or (None,)
        words = ["curl -s" if method == "GET" else f"curl -s -X {method}", f'"{self.base}{path}"', *flags]
        if body is not None:
            words.append("-d " + shlex.quote(json.dumps(body, ensure_ascii=False)))
        return " \\\n  ".join([" ".join(words[:2]), *words[2:]])

    def _only_graphql(self) -> Html:
        shown = {name for route in self.routes for name in route.operations}
        rows = [
            tag(
                "div",
                tag("dt", tag("code", one.name), tag("span", one.kind, class_="type")),
                tag("dd", prose(one.description), tag("span", f" {_who(one.operations)}", class_="type")),
            )
            for one in self.fields
            if not set(one.operations) & shown
        ]
        return join(
            tag("h2", "Only in GraphQL", id="only-graphql"),
            tag("p", prose("The specification has no REST route for these.")),
            tag("dl", *rows, class_="fields"),
        )

    def _shapes(self) -> Html:
        return join(tag("h2", "Shapes", id="shapes"), *self._each_shape())

    def _each_shape(self) -> Iterator[Html]:
        for name, schema in sorted(self.shapes.named.items()):
            fields = self._fields(schema, _DEEPEST - 1)
            if fields is not None:
                heading = tag("h3", tag("a", tag("code", title_of(name, schema)), href=f"#{anchor(name)}"))
                said = paragraphs(schema.get("description", ""))
                yield tag("section", heading, said, fields, class_="shape", id=anchor(name))


_LOGIN = {"email": "you@example.com", "password": "your password"}
_PICK = """python3 -c 'import json, sys; print(json.load(sys.stdin)["accessToken"])'"""


def who(route: Route) -> str:
    """Returns who may call the route, as a phrase."""
    security = route.spec.get("security")
    if route.operations:
        return _who(route.operations)
    if not security:
        return "no credential"
    return "anybody; most of it needs a credential" if {} in security else "whoever has a credential"


def _who(operations: Sequence[str]) -> str:
    if not operations:
        return "whoever may see what it finds"  # `node`: the operation of the type that it finds
    permission = OPERATIONS[operations[0]].permission
    if permission is Permission.public:
        return "anybody, without a credential"
    if permission not in ROLES[Role.user]:
        return f"administrators alone ({permission.value})"
    return f"users and administrators ({permission.value})"


def _content(part: Schema) -> tuple[str, Schema]:
    """Returns the media type to show for a body or a response, JSON if possible, and its description."""
    contents: Mapping[str, Schema] = part.get("content", {})
    for kind in ("application/json", *contents):
        if kind in contents:
            return kind, contents[kind]
    return "", {}


def _method(route: Route) -> Html:
    return tag("span", route.method, class_=f"method {route.method.lower()}")


def _breakable(path: str) -> Html:
    """Returns the path with possible line breaks before its slashes."""
    return Html("<wbr>/".join(join(part) for part in path.split("/")).removeprefix("<wbr>"))


def _copied(text: str) -> Html:
    return tag("pre", tag("code", text), class_="copy", tabindex="0")


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _inline(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
