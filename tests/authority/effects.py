"""Notes which rows each call changes, whose they are, and undoes them.

Statement triggers, which no installation has, write the old and the new rows of each statement into `noted_rows`. So
a call is judged by its rows and not by its answer, and every call meets the same world, as what the one before has
changed is undone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

import asyncpg
import orjson

_INSTALL = """
CREATE UNLOGGED TABLE noted_rows
    (seq bigserial PRIMARY KEY, name text NOT NULL, is_new boolean NOT NULL, content jsonb NOT NULL);

CREATE FUNCTION note_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO noted_rows (name, is_new, content) SELECT TG_TABLE_NAME, false, to_jsonb(each) FROM before each;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO noted_rows (name, is_new, content) SELECT TG_TABLE_NAME, true, to_jsonb(each) FROM behind each;
    END IF;
    RETURN NULL;
END $$;

DO $$
DECLARE
    one text;
BEGIN
    FOR one IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND NOT relispartition AND relname NOT IN ('noted_rows', 'alembic_version') LOOP
        EXECUTE format('CREATE TRIGGER note_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS behind
            FOR EACH STATEMENT EXECUTE FUNCTION note_rows()', one);
        EXECUTE format('CREATE TRIGGER note_update AFTER UPDATE ON %I
            REFERENCING OLD TABLE AS before NEW TABLE AS behind FOR EACH STATEMENT EXECUTE FUNCTION note_rows()', one);
        EXECUTE format('CREATE TRIGGER note_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS before
            FOR EACH STATEMENT EXECUTE FUNCTION note_rows()', one);
    END LOOP;
END $$;
"""
_TABLES = """
SELECT c.relname AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_index i
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
        WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
"""
# Tables whose rows have no `owner_id` or `user_id`: the column that names the row whose owner is theirs.
_OWNED_BY = {
    "agent_grants": ("token_id", "api_tokens"),
    "api_token_messages": ("token_id", "api_tokens"),
    "audience_digests": ("project_id", "sending_projects"),
    "api_token_spend": ("token_id", "api_tokens"),
    "contact_merges": ("contact_id", "contacts"),
    "import_payloads": ("import_id", "recipient_imports"),
    "import_rows": ("import_id", "recipient_imports"),
    "ledger_entries": ("account_id", "accounts"),
    "account_debts": ("account_id", "accounts"),
    "mail_report_mails": ("report_id", "mail_reports"),
    "messenger_chats": ("account_id", "messenger_accounts"),
    "messenger_chat_labels": ("chat_id", "messenger_chats"),
    "messenger_configs": ("account_id", "messenger_accounts"),
    "messenger_early": ("account_id", "messenger_accounts"),
    "messenger_holds": ("account_id", "messenger_accounts"),
    "messenger_messages": ("account_id", "messenger_accounts"),
    "messenger_notes": ("account_id", "messenger_accounts"),
    "messenger_parts": ("account_id", "messenger_accounts"),
    "messenger_state_changes": ("account_id", "messenger_accounts"),
    "project_contents": ("project_id", "sending_projects"),
    "reach_additions": ("project_id", "sending_projects"),
    "reach_projects": ("project_id", "sending_projects"),
    "reach_recipients": ("credential_id", "reach_counters"),
    "recipient_additions": ("project_id", "sending_projects"),
    "recipients": ("project_id", "sending_projects"),
    "refresh_tokens": ("session_id", "sessions"),
    "repeatable_firings": ("project_id", "sending_projects"),
    "sending_units": ("project_id", "sending_projects"),
    "variant_counters": ("project_id", "sending_projects"),
    "verification_codes": ("id", "verifications"),
    "webhook_deliveries": ("webhook_id", "webhooks"),
}


@dataclass(frozen=True)
class Change:
    """A row that a call has inserted (`old` is None), changed or deleted (`new` is None)."""

    table: str
    old: dict[str, Any] | None
    new: dict[str, Any] | None
    owner: UUID | None
    """The user whose row it was, or is if it is a new one. None: it is the installation's."""

    @property
    def columns(self) -> frozenset[str]:
        """Returns the columns of a changed row that differ; none of a row that came or went."""
        if self.old is None or self.new is None:
            return frozenset()
        return frozenset(name for name, value in self.old.items() if self.new[name] != value)


class Effects:
    """Reads what the calls since the last time have changed, and undoes it."""

    def __init__(
        self, connection: asyncpg.Connection, tables: dict[str, tuple[list[str], list[str]]]
    ) -> None:
        self._connection, self._tables = connection, tables

    @classmethod
    async def connect(cls, database: str) -> Self:
        """Installs the triggers, unless the database has them."""
        connection = await asyncpg.connect(database)
        if await connection.fetchval("SELECT to_regclass('noted_rows')") is None:
            await connection.execute(_INSTALL)
        await connection.execute(
            "SET session_replication_role = replica"
        )  # no trigger notes or refuses what is undone
        rows = await connection.fetch(_TABLES)
        return cls(connection, {row["name"]: (row["key"], row["columns"]) for row in rows})

    async def close(self) -> None:
        await self._connection.close()

    async def undone(self) -> list[Change]:
        """Returns what has been changed, and undoes it. A row that is as it was counts as unchanged."""
        noted = await self._connection.fetch("DELETE FROM noted_rows RETURNING seq, name, is_new, content")
        if not noted:
            return []
        before: dict[tuple[Any, ...], Any] = {}
        after: dict[tuple[Any, ...], Any] = {}
        for row in sorted(noted, key=lambda row: row["seq"]):
            content = orjson.loads(row["content"])
            key = (row["name"], *(content[name] for name in self._tables[row["name"]][0]))
            before.setdefault(key, None if row["is_new"] else content)
            after[key] = content if row["is_new"] else None
        changed = [key for key in before if before[key] != after[key]]
        changes = [
            Change(
                key[0],
                before[key],
                after[key],
                await self._owner(key[0], before[key] or after[key], before, after),
            )
            for key in changed
        ]
        await self._undo(changed, before, after)
        return changes

    async def _undo(
        self, changed: list[tuple[Any, ...]], before: dict[Any, Any], after: dict[Any, Any]
    ) -> None:
        async with self._connection.transaction():
            for table in {key[0] for key in changed}:
                key, columns = self._tables[table]
                same = " AND ".join(f'kept."{name}" = noted."{name}"' for name in key)
                rows = f'jsonb_populate_recordset(NULL::"{table}", $1) noted'
                listed = ", ".join(f'"{name}"' for name in columns)
                now = [after[each] for each in changed if each[0] == table and after[each] is not None]
                then = [before[each] for each in changed if each[0] == table and before[each] is not None]
                if now:
                    await self._connection.execute(
                        f'DELETE FROM "{table}" kept USING {rows} WHERE {same}', _json(now)
                    )
                if then:
                    await self._connection.execute(
                        f'INSERT INTO "{table}" ({listed}) OVERRIDING SYSTEM VALUE SELECT {listed} FROM {rows}',
                        _json(then),
                    )

    async def _owner(
        self, table: str, row: dict[str, Any], before: dict[Any, Any], after: dict[Any, Any]
    ) -> UUID | None:
        """Returns the user whose row it is. The rows above it may have come or gone by the same call."""
        if table == "users":
            return UUID(row["id"])
        if table == "settings":
            if row["scope"] != "account":
                return None if row["holder_id"] == _NOBODY else UUID(row["holder_id"])
            up, id = "accounts", row["holder_id"]
        elif table in _OWNED_BY:
            column, up = _OWNED_BY[table]
            id = row[column]
        else:
            user = row.get("owner_id", row.get("user_id"))
            return None if user is None else UUID(user)
        above = before.get((up, id)) or after.get((up, id))
        if above is None:
            found = await self._connection.fetchval(
                f'SELECT to_jsonb(up) FROM "{up}" up WHERE id = $1', UUID(id)
            )
            above = None if found is None else orjson.loads(found)
        return None if above is None else await self._owner(up, above, before, after)


_NOBODY = "00000000-0000-0000-0000-000000000000"


def _json(rows: Iterable[dict[str, Any]]) -> str:
    return orjson.dumps(list(rows)).decode()
