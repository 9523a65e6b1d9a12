"""Attacks as data: what is sent, which statuses are fine, what must not be in the answer.

`{ada}`, `{bob}` in a path are their ids, `{account}` is ada's account. `who` sends it; None is nobody. The
names in parentheses are those of the OWASP API top ten (2023) and of ASVS 5.
"""

import base64
from collections.abc import Iterator
from typing import Any

import orjson

from tests.attacks.attack import SMS, Attack, get, graphql, json, raw
from tests.attacks.texts import text

UUID7 = "01890000-0000-7000-8000-000000000000"
# Whatever an answer says, it never shows these: internals, SQL, addresses of servers.
LEAKS = (
    "Traceback",
    "sqlalchemy",
    "asyncpg",
    "SELECT ",
    "postgresql://",
    "redis://",
    'File "',
    "site-packages",
)


def _token(header: str, payload: str = "{}") -> str:
    parts = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in (header, payload))
    return ".".join((*parts, "AA"))


def stock() -> Iterator[Attack]:
    """Yields the requests that the frameworks answer with 500 unless they are configured otherwise."""
    for body in (b'"x"', b"1", b"null", b"true", b"[]", b"", b"{", b"{}"):
        yield raw(f"graphql body {body.decode() or 'empty'}", "POST", "/graphql", body, {400})
    yield raw("graphql endless integer", "POST", "/graphql",
              b'{"query":"{me{id}}","x":' + b"1" * 5000 + b"}", {400})  # fmt: skip
    yield raw("graphql invalid utf-8", "POST", "/graphql", b'{"query":"\xff"}', {400})
    yield raw("graphql 100k brackets", "POST", "/graphql", b"[" * 100_000, {400})
    for depth in (1000, 100):
        yield get(f"token header nested {depth} deep", "/auth/me", {401}, who=None,
                  headers={"authorization": f"Bearer {_token('[' * depth)}"})  # fmt: skip
    yield raw("infinity in a field", "POST", "/messages", b'{"to":1e400,"channel":"sms","body":"x"}', {400})
    yield raw("half a surrogate in a field", "POST", "/messages",
              b'{"to":"+14155550100","channel":"sms","body":"\\ud800"}', {400})  # fmt: skip
    yield json("NUL in a field", "POST", "/messages", {**SMS, "body": "a\0b"}, {400})
    for name, variable in (("NUL", "a\0b"), ("line break", "a\nb")):
        yield graphql(f"{name} in a variable", "mutation($n:String!){createAccount(input:{name:$n}){id}}", {200},
                      {"n": variable}, code="validation_failed")  # fmt: skip
    yield raw("half a surrogate in a variable", "POST", "/graphql",
              b'{"query":"query($q:String){users(where:{text:{contains:$q}}){nodes{id}}}","variables":{"q":"\\ud800"}}',
              {400})  # fmt: skip


def tokens() -> Iterator[Attack]:
    """15: whatever is wrong with a credential, it is 401 (or the server's own bound on headers)."""
    elsewhere = _token('{"alg":"HS256","kid":"../../dev/null"}')
    none = _token('{"alg":"none"}', '{"sub":"1"}')
    for name, value, expected in (
        ("three letters", "Bearer a.b.c", {401}),
        ("four dots", "Bearer a.b.c.d.e", {401}),
        ("60 KiB", f"Bearer {'a' * 60_000}", {400, 401, 431}),
        ("alg none", f"Bearer {none}", {401}),
        ("twice", "Bearer Bearer a.b.c", {401}),
        ("lower case scheme", "bearer a.b.c", {401}),
        ("no scheme", "a.b.c", {401}),
        ("empty", "Bearer", {401}),
        ("basic", "Basic YTpi", {401}),
        ("tab", "Bearer\ta.b.c", {401}),
        ("api token", "Bearer pst_" + "x" * 40, {401}),
        ("api token, endless", "Bearer pst_" + "x" * 8000, {401}),
        ("kid leads elsewhere", f"Bearer {elsewhere}", {401}),
        ("latin-1", "Bearer \xe9.\xe9.\xe9", {401}),
    ):  # fmt: skip
        yield get(f"token: {name}", "/auth/me", expected, who=None, headers={"authorization": value})
    yield json("refresh token with half a surrogate", "POST", "/auth/refresh", b'{"refreshToken":"\\ud800"}', {400},
               who=None)  # fmt: skip
    yield json(
        "refresh token is an access token", "POST", "/auth/refresh", {"refreshToken": none}, {401}, who=None
    )


def assignment() -> Iterator[Attack]:
    """5 (API3): fields that are not the caller's to set."""
    person = {"email": "mass@example.com", "password": "correct horse battery"}
    for name, value in (
        ("roles", ["admin"]),
        ("role", "admin"),
        ("status", "active"),
        ("balance", 1e9),
        ("id", UUID7),
    ):
        yield json(
            f"register with {name}", "POST", "/auth/register", {**person, name: value}, {400}, who=None
        )
    for name, extra in (("balance", 1e9), ("ownerId", UUID7)):
        yield json(f"open an account with {name}", "POST", "/accounts", {"name": "x", name: extra}, {400})
        yield json(f"patch {name} of an account", "PATCH", "/accounts/{account}", {name: extra}, {403})
    yield json("make oneself an administrator", "PATCH", "/users/{ada}", {"roles": ["admin"]}, {403})
    yield json("patch an unknown field", "PATCH", "/users/{ada}", {"tokenVersion": 7}, {400})
    yield json("send for nothing", "POST", "/messages", {**SMS, "price": 0}, {400})
    yield graphql("an unknown field in an input",
                  'mutation{createAccount(input:{name:"x",balance:1}){id}}', {200, 400},
                  forbidden=('"id":"',))  # fmt: skip


def numbers() -> Iterator[Attack]:
    """45-47: numbers outside every range, and spellings of numbers."""
    for value in ("0", "-1", "2147483648", "9223372036854775807", "9223372036854775808", "1e30", "1" + "0" * 400, "NaN",
                  "inf", "x", "", "1,2", "0x10", "١"):  # fmt: skip
        expected = {200} if value == "2147483648" else {400}
        yield get(f"page={value[:24]}", f"/messages?page={value}", expected)
        yield get(f"limit={value[:24]}", f"/messages?limit={value}", {400})
    yield get("the last page there is", "/messages?page=92233720368547757&limit=100", {200})
    yield get("one page further", "/messages?page=92233720368547758&limit=100", {400})
    for value in ("1_000", "%201", "%2B1", "1.0"):  # pydantic's lax integers: harmless, and one number each
        yield get(f"page={value}", f"/messages?page={value}", {200, 400})
    for number in (-1, 101, 2**31 - 1, -(2**31)):
        for name in ("messages", "accounts", "users", "storageValues"):
            for end in ("first", "last"):
                yield graphql(f"{name} {end} {number}", f"{{{name}({end}:{number}){{nodes{{__typename}}}}}}",
                              {200}, who="admin", code="validation_failed")  # fmt: skip
    for cursor in (
        "",
        "x",
        "=" * 40,
        "W10",
        "A" * 10_000,
        "WyIiLDFd",
        "WyIiLG51bGxd",
        "WyIiLHt9XQ",
        "WyJ4IiwieCJd",
        "eyJhIjoxfQ",
    ):
        for name in ("messages", "accounts", "users", "storageValues"):
            yield graphql(f"{name} after {cursor[:12]}", f'{{{name}(after:"{cursor}"){{nodes{{__typename}}}}}}',
                          {200}, who="admin", code="bad_cursor")  # fmt: skip
    yield graphql("an integer beyond 32 bits", "{messages(first:9223372036854775808){nodes{id}}}", {200, 400})
    credit = "mutation($a:Decimal!,$i:UUID!){creditAccount(input:{accountId:$i,amount:$a}){balance}}"
    for amount in (b"-5", b"0", b"1e-9", b"1e20", b'"NaN"', b'"Infinity"', b'"-Infinity"', b'"1e400"', b'"x"', b"true",
                   b'"1e999999999"', b"0.0000004"):  # fmt: skip
        variables = b'{"a":' + amount + b',"i":"' + UUID7.encode() + b'"}'
        yield raw(f"credit {amount.decode()}", "POST", "/graphql",
                  b'{"query":"' + credit.encode() + b'","variables":' + variables + b"}", {200, 400}, who="admin",
                  forbidden=("account_not_found", '"balance":'))  # fmt: skip


def documents() -> Iterator[Attack]:
    """48: JSON itself."""

    def send(name: str, body: bytes, expected: set[int]) -> Iterator[Attack]:
        yield raw(f"json: {name}", "POST", "/messages", body, expected)
        yield raw(f"json to graphql: {name}", "POST", "/graphql", body, {400})

    yield from send("100k brackets", b"[" * 100_000, {400})
    yield from send("depth 900", b'{"to":' + b"[" * 900 + b"]" * 900 + b"}", {400})
    yield from send("endless integer", b'{"to":' + b"9" * 5000 + b"}", {400})
    yield from send("utf-16", orjson.dumps(SMS).decode().encode("utf-16"), {400})
    yield from send("byte order mark", b"\xef\xbb\xbf" + orjson.dumps(SMS), {400})
    yield from send("NaN", b'{"to":NaN}', {400})
    yield from send("single quotes", b"{'to':1}", {400})
    yield from send("trailing comma", b'{"to":"1",}', {400})
    yield from send("empty", b"", {400})
    # The last of equal names wins, as in RFC 8259's "many implementations" and in every JavaScript client.
    yield raw("json: a name twice", "POST", "/messages",
              b'{"to":"x","to":"+14155550100","channel":"sms","body":"hi"}', {202})  # fmt: skip
    for depth, expected in ((31, {200}), (33, {400}), (900, {400})):
        deep = b'{"value":' + b"[" * depth + b"1" + b"]" * depth + b"}"
        yield raw(f"a value {depth} deep", "PUT", "/settings/deep", deep, expected)
        yield raw(f"a stored value {depth} deep", "PUT", "/storage/deep", deep, expected)
    yield raw(
        "form",
        "POST",
        "/messages",
        b"to=1",
        {400},
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    yield raw(
        "json as text", "POST", "/messages", orjson.dumps(SMS), {400}, headers={"content-type": "text/plain"}
    )


def ids() -> Iterator[Attack]:
    """Ids that are none, and the rows of others (API1)."""
    for id in (
        "x",
        "1",
        "%27",
        UUID7[:-1],
        "{" + UUID7 + "}",
        "urn:uuid:" + UUID7,
        "0" * 400,
        "..",
        "%2e%2e",
        "%00",
        "null",
    ):
        for path in ("users", "accounts", "messages"):
            if id == "%2e%2e" or id == "..":
                continue
            yield get(f"{path}/{id[:20]}", f"/{path}/{id}", {400, 404})
    for path in ("users", "accounts", "messages"):
        yield get(f"unknown {path}", f"/{path}/{UUID7}", {404})
    yield get("bob's user", "/users/{bob}", {404}, forbidden=("bob@example.com",))
    yield get("bob's account", "/accounts/{bobs}", {404})
    yield get("messages of bob's account", "/messages?accountId={bobs}", {200}, forbidden=('"id"',))
    for id in (UUID7, "x", "QQ", "VXNlcjp4", "=" * 40, "\U0001f4a9", "A" * 10_000):
        yield graphql(
            f"global id {id[:12]}",
            "query($i:ID!){account(id:$i){id}}",
            {200},
            {"i": id},
            forbidden=('"id":"',),
        )


def complexity() -> Iterator[Attack]:
    """52, 53: queries that cost more than they look like."""

    def refused(name: str, document: str, **more: Any) -> Attack:
        return graphql(f"graphql: {name}", document, {400},
                       headers={"accept": "application/graphql-response+json"}, **more)  # fmt: skip

    deep = "{users{nodes{" + "accounts{nodes{owner{" * 8 + "id" + "}}}" * 8 + "}}}"
    bomb = " ".join(f"fragment F{i} on Query{{...F{i + 1} ...F{i + 1}}}" for i in range(150))
    yield refused("depth", deep)
    yield refused("introspection depth", "{__schema{types{" + "fields{type{" * 6 + "name" + "}}" * 6 + "}}}")
    yield refused(
        "introspection through ofType",
        "{__schema{types{fields{type{" + "ofType{" * 30 + "name" + "}" * 30 + "}}}}}",
    )
    yield refused("aliases", "{" + " ".join(f"a{i}:me{{id}}" for i in range(31)) + "}")
    yield refused("aliased logins", "mutation{" + " ".join(
        f'a{i}:login(input:{{email:"a@b.c",password:"12345678"}}){{expiresIn}}' for i in range(40)) + "}")  # fmt: skip
    yield refused("3000 times a field", "{me{" + "id " * 3000 + "}}")
    yield refused("1900 times a field", "{me{" + "id " * 1900 + "}}")
    yield refused("390 times an object", "{" + "me{id} " * 390 + "}")
    yield refused("tokens", "{me(" + "a:1 " * 2000 + "){id}}")
    yield refused("directives", "{me{id" + " @skip(if:false)" * 400 + "}}")
    yield refused("directives on variables", "query($a:Int" + " @x" * 400 + "){me{id}}")
    yield refused("unknown directives", "{me{id" + "".join(f" @d{i}" for i in range(400)) + "}}")
    yield refused("fragment cycle", "{...A} fragment A on Query{...B} fragment B on Query{...A}")
    yield refused("fragment of itself", "{...A} fragment A on Query{...A}")
    yield refused("fragment bomb", "{...F0} " + bomb + " fragment F150 on Query{__typename}")
    yield refused("unknown fragment", "{...Nowhere}")
    yield refused("unknown fields", "{" + " ".join(f"a{i}" for i in range(1900)) + "}")
    yield refused("brackets", "{" * 5000)
    yield refused("nested lists", "{setting(key:" + "[" * 300 + "]" * 300 + "){key}}")
    yield refused("nested inline fragments", "{" + "...{" * 150 + "__typename" + "}" * 150 + "x}")
    yield refused("60 KiB of comment", "{me{id}} #" + "x" * 66_000)
    yield refused("half a surrogate", '{setting(key:"\\uD800"){key}}')
    yield refused("a thousand variables", "query(" + " ".join(f"$a{i}:Int" for i in range(390)) + "){me{id}}")
    yield refused("subscription", "subscription{x}")
    yield refused("type system", "type Query{a:Int}")
    yield refused("two operations, no name", "query A{me{id}} query B{me{id}}")
    yield graphql("graphql: a huge list as variable", "query($i:ID!){message(id:$i){id}}", {200, 400},
                  {"i": ["x"] * 10_000})  # fmt: skip
    yield json("graphql: batch", "POST", "/graphql", [{"query": "{me{id}}"}] * 10, {400})


def csrf() -> Iterator[Attack]:
    """56: what a browser would send for another site without asking first."""
    mutation = "mutation{logoutEverywhere}"
    form = {"origin": "https://evil.example", "cookie": "a=b"}
    yield get("GET mutation", f"/graphql?query={mutation}", {405}, headers=form)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "application/jsonp",
                 "application/json; charset=utf-7", ""):  # fmt: skip
        status = 400 if kind.startswith("multipart") else 415  # a form needs a header that no page can send
        yield raw(f"graphql as {kind or 'nothing'}", "POST", "/graphql", orjson.dumps({"query": mutation}), {status},
                  headers={**form, "content-type": kind})  # fmt: skip


def verbs() -> Iterator[Attack]:
    """68: verbs that nobody asked for. Those that HTTP doesn't know are 400 in the parser already."""
    for path in ("/", "/health/v2", "/messages", "/graphql", "/auth/login"):
        for method in ("TRACE", "TRACK", "DEBUG", "PROPFIND", "FOO", "OPTIONS"):
            unusual = method in ("TRACE", "PROPFIND", "OPTIONS")
            yield Attack(f"{method} {path}", method, path, {405} if unusual else {400})
    yield Attack("CONNECT", "CONNECT", "/messages", {400, 404, 405})
    yield Attack("verb override", "POST", "/users/{ada}", {405}, headers={"x-http-method-override": "DELETE"})
    yield Attack(
        "verb override of GET", "GET", "/users/{ada}", {200}, headers={"x-http-method-override": "DELETE"}
    )
    for path in ("/../../etc/passwd", "//evil.example/x", "/%2e%2e/%2e%2e/etc/passwd", "/messages/", "/MESSAGES",
        "/x%00",
                 "/messages?x=%00", "/" + "a" * 8000, "/graphql/", "/admin", "/.env",
                 "/metrics/../health"):  # fmt: skip
        yield get(f"path {path[:32]}", path, {200, 400, 404} if path.endswith("health") else {400, 404})


def bodies() -> Iterator[Attack]:
    """Types that are not what a field is."""
    for name, value in (
        ("null", None),
        ("list", []),
        ("text", "x"),
        ("number", 1),
        ("empty", {}),
        ("nested", {"to": {"a": 1}}),
    ):
        for method, path in (
            ("POST", "/messages"),
            ("POST", "/auth/login"),
            ("POST", "/accounts"),
            ("POST", "/auth/refresh"),
        ):
            yield json(f"{method} {path}: {name}", method, path, value, {400})
        patch = {200} if name in ("null", "empty") else {400}
        yield json(f"PATCH user: {name}", "PATCH", "/users/{ada}", value, patch)
        yield json(f"PATCH settings: {name}", "PATCH", "/settings", value,
                   {200} if name in ("empty", "nested") else {400})  # fmt: skip
    for key in ("k" * 256, "\xe9", "a\tb", "\x01", "\U0001f4a9"[:1]):
        yield json(f"idempotency key {key[:8]!r}", "POST", "/messages", SMS, {400, 422},
                   headers={"idempotency-key": key.encode("utf-8").decode("latin-1")})  # fmt: skip


ATTACKS = [
    *stock(), *tokens(), *assignment(), *numbers(), *documents(), *text(), *ids(), *complexity(), *csrf(), *verbs(),
    *bodies(),
]  # fmt: skip
