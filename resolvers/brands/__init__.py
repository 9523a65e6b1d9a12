"""The brand of an owner, who has one at most. `pages.py` gives it to the features whose pages recipients see."""

from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from pydantic.alias_generators import to_camel

from core.contrast import AA, contrast
from core.errors import BadRequest, NotFound
from core.http.dress import Dress, Logo
from core.http.html import page, tag
from engine.brands.dressing import BRAND, dress_of_input, logo_url
from engine.consent.opt_in_texts import texts_of
from runtime import links
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.brands import Brand, BrandColorsInput, BrandContrast, BrandPreview, SetBrand

_SET: Final = """
INSERT INTO brands (owner_id, name, logo_uuid, colors, dark_colors, font, address, imprint, links, footers,
  reply_address, track_clicks)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT (owner_id) DO UPDATE SET name = excluded.name, logo_uuid = excluded.logo_uuid,
  colors = excluded.colors, dark_colors = excluded.dark_colors,
  font = excluded.font, address = excluded.address, imprint = excluded.imprint, links = excluded.links,
  footers = excluded.footers, reply_address = excluded.reply_address, track_clicks = excluded.track_clicks,
  updated_at = now()
"""
_COLUMNS: Final = (
    "name", "logo_uuid", "colors", "dark_colors", "font", "address", "imprint", "links", "footers", "reply_address",
    "track_clicks",
)  # fmt: skip
_LEGIBLE: Final = (("text", "background"), ("accent", "background"), ("button_text", "accent"))
# Locked against being deleted until the brand names it.
_LOGO: Final = "SELECT true FROM media WHERE id = $1 AND owner_id = $2 FOR KEY SHARE"
_SIDES: Final = "SELECT public_name, width, height FROM media WHERE id = $1 AND owner_id = $2"
_DELETE: Final = "DELETE FROM brands WHERE owner_id = $1"


@operation(Permission.settings_read, "read")
async def get(op: Op) -> Brand:
    """Returns your brand: the dress of the pages and mails that your recipients see. Raises NotFound."""
    return _as_brand(op, await op.db.fetchrow(BRAND, op.viewer.id))


@operation(Permission.settings_write, "sql")
async def put(op: Op, input: SetBrand) -> Brand:
    """Sets your brand, in place of the present one. Pages show it at once, and mails that are queued from now on do.

    Raises BadRequest (`contrast_too_low`), NotFound (`picture_not_found`).
    """
    for field, colors in _palettes(input):
        _require_contrast(field, colors)
    logo, db = input.logo_uuid, op.connection
    if logo is not None and not await db.fetchval(_LOGO, logo, op.viewer.id):
        raise _no_picture(logo)
    values = {**input.model_dump(mode="json"), "logo_uuid": logo}
    await db.execute(_SET, op.viewer.id, *(values[name] for name in _COLUMNS))
    return _as_brand(op, await db.fetchrow(BRAND, op.viewer.id))


@operation(Permission.settings_write, "sql")
async def delete(op: Op) -> None:
    """Deletes your brand: pages and mails are as they are without one. Repeating it is not an error."""
    await op.connection.execute(_DELETE, op.viewer.id)


@operation(Permission.settings_read, "read")
async def preview(op: Op, input: SetBrand, locale: str | None = None) -> BrandPreview:
    """Returns a page for recipients in the dress of a brand without setting it, and the contrasts of its colors.
    Raises NotFound (`picture_not_found`).
    """
    logo = None
    if input.logo_uuid is not None:
        row = await op.db.fetchrow(_SIDES, input.logo_uuid, op.viewer.id)
        if row is None:
            raise _no_picture(input.logo_uuid)
        logo = Logo(links.picture_url(op.services, row["public_name"]), row["width"], row["height"])
    html = _sample(locale, dress_of_input(input, logo))
    contrasts = [
        BrandContrast(field=field, text=text, on=on, ratio=ratio, enough=ratio >= AA)
        for field, colors in _palettes(input)
        for text, on, ratio in _contrasts(colors)
    ]
    return BrandPreview(html=html, contrasts=contrasts)


def _sample(locale: str | None, dress: Dress) -> str:
    """Returns a page with all that pages have: a text, a field, a button, and what stands below."""
    texts = texts_of(locale)
    field = tag("input", type="email", value="name@example.com", aria_label="Email")
    return page(
        texts.subject,
        tag("h1", texts.subject),
        tag("p", texts.ask),
        tag("form", tag("p", field), tag("button", texts.button, type="button")),
        tag("p", texts.ignore),
        language=texts.language,
        dress=dress,
    )


def _palettes(input: SetBrand) -> Sequence[tuple[str, BrandColorsInput]]:
    """Returns the colors that were sent, by the names of their fields."""
    both = (("colors", input.colors), ("darkColors", input.dark_colors))
    return [(field, colors) for field, colors in both if colors is not None]


def _contrasts(colors: BrandColorsInput) -> Iterator[tuple[str, str, float]]:
    """Yields a text's color, the color behind it, and their contrast, rounded down: 4.499 must not read 4.5."""
    for text, background in _LEGIBLE:
        ratio = contrast(getattr(colors, text), getattr(colors, background))
        yield to_camel(text), to_camel(background), int(ratio * 100) / 100


def _require_contrast(field: str, colors: BrandColorsInput) -> None:
    """Raises BadRequest for colors on which a text is hard to read."""
    values = colors.model_dump(by_alias=True)
    for text, on, ratio in _contrasts(colors):
        if ratio < AA:
            raise BadRequest(
                f"{field}: the contrast of {text} {values[text]} on {on} {values[on]} is {ratio:.2f}, and texts need"
                f" {AA} (WCAG AA). Choose a darker or a lighter color.",
                code="contrast_too_low",
                details={"field": field, "text": text, "on": on, "ratio": ratio, "needed": AA},
            )


def _no_picture(uuid: UUID) -> NotFound:
    return NotFound(
        f"There is no picture with the uuid {uuid} among yours. Upload the logo with POST /media, or leave logoUuid"
        " out.",
        code="picture_not_found",
    )


def _as_brand(op: Op, row: Any) -> Brand:
    if row is None:
        raise unknown()
    stored = {name: row[name] for name in (*_COLUMNS, "updated_at")}
    return Brand.model_validate({**stored, "logo_url": logo_url(op.services, row)})


def unknown() -> NotFound:
    """Returns the error for an owner without a brand."""
    return NotFound("You have no brand yet. Set it with PUT /brand, or setBrand.", code="brand_not_found")
