"""Looks where a picture is used, before it is deleted: in the brand, and in texts that name its address.

Texts are searched for the random end of the address, which stays the same behind every CDN. A search reads the newest
texts of the owner alone, up to a number and a size, so that it takes a part of a second however many there are.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

MOST: Final = 10
"""The uses that are reported; of a picture that is in all letters a few are enough."""

_ROWS: Final = 500  # of each kind
_BYTES: Final = 16 * 2**20  # of each kind, as they are stored

_BRAND: Final = "SELECT name FROM brands WHERE owner_id = $1 AND logo_uuid = $2"
# pg_column_size does not unpack a text. $2: the end of the address.
_TEXTS: Final = f"""
SELECT kind, id, name FROM (
  SELECT 'template' AS kind, t.id, t.key AS name, x.html, x.text, NULL::text AS more, sum(
    COALESCE(pg_column_size(x.html), 0) + COALESCE(pg_column_size(x.text), 0)) OVER (ORDER BY v.id DESC) AS bytes
  FROM (
    SELECT id, template_id FROM template_versions WHERE owner_id = $1 AND number IS NOT NULL
    ORDER BY id DESC LIMIT {_ROWS}
  ) AS v
  JOIN templates AS t ON t.id = v.template_id
  CROSS JOIN LATERAL (
    SELECT COALESCE(sent_html, html) AS html, COALESCE(sent_text, text) AS text FROM template_texts
    WHERE version_id = v.id
  ) AS x
  UNION ALL
  SELECT 'project', id, name, html, text, template::text, sum(
    COALESCE(pg_column_size(html), 0) + COALESCE(pg_column_size(text), 0)) OVER (ORDER BY id DESC)
  FROM (SELECT * FROM sending_projects WHERE owner_id = $1 ORDER BY id DESC LIMIT {_ROWS}) AS p
  UNION ALL
  SELECT 'repeatable', id, name, template::text, NULL, NULL, sum(pg_column_size(template)) OVER (ORDER BY id DESC)
  FROM (
    SELECT * FROM repeatable_projects WHERE owner_id = $1 AND deleted_at IS NULL ORDER BY id DESC LIMIT {_ROWS}
  ) AS r
) AS texts
WHERE bytes <= {_BYTES} AND (strpos(html, $2) > 0 OR strpos(text, $2) > 0 OR strpos(more, $2) > 0)
LIMIT {10 * MOST}
"""  # noqa: S608  our own numbers


class Use(NamedTuple):
    """A row that shows a picture: `kind` is brand, template, project or repeatable."""

    kind: str
    id: UUID | None  # a brand has none
    name: str


async def of_picture(db: Any, owner_id: UUID, id: UUID, public_name: str) -> Sequence[Use]:
    """Returns where an owner uses a picture, at most MOST of it; a template with several such versions once."""
    brand = await db.fetchval(_BRAND, owner_id, id)
    uses = [] if brand is None else [Use("brand", None, brand)]
    uses += [Use(*row) for row in await db.fetch(_TEXTS, owner_id, public_name)]
    return [*dict.fromkeys(uses)][:MOST]
