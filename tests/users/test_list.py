"""GET /users and `users`: who may, what is found, where pages end."""

import pytest

from shapes.page import MAX_PAGE

LIST = """query($first: Int, $after: String, $q: String, $status: UserStatus) {
  users(first: $first, after: $after, where: {text: {contains: $q}, status: {eq: $status}}) {
    nodes { uuid email } totalCount pageInfo { endCursor }
  }
}"""


async def _both(person, **parameters):
    """The same page through both doors, as emails and meta. GraphQL's pages are reached one after the other."""
    rest = (await person.rest("GET", "/users", params=parameters)).json()
    wanted, after = {name: parameters[name] for name in ("q", "status") if name in parameters}, None
    for _ in range(parameters.get("page", 1)):
        size = {"first": parameters.get("limit"), "after": after}
        graphql = (await person.data(LIST, {**size, **wanted}))["users"]
        after = graphql["pageInfo"]["endCursor"] or after
    emails = [item["email"] for item in rest["items"]]
    assert emails == [item["email"] for item in graphql["nodes"]], parameters
    assert rest["meta"]["total"] == graphql["totalCount"], parameters
    return emails, rest["meta"]


async def test_only_administrators_list_users(client, ada, admin):
    assert (await client.get("/users")).status_code == 401
    refused = await ada.rest("GET", "/users")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert await ada.code(LIST) == "forbidden"
    answer = (await admin.rest("GET", "/users")).json()
    assert set(answer) == {"items", "meta"}
    assert set(answer["items"][0]) == {
        "id", "email", "displayName", "status", "roles", "locale", "selfService", "createdAt", "updatedAt",
    }  # fmt: skip
    for secret in ("hash", "argon2", "version", "invitation"):
        assert secret not in str(answer).lower()


async def test_q_is_searched_for_literally(admin, people, services):
    names = {
        "percent@example.com": "100% sure",
        "under@example.com": "snake_case",
        "back@example.com": "C:\\dir",
        "quote@example.com": "O'Hara; DROP TABLE users --",
        "plain@example.com": "Plain",
        "umlaut@example.com": "ZÜRICH",
    }
    for email, name in names.items():
        made = await people.make(email)
        await services.db.fetch("UPDATE users SET display_name = $1 WHERE id = $2", name, made.id)
    expected_by_query = {
        "%": ["percent"], "_": ["under"], "\\": ["back"], "\\%": [], "%%": [], "0% s": ["percent"],
        "e_c": ["under"], "exc": [], "'": ["quote"], "' OR 1=1 --": [], "DROP TABLE": ["quote"],
        "PLAIN": ["plain"], "zürich": ["umlaut"], "PERCENT@EXAMPLE": ["percent"], "nobody": [],
    }  # fmt: skip
    for q, expected in expected_by_query.items():
        emails, meta = await _both(admin, q=q)
        assert [email.partition("@")[0] for email in emails] == expected, q
        assert meta["total"] == len(expected)
    assert len((await _both(admin, q=""))[0]) == len(names) + 1


async def test_status_and_pages(admin, people, services):
    made = [await people.make(f"{number:02}@example.com") for number in range(7)]
    for person, status in zip(made, ("suspended", "invited", "deleted"), strict=False):
        await services.db.fetch("UPDATE users SET status = $1 WHERE id = $2", status, person.id)
    for status, count in (("active", 5), ("suspended", 1), ("invited", 1), ("deleted", 1)):
        assert (await _both(admin, status=status))[1]["total"] == count
    assert (await _both(admin, status="suspended", q="00@"))[0] == ["00@example.com"]
    assert (await _both(admin, status="suspended", q="01@"))[0] == []
    pages = [await _both(admin, page=page, limit=3) for page in (1, 2, 3, 4)]
    assert [len(emails) for emails, _ in pages] == [3, 3, 2, 0]
    assert pages[0][1] == {"page": 1, "limit": 3, "total": 8, "totalPages": 3}
    assert pages[3][1] == {"page": 4, "limit": 3, "total": 8, "totalPages": 3}
    everybody = [email for emails, _ in pages for email in emails]
    assert everybody == ["06@example.com", "05@example.com", "04@example.com", "03@example.com",
                         "02@example.com", "01@example.com", "00@example.com", "admin@example.com"]  # fmt: skip
    assert len((await _both(admin, limit=100))[0]) == 8
    last = (await admin.rest("GET", "/users", params={"page": MAX_PAGE, "limit": 100})).json()
    assert (last["items"], last["meta"]["page"]) == ([], MAX_PAGE)


async def test_users_are_found_by_role_and_tariff(admin, people, services):
    made = [await people.make(f"{number}@example.com") for number in range(2)]
    await services.db.fetch("INSERT INTO tariffs (code, name, prices) VALUES ('gold', 'Gold', '{}')")
    await services.db.fetch("UPDATE users SET tariff_code = 'gold' WHERE id = $1", made[0].id)
    query = "query($where: UserWhere) { users(where: $where) { nodes { email } totalCount } }"
    for where, expected in (
        ({"role": {"eq": "admin"}}, ["admin@example.com"]),
        ({"role": {"eq": "user"}}, ["1@example.com", "0@example.com", "admin@example.com"]),
        ({"tariffCode": {"eq": "gold"}}, ["0@example.com"]),
        ({"tariffCode": {"eq": "gold"}, "role": {"eq": "admin"}}, []),
    ):
        page = (await admin.data(query, {"where": where}))["users"]
        assert ([node["email"] for node in page["nodes"]], page["totalCount"]) == (expected, len(expected))
    assert await admin.code(query, {"where": {"role": {"eq": "boss"}}}) in (
        "validation_failed",
        "bad_request",
    )


BAD = [
    {"page": "0"}, {"page": "-1"}, {"page": str(2**31)} | {"limit": "101"}, {"page": str(2**63)}, {"page": "1" * 400},
    {"page": "1e30"}, {"page": "NaN"}, {"page": "x"}, {"page": ""}, {"page": "1;drop"}, {"limit": "0"}, {"limit": "-5"},
    {"limit": "101"}, {"limit": "1000000000"}, {"limit": "all"}, {"status": "gone"}, {"status": "ACTIVE"},
    {"q": "x" * 257}, {"q": "a\0b"},
]  # fmt: skip


async def test_what_is_no_page_is_400_in_both_doors(admin):
    for arguments in BAD:
        answer = await admin.rest("GET", "/users", params=arguments)
        assert answer.status_code == 400, (arguments, answer.text)
        body = answer.json()
        assert body["code"] in ("validation_failed", "bad_request")
        assert body["path"] == "/users"
    for arguments in ({"first": -5}, {"first": 101}, {"first": 2**31 - 1}, {"first": 2**31}, {"first": 1.5},
                  {"status": "gone"}, {"q": "a\0b"}, {"q": 7}, {"q": "x" * 101}):  # fmt: skip
        assert await admin.code(LIST, arguments) in ("validation_failed", "bad_request"), arguments
    assert await admin.code(LIST, {"after": "x"}) == "bad_cursor"


@pytest.mark.parametrize("field", ["accounts", "messages"])
async def test_every_list_has_the_same_bounds(ada, field):
    query = f"query($first: Int, $last: Int) {{ {field}(first: $first, last: $last) {{ totalCount }} }}"
    for arguments in ({"first": -1}, {"first": 101}, {"last": -1}, {"last": 101}, {"first": 1, "last": 1}):
        assert await ada.code(query, arguments) == "validation_failed"
    for arguments in ({"page": 0}, {"page": -1}, {"limit": 0}, {"limit": 101}):
        assert (await ada.rest("GET", f"/{field}", params=arguments)).status_code == 400
