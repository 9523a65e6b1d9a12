"""Canned answers, through both doors."""

from tests.support.people import Person

CREATE = (
    "mutation($s:String!,$t:String!){createCannedAnswer(input:{shortcut:$s,text:$t}){uuid shortcut text}}"
)
LISTED = "query($w:CannedAnswerWhere){cannedAnswers(where:$w){nodes{uuid shortcut text} totalCount}}"


async def test_both_doors_show_the_same_answers(ada: Person, bob: Person, admin: Person):
    hours = (await ada.data(CREATE, {"s": "Hours", "t": "From 9 to 18, {{ name }}."}))["createCannedAnswer"]
    assert hours["shortcut"] == "hours"
    made = await ada.rest("POST", "/canned-answers", json={"shortcut": "bye", "text": "Goodbye\nuntil 9!"})
    assert made.status_code == 201, made.text
    bye = made.json()
    for clash in ("HOURS", "hours"):
        refused = await ada.rest("POST", "/canned-answers", json={"shortcut": clash, "text": "x"})
        assert (refused.status_code, refused.json()["code"]) == (409, "shortcut_exists")
    listed = (await ada.data(LISTED))["cannedAnswers"]
    assert [one["shortcut"] for one in listed["nodes"]] == ["bye", "hours"] and listed["totalCount"] == 2
    first = (await ada.rest("GET", "/canned-answers?limit=1")).json()
    second = (await ada.rest("GET", "/canned-answers", params={"after": first["next"]})).json()
    assert [one["shortcut"] for page in (first, second) for one in page["items"]] == ["bye", "hours"]
    for part in ("18", "HOU"):
        found = (await ada.data(LISTED, {"w": {"text": {"contains": part}}}))["cannedAnswers"]["nodes"]
        assert [one["shortcut"] for one in found] == ["hours"]
    assert [one["id"] for one in (await ada.rest("GET", "/canned-answers?text=until")).json()["items"]] == [
        bye["id"]
    ]
    for other in (bob, admin):
        assert (await other.rest("GET", "/canned-answers")).json()["items"] == []
        for method, body in (("GET", None), ("PATCH", {"text": "x"}), ("DELETE", None)):
            answer = await other.rest(method, f"/canned-answers/{bye['id']}", json=body)
            assert answer.status_code == 404
    changed = await ada.rest("PATCH", f"/canned-answers/{bye['id']}", json={"shortcut": "Ciao"})
    assert (changed.json()["shortcut"], changed.json()["text"]) == ("ciao", bye["text"])
    taken = await ada.rest("PATCH", f"/canned-answers/{bye['id']}", json={"shortcut": "hours"})
    assert taken.json()["code"] == "shortcut_exists"
    assert (await ada.rest("DELETE", f"/canned-answers/{bye['id']}")).status_code == 204
    assert (await ada.data(LISTED))["cannedAnswers"]["totalCount"] == 1


async def test_shortcuts_are_one_word_and_texts_have_a_bound(ada: Person):
    for shortcut in ("", "two words", "/slash", "x" * 51, "a\tb"):
        answer = await ada.rest("POST", "/canned-answers", json={"shortcut": shortcut, "text": "x"})
        assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed"), shortcut
    for text in ("", "  \n", "x" * 4097):
        answer = await ada.rest("POST", "/canned-answers", json={"shortcut": "x", "text": text})
        assert answer.status_code == 400, text[:10]
    assert (
        await ada.rest("POST", "/canned-answers", json={"shortcut": "привет", "text": "x" * 4096})
    ).status_code == 201


async def test_there_are_at_most_five_hundred(services, ada: Person):
    await services.db.fetch(
        "INSERT INTO canned_answers (id, owner_id, shortcut, text)"
        " SELECT gen_random_uuid(), $1, 'a' || n, 'text' FROM generate_series(1, 500) AS n",
        ada.id,
    )
    assert await ada.code(CREATE, {"s": "more", "t": "x"}) == "too_many_canned_answers"
