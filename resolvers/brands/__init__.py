"""The brand of an owner, who has one at most. `pages.py` gives it to the features whose pages recipients see."""

from typing import Any, Final

from pydantic.alias_generators import to_camel

from core.contrast import AA, contrast
from core.errors import BadRequest, NotFound
from engine.brands.dressing import BRAND
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.brands import Brand, BrandColorsInput, SetBrand

_SET: Final = """
INSERT INTO brands (owner_id, name, colors, dark_colors, font, address, imprint, links, footers, reply_address)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (owner_id) DO UPDATE SET name = excluded.name, colors = excluded.colors, dark_colors = excluded.dark_colors,
  font = excluded.font, address = excluded.address, imprint = excluded.imprint, links = excluded.links,
  footers = excluded.footers, reply_address = excluded.reply_address, updated_at = now()
RETURNING *
"""
_COLUMNS: Final = (
    "name", "colors", "dark_colors", "font", "address", "imprint", "links", "footers", "reply_address",
)  # fmt: skip
_LEGIBLE: Final = (("text", "background"), ("accent", "background"), ("button_text", "accent"))
_DELETE: Final = "DELETE FROM brands WHERE owner_id = $1"


@operation(Permission.settings_read, "read")
async def get(op: Op) -> Brand:
    """Returns your brand: the dress of the pages and mails that your recipients see. Raises NotFound."""
    return _as_brand(await op.db.fetchrow(BRAND, op.viewer.id))


@operation(Permission.settings_write, "sql")
async def put(op: Op, input: SetBrand) -> Brand:
    """Sets your brand, in place of the present one. Pages show it at once, and mails that are queued from now on do.

    Raises BadRequest (`contrast_too_low`).
    """
    for field, colors in (("colors", input.colors), ("darkColors", input.dark_colors)):
        if colors is not None:
            _require_contrast(field, colors)
    values = input.model_dump(mode="json")
    return _as_brand(await op.connection.fetchrow(_SET, op.viewer.id, *(values[name] for name in _COLUMNS)))


@operation(Permission.settings_write, "sql")
async def delete(op: Op) -> None:
    """Deletes your brand: pages and mails are as they are without one. Repeating it is not an error."""
    await op.connection.execute(_DELETE, op.viewer.id)


def _require_contrast(field: str, colors: BrandColorsInput) -> None:
    """Raises BadRequest for colors on which a text is hard to read."""
    for text, background in _LEGIBLE:
        color, behind = getattr(colors, text), getattr(colors, background)
        ratio = contrast(color, behind)
        if ratio < AA:
            # Rounded down: 4.499 must not read 4.5.
            rounded = int(ratio * 100) / 100
            name = to_camel(text)
            raise BadRequest(
                f"{field}: the contrast of {name} {color} on {background} {behind} is {rounded:.2f}, and texts need"
                f" {AA} (WCAG AA). Choose a darker or a lighter color.",
                code="contrast_too_low",
                details={"field": field, "text": name, "on": background, "ratio": rounded, "needed": AA},
            )


def _as_brand(row: Any) -> Brand:
    if row is None:
        raise unknown()
    return Brand.model_validate({name: row[name] for name in (*_COLUMNS, "updated_at")})


def unknown() -> NotFound:
    """Returns the error for an owner without a brand."""
    return NotFound("You have no brand yet. Set it with PUT /brand, or setBrand.", code="brand_not_found")
