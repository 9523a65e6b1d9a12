"""Texts: the fast path is Liquid, and no text can keep a worker busy."""

from typing import Any
from uuid import UUID, uuid5

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.ids import uuid7
from engine.texts import liquid_rules, project_texts
from engine.texts.project_texts import Compiled, MissingVariable, TextError, check, compiled
from tests.support.examples import examples


def render(text: str, variables: dict[str, Any] | None = None, **content: Any) -> str:
    return Compiled({"text": text, **content}).render(None, variables or {}).body


# the fast path

NAMES = ("name", "b", "имя", "a_1", "ß", "true", "nil", "empty", "x²")
LITERALS = ("", "Hi ", "{", "}", "}}", "{ {", "\r\n", "<b>&", "%}", "\n ", "%", "é", "{#")
PLACEHOLDERS = (*(f"{{{{ {name} }}}}" for name in NAMES), "{{name}}", "{{\tb\t}}", "{{name }}")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]),
        max_size=20) | st.sampled_from(["<b>", "a&b", "O'Neil", "\r\n"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


@settings(max_examples=examples(125), deadline=None)
@given(
    st.lists(st.sampled_from(LITERALS + PLACEHOLDERS), max_size=8).map("".join),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5),
    st.booleans(),
)
@example("{{{ name }}", {"name": "x"}, False)
@example("{{ name }}}", {"name": "x"}, True)
@example("{{ name }}{{ name }}", {"name": ["<i>", 1]}, True)
def test_the_fast_path_is_liquid(source: str, variables: dict[str, Any], html: bool):
    fast = project_texts._plain(source, html)
    if fast is None:
        return
    template = liquid_rules.parse(source, liquid_rules.HTML if html else liquid_rules.PLAIN)
    assert fast(variables) == liquid_rules.run(template, variables)


@settings(max_examples=examples(50), deadline=None)
@given(st.text(st.sampled_from("{}% \n|-nameif.[]'\"()1:,#"), max_size=40))
def test_any_source_is_understood_or_refused(source: str):
    try:
        names = check(source)
    except TextError as error:
        assert error.message
    else:
        text = render(source, dict.fromkeys(names, "v"))
        assert isinstance(text, str)


@pytest.mark.parametrize("name", ["name", "имя", "first_name2"])
def test_plain_placeholders_are_fast(name: str):
    assert project_texts._plain(f"Hi {{{{ {name} }}}}!", html=False) is not None


def test_a_text_without_variables_is_rendered_once():
    text = Compiled({"subject": "s", "text": "same", "html": "<b>"})
    assert text.render(None, {"a": 1}) is text.render(None, {"b": 2})


def test_the_same_content_is_compiled_once():
    assert compiled({"text": "a {{ b }}", "attachment_uuids": [uuid7()]}) is compiled({"text": "a {{ b }}"})


# what Liquid can do here


@pytest.mark.parametrize(
    ("source", "variables", "expected"),
    [
        ("{{ name | upcase }}", {"name": "ada"}, "ADA"),
        ("{{ name | default: 'friend' }}", {}, "friend"),
        ("{% if vip %}A{% else %}B{% endif %}", {"vip": True}, "A"),
        ("{% for item in cart %}{{ item.name }};{% endfor %}", {"cart": [{"name": "x"}, {"name": "y"}]}, "x;y;"),
        ("{% assign a = n | times: 2 %}{{ a }}", {"n": 21}, "42"),
        ("{% case n %}{% when 1 %}one{% else %}many{% endcase %}", {"n": 1}, "one"),
        ("{% raw %}{{ name }}{% endraw %}", {"name": "x"}, "{{ name }}"),
        ("{% comment %}{% nothing %}{% endcomment %}a", {}, "a"),
        ("a{% break %}b", {}, "a"),
        ("{{ user.name }}", {"user": {"name": "Ada"}}, "Ada"),
        ('{{ ["first name"] }}', {"first name": "Ada"}, "Ada"),
        ("a\r\nb{{ n | plus: 1 }}\r\n", {"n": 1}, "a\r\nb2\r\n"),
        ("{{ partial }}{{ now }}{{ today }}", {}, ""),
    ],
)  # fmt: skip
def test_liquid(source: str, variables: dict[str, Any], expected: str):
    assert render(source, variables) == expected


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        ("2026-03-04T05:06:07+02:00", "%Y-%m-%d %H:%M", "2026-03-04 05:06"),
        ("2026-03-04", "%d.%m.", "04.03."),
        ("10:30", "%Y %H:%M", "2000 10:30"),  # not the day on which it is rendered
        (0, "%Y-%m-%d %H", "1970-01-01 00"),
        ("1767225600", "%s %Y", "1767225600 2026"),
        ("now", "%Y", "now"),
        ("today", "%Y", "today"),
        ("no date", "%Y", "no date"),
        ("9" * 30, "%Y", "9" * 30),
        (None, "%Y", ""),
    ],
)
def test_dates_know_no_today(value: Any, form: str, expected: str):
    assert render(f"{{{{ d | date: '{form}' }}}}", {"d": value}) == expected


def test_variables_are_escaped_in_html_only():
    text = Compiled({"subject": "{{ n }}", "text": "{{ n }}", "html": "<p>{{ n }}{{ n | upcase }}</p>"})
    shown = text.render(None, {"n": "<b>&'"})
    assert shown.body == shown.subject == "<b>&'"
    assert shown.html == "<p>&lt;b&gt;&amp;&#39;&lt;B&gt;&amp;&#39;</p>"


@pytest.mark.parametrize("value", ["a\r\nBcc: x@example.com", "a\nb", "a\x00b", "a\u2028b"])
def test_a_subject_is_one_line(value: str):
    subject = Compiled({"subject": "Re: {{ v }}", "text": "x"}).render(None, {"v": value}).subject
    assert subject is not None
    assert len(subject.splitlines()) == 1
    assert subject.isprintable()


def test_the_parameters_of_a_template_are_rendered():
    text = Compiled({"template": {"name": "t", "language": "en", "params": ["{{ a }}", "b"]}})
    assert text.render(None, {"a": "1"}).params == ("1", "b")


# variables


def test_check_tells_the_variables():
    assert check("{{ a }}{% if b %}{{ c.d | append: e }}{% endif %}{% assign f = 1 %}{{ f }}") == {*"abce"}


@pytest.mark.parametrize("value", [None, "", " ", [], {}])
@pytest.mark.parametrize("source", ["{{ name }}", "{{ name | upcase }}", "{{ 'Hi ' | append: name }}"])
def test_a_missing_variable_skips(source: str, value: Any):
    for variables in ({}, {"name": value}):
        with pytest.raises(MissingVariable) as missing:
            render(source, variables, on_missing_variable="skip")
        assert missing.value.name == "name"
        render(source, variables, on_missing_variable="empty")


@pytest.mark.parametrize(
    "source",
    [
        "{{ name | default: 'friend' }}",
        "{% if name %}Hi {{ name }}{% endif %}",
        "{% for one in name %}{{ one }}{% endfor %}",
        "{% assign name = 'x' %}{{ name }}",
        "{% raw %}{{ name }}{% endraw %}",
    ],
)
def test_a_variable_that_the_text_cares_for_is_not_missing(source: str):
    render(source, {}, on_missing_variable="skip")


@pytest.mark.parametrize("value", [0, False, 0.0])
def test_zero_and_no_are_values(value: Any):
    assert render("{{ v }}", {"v": value}, on_missing_variable="skip")


def test_a_part_of_a_variable_can_be_missing():
    with pytest.raises(MissingVariable, match=r"user\.name"):
        render("{{ user.name | upcase }}", {"user": {"surname": "x"}}, on_missing_variable="skip")


def test_the_subject_and_the_html_count_too():
    for part in ("subject", "html"):
        with pytest.raises(MissingVariable):
            render("x", {}, on_missing_variable="skip", **{part: "{{ name }}"})


# variants


def test_variants_by_weight():
    text = Compiled({"variants": [{"text": "a {{ n }}", "weight": 1}, {"text": "b", "weight": 3}]})
    project = UUID(int=7)
    ids = [uuid5(project, str(n)) for n in range(4000)]
    picked = [text.pick(id, None) for id in ids]
    assert [text.pick(id, None) for id in ids] == picked
    assert 0.2 < picked.count(0) / len(picked) < 0.3
    assert text.render(0, {"n": 1}).body == "a 1"
    assert text.render(1, {}).body == "b"
    assert text.render(9, {"n": 1}).body == "a 1"
    assert Compiled({"text": "x"}).pick(ids[0], None) is None


# what texts may not do

ENDLESS = (
    "{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}x{% endfor %}{% endfor %}{% "
    "endfor %}"
)
DOUBLING = (
    "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}"
)


@pytest.mark.parametrize(
    "source",
    [
        ENDLESS,
        DOUBLING,
        "{% for i in (1..100000000000) %}x{% endfor %}",
        "{% for i in (1..9999999999) reversed limit: 1 %}x{% endfor %}",
        "{% for i in (1..9999999999) offset: 9999999990 %}x{% endfor %}",
        "{% assign a = 9 %}{% for i in (1..99) %}{% assign a = a | times: a %}{% endfor %}{{ a }}",
        "{% assign a = 'xxxxxxxxxx' %}" + "{% assign a = a | replace: 'x', a %}" * 9,
        "{% assign a = 'xxxxxxxxxx' %}" + "{% capture a %}{{ a }}{{ a }}{{ a }}{% endcapture %}" * 20 + "{{ a }}",
        "{% assign l = 'a,b' | split: ',' %}" + "{% assign l = l | concat: l %}" * 30,
        (
            "{% for a in (1..100) %}{% for b in "
            "(1..100) %}"
        ) + "{{ 'x' | upcase | downcase }}" * 20 + "{% endfor %}{% endfor %}",
    ],
)  # fmt: skip
def test_a_text_that_does_too_much_is_refused(source: str):
    with pytest.raises(TextError) as refused:
        check(source)
    assert refused.value.limit
    with pytest.raises(TextError):
        render(source)


@pytest.mark.parametrize(
    ("source", "variables"),
    [
        ("{% for i in (1..n) %}x{% endfor %}", {"n": 10**12}),
        ("{% for i in list %}x{% endfor %}", {"list": [0] * 5000}),
        ("{{ a | replace: 'x', b }}", {"a": "x" * 60_000, "b": "y" * 60_000}),
        ("{{ a | split: '' | uniq | join: b }}", {"a": "ab" * 30_000, "b": "y"}),
        ("{{ a | strip_html }}", {"a": "<a" * 30_000}),
        ("{{ a | date: b }}", {"a": "2026-01-01", "b": "%Y" * 1000}),
        ("{{ n | times: n | times: n }}", {"n": 10**18}),
    ],
)
def test_no_recipient_s_variables_make_a_text_endless(source: str, variables: dict[str, Any]):
    check(source)
    with pytest.raises(TextError):
        render(source, variables)


def test_the_output_is_bounded_on_both_paths():
    long = {"v": "x" * 60_000}
    for source in ("{{ v }}" * 100, "{{ v | upcase }}" * 100):
        with pytest.raises(TextError) as refused:
            render(source, long)
        assert refused.value.limit


@pytest.mark.parametrize(
    ("source", "line", "says"),
    [
        ("Hi {{ name", 1, "never closed"),
        ("a\n{{ a }}\n{% if x %}", 3, "endif"),
        ("a\n{{ a | upcse }}", 2, "upcase"),
        ("\n\n{{ a | }}", 3, "expected"),
        ("{{ }}", 1, "empty"),
        ("{% %}", 1, "empty"),
        ("{% + %}", 1, "name"),
        ("{% include 'secret' %}", 1, "include"),
        ("{% render 'secret' %}", 1, "render"),
        ("{% layout 'x' %}", 1, "layout"),
        ("\n{% raw %}{{ a }}", 2, "endraw"),
        ("{% case x %}", 1, "unexpected"),
        ("{{ 'now' | date: '%Y' }}", 1, "now"),
        ("{{ 'today' | date: '%Y' }}", 1, "now"),
        ("{{ (1..1000000000) | join }}", 1, "range"),
        ("{% if (1..1000000000) contains 'a' %}{% endif %}", 1, "range"),
        ("{% assign r = (1..9) %}", 1, "range"),
        ("{{ " + "a" * 3000 + " }}", 1, "2000"),
        ("{{ a" + " " * 300 + "}}", 1, "space"),
        ("{{ a }}" * 2001, 1, "2000"),
        ("{% if a %}" * 40 + "{% endif %}" * 40, None, "nest"),
        ("{{ " + "[" * 900 + "a" + "]" * 900 + " }}", None, "nested"),
    ],
)
def test_a_bad_text_is_refused_with_its_line(source: str, line: int | None, says: str):
    with pytest.raises(TextError) as refused:
        check(source)
    assert says in refused.value.message
    if line is not None:
        assert refused.value.line == line


def test_no_tag_is_looked_for_again_and_again():
    """Each of these would send python-liquid's patterns over all of the source many times."""
    for piece in ("{{ ", "{% raw %}", "{% doc %}", "{%", "{{}} {{"):
        with pytest.raises(TextError):
            check(piece * 100_000)


def test_an_error_at_rendering_is_a_text_error():
    for source, value in (("{{ v | base64_decode }}", "////"), ("{{ v | divided_by: 0 }}", 1)):
        with pytest.raises(TextError):
            render(source, {"v": value})


def test_names_lead_nowhere():
    """No attribute of any Python object, only items of the variables."""
    for path in ("a.__class__", "a['__class__']", "a.keys", "forloop", "a.__init__.__globals__"):
        assert render(f"{{{{ {path} }}}}", {"a": {"b": 1}}) == ""
