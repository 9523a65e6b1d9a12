"""Emails that have HTML and no text: their text part is made from the HTML, for previews, tests and what is sent."""

from uuid import UUID

import pytest

from engine.texts.plain_part import text_of
from engine.texts.project_texts import Compiled
from runtime.services import Services
from shapes.project_settings import LONGEST_TEXT
from tests.sending_projects.conftest import Projects
from tests.sending_projects.test_preview import preview
from tests.support.people import Person
from tests.templates.made import called, published, text

HTML = '<h1>Hello {{ name }}</h1><p>We open <a href="https://example.com/{{ code }}">today</a>.</p>'
MADE = "Hello {{ name }}\n\nWe open today (https://example.com/{{ code }})."
SENT = "Hello <Ada>\n\nWe open today (https://example.com/7)."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (HTML, MADE),
        ("<p>A&amp;B&nbsp;&lt;c&gt;<br>next", "A&B <c>\nnext"),
        ("<style>p{}</style><title>t</title><div style='DISPLAY : none'>pre</div><p>seen", "seen"),
        ("<ul><li>a</li><li>b</li></ul><ol><li>c</li><li>d</li></ol>", "- a\n- b\n\n1. c\n2. d"),
        ("<a href='mailto:a@example.com'>a@example.com</a> <a href='#top'>up</a>", "a@example.com up"),
        ("<a href='https://example.com'><img src=x></a>", "https://example.com"),
        ("<a href='https://example.com'>https://example.com</a>", "https://example.com"),
        ("<table><tr><td>a<td>b</tr><tr><td>{{ x | escape }}</td></tr></table>", "a b\n{{ x  }}"),
        ("{{ rich | raw }}", "{{ rich | strip_html }}"),
        ("<p {% if a %}class=x{% endif %}>b</p>", "{% if a %}{% endif %}b"),
        ("<style>{% assign a = 1 %}</style>{{ a }}", "{% assign a = 1 %}{{ a }}"),
        (
            "<p>a</p>{%- if b -%}<p>c</p>{%- else -%}d{%- endif -%}",
            "a{% if b %}\n\nc{% else %}\n\nd{% endif %}",
        ),
        (
            "Dear {% if a %}{{ a }}{% else %}you{% endif %}!",
            "Dear {% if a %}{{ a }}{% else %}you{% endif %}!",
        ),
        ("<img src='x'>", ""),
    ],
)
def test_the_text_is_made_from_the_html(html: str, expected: str):
    assert text_of(html) == expected


def test_a_long_text_is_cut_and_its_blocks_stay_closed():
    made = text_of("{% for x in y %}" + "<p>word word word</p>" * 20_000 + "{% endfor %}")
    assert len(made) < LONGEST_TEXT + 1_000
    assert made.endswith("{% endfor %}")
    Compiled({"text": made})


async def test_a_preview_takes_html_alone(ada: Person, projects: Projects):
    asked = {"channel": "email", "subject": "S", "html": HTML, "variables": {"name": "<Ada>", "code": 7}}
    for given in ({}, {"text": ""}):
        seen = await preview(ada, **asked, **given)
        assert (seen["body"], seen["missing"]) == (SENT, [])
    project = await projects.make(ada, channel="email", subject="S", html=HTML, text="own")
    assert (await preview(ada, sendingProjectUuid=project, text="", html=HTML))["body"].startswith("Hello")


@pytest.mark.usefixtures("working")
async def test_a_test_message_takes_html_alone(ada: Person, services: Services):
    asked = {"channel": "email", "to": "a@example.com", "subject": "S", "html": HTML}
    sent = await called(ada, "POST", "/test-sending", {**asked, "variables": {"name": "<Ada>", "code": 7}})
    row = await services.db.fetchrow("SELECT * FROM messages WHERE id = $1", UUID(sent["messageId"]))
    assert (row["body"], row["metadata"]["subject"]) == (SENT, "[Test] S")
    sms = await ada.rest("POST", "/test-sending", json={**asked, "channel": "sms", "to": "+14155550100"})
    assert sms.status_code == 400
    long = "<p>" + "word " * 1_000
    assert (await called(ada, "POST", "/test-sending", {**asked, "html": long}))["status"] == "sent"


async def test_a_message_by_a_template_of_html_alone_has_a_text(ada: Person):
    await published(ada, "welcome", text(subject="S", html=HTML))
    asked = {"channel": "email", "to": "a@example.com", "templateKey": "welcome"}
    made = await called(ada, "POST", "/messages", {**asked, "variables": {"name": "<Ada>", "code": 7}})
    assert made["body"] == SENT
