"""Versions of templates: drafts change, published ones never do, and their numbers are distinct."""

import asyncio
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from runtime.services import Services
from shapes.template_versions import MOST_DRAFTS
from shapes.templates import MOST_TEMPLATES
from tests.support.people import Person
from tests.support.waits import WAITING, until
from tests.templates.made import again, called, draft, published, refused, template, text

_ROWS = """
SELECT row_to_json(v)::text AS version, (SELECT string_agg(row_to_json(x)::text, '|' ORDER BY locale)
  FROM template_texts AS x WHERE x.version_id = v.id) AS texts FROM template_versions AS v WHERE id = $1
"""


async def test_a_published_version_never_changes(ada: Person, services: Services):
    footer = await published(ada, "footer", text(text="We"))
    made = await published(ada, "welcome", text(text="Hi {{ name }} {% render 'footer' %}"))
    before = await services.db.fetchrow(_ROWS, UUID(made["id"]))
    body = {"texts": [text(text="Other")]}
    assert await refused(ada, "PUT", f"/template-versions/{made['id']}", body) == (409, "version_published")
    assert await refused(ada, "DELETE", f"/template-versions/{made['id']}") == (409, "version_published")
    assert await refused(ada, "DELETE", f"/templates/{made['templateId']}") == (409, "template_published")
    await again(ada, footer["templateId"], text(text="They"))
    await called(ada, "POST", f"/templates/{footer['templateId']}/archive")
    await called(ada, "PATCH", f"/templates/{made['templateId']}", {"name": "Other"})
    assert await called(ada, "POST", f"/template-versions/{made['id']}/publish") == made
    assert await services.db.fetchrow(_ROWS, UUID(made["id"])) == before
    preview = await called(ada, "POST", f"/template-versions/{made['id']}/preview", {"channel": "sms"})
    assert preview["body"].endswith(" We")


async def test_concurrent_publishes_get_distinct_numbers(ada: Person):
    id = await template(ada, "welcome")
    drafts = [await draft(ada, id, text(text=f"Hi {number}")) for number in range(8)]
    answers = await asyncio.gather(
        *(ada.rest("POST", f"/template-versions/{each}/publish") for each in (*drafts, *drafts))
    )
    assert {answer.status_code for answer in answers} <= {200, 429}
    for each in drafts:  # those that had to wait too long
        await called(ada, "POST", f"/template-versions/{each}/publish")
    rows = (await called(ada, "GET", f"/template-versions?templateId={id}&limit=100"))["items"]
    assert sorted(row["number"] for row in rows) == [*range(1, 9)]
    assert (await called(ada, "GET", f"/templates/{id}"))["version"] == 8


async def test_a_draft_that_changes_while_it_is_published(ada: Person, services: Services, database: str):
    id = await template(ada, "welcome")
    version = await draft(ada, id, text(text="Hi"))
    connection: Any = await asyncpg.connect(database)
    try:
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute("SELECT FROM templates WHERE id = $1 FOR UPDATE", UUID(id))
        publishing = asyncio.create_task(refused(ada, "POST", f"/template-versions/{version}/publish"))
        await until(lambda: services.db.fetchval(WAITING))
        await connection.execute(
            "UPDATE template_versions SET updated_at = now() WHERE id = $1", UUID(version)
        )
        await transaction.commit()
        assert await publishing == (409, "draft_changed")
    finally:
        await connection.close()
    assert (await called(ada, "GET", f"/templates/{id}"))["version"] is None


async def test_a_template_is_not_put_into_itself(ada: Person):
    made = await published(ada, "a", text(text="{{ content }}"))
    layout = await published(ada, "b", text(text="{{ content }} {% render 'a' %}"))
    assert layout["number"] == 1
    for body in (
        {"texts": [text(text="{% render 'a' %}")]},
        {"texts": [text(text="x")], "layoutKey": "a"},
        {"texts": [text(text="x")], "layoutKey": "b"},
    ):
        version = (await called(ada, "POST", f"/templates/{made['templateId']}/versions", body))["id"]
        path = f"/template-versions/{version}"
        assert await refused(ada, "POST", f"{path}/publish") == (400, "template_recursive")
        assert await refused(ada, "POST", f"{path}/preview", {"channel": "sms"}) == (
            400,
            "template_recursive",
        )


async def test_layouts_and_partials_have_one_level(ada: Person):
    await published(ada, "footer", text(text="We"))
    await published(ada, "outer", text(text="[{{ content }}]"))
    await published(ada, "inner", text(text="({{ content }})"), layoutKey="outer")
    await published(ada, "nested", text(text="{% render 'footer' %}"))
    id = await template(ada, "welcome")
    for fields, code in (
        ({"layoutKey": "inner"}, "bad_layout"),
        ({"layoutKey": "footer"}, "bad_text"),
        ({"layoutKey": "none"}, "template_not_found"),
    ):
        version = await draft(ada, id, text(text="x"), **fields)
        assert (await refused(ada, "POST", f"/template-versions/{version}/publish"))[1] == code
    version = await draft(ada, id, text(text="{% render 'nested' %}"))
    answer = await ada.rest("POST", f"/template-versions/{version}/publish")
    assert (answer.json()["code"], answer.json()["details"]["field"]) == ("bad_text", "texts.en.text")


async def test_languages_of_layout_and_partials_fall_back(ada: Person):
    await published(ada, "footer", text("en", text="Bye"), text("pt", text="Tchau"))
    await published(ada, "frame", text("en", text="<{{ content }}>"), text("pt-BR", text="[{{ content }}]"))
    texts = [text(tag, text=f"{tag} {{% render 'footer' %}}") for tag in ("en", "pt-BR", "de")]
    made = await published(ada, "welcome", *texts, layoutKey="frame", defaultLocale="EN")
    assert made["defaultLocale"] == "en"
    bodies = {}
    for tag in ("pt-BR", "pt-PT", "de-AT", "fr", None):
        body = {"channel": "sms", "locale": tag}
        shown = await called(ada, "POST", f"/template-versions/{made['id']}/preview", body)
        bodies[tag] = (shown["locale"], shown["body"])
    assert bodies == {
        "pt-BR": ("pt-BR", "[pt-BR Tchau]"),
        "pt-PT": ("en", "<en Bye>"),
        "de-AT": ("de", "<de Bye>"),
        "fr": ("en", "<en Bye>"),
        None: ("en", "<en Bye>"),
    }


async def test_another_owners_templates_are_not_there(ada: Person, bob: Person):
    made = await published(ada, "welcome", text(text="Hi"))
    id, version = made["templateId"], made["id"]
    for method, path, body in (
        ("GET", f"/templates/{id}", None),
        ("PATCH", f"/templates/{id}", {"name": "x"}),
        ("POST", f"/templates/{id}/archive", None),
        ("GET", f"/templates/{id}/used-by", None),
        ("POST", f"/templates/{id}/versions", {"texts": [text(text="x")]}),
    ):
        assert await refused(bob, method, path, body) == (404, "template_not_found")
    for method, path, body in (
        ("GET", f"/template-versions/{version}", None),
        ("PUT", f"/template-versions/{version}", {"texts": [text(text="x")]}),
        ("POST", f"/template-versions/{version}/publish", None),
        ("POST", f"/template-versions/{version}/preview", {"channel": "sms"}),
        ("GET", f"/template-versions/{version}/diff?against={version}", None),
    ):
        assert await refused(bob, method, path, body) == (404, "template_version_not_found")
    own = await draft(bob, await template(bob, "welcome"), text(text="{% render 'footer' %}"))
    await published(ada, "footer", text(text="We"))
    assert await refused(bob, "POST", f"/template-versions/{own}/publish") == (404, "template_not_found")
    assert (await called(bob, "GET", "/templates"))["items"][0]["id"] != id


async def test_bounds(ada: Person, services: Services):
    id = await template(ada, "welcome")
    path = f"/templates/{id}/versions"
    big = await ada.rest("POST", path, json={"texts": [text(html="x" * 10_000_000)]})
    assert big.status_code in (400, 413)
    assert await refused(ada, "POST", path, {"texts": [text(html="x" * 500_001)]}) == (
        400,
        "validation_failed",
    )
    many = [text(f"a{letter}", html="x" * 340_000) for letter in "abc"]
    assert await refused(ada, "POST", path, {"texts": many}) == (400, "validation_failed")
    assert await refused(ada, "POST", path, {"texts": [text(text="a"), text("EN", text="b")]}) == (
        400,
        "validation_failed",
    )
    loop = "{% for a in (1..10000) %}{% for b in (1..10000) %}{{ a | times: b }}{% endfor %}{% endfor %}"
    version = await draft(ada, id, text(text=loop))
    assert (await refused(ada, "POST", f"/template-versions/{version}/publish"))[1] in (
        "bad_text",
        "text_too_complex",
    )
    for _ in range(MOST_DRAFTS - 1):
        await draft(ada, id, text(text="x"))
    assert await refused(ada, "POST", path, {"texts": [text(text="x")]}) == (400, "too_many_drafts")
    await services.db.fetch(
        "INSERT INTO templates (id, owner_id, key, name) SELECT gen_random_uuid(), $1, 'k' || n, 'n'"
        " FROM generate_series(2, $2) AS n",
        ada.id,
        MOST_TEMPLATES,
    )
    body = {"key": "more", "name": "More"}
    assert await refused(ada, "POST", "/templates", body) == (400, "too_many_templates")
    await called(ada, "POST", f"/templates/{id}/archive")
    await called(ada, "POST", "/templates", body)
    assert await refused(ada, "POST", f"/templates/{id}/unarchive") == (400, "too_many_templates")


async def test_what_differs_and_what_uses_it(ada: Person):
    footer = await published(ada, "footer", text(text="We"))
    first = await published(ada, "welcome", text(subject="Hi", text="a\nb\nc\n{% render 'footer' %}"))
    second = await again(ada, first["templateId"], text(subject="Hi", text="a\nB\nc"), text("de", text="x"))
    diff = await called(ada, "GET", f"/template-versions/{second['id']}/diff?against={first['id']}")
    assert [(part["locale"], part["part"]) for part in diff["parts"]] == [
        ("de", "text"),
        ("en", "text"),
    ]
    assert {"-b", "+B", " a"} <= {*diff["parts"][1]["difference"].split("\n")}
    assert diff["layout"] is False
    path = f"/template-versions/{second['id']}/diff?against={footer['id']}"
    assert await refused(ada, "GET", path) == (400, "other_template")
    await draft(ada, await template(ada, "news"), text(text="x"), layoutKey="footer")
    uses = await called(ada, "GET", f"/templates/{footer['templateId']}/used-by")
    assert [(use["key"], use["version"], use["usedVersion"]) for use in uses["templates"]] == [
        ("news", None, None),
        ("welcome", 1, 1),
    ]
    assert (uses["projects"], uses["more"]) == ([], False)


async def test_a_preview_for_a_contact(ada: Person, bob: Person):
    made = await published(
        ada, "welcome", text(subject="Hi {{ name }}", html="<p>{{ city }}</p>"), testData={"name": "Test"}
    )
    await called(ada, "POST", "/contact-fields", {"key": "city", "type": "text", "label": "City"})
    contact = await called(
        ada, "POST", "/contacts", {"externalId": "c", "name": "Ada", "fields": {"city": "<b>"}}
    )
    path = f"/template-versions/{made['id']}/preview"
    shown = await called(ada, "POST", path, {"contactId": contact["id"]})
    assert (shown["subject"], shown["html"], shown["missing"]) == ("Hi Ada", "<p>&lt;b&gt;</p>", [])
    shown = await called(ada, "POST", path, {})
    assert (shown["subject"], shown["missing"]) == ("Hi Test", ["city"])
    shown = await called(ada, "POST", path, {"contactId": contact["id"], "variables": {"city": "Rome"}})
    assert shown["html"] == "<p>Rome</p>"
    other = await called(bob, "POST", "/contacts", {"externalId": "b", "name": "Bob"})
    assert await refused(ada, "POST", path, {"contactId": other["id"]}) == (404, "contact_not_found")
    assert await refused(ada, "POST", path, {"channel": "sms"}) == (400, "template_lacks_part")


@pytest.mark.parametrize("source", ["Hi {{ a.b", "{% if %}", "{% include 'a' %}"])
async def test_a_bad_text_is_saved_and_not_published(ada: Person, source: str):
    version = await draft(ada, await template(ada, "welcome"), text(text=source))
    assert await refused(ada, "POST", f"/template-versions/{version}/publish") == (400, "bad_text")


async def test_a_version_keeps_its_name_and_the_document_of_the_builder(ada: Person):
    source = {"format": 1, "doc": {"type": "doc", "content": [{"type": "text", "text": "<b>&"}]}}
    made = await published(
        ada, "letter", text(html="<p>Hi</p>", source=source), text("de", html="<p>Hallo</p>"), name="Spring"
    )
    assert made["name"] == "Spring"
    read = await called(ada, "GET", f"/template-versions/{made['id']}")
    assert [each["source"] for each in read["texts"]] == [None, source]
    id = await draft(ada, made["templateId"], text(html="<p>Hi</p>", source=source))
    body = {"texts": [text(html="<p>By hand</p>")]}
    assert (await called(ada, "PUT", f"/template-versions/{id}", body))["name"] is None
    assert (await called(ada, "GET", f"/template-versions/{id}"))["texts"][0]["source"] is None


@pytest.mark.parametrize(
    "parts",
    [
        {"text": "Hi", "source": {}},
        {"html": "Hi", "source": []},
        {"html": "Hi", "source": {"a": "x" * 262_144}},
    ],
)
async def test_a_document_of_the_builder_has_html_and_a_bound(ada: Person, parts: dict[str, Any]):
    id = await template(ada, "letter")
    status, code = await refused(ada, "POST", f"/templates/{id}/versions", {"texts": [text(**parts)]})
    assert (status, code) == (400, "validation_failed")
