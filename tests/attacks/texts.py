"""Attacks by texts: characters, lengths and formats that a field must refuse or store unharmed."""

from collections.abc import Iterator

from tests.attacks.attack import SMS, Attack, get, graphql, json


def text() -> Iterator[Attack]:
    """43, 44, 49-51, 64, 69: text in every place that takes text."""
    nasty = {
        "NUL": "a\0b",
        "rtl": "\u202eabc",
        "joiners": "a" + "\u200d" * 60,
        "combining": "e" + "\u0301" * 60,
        "sql": "' OR 1=1--",
        "format": "%s%n{0}",
        "crlf": "a\r\nBcc: x@example.com",
        "template": "{{7*7}}${7*7}",
        "html": "<script>alert(1)</script>",
    }
    for name, value in nasty.items():
        fits = {201} if name not in ("NUL", "crlf") else {400}
        yield json(f"account name: {name}", "POST", "/accounts", {"name": value}, fits)
        yield json(
            f"display name: {name}",
            "PATCH",
            "/users/{ada}",
            {"displayName": value},
            {200} if fits == {201} else {400},
        )
        yield json(
            f"setting: {name}", "PUT", "/settings/text", {"value": value}, {400} if name == "NUL" else {200}
        )
        yield json(f"setting's inside: {name}", "PUT", "/settings/text", {"value": [{value: value}]},
                   {400} if name == "NUL" else {200})  # fmt: skip
        yield json(f"metadata: {name}", "POST", "/messages", {**SMS, "metadata": {value: [value]}},
                   {400} if name == "NUL" else {202})  # fmt: skip
        yield graphql(
            f"graphql argument: {name}", "query($k:String!){setting(key:$k){key}}", {200}, {"k": value}
        )
        yield graphql(
            f"graphql id: {name}", "query($k:ID!){message(id:$k){id}}", {200}, {"k": value}, code="bad_id"
        )
        yield graphql(f"graphql search: {name}", "query($k:String!){users(where:{text:{contains:$k}}){nodes{id}}}",
            {200}, {"k": value},
                      who="admin")  # fmt: skip
        yield graphql(
            f"graphql storage: {name}", "query($k:String!){storageValue(key:$k){key}}", {200}, {"k": value}
        )
        yield graphql(
            f"graphql prefix: {name}",
            "query($k:String!){storageValues(where:{key:{startsWith:$k}}){nodes{key}}}",
            {200},
            {"k": value},
        )
        yield graphql(
            f"graphql language: {name}",
            "query($k:String!){countries(language:$k){code}}",
            {200},
            {"k": value},
        )
    for subject in ("a\r\nBcc: x@example.com", "a\nb", "a\0b", "a\x7fb", ["x"], {"a": 1}, 7, "x" * 999):
        yield json(f"subject {str(subject)[:12]!r}", "POST", "/messages",
                   {"to": "x@example.com", "channel": "email", "body": "hi", "metadata": {"subject": subject}},
                   {400})  # fmt: skip
    for to in ("x@example.com\r\nBcc: y@example.com", "a" * 4000 + "!", "@", "x@", "x@[127.0.0.1]",
        '"a\r\n"@example.com',
               "x@" + "a." * 130 + "com", "\u202ex@example.com"):  # fmt: skip
        yield json(
            f"email to {to[:20]!r}", "POST", "/messages", {"to": to, "channel": "email", "body": "x"}, {400}
        )
    for to in (
        "",
        "+",
        "911" * 30,
        "+1415555010x",
        "1" * 4096,
        "+1 (415) 555-0100;ext=1",
        "tel:+1",
        "\u0661" * 11,
    ):
        yield json(
            f"sms to {to[:20]!r}", "POST", "/messages", {"to": to, "channel": "sms", "body": "x"}, {400, 202}
        )
    for to in ('{"endpoint":"http://127.0.0.1/x","keys":{"p256dh":"a","auth":"b"}}', "{", '{"endpoint":1}', "{}",
        "[" * 4000,
               '{"endpoint":"http://[::1]/","keys":{"p256dh":1,"auth":2}}', "a b", "\u2028"):  # fmt: skip
        yield json(
            f"push to {to[:28]!r}",
            "POST",
            "/messages",
            {"to": to, "channel": "push", "body": "x"},
            {400, 202},
        )
    for q in ("%25", "_", "%5C", "'", "%27%20OR%201=1--", "%00", "%C3%28", "%F0%9F%92%A9", "a" * 256):
        yield get(f"search {q[:20]}", f"/users?q={q}", {200} if q != "%00" else {400}, who="admin")
    yield get("search too long", f"/users?q={'a' * 257}", {400}, who="admin")
    yield get("sort by SQL", "/messages?sort=id;drop%20table", {400})
    yield get("an unknown filter", "/messages?acountId=x", {400})
    yield get("a filter too many", "/auth/me?id=x", {400})
    yield get("a probe's own parameter", "/health?_=1", {200}, who=None)
    yield get("status by SQL", "/messages?status=queued'--", {400})
    for email in (
        "a" * 10_000 + "!",
        ("a." * 5000) + "@",
        "a@" + "a-" * 5000,
        "(" * 10_000,
        "a@a" + ".a" * 5000 + "!",
    ):
        yield json(
            f"login as {email[:12]}",
            "POST",
            "/auth/login",
            {"email": email, "password": "x" * 12},
            {400},
            who=None,
        )
    for key in (
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/x",
        "..%5cx",
        "*",
        "a%0ab",
        "x" * 257,
        "%00",
        "%ff",
        "~" * 256,
        "a/b/c",
    ):
        for area, patterns in (("settings", {400, 404}), ("storage", {400, 404})):
            yield get(f"{area} key {key[:20]}", f"/{area}/{key}", patterns)
