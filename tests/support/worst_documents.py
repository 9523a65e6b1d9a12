"""Documents that cost much to refuse or to read: each near a bound, and each invalid or new. `{n}` makes one new."""

BOUND = 65_000


def _many(form: str, count: int) -> str:
    return " ".join(form.format(i=i) for i in range(count))


def _filter(content: str) -> str:
    return "{messages(where:{" + content + "}){nodes{uuid}}}"


WORST_DOCUMENTS = {
    "unknown fields of an input object": _filter(_many("g{i}:1", 600)),
    "long unknown fields of an input object": _filter(_many("g{i}" + "x" * 85 + ":1", 600)),
    "one unknown field again and again": _filter(_many("g:1", 600)),
    "a known field again and again": _filter(_many('to:{{eq:"a"}}', 280)),
    "unknown fields below many lines": "\n" * 56_000 + _filter(_many("g{i}:1", 600)),
    "as many lines as there may be": "\n" * 4990 + "{" + _many("f{i}", 300) + "}",
    "unknown names below many lines": "\n" * 64_000 + "{" + _many("f{i}", 11) + "}",
    "a syntax error below many lines": "\n" * BOUND + "{",
    "a long string": _filter('to:{eq:"' + "x" * 60_000 + '"}'),
    "a long string of escapes": _filter('to:{eq:"' + "\\n" * 30_000 + '"}'),
    "a long string of surrogates": '{me(a:"' + "\\uD83D\\uDE00" * 5000 + '")}',
    "a long string for a number": '{messages(first:"' + "x" * 60_000 + '"){nodes{uuid}}}',
    "long strings for numbers": "{" + _many('a{i}:messages(first:"' + "x" * 5800 + '"){{nodes{{uuid}}}}', 11) + "}",
    "a block string of lines": '{messages(first:"""' + " \n" * 30_000 + '"""){nodes{uuid}}}',
    "a block string": _filter('to:{eq:"""' + "x" * 60_000 + '"""}'),
    "a long number": "{messages(first:" + "9" * 60_000 + "){nodes{uuid}}}",
    "a long enum": _filter("status:{eq:" + "x" * 60_000 + "}"),
    "a list of wrong enums": _filter("status:{in:[" + _many("x{i}", 1900) + "]}"),
    "a list of enums": _filter("status:{in:[" + "sent " * 1900 + "]}"),
    "lists in lists": _filter("to:{in:" + "[" * 190 + "]" * 190 + "}"),
    "objects in objects": _filter("to:{" * 190 + "a:1" + "}" * 190),
    "an object for a Boolean": "{me @skip(if:{" + _many("a{i}:1", 600) + "}){uuid}}",
    "objects for a list's items": "{messages(orderBy:[" + _many("{{z:1 y:1 x:1 w:1 v:1}}", 90) + "]){nodes{uuid}}}",
    "a wrong default": "query($w:MessageWhere={" + _many("g{i}:1", 600) + "}){messages(where:$w){nodes{uuid}}}",
    "unknown arguments": "{me{uuid(" + _many("a{i}" + "x" * 90 + ":1", 600) + ")}}",
    "one argument again and again": "{messages(" + "first:1 " * 600 + "){nodes{uuid}}}",
    "unknown fields": "{" + _many("f{i}" + "x" * 55, 990) + "}",
    "a long name": "{" + "x" * BOUND + "}",
    "a long alias": "{" + "x" * (BOUND - 9) + ":me{uuid}}",
    "a long name of an operation": "query " + "x" * (BOUND - 9) + "{me{uuid}}",
    "many operations": _many("query q{i}{{health{{status}}}}", 220),
    "operations that share a fragment": _many("query q{i}{{...F}}", 140) + " fragment F on Query{me{uuid email}}",
    "a chain of fragments": "{...F0} " + " ".join(f"fragment F{i} on Query{{...F{i + 1}}}" for i in range(190))
    + " fragment F190 on Query{me{uuid}}",
    "unused fragments": "{me{uuid}}" + _many("fragment F{i} on User{{...F}}", 180) + " fragment F on User{uuid}",
    "unknown fragments": "{" + _many("...X{i}", 900) + "}",
    "inline fragments": "{" + "...{" * 190 + "me{uuid}" + "}" * 191,
    "fields to merge": "{" + _many("sendingProjects{{nodes{{uuid name messages{{nodes{{uuid}}}}}}}}", 30) + "}",
    "arguments to merge": "{" + _many('messages(first:{i} where:{{to:{{eq:"' + "x" * 1900 + '"}}}}){{nodes{{uuid}}}}',
        30) + "}",
    "unused variables": "query(" + _many("$v{i}:Int=1", 320) + "){me{uuid}}",
    "undefined variables": _filter("to:{in:[" + _many("$v{i}", 900) + "]}"),
    "directives": "{me{" + "uuid @skip(if:true) " * 29 + "}}",
    "unknown directives": "{me " + _many("@d{i}", 900) + "{uuid}}",
    "definitions of types": _many("type T{i}{{a:Int}}", 200),
    "roots of a subscription": "subscription{" + _many("f{i}", 900) + "}",
    "comments": "#" + "x" * (BOUND - 30) + "\n{me{uuid}}",
    "white space": " " * (BOUND - 30) + "{me{uuid}}",
}  # fmt: skip

_MANY = 2_000_000  # bytes of a body, of which a POST may have two million

WORST_VARIABLES: dict[str, tuple[str, dict[str, object]]] = {
    name: (f"query($v:{kind}){{messages(where:{where}){{nodes{{uuid}}}}}}", {"v": value})
    for name, kind, where, value in (
        ("many items", "[String!]", "{to:{in:$v}}", ["a"] * (_MANY // 4)),
        ("many wrong items", "[String!]", "{to:{in:$v}}", [1] * (_MANY // 2)),
        ("a wrong item at the end", "[String!]", "{to:{in:$v}}", ["a"] * (_MANY // 5) + [1]),
        ("many wrong enums", "[MessageStatus!]", "{status:{in:$v}}", ["x"] * (_MANY // 4)),
        ("lists for items", "[String!]", "{to:{in:$v}}", [[]] * (_MANY // 3)),
        ("unknown fields", "MessageWhere", "$v", {f"g{i}": 1 for i in range(_MANY // 14)}),
        ("a field with many items", "MessageWhere", "$v", {"to": {"in": ["a"] * (_MANY // 4)}}),
    )
}
