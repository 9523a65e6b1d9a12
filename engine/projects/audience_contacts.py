"""The contacts whom the audience of a project names, as SQL: subscribers of topics, and contacts of segments."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from db.address_keys import key_of
from db.query import fetch_planned
from engine import blocks
from engine.contacts import segments
from engine.contacts.upsert import field_types
from engine.projects.languages import LANGUAGES, TAG
from shapes.segments import SegmentFilter

NOBODY: Final = UUID(int=0)
"""An id that comes before all contacts."""

# OFFSET 0: each contact is looked up by an index. A join would be planned without knowing how many contacts there are.
_CONDITIONS = f"""
  AND NOT EXISTS (
    SELECT FROM topic_subscriptions AS x WHERE x.contact_id = c.id AND x.topic_id = ANY({{but_topics}}::uuid[])
      AND x.channel = {{channel}} AND x.state = 'active' OFFSET 0)
  AND NOT EXISTS (
    SELECT FROM unnest({{but_projects}}::uuid[]) AS b (id) JOIN recipients AS x ON x.project_id = b.id
    WHERE {key_of("x.address")} = {key_of("a.address")} OFFSET 0)
"""  # noqa: S608  our own expressions
_ADDRESS = """
CROSS JOIN LATERAL (
  SELECT address, address_key FROM contact_addresses WHERE contact_id = c.id AND channel = {channel}
  ORDER BY "primary" DESC, id LIMIT 1
) AS a
"""
# Each topic is read in the order of the contacts, and as far as the page may reach. Without topics all contacts of the
# owner are.
_SUBSCRIBERS = """
  SELECT contact_id FROM unnest($3::uuid[]) AS t (id) CROSS JOIN LATERAL (
    SELECT s.contact_id FROM topic_subscriptions AS s
    WHERE s.topic_id = t.id AND s.channel = $4 AND s.state = 'active' AND s.contact_id > $5
    ORDER BY s.contact_id LIMIT $6
  ) AS subscribed GROUP BY contact_id ORDER BY contact_id LIMIT $6
"""
_CONTACTS = """
  SELECT id AS contact_id FROM contacts WHERE owner_id = $2 AND id > $5 AND cardinality($3::uuid[]) = 0
  ORDER BY id LIMIT $6
"""
_ALL_SUBSCRIBERS = """
  SELECT DISTINCT contact_id FROM topic_subscriptions
  WHERE topic_id = ANY($3::uuid[]) AND channel = $4 AND state = 'active' AND contact_id > $5
"""
_ALL_CONTACTS = """
  SELECT id AS contact_id FROM contacts WHERE owner_id = $2 AND id > $5 AND cardinality($3::uuid[]) = 0
"""
VARIABLES = (
    "jsonb_strip_nulls(jsonb_build_object('locale', c.locale, 'externalId', c.external_id)) || c.fields"
)
_BLOCKED = blocks.IS_BLOCKED.format(owner="c.owner_id", key=key_of("a.address"), category="{category}")
# $1: the project, or its category; $2: the owner; $3: topics; $4: the channel; $5: the contact before;
# $6: the most rows; $7, $8: the topics and projects that are left out.
MEMBERS = f"""
FROM members AS m JOIN contacts AS c ON c.id = m.contact_id AND c.owner_id = $2 {{joins}}
{_ADDRESS.format(channel="$4")}"""
CHOSEN = f"WHERE {{segments}} {_CONDITIONS.format(channel='$4', but_topics='$7', but_projects='$8')}"
READ = f"""
{{queries}}, added AS (
  INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone, contact_id, is_changed)
  SELECT overlay(gen_random_uuid()::text PLACING $9 FROM 1 FOR 15)::uuid, $1, a.address, a.address_key,
    NULLIF(c.name, ''), {VARIABLES}, c.timezone, c.id, COALESCE(c.updated_at > $10 AND c.created_at <= $10, false)
  {MEMBERS} {CHOSEN} ORDER BY c.id
  ON CONFLICT DO NOTHING RETURNING id
)
SELECT count(*)::int AS members, (SELECT contact_id FROM members ORDER BY contact_id DESC LIMIT 1) AS last,
  (SELECT count(*)::int FROM added) AS added FROM members
"""  # noqa: S608  our own conditions
SAMPLE = f"""
{{queries}}
SELECT c.id, a.address, NULLIF(c.name, '') AS name, {VARIABLES} AS variables, c.timezone, c.id AS contact_id
{MEMBERS} {CHOSEN} AND NOT {_BLOCKED.format(category="$1")} ORDER BY c.id LIMIT $6
"""
SIZE = f"""
{{queries}}
SELECT count(*) AS contacts, count(*) FILTER (WHERE {_BLOCKED.format(category="$1")}) AS blocked
{MEMBERS} {CHOSEN} LIMIT $6::int
"""
# $9: the variable that has a contact's language.
TAGS = f"""
{{queries}}
{
    LANGUAGES.format(
        locales="$10",
        tags=f'''
  SELECT {TAG.format(variables=f"({VARIABLES})", name="$9")} AS tag, count(*) AS recipients
  {MEMBERS} {CHOSEN} AND $1::text IS NOT NULL GROUP BY 1 LIMIT $6::int''',
    )
}
"""


class Reach(NamedTuple):
    """Holds whose contacts are reached by which channel, with messages of which category."""

    owner: UUID
    channel: str
    category: str = ""


@dataclass(frozen=True, slots=True)
class Audience:
    """The people whom an audience names."""

    topics: list[UUID]
    but_topics: list[UUID]
    but_projects: list[UUID]
    filters: list[SegmentFilter]
    but_filters: list[SegmentFilter]
    at: datetime  # the time by which segments tell today
    narrowed: bool  # segments are named, also such as are gone

    @classmethod
    def of(cls, audience: Any, asked: Any) -> "Audience":
        names = ("topicUuids", "exceptTopicUuids", "exceptProjectUuids")
        topics, but_topics, projects = ([UUID(id) for id in audience.get(name, ())] for name in names)
        filters, but = (segments.read(asked[name]) for name in ("segments", "except"))
        at = datetime.fromisoformat(asked["at"])
        return cls(topics, but_topics, projects, filters, but, at, bool(audience.get("segmentUuids")))

    async def statement(
        self, db: Any, owner: UUID, template: str, first: int, *, at_once: bool
    ) -> tuple[str, list[Any]]:
        """Returns the SQL of a template, and the values of its parameters from `first` on. Raises BadRequest."""
        types = await field_types(db, owner) if self.filters or self.but_filters else {}
        selection = segments.Selection(types, self.at, "$2", first, at_once=at_once)
        condition = selection.meets_any(self.filters) if self.narrowed else "true"
        if self.but_filters:
            condition += f" AND {selection.meets_any(self.but_filters)} IS NOT TRUE"
        if at_once:
            members = _ALL_SUBSCRIBERS if self.topics else _ALL_CONTACTS
        else:
            members = _SUBSCRIBERS if self.topics else _CONTACTS
        queries = selection.queries(f"members AS MATERIALIZED ({members})")
        sql = template.format(queries=queries, joins=selection.joins, segments=condition)
        return sql, selection.arguments

    async def read(
        self, db: Any, template: str, of: Reach, *, after: UUID | None = None, most: int | None = None,
        at_once: bool = True, more: tuple[Any, ...] = (),
    ) -> list[Any]:  # fmt: skip
        """Returns the rows of a statement on these people. `more`: its further arguments. Raises BadRequest."""
        sql, values = await self.statement(db, of.owner, template, 9 + len(more), at_once=at_once)
        arguments = (
            of.category,
            of.owner,
            self.topics,
            of.channel,
            after or NOBODY,
            most,
            self.but_topics,
            self.but_projects,
        )
        return await fetch_planned(db, sql, [*arguments, *more, *values])
