"""Previews and published versions say where readers would stumble, which keeps a text from nothing."""

from typing import Any

import pytest

from engine.texts.problems import MOST, problems_in
from tests.support.people import Person
from tests.templates.made import again, called, draft, published, refused, template, text

LINK = '<a href="{{ unsubscribe_url }}">Leave</a>'


def kinds(html: str | None = None, plain: str | None = None, *, promotional: bool = False) -> list[Any]:
    return [
        (each["kind"], each["detail"])
        for each in problems_in({"html": html, "text": plain}, promotional=promotional)
    ]


@pytest.mark.parametrize(
    ("html", "visible"),
    [
        (LINK, True),
        ("<a href='{{preferences_url}}'><img src='https://x.example/a.png' alt='Leave'></a>", True),
        ("<p>{{ unsubscribe_url }}</p>", False),
        ('<a href="{{ unsubscribe_url }}"></a>', False),
        ('<a href="{{ unsubscribe_url }}"> &nbsp;<b> </b></a>', False),
        ('<a style="display: none" href="{{ unsubscribe_url }}">Leave</a>', False),
        ('<a style="font-size:0" href="{{ unsubscribe_url }}">Leave</a>', False),
        ('<a style="font-size:0.9em" href="{{ unsubscribe_url }}">Leave</a>', True),
        (f'<a style="display:none" href="{{{{ unsubscribe_url }}}}">x</a>{LINK}', True),
        ("", True),
    ],
)
def test_a_visible_way_to_unsubscribe(html: str, visible: bool):
    assert (("no_unsubscribe", None) not in kinds(html, promotional=True)) is visible
    assert kinds(html) == []


def test_pictures_and_links():
    assert kinds('<img src="https://x.example/a.png"><IMG alt src=cid:a><img alt="" src="/b.png">') == [
        ("image_without_alt", "https://x.example/a.png"),
        ("insecure_link", "/b.png"),
    ]
    links = (
        "HTTP://a.example",
        "javascript:alert(1)",
        "b.example",
        "{{ url }}",
        "mailto:a@example.com",
        "#top",
    )
    assert kinds("".join(f"<a href='{link}'>x</a>" for link in links)) == [
        ("insecure_link", link) for link in links[:3]
    ]
    assert kinds(None, "See http://a.example/b or https://c.example", promotional=True) == [
        ("no_unsubscribe", None),
        ("insecure_link", "http://a.example/b"),
    ]
    assert kinds("x" * (102 * 1024)) == []
    assert kinds("é" * (52 * 1024)) == [("too_large", None)]
    assert len(kinds("".join(f"<a href='a{number}'>x</a>" for number in range(1000)))) == MOST
    assert len(kinds(f"<a href='{'a' * 1000}'>x</a>")[0][1]) == 200


@pytest.mark.parametrize(
    "piece", ["<a ", "<a href='{{ unsubscribe_url }}' style='display:none'>", "<", "<img alt"]
)
def test_hostile_html_is_read_in_time_by_its_length(piece: str):
    problems_in({"html": piece * (500_000 // len(piece)), "text": "http://" * 14_000}, promotional=True)


async def test_the_answers_of_publishing_and_previewing(ada: Person):
    await published(ada, "footer", text(html="<img src='https://x.example/l.png'>"))
    id = await template(ada, "news", category="promotional")
    html = "<p>{{ name }}</p>{% render 'footer' %}<a href='http://a.example'>x</a>"
    version = await draft(ada, id, text(subject="s", html=html), text("de", subject="s", html=LINK))
    expected = [
        {"kind": kind, "locale": "en", "part": "html", "detail": detail, "lacking": None}
        for kind, detail in (
            ("no_unsubscribe", None),
            ("image_without_alt", "https://x.example/l.png"),
            ("insecure_link", "http://a.example"),
        )
    ]
    missing = {"kind": "missing_variable", "locale": "en", "part": None, "detail": "name", "lacking": None}
    path = f"/template-versions/{version}"
    shown = await called(ada, "POST", f"{path}/preview", {})
    assert (shown["problems"], shown["examined"]) == ([*expected, missing], None)
    made = await called(ada, "POST", f"{path}/publish")
    assert made["problems"] == expected
    assert (await called(ada, "GET", path))["problems"] == expected
    assert (await called(ada, "POST", f"{path}/preview", {}))["problems"] == [*expected, missing]
    assert (await called(ada, "POST", f"{path}/preview", {"locale": "de"}))["problems"] == []
    node = await ada.data(
        "query($id:ID!){templateVersion(id:$id){problems{kind locale part detail lacking}}}", {"id": version}
    )
    assert node["templateVersion"]["problems"] == expected


async def test_a_text_that_is_not_saved(ada: Person, bob: Person):
    await published(ada, "frame", text(html="<main>{{ content }}</main>"))
    id = await template(ada, "news")
    texts = [text(subject="Hi", html="<p>{{ name }}</p>"), text("pt", subject="Oi", html="<b>{{ name }}</b>")]
    version = {"texts": texts, "layoutKey": "frame", "testData": {"name": "Ann"}}
    shown = await called(ada, "POST", f"/templates/{id}/preview", {"version": version})
    assert (shown["subject"], shown["html"], shown["locale"]) == ("Hi", "<main><p>Ann</p></main>", "en")
    body = {"version": version, "preview": {"locale": "pt-BR", "variables": {"name": "<i>"}}}
    shown = await called(ada, "POST", f"/templates/{id}/preview", body)
    assert (shown["html"], shown["locale"]) == ("<main><b>&lt;i&gt;</b></main>", "pt")
    assert (await called(ada, "GET", f"/template-versions?templateId={id}"))["items"] == []
    path = f"/templates/{id}/preview"
    assert await refused(bob, "POST", path, body) == (404, "template_not_found")
    for fields, error in (
        ({"layoutKey": "news"}, (400, "template_recursive")),
        ({"layoutKey": "none"}, (404, "template_not_found")),
        ({"texts": []}, (400, "validation_failed")),
        ({"texts": [text(text="{% if %}")]}, (400, "bad_text")),
        ({"texts": [text(html="x" * 500_001)]}, (400, "validation_failed")),
    ):
        assert await refused(ada, "POST", path, {"version": {**version, **fields}}) == error
    body = {"version": {"texts": [text(text="x")]}, "preview": {"channel": "email"}}
    assert await refused(ada, "POST", path, body) == (400, "template_lacks_part")


async def test_how_many_of_an_audience_lack_a_variable(ada: Person, bob: Person):
    source = "{{ name }} {{ city }} {{ order.number }} {{ run.date }} {{ zip | default: '-' }}"
    made = await published(ada, "news", text(text=source), text("pt", text="{{ other }}"))
    project = await called(ada, "POST", "/sending-project", {"name": "P", "channel": "sms", "text": "x"})
    recipients = [
        {"phone": "+14155550001", "name": "A", "variables": {"city": "Rome", "order": {"number": 1}}},
        {"phone": "+14155550002", "name": "B", "variables": {"city": " "}},
        {"phone": "+14155550003", "variables": {"city": "Bonn", "order": {}}},
    ]
    await called(ada, "POST", f"/recipient/{project['uuid']}", {"recipients": recipients})
    path = f"/template-versions/{made['id']}/preview"
    body = {"channel": "sms", "audience": {"sendingProjectUuid": project["uuid"]}}
    shown = await called(ada, "POST", path, body)
    lacking = {each["detail"]: each["lacking"] for each in shown["problems"]}
    assert (lacking, shown["examined"]) == ({"name": 1, "city": 1, "order.number": 2}, 3)
    shown = await called(ada, "POST", path, {**body, "variables": {"order": {"number": 7}}})
    assert {each["detail"] for each in shown["problems"]} == {"name", "city"}
    await called(ada, "POST", "/contact-fields", {"key": "city", "type": "text", "label": "City"})
    for number, fields in enumerate(({"city": "Rome"}, {})):
        address = {"channel": "sms", "address": f"+1415555100{number}"}
        await called(
            ada, "POST", "/contacts", {"externalId": f"c{number}", "fields": fields, "addresses": [address]}
        )
    filter = {"all": [{"any": [{"contact": {"createdWithinDays": 7}}]}]}
    segment = (await called(ada, "POST", "/segments", {"name": "All", "filter": filter}))["id"]
    shown = await called(ada, "POST", path, {"channel": "sms", "audience": {"segmentUuid": segment}})
    lacking = {each["detail"]: each["lacking"] for each in shown["problems"]}
    assert (lacking, shown["examined"]) == ({"name": 2, "city": 1, "order.number": 2}, 2)
    await again(ada, made["templateId"], text(text="x"))
    own = await published(bob, "news", text(text="{{ a }}"))
    path = f"/template-versions/{own['id']}/preview"
    assert (await refused(bob, "POST", path, body))[1] == "sending_project_not_found"
    for name, code in (("segmentUuid", "segment_not_found"), ("topicUuid", "topic_not_found")):
        asked = {"channel": "sms", "audience": {name: segment}}
        assert (await refused(bob, "POST", path, asked))[1] == code
    assert (await refused(bob, "POST", path, {"audience": {}}))[1] == "validation_failed"
