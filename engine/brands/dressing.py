"""Reads the brand of an owner as the dress of pages and mails."""

from typing import Any
from uuid import UUID

from core.http.dress import Dress, Palette, dark_of
from shapes.brands import BrandFont

BRAND = "SELECT * FROM brands WHERE owner_id = $1"


async def dress_of(db: Any, owner_id: UUID) -> Dress | None:
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
    )


def _palette(colors: Any) -> Palette:
    return Palette(colors["background"], colors["text"], colors["accent"], colors["button_text"])
