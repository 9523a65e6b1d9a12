"""The dress of the pages and mails that recipients see: colors, a font, and what stands below the text.

Everything that reaches a stylesheet is checked here again, so that no row of a database can write CSS.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.contrast import AA, AA_CONTROLS, contrast, legible_on, made_legible, mixed
from shapes.brands import BrandFont
from shapes.locales import language_of

LOGO_BOX: Final = (240, 64)
"""The pixels within which a logo is shown, wide and high."""

_PLATE: Final = (
    ".brand img{{display:block;max-width:100%;height:auto;max-height:4rem;object-fit:contain}}"
    "@media (prefers-color-scheme:dark){{"
    ".brand img{{padding:.5rem;border-radius:.5rem;background:{color};box-sizing:content-box;"
    "max-width:calc(100% - 1rem)}}}}"
)
_COLOR: Final = re.compile(r"#[0-9a-f]{6}")

FONTS: Final[Mapping[BrandFont, str]] = {
    BrandFont.system: "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
    BrandFont.humanist: "Seravek,'Gill Sans Nova',Ubuntu,Calibri,'DejaVu Sans',source-sans-pro,sans-serif",
    BrandFont.geometric: "Avenir,Montserrat,Corbel,'URW Gothic',source-sans-pro,sans-serif",
    BrandFont.serif: "'Iowan Old Style','Palatino Linotype','URW Palladio L',Georgia,'Times New Roman',serif",
    BrandFont.slab: "Rockwell,'Rockwell Nova','Roboto Slab','DejaVu Serif','Sitka Small',serif",
    BrandFont.mono: "ui-monospace,'Cascadia Code','Source Code Pro',Menlo,Consolas,'DejaVu Sans Mono',monospace",
}
"""Fonts that the reader's system has. A page loads none, since its host would learn who reads the page."""

_RIGHT_TO_LEFT: Final = frozenset({"ar", "he", "fa"})


def direction(language: str) -> str | None:
    """Returns the `dir` of a page in a language; None for those that are written from left to right."""
    return "rtl" if language_of(language) in _RIGHT_TO_LEFT else None


@dataclass(frozen=True, slots=True)
class Palette:
    """The colors of one color scheme, in lower case. Raises ValueError for what is no color."""

    background: str
    text: str
    accent: str  # of links and buttons
    button_text: str

    def __post_init__(self) -> None:
        for color in (self.background, self.text, self.accent, self.button_text):
            if not _COLOR.fullmatch(color):
                raise ValueError("a color is not written as #rrggbb")

    @property
    def canvas(self) -> str:
        """Returns the color around the page: a shade of the background on which all texts are legible."""
        shade = mixed(self.background, self.text, 0.04)
        legible = min(contrast(self.text, shade), contrast(self.accent, shade)) >= AA
        return shade if legible else self.background

    @property
    def muted(self) -> str:
        """Returns the color of what stands below the page."""
        muted = mixed(self.text, self.background, 0.3)
        return muted if contrast(muted, self.canvas) >= AA else self.text

    @property
    def line(self) -> str:
        """Returns the color of lines, which say nothing."""
        return mixed(self.background, self.text, 0.16)

    @property
    def field(self) -> str:
        """Returns the color of the borders of fields."""
        return made_legible(mixed(self.background, self.text, 0.4), self.background, AA_CONTROLS)

    @property
    def css(self) -> str:
        """Returns the declarations of the colors."""
        return (
            f"--background:{self.background};--canvas:{self.canvas};--text:{self.text};--muted:{self.muted};"
            f"--line:{self.line};--field:{self.field};--accent:{self.accent};--button-text:{self.button_text}"
        )


NEUTRAL: Final = Palette("#ffffff", "#1b1f24", "#1f4fd8", "#ffffff")
"""The colors of pages without a brand."""

NEUTRAL_DARK: Final = Palette("#16191f", "#e8eaed", "#8fb0ff", "#0b1020")
"""The same for readers who prefer dark pages."""


def dark_of(light: Palette) -> Palette:
    """Returns the colors of a dark page for a brand that names none: its accent, as light as it must be."""
    accent = made_legible(light.accent, NEUTRAL_DARK.background)
    return Palette(NEUTRAL_DARK.background, NEUTRAL_DARK.text, accent, legible_on(accent))


@dataclass(frozen=True, slots=True)
class Logo:
    """A picture of the owner's, which stands in place of the name. Its sides are in pixels."""

    url: str
    width: int
    height: int

    def within(self, width: int, height: int) -> tuple[int, int]:
        """Returns the sides at which the whole logo fits into a box; it is never enlarged."""
        scale = min(1.0, width / self.width, height / self.height)
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))

    @property
    def source(self) -> str:
        """Returns the source of a Content-Security-Policy that allows this picture alone."""
        return self.url.replace(";", "%3B").replace(",", "%2C").replace(" ", "%20")


@dataclass(frozen=True, slots=True)
class Dress:
    """The dress of an owner's pages and mails."""

    name: str
    light: Palette
    dark: Palette
    font: BrandFont = BrandFont.system
    address: str | None = None
    imprint: str | None = None
    links: Sequence[tuple[str, str]] = ()  # text and address of each
    footers: Sequence[tuple[str, str]] = ()  # language tag and text of each; the first is for other languages
    reply_address: str | None = None
    logo: Logo | None = None

    def footer(self, locale: str) -> str | None:
        """Returns the text below a page in a language: of the whole tag, of its language, or the first one."""
        tag = locale.replace("_", "-").lower()
        for of in (str.lower, language_of):
            for each, text in self.footers:
                if of(each) == of(tag):
                    return text
        return self.footers[0][1] if self.footers else None

    @property
    def css(self) -> str:
        """Returns the rules that a page has beside those of all pages."""
        # A logo is drawn for light pages, so it has their background on dark ones.
        plate = "" if self.logo is None else _PLATE.format(color=self.light.background)
        return dressing(self.light, self.dark, self.font) + plate


def dressing(light: Palette, dark: Palette, font: BrandFont) -> str:
    """Returns the rules of colors and font."""
    return (
        f":root{{{light.css};--font:{FONTS[font]}}}@media (prefers-color-scheme:dark){{:root{{{dark.css}}}}}"
    )
