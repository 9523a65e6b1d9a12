"""The brand of an owner: what it may be, and whose it is."""

from typing import Any

import pytest

from core.contrast import AA, contrast
from core.http.dress import NEUTRAL, NEUTRAL_DARK, Palette, dark_of
from tests.brands.pages import set_brand
from tests.support.people import Person

LIGHT = {"background": "#ffffff", "text": "#1b1f24", "accent": "#1f4fd8", "buttonText": "#ffffff"}
FULL = {
    "name": "Example Shop",
    "colors": {**LIGHT, "accent": "#0b6e4f"},
    "darkColors": {"background": "#101010", "text": "#eeeeee", "accent": "#7fd4b3", "buttonText": "#000000"},
    "font": "serif",
    "address": "Example Shop Ltd\n1 High Street",
    "imprint": "Registered in England",
    "links": [{"text": "Privacy", "url": "https://example.com/privacy?a=1&b=2"}],
    "footers": [{"locale": "en", "text": "Hello"}, {"locale": "pt-BR", "text": "Olá"}],
    "replyAddress": "help@example.com",
}


async def test_a_brand_is_set_shown_replaced_and_deleted(ada: Person, bob: Person):
    assert (await ada.rest("GET", "/brand")).json()["code"] == "brand_not_found"
    made = await set_brand(ada, **{**FULL, "colors": {**LIGHT, "accent": "#0B6E4F"}})
    assert {name: made[name] for name in FULL} == FULL
    assert (await ada.rest("GET", "/brand")).json() == made
    shown = await ada.data(
        "{brand{name colors{accent buttonText} darkColors{text} font address imprint links{text url}"
        " footers{locale text} replyAddress}}"
    )
    assert shown["brand"] == {
        **{name: FULL[name] for name in ("name", "font", "address", "imprint", "links", "footers", "replyAddress")},
        "colors": {"accent": "#0b6e4f", "buttonText": "#ffffff"},
        "darkColors": {"text": "#eeeeee"},
    }  # fmt: skip
    assert (await bob.rest("GET", "/brand")).status_code == 404
    again = await ada.data(
        'mutation{setBrand(input:{name:"Other"}){name address font links{url} darkColors{text}}}'
    )
    assert again["setBrand"] == {
        "name": "Other", "address": None, "font": "system", "links": [], "darkColors": None,
    }  # fmt: skip
    assert (await ada.rest("GET", "/brand")).json()["colors"] == LIGHT
    for _ in range(2):
        assert (await ada.rest("DELETE", "/brand")).status_code == 204
    assert await ada.code("{brand{name}}") == "brand_not_found"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""), ("name", "  "), ("name", "a\r\nBcc: eve@example.com"), ("name", "a" * 101),
        ("colors", {"accent": "red;}"}), ("colors", {"accent": "#fff"}), ("colors", {"accent": "#12345g"}),
        ("colors", {"accent": "#0b6e4f\n"}), ("colors", {"accent": "url(//eve.example)"}),
        ("colors", {"border": "#000000"}),
        ("darkColors", {"text": "#ffffff;}body{display:none"}),
        ("font", "Comic Sans"), ("font", "serif;}"),
        ("links", [{"text": "a", "url": "http://example.com"}]),
        ("links", [{"text": "a", "url": "javascript:alert(1)"}]),
        ("links", [{"text": "a", "url": "data:text/html,<script>alert(1)</script>"}]),
        ("links", [{"text": "a", "url": "https://example.com/\nhttps://eve.example"}]),
        ("links", [{"text": "a", "url": "https://user@eve.example"}]),
        ("links", [{"text": "a", "url": "https://example.com"}] * 11),
        ("links", [{"text": "", "url": "https://example.com"}]),
        ("footers", [{"locale": "en", "text": "a"}, {"locale": "EN", "text": "b"}]),
        ("footers", [{"locale": 'e"><script>', "text": "a"}]),
        ("replyAddress", "help@example.com\r\nBcc: eve@example.com"), ("replyAddress", "a@example.com, b@example.com"),
        ("replyAddress", "Help <help@example.com>"), ("replyAddress", "help@example.com\n"), ("replyAddress", "help"),
        ("address", "a" * 501), ("address", "a\x00b"), ("imprint", "a" * 5001), ("logo", "https://example.com/a.png"),
    ],
)  # fmt: skip
async def test_what_a_brand_may_not_be(ada: Person, field: str, value: Any):
    answer = await ada.rest("PUT", "/brand", json={"name": "Example Shop", field: value})
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed"), answer.text
    assert field in str(answer.json()["message"])
    assert (await ada.rest("GET", "/brand")).status_code == 404


@pytest.mark.parametrize(
    ("field", "colors", "text", "on", "ratio"),
    [
        ("colors", {"accent": "#f5a623"}, "accent", "background", "2.02"),
        ("colors", {"text": "#777777"}, "text", "background", "4.47"),
        ("colors", {"buttonText": "#1f4fd8"}, "buttonText", "accent", "1.00"),
        ("darkColors", {"background": "#000000", "accent": "#000080", "text": "#ffffff"}, "accent", "background",
            "1.31"),
    ],
)  # fmt: skip
async def test_colors_that_are_hard_to_read_are_refused_with_their_contrast(
    ada: Person, field: str, colors: dict[str, str], text: str, on: str, ratio: str
):
    answer = (await ada.rest("PUT", "/brand", json={"name": "Example Shop", field: colors})).json()
    assert (answer["statusCode"], answer["code"]) == (400, "contrast_too_low")
    assert f"{field}: the contrast of {text} #" in answer["message"] and f" is {ratio}," in answer["message"]
    details = {"field": field, "text": text, "on": on, "ratio": float(ratio), "needed": 4.5}
    assert answer["details"] == details
    assert (await ada.rest("GET", "/brand")).status_code == 404


def test_contrast():
    assert contrast("#000000", "#ffffff") == contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    assert contrast("#0000ff", "#0000ff") == 1


@pytest.mark.parametrize(
    "accent", ["#000000", "#0b6e4f", "#000080", "#ffffff", "#ff0000", "#8a2be2", "#767676"]
)
@pytest.mark.parametrize("background", ["#ffffff", "#767676", "#000000", "#fffdf7"])
def test_colors_that_are_made_are_legible(accent: str, background: str):
    light = Palette(
        background, "#000000" if contrast(background, "#000000") >= AA else "#ffffff", accent, "#ffffff"
    )
    dark = dark_of(light)
    assert contrast(dark.accent, dark.background) >= AA
    assert contrast(dark.button_text, dark.accent) >= AA
    for palette in (light, dark, NEUTRAL, NEUTRAL_DARK):
        assert contrast(palette.muted, palette.canvas) >= AA
        assert contrast(palette.field, palette.background) >= 3


@pytest.mark.parametrize("color", ["red", "#fff", "#FFFFFF", "#ffffff;", "#ffffff\n", "red;}"])
def test_no_row_can_write_a_stylesheet(color: str):
    with pytest.raises(ValueError, match="#rrggbb"):
        Palette("#ffffff", color, "#000000", "#ffffff")


async def test_a_brand_is_previewed_without_being_set(ada: Person):
    body = {**FULL, "colors": {**LIGHT, "accent": "#f5a623"}}
    answer = await ada.rest("POST", "/brand/preview?locale=de", json=body)
    assert answer.status_code == 200, answer.text
    preview = answer.json()
    assert (
        'lang="de"' in preview["html"] and "Example Shop" in preview["html"] and "#f5a623" in preview["html"]
    )
    assert [each for each in preview["contrasts"] if not each["enough"]] == [
        {"field": "colors", "text": "accent", "on": "background", "ratio": 2.02, "enough": False},
        {"field": "colors", "text": "buttonText", "on": "accent", "ratio": 2.02, "enough": False},
    ]
    assert len(preview["contrasts"]) == 6
    evil = "<img src=x onerror=alert(1)>"
    html = (await ada.rest("POST", "/brand/preview", json={"name": evil, "imprint": evil})).json()["html"]
    assert "<img" not in html
    assert (await ada.rest("GET", "/brand")).status_code == 404
