"""Nobody keeps a copy of an answer that is one caller's: neither a proxy nor the browser of a shared machine."""

import pytest


@pytest.mark.parametrize(
    "path", ["/accounts", "/messages", "/auth/me", "/getInfoByToken", "/nothing", "/health", "/metrics"]
)
async def test_no_answer_is_stored(ada, path):
    answer = await ada.rest("GET", path)
    assert answer.headers["cache-control"] == "no-store", (answer.status_code, answer.headers)


async def test_nor_an_error_nor_the_other_door(ada, client):
    answers = [
        await client.get("/accounts"),
        await ada.rest("POST", "/messages", json={}),
        await ada.rest("POST", "/messages", content=b"x" * 3_000_000),
        await client.post("/graphql", json={"query": "{ me { id } }"}, headers=ada.headers),
        await client.post("/auth/login", json={"email": "a@example.com", "password": "wrong"}),
    ]
    assert [answer.headers["cache-control"] for answer in answers] == ["no-store"] * 5


async def test_what_everybody_may_have_says_so_itself(client):
    for path in ("/common/timezones", "/common/currencies"):
        assert "public" in (await client.get(path)).headers["cache-control"]
    assert "no-store" not in (await client.get("/docs")).headers["cache-control"]
