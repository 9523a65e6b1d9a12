"""Brands: the dress of the pages and mails that an owner's recipients see."""

from typing import Annotated, Final, Self
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from shapes.described import DescribedEnum
from shapes.emails import mailbox
from shapes.shape import Cost, Line, Shape, Text, Updated
from shapes.users import Locale

MOST_LINKS: Final = 10
MOST_FOOTERS: Final = 30
MOST_CONTRASTS: Final = 6


class BrandFont(DescribedEnum):
    """A font of pages and mails. Each is one that the reader's system has; none is loaded."""

    system = "system", "the font of the reader's system"
    humanist = "humanist", "a sans serif with the forms of handwriting, such as Seravek or Calibri"
    geometric = "geometric", "a sans serif of circles and lines, such as Avenir or Montserrat"
    serif = "serif", "a serif, such as Palatino or Georgia"
    slab = "slab", "a slab serif, such as Rockwell"
    mono = "mono", "a font whose characters have one width, such as Menlo or Consolas"


_Color = Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$"), AfterValidator(str.lower)]
_COLORS: Final = {
    "background": "color of the page",
    "text": "color of texts",
    "accent": "color of links and buttons",
    "button_text": "color of the texts of buttons",
}
_NAME = "name of the sender, as recipients know it"
_LIGHT = "colors of pages and mails"
_DARK = "colors for readers who prefer dark pages; null: they are made from `colors`"
_FONT = "font of pages and mails"
_ADDRESS = "postal address, below each page and mail"
_IMPRINT = "what the law asks for below each page and mail: company, register, responsible person"
_LINKS = "links below each page and mail"
_FOOTERS = "text below each page and mail, by language; the first is for all other languages"
_REPLY = "address to which answers to mails with links to these pages go; null: the From"
_LOGO = (
    "uuid of one of your pictures, which stands above pages and mails in place of the name; null: the name"
)
_LOGO_URL = "public address of the logo; null if there is none, or its picture was deleted"
_TRACK_CLICKS = (
    "whether clicks on links are counted in new starts of projects that do not say so themselves: in advertising by"
    " email alone"
)
_LINK_TEXT = "text of the link"
_LINK_URL = "address of the link, with https"
_LOCALE = "language tag (BCP 47)"
_FOOTER_TEXT = "the text in this language"


class BrandColors(Shape):
    """The colors of pages and mails, as #rrggbb."""

    background: Annotated[str, Field(description=_COLORS["background"], examples=["#ffffff"])]
    text: Annotated[str, Field(description=_COLORS["text"], examples=["#1b1f24"])]
    accent: Annotated[str, Field(description=_COLORS["accent"], examples=["#1f4fd8"])]
    button_text: Annotated[str, Field(description=_COLORS["button_text"], examples=["#ffffff"])]


class BrandColorsInput(Shape):
    """The colors of pages and mails, as #rrggbb. Texts, links and buttons need a contrast of 4.5 (WCAG AA)."""

    background: Annotated[_Color, Field(description=_COLORS["background"], examples=["#ffffff"])] = "#ffffff"
    text: Annotated[_Color, Field(description=_COLORS["text"], examples=["#1b1f24"])] = "#1b1f24"
    accent: Annotated[_Color, Field(description=_COLORS["accent"], examples=["#1f4fd8"])] = "#1f4fd8"
    button_text: Annotated[_Color, Field(description=_COLORS["button_text"], examples=["#ffffff"])] = (
        "#ffffff"
    )


class BrandLink(Shape):
    """A link below pages and mails."""

    text: Annotated[str, Field(description=_LINK_TEXT, examples=["Privacy"])]
    url: Annotated[str, Field(description=_LINK_URL, examples=["https://example.com/privacy"])]


class BrandLinkInput(Shape):
    """A link below pages and mails."""

    text: Annotated[
        Line,
        StringConstraints(strip_whitespace=True),
        Field(min_length=1, max_length=60, description=_LINK_TEXT, examples=["Privacy"]),
    ]
    url: Annotated[
        Line,
        Field(
            pattern=r"^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-~]*)?$",
            max_length=2000,
            description=_LINK_URL,
            examples=["https://example.com/privacy"],
        ),
    ]


class BrandFooter(Shape):
    """The text below pages and mails in one language."""

    locale: Annotated[str, Field(description=_LOCALE, examples=["de"])]
    text: Annotated[str, Field(description=_FOOTER_TEXT, examples=["Schön, dass Sie da sind."])]


class BrandFooterInput(Shape):
    """The text below pages and mails in one language."""

    locale: Annotated[Locale, Field(max_length=64, description=_LOCALE, examples=["de"])]
    text: Annotated[
        Text,
        StringConstraints(strip_whitespace=True),
        Field(min_length=1, max_length=2000, description=_FOOTER_TEXT, examples=["Schön, dass Sie da sind."]),
    ]


class Brand(Shape):
    """The dress of the pages and mails that your recipients see: forms, confirmations, preferences, codes."""

    name: Annotated[str, Field(description=_NAME, examples=["Example Shop"])]
    logo_uuid: Annotated[UUID | None, Field(description=_LOGO)]
    logo_url: Annotated[str | None, Field(description=_LOGO_URL)]
    colors: Annotated[BrandColors, Field(description=_LIGHT)]
    dark_colors: Annotated[BrandColors | None, Field(description=_DARK)]
    font: Annotated[BrandFont, Field(description=_FONT)]
    address: Annotated[str | None, Field(description=_ADDRESS)]
    imprint: Annotated[str | None, Field(description=_IMPRINT)]
    links: Annotated[list[BrandLink], Field(description=_LINKS), Cost(most=MOST_LINKS)]
    footers: Annotated[list[BrandFooter], Field(description=_FOOTERS), Cost(most=MOST_FOOTERS)]
    reply_address: Annotated[str | None, Field(description=_REPLY)]
    track_clicks: Annotated[bool, Field(description=_TRACK_CLICKS)] = False
    updated_at: Updated


class SetBrand(Shape):
    """The brand to set. It replaces the present brand; a field that is left out has its default."""

    name: Annotated[
        Line,
        StringConstraints(strip_whitespace=True),
        Field(min_length=1, max_length=100, description=_NAME, examples=["Example Shop"]),
    ]
    logo_uuid: Annotated[UUID | None, Field(description=_LOGO)] = None
    colors: Annotated[BrandColorsInput, Field(description=_LIGHT)] = Field(default_factory=BrandColorsInput)
    dark_colors: Annotated[BrandColorsInput | None, Field(description=_DARK)] = None
    font: Annotated[BrandFont, Field(description=_FONT)] = BrandFont.system
    address: (
        Annotated[
            Text,
            StringConstraints(strip_whitespace=True),
            Field(
                min_length=1,
                max_length=500,
                description=_ADDRESS,
                examples=["Example Shop Ltd\n1 High Street\nLondon"],
            ),
        ]
        | None
    ) = None
    imprint: (
        Annotated[
            Text,
            StringConstraints(strip_whitespace=True),
            Field(
                min_length=1, max_length=5000, description=_IMPRINT, examples=["Registered in England, 0123"]
            ),
        ]
        | None
    ) = None
    links: Annotated[
        list[BrandLinkInput],
        Field(
            max_length=MOST_LINKS,
            description=_LINKS,
            examples=[[{"text": "Privacy", "url": "https://example.com/privacy"}]],
        ),
    ] = Field(default_factory=list)
    footers: Annotated[
        list[BrandFooterInput],
        Field(
            max_length=MOST_FOOTERS,
            description=_FOOTERS,
            examples=[[{"locale": "en", "text": "Nice to have you with us."}]],
        ),
    ] = Field(default_factory=list)
    reply_address: (
        Annotated[
            Line,
            Field(min_length=3, max_length=320, description=_REPLY, examples=["help@example.com"]),
            AfterValidator(mailbox),
        ]
        | None
    ) = None
    track_clicks: Annotated[bool, Field(description=_TRACK_CLICKS)] = False

    @model_validator(mode="after")
    def _distinct_locales(self) -> Self:
        locales = [footer.locale.lower() for footer in self.footers]
        for locale in locales:
            if locales.count(locale) > 1:
                raise ValueError(f"footers has {locale} twice; send one text for each language")
        return self


class BrandContrast(Shape):
    """The contrast of two colors of a brand."""

    field: Annotated[str, Field(description="`colors` or `darkColors`", examples=["colors"])]
    text: Annotated[str, Field(description="color of the text", examples=["accent"])]
    on: Annotated[str, Field(description="color behind it", examples=["background"])]
    ratio: Annotated[float, Field(description="their contrast, from 1 to 21, rounded down", examples=[6.85])]
    enough: Annotated[bool, Field(description="whether it is 4.5 or more, as WCAG AA asks for")]


class BrandPreview(Shape):
    """A page for recipients in the dress of a brand that is not set yet."""

    html: Annotated[
        str, Field(description="the page in HTML", examples=['<!doctype html>\n<html lang="en">…'])
    ]
    contrasts: Annotated[
        list[BrandContrast],
        Field(description="the contrasts of the colors that were sent, and of dark colors if they were"),
        Cost(most=MOST_CONTRASTS),
    ]
