"""Layouts and partials: put in as source, once, and never into themselves."""

from typing import Any

import pytest

from engine.texts import assembly
from engine.texts.liquid_rules import TextError
from engine.texts.project_texts import Compiled


def assembled(layout: dict[str, str] | None = None, **parts: Any) -> dict[str, Any]:
    partials = parts.pop("partials", {})
    asked = dict.fromkeys(("subject", "preheader", "text", "html")) | parts
    return assembly.assemble({**asked, "layout": layout, "partials": partials})


def test_a_layout_and_partials_are_put_in():
    made = assembled(
        layout={
            "html": "<body>{{ content }}{% render 'footer' %}</body>",
            "text": "{{- content -}} \n--\nWe",
        },
        html="<p>Hi {{ name }}</p>",
        text="Hi {{ name }}",
        partials={"footer": {"html": "<i>{{ company }}</i>", "text": None}},
    )
    assert made["html"] == "<body><p>Hi {{ name }}</p><i>{{ company }}</i></body>"
    assert made["text"] == "Hi {{ name }}--\nWe"
    assert made["variables"] == ["company", "name"]
    assert made["required"] == ["company", "name"]


def test_a_preheader_is_hidden_at_the_beginning_of_the_body():
    made = assembled(html="<html><BODY class='a'><p>Hi</p></BODY></html>", preheader="For {{ name }}")
    before, _, after = made["html"].partition("For {{ name }}")
    assert before.startswith("<html><BODY class='a'><div style=\"display:none") and after.startswith(
        "</div><p>"
    )
    assert made["required"] == ["name"]


def test_values_are_escaped_in_html_alone_and_raw_where_the_author_says_so():
    made = assembled(html="{{ a }} {{ a | raw }}", text="{{ a }}", subject="{{ a }}")
    content = {"html": made["html"], "text": made["text"], "subject": "{{ a }}"}
    rendered = Compiled(content).render(None, {"a": "<b>&"})
    assert rendered.html == "&lt;b&gt;&amp; <b>&"
    assert (rendered.body, rendered.subject) == ("<b>&", "<b>&")


@pytest.mark.parametrize(
    "source", ["{% raw %}{% render 'a' %}{% endraw %}", "{% comment %}{% render 'a' %}{% endcomment %}"]
)
def test_tags_in_raw_and_comments_are_no_tags(source: str):
    assert [*assembly.keys_in(source)] == []
    assert assembled(html=source)["html"] == source


def test_the_text_that_is_put_in_is_not_searched_for_further_tags():
    with pytest.raises(assembly.BadPart, match="one level"):
        assembled(html="{% render 'a' %}", partials={"a": {"html": "{% render 'b' %}"}, "b": {"html": "b"}})
    made = assembled(
        layout={"html": "{{ content }}"}, html="{% render 'a' %}", partials={"a": {"html": "{{ content }}"}}
    )
    assert made["html"] == "{{ content }}"  # a variable of that name, and no second content


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"html": "{% render name %}"}, "the key of a template alone"),
        ({"html": "{% render 'a' with b %}"}, "the key of a template alone"),
        ({"html": "{% render 'a' %}", "partials": {"a": {"html": None}}}, "has no html"),
        ({"html": "a", "layout": {"html": "<p></p>"}}, "no `{{ content }}`"),
        ({"html": "{% if a %}"}, "html"),
        ({"subject": "{% render 'a' %}", "text": "a"}, "subject"),
        (
            {"text": "{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}"},
            "too complex",
        ),
    ],
)
def test_what_can_not_be_sent_is_refused_with_its_part(parts: dict[str, Any], message: str):
    with pytest.raises(assembly.BadPart) as refused:
        assembled(**parts)
    assert message in str(refused.value)


def test_two_thousand_partials_make_no_endless_text():
    with pytest.raises(assembly.BadPart, match="more than 500000 characters") as refused:
        assembled(html="{% render 'a' %}" * 2000, partials={"a": {"html": "x" * 400_000}})
    assert refused.value.long


def test_a_key_of_a_partial_is_read_in_both_quotes():
    assert [*assembly.keys_in("{% render 'a' %}{%- render \"b-1\" -%}")] == ["a", "b-1"]
    with pytest.raises(TextError, match="never closed"):
        [*assembly.keys_in("{% render 'a'")]
