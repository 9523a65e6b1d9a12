"""The text part that is made from HTML: what readers see, with all blocks of Liquid closed."""

import pytest

from engine.texts.plain_part import text_of


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<td{% if x %} class="a"{% endif %}>Hi</td>', "{% if x %}{% endif %}Hi"),
        ('<p{% assign g = "Hi" %}>{{ g }}</p>', '{% assign g = "Hi" %}{{ g }}'),
        ("<td>a{% if y %}</td {% endif %}>b", "a{% if y %}{% endif %}b"),
        ("<style>{% raw %}.a{b}{% endraw %}</style>x", "x"),
        ("<tr class=\"{% cycle 'odd','even' %}\"><td>y</td></tr>", "y"),
        ("Write &#123;&#123; code &#125;&#125; now", 'Write {{ "{{" }} code }} now'),
        ("<head><title>x</title><body><p>Hello", "Hello"),
        ('<p style="display:none">pre<p>Letter', "Letter"),
        ("<ul><li hidden>a<li>b</ul>c", "- b\n\nc"),
        ("<div><p hidden>a</div>b", "b"),
        (
            '<a {% if vip %} href="https://a" {% else %} href="https://b" {% endif %}>Go</a>',
            "{% if vip %}{% else %}{% endif %}Go",
        ),
        ('<a href="https://x/{{ id }}">go</a>', "go (https://x/{{ id }})"),
    ],
)
def test_the_text_of_html(html: str, text: str):
    assert text_of(html) == text
