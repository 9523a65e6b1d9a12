"""Single messages from templates: rendered and checked before they are charged."""

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from resolvers.templates.template_rows import Published
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until
from tests.templates.made import again, called, draft, published, refused, template, text

SMS = {"to": "+14155550100", "channel": "sms"}
MAIL = {"to": "a@example.com", "channel": "email"}
_MONEY = """
SELECT a.balance, (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM ledger_entries AS l
  WHERE l.account_id = a.id AND l.kind <> 'credit') AS entries FROM accounts AS a WHERE id = $1
"""


async def test_the_text_is_rendered_and_stored_as_any_other(ada: Person, services: Services, drain: Any):
    made = await published(
        ada,
        "welcome",
        text(subject="Hi {{ name }}", text="Hello {{ name }}", html="<p>{{ name }} {{ name | raw }}</p>"),
        text("pt", subject="Oi", text="Oi {{ name }}", html="<p>Oi</p>"),
    )
    asked = {**MAIL, "templateKey": "welcome", "variables": {"name": "<Ada>"}}
    answer = await called(ada, "POST", "/messages", asked)
    assert answer["body"] == "Hello <Ada>"
    assert (answer["templateId"], answer["templateVersion"], answer["templateLocale"]) == (
        made["templateId"],
        1,
        "en",
    )
    row = await services.db.fetchrow("SELECT * FROM messages WHERE id = $1", UUID(answer["id"]))
    assert row["metadata"] == {"subject": "Hi <Ada>", "html": "<p>&lt;Ada&gt; <Ada></p>"}
    answer = await called(ada, "POST", "/messages", {**asked, "locale": "pt_BR"})
    assert (answer["body"], answer["templateLocale"]) == ("Oi <Ada>", "pt")
    await again(ada, made["templateId"], text(text="New {{ name }}", subject="New"))
    for number, body in ((None, "New <Ada>"), (1, "Hello <Ada>"), (2, "New <Ada>")):
        answer = await called(ada, "POST", "/messages", {**asked, "templateVersion": number})
        assert answer["body"] == body
    assert await drain("email") == 5
    shown = await ada.data(
        "query($id:ID!){message(id:$id){body templateId templateVersion templateLocale}}",
        {"id": answer["id"]},
    )
    assert shown["message"]["templateVersion"] == 2


@pytest.mark.parametrize(
    "source", ["Hi {{ name }} {{ order.number }}", "Hi {{ name | upcase }} {{ order.number }}"]
)
async def test_a_missing_variable_is_refused_before_the_charge(ada: Person, services: Services, source: str):
    await published(ada, "welcome", text(text=source))
    before = await services.db.fetchrow(_MONEY, ada.account_id)
    asked = {**SMS, "templateKey": "welcome"}
    for variables, missing in (
        ({"name": "Ada"}, ["order.number"]),
        (None, ["name", "order.number"]),
        ({"name": " ", "order": {"number": 1}}, ["name"]),
    ):
        answer = await ada.rest("POST", "/messages", json={**asked, "variables": variables})
        assert (answer.status_code, answer.json()["code"]) == (400, "missing_variable")
        assert answer.json()["details"] == {"missing": missing}
    (result,) = (await called(ada, "POST", "/messages/batch", {"messages": [asked]}))["results"]
    assert (result["error"]["code"], result["error"]["details"]) == (
        "missing_variable",
        {"missing": ["name", "order.number"]},
    )
    chain = {"chain": [{"channel": "sms", "to": SMS["to"]}], "templateKey": "welcome"}
    assert await refused(ada, "POST", "/messages", chain) == (400, "missing_variable")
    assert await services.db.fetchrow(_MONEY, ada.account_id) == before
    whole = {"name": "Ada", "order": {"number": 7}}
    assert (await called(ada, "POST", "/messages", {**asked, "variables": whole}))["body"].endswith(" 7")
    after = await services.db.fetchrow(_MONEY, ada.account_id)
    assert (after["messages"], after["entries"]) == (before["messages"] + 1, before["entries"] + 1)
    assert after["balance"] == before["balance"] - Decimal("0.01")


async def test_variables_are_not_stored(ada: Person, services: Services):
    await published(ada, "code", text(text="Your code is {{ code }}"))
    body = {**SMS, "templateKey": "code", "variables": {"code": "1234", "secret": "hush-hush"}}
    answer = await ada.rest("POST", "/messages", json=body, headers={"Idempotency-Key": "k"})
    again_ = await ada.rest("POST", "/messages", json=body, headers={"Idempotency-Key": "k"})
    assert answer.status_code == 202 and again_.json() == answer.json()
    other = {**body, "variables": {"code": "1235"}}
    changed = await ada.rest("POST", "/messages", json=other, headers={"Idempotency-Key": "k"})
    assert changed.status_code == 422
    for table in ("messages", "idempotency_keys", "audit_entries", "event_inbox", "message_events"):
        rows = await services.db.fetch(f"SELECT row_to_json(t)::text AS row FROM {table} AS t")
        assert not any("hush-hush" in row["row"] for row in rows), table


async def test_exactly_one_of_body_and_template(ada: Person):
    await published(ada, "welcome", text(text="Hi"))
    for body in (
        {**SMS, "templateKey": "welcome", "body": "Hi"},
        SMS,
        {**SMS, "body": "Hi", "variables": {"a": 1}},
        {**SMS, "body": "Hi", "templateVersion": 1},
        {**SMS, "templateKey": "a b"},
        {**SMS, "templateKey": "welcome", "locale": "x" * 70},
        {**SMS, "templateKey": "welcome", "templateVersion": 0},
        {**SMS, "templateKey": "welcome", "variables": {"a": "x" * 70_000}},
        {"chain": [{"channel": "sms", "to": SMS["to"], "body": "x", "templateKey": "welcome"}]},
        {"chain": [{"channel": "sms", "to": SMS["to"], "body": "x"}], "variables": {"a": 1}},
    ):
        assert await refused(ada, "POST", "/messages", body) == (400, "validation_failed"), body


async def test_what_can_not_be_used(ada: Person, bob: Person):
    made = await published(ada, "welcome", text(text="Hi"))
    await draft(ada, await template(ada, "new"), text(text="Hi"))
    old = await published(ada, "old", text(text="Hi"))
    await called(ada, "POST", f"/templates/{old['templateId']}/archive")
    for person, fields, error in (
        (bob, {"templateKey": "welcome"}, (404, "template_not_found")),
        (ada, {"templateKey": "none"}, (404, "template_not_found")),
        (ada, {"templateKey": "welcome", "templateVersion": 2}, (404, "template_version_not_found")),
        (ada, {"templateKey": "new"}, (400, "template_not_published")),
        (ada, {"templateKey": "old"}, (400, "template_archived")),
    ):
        assert await refused(person, "POST", "/messages", {**SMS, **fields}) == error
    assert await refused(ada, "POST", "/messages", {**MAIL, "templateKey": "welcome"}) == (
        400,
        "template_lacks_part",
    )
    await again(ada, made["templateId"], text(subject="Hi", html="<p>Hi</p>"))
    assert await refused(ada, "POST", "/messages", {**SMS, "templateKey": "welcome"}) == (
        400,
        "template_lacks_part",
    )
    metadata = {"subject": "Other"}
    assert await refused(
        ada, "POST", "/messages", {**MAIL, "templateKey": "welcome", "metadata": metadata}
    ) == (
        400,
        "bad_metadata",
    )
    assert (await called(ada, "POST", "/messages", {**MAIL, "templateKey": "welcome"}))["body"] == "Hi"


async def test_long_and_endless_texts(ada: Person, services: Services):
    await published(ada, "long", text(text="{{ a }}{{ a }}"))
    before = await services.db.fetchrow(_MONEY, ada.account_id)
    asked = {**SMS, "templateKey": "long", "variables": {"a": "x" * 801}}
    assert await refused(ada, "POST", "/messages", asked) == (400, "text_too_long")
    loop = (
        "{% for a in list %}{% for b in list %}{% for c in list %}{{ a }}{% endfor %}{% endfor %}{% endfor %}"
    )
    await published(ada, "loop", text(text=loop))
    endless = {**SMS, "templateKey": "loop", "variables": {"list": [*range(900)]}}
    answers = await asyncio.gather(
        *(refused(ada, "POST", "/messages", endless) for _ in range(3)),
        called(ada, "POST", "/messages", {**endless, "variables": {"list": [1]}}),
    )
    assert {code for _, code in answers[:3]} <= {"bad_text", "text_too_complex"}
    assert answers[3]["body"] == "1"
    await published(ada, "nul", text(text="{{ a | url_decode }}"))
    nul = {**SMS, "templateKey": "nul", "variables": {"a": "x%00"}}
    assert await refused(ada, "POST", "/messages", nul) == (400, "bad_text")
    html = {"subject": "s", "html": "{% for a in (1..1000) %}{{ b }}{% endfor %}"}
    await published(ada, "wide", text(**html))
    body = {**MAIL, "templateKey": "wide", "variables": {"b": "x" * 1000}}
    assert await refused(ada, "POST", "/messages", body) == (400, "text_too_long")
    after = await services.db.fetchrow(_MONEY, ada.account_id)
    assert after["messages"] == before["messages"] + 1


async def test_many_at_once_with_logic(ada: Person):
    await published(ada, "welcome", text(text="Hi {% if vip %}dear {% endif %}{{ name }}"))
    bodies = [
        {**SMS, "templateKey": "welcome", "variables": {"name": f"n{number}", "vip": number % 2 == 0}}
        for number in range(60)
    ]
    answers = await asyncio.gather(*(called(ada, "POST", "/messages", body) for body in bodies))
    assert [answer["body"] for answer in answers] == [
        f"Hi dear n{number}" if number % 2 == 0 else f"Hi n{number}" for number in range(60)
    ]


async def test_steps_of_a_chain_and_items_of_a_batch(ada: Person, services: Services):
    made = await published(
        ada, "welcome", text(subject="Hi", text="Hi {{ name }}"), text("de", text="Hallo {{ name }}")
    )
    await published(ada, "short", text(text="{{ name }}!"))
    chain = {
        "chain": [
            {"channel": "sms", "to": SMS["to"], "within": 60, "templateKey": "short"},
            {"channel": "push", "to": "token", "within": 60},
            {"channel": "email", "to": MAIL["to"], "body": "plain"},
        ],
        "templateKey": "welcome",
        "variables": {"name": "Ada"},
        "locale": "de",
    }
    answer = await called(ada, "POST", "/messages", chain)
    assert answer["body"] == "Ada!"
    row = await services.db.fetchrow("SELECT steps FROM message_chains WHERE id = $1", UUID(answer["id"]))
    messages = [step["message"] for step in row["steps"]]
    assert [message["body"] for message in messages] == ["Ada!", "Hallo Ada", "plain"]
    assert messages[1]["template_id"] == made["templateId"] and "template_id" not in messages[2]
    items = [
        {**SMS, "templateKey": "short", "variables": {"name": "B"}, "key": "k"},
        {**SMS, "body": "plain"},
        {**SMS, "templateKey": "none"},
    ]
    results = (await called(ada, "POST", "/messages/batch", {"messages": items}))["results"]
    assert [result["message"] and result["message"]["body"] for result in results] == ["B!", "plain", None]
    assert results[2]["error"]["code"] == "template_not_found"
    repeated = (await called(ada, "POST", "/messages/batch", {"messages": items[:1]}))["results"]
    assert repeated[0]["message"]["id"] == results[0]["message"]["id"]
    mutation = (
        "mutation($i:[BatchMessage!]!){sendMessages(inputs:$i){message{body templateLocale} error{code}}}"
    )
    sent = await ada.data(mutation, {"i": items[:2]})
    assert sent["sendMessages"][0]["message"] == {"body": "B!", "templateLocale": "en"}


async def test_push_takes_the_subject_as_its_title(ada: Person, services: Services):
    await published(ada, "welcome", text(subject="Hi {{ name }}", text="Hello"))
    answer = await called(
        ada,
        "POST",
        "/messages",
        {"to": "token", "channel": "push", "templateKey": "welcome", "variables": {"name": "Ada"}},
    )
    row = await services.db.fetchrow("SELECT metadata FROM messages WHERE id = $1", UUID(answer["id"]))
    assert row["metadata"] == {"title": "Hi Ada"}


async def test_a_test_message_by_a_template(ada: Person, drain: Any):
    await published(ada, "welcome", text(text="Hi {{ name }}"), text("de", text="Hallo {{ name }}"))
    asked = {**SMS, "templateKey": "welcome", "locale": "de", "variables": {"name": "Ada"}}
    sending = asyncio.create_task(called(ada, "POST", "/test-sending", asked))
    await until(lambda: drain("sms"))
    id = (await sending)["messageId"]
    assert (await called(ada, "GET", f"/messages/{id}"))["body"] == "Hallo Ada"
    for body in ({**SMS}, {**asked, "text": "x"}, {**SMS, "text": "x", "locale": "de"}):
        assert await refused(ada, "POST", "/test-sending", body) == (400, "validation_failed")


async def test_a_text_that_becomes_slow_is_rendered_elsewhere(ada: Person, services: Services):
    loop = "{% for a in xs %}{% for b in xs %}{{ a | append: b | upcase }}{% endfor %}{% endfor %}"
    await published(ada, "loop", text(text=f"{{{{ name | upcase }}}}{loop}"))
    asked = {**SMS, "templateKey": "loop", "variables": {"name": "Ada", "xs": ["x"]}}
    assert (await called(ada, "POST", "/messages", asked))["body"] == "ADAXX"
    texts = services.single(Published, lambda: Published(services.db), Published.close)
    assert [each.text is not None for each in texts._compiled.values()] == [True]
    slow = {**asked, "variables": {"name": "Ada", "xs": [""] * 95}}
    assert (await called(ada, "POST", "/messages", slow))["body"] == "ADA"
    assert [each.text for each in texts._compiled.values()] == [None]
    assert (await called(ada, "POST", "/messages", asked))["body"] == "ADAXX"
