"""Reads the brand of an owner as the dress of pages and mails."""

from typing import Any
from uuid import UUID

from core.http.dress import Dress, Logo, Palette, dark_of
from runtime import links
from runtime.services import Services
from shapes.brands import BrandFont, SetBrand

# A picture that was deleted leaves no logo: the name stands in its place.
BRAND = """
SELECT b.*, m.public_name AS logo_name, m.width AS logo_width, m.height AS logo_height
FROM brands AS b LEFT JOIN media AS m ON m.id = b.logo_uuid AND m.owner_id = b.owner_id WHERE b.owner_id = $1
"""


async def dress_of(services: Services, db: Any, owner_id: UUID) -> Dress | None:
    """Returns the dress of an owner's pages and mails; None if the owner has no brand."""
    row = await db.fetchrow(BRAND, owner_id)
    if row is None:
        return None
    light = _palette(row["colors"])
    return Dress(
        row["name"],
        light,
        dark_of(light) if row["dark_colors"] is None else _palette(row["dark_colors"]),
        BrandFont(row["font"]),
        row["address"],
        row["imprint"],
        [(link["text"], link["url"]) for link in row["links"]],
        [(footer["locale"], footer["text"]) for footer in row["footers"]],
        row["reply_address"],
        _logo(services, row),
    )


def dress_of_input(input: SetBrand, logo: Logo | None) -> Dress:
    """Returns the dress of a brand that is not stored."""
    light = _palette(input.colors.model_dump())
    return Dress(
        input.name,
        light,
        dark_of(light) if input.dark_colors is None else _palette(input.dark_colors.model_dump()),
        input.font,
        input.address,
        input.imprint,
        [(link.text, link.url) for link in input.links],
        [(footer.locale, footer.text) for footer in input.footers],
        input.reply_address,
        logo,
    )


def logo_url(services: Services, row: Any) -> str | None:
    """Returns the public address of the logo of a row of BRAND, or None."""
    return None if row["logo_name"] is None else links.picture_url(services, row["logo_name"])


def _logo(services: Services, row: Any) -> Logo | None:
    url = logo_url(services, row)
    return None if url is None else Logo(url, row["logo_width"], row["logo_height"])


def _palette(colors: Any) -> Palette:
    return Palette(colors["background"], colors["text"], colors["accent"], colors["button_text"])
