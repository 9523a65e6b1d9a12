"""Gives each audited table a trigger function of its own, written by `postern_audit_install` (decision 0057)."""

from alembic import op
from sqlalchemy import text

revision = "0059"
down_revision = "0058"


def upgrade() -> None:
    op.execute(_EXPRESSION)
    op.execute(_INSTALL)
    tables = op.get_bind().execute(text(_AUDITED)).scalars().all()
    # One transaction each: nothing waits for one table while it has the lock of another.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for table in tables:
            op.execute(text(_AGAIN).bindparams(table=table))
        op.execute("RESET lock_timeout")
        op.execute("DROP FUNCTION IF EXISTS postern_audit()")


_AUDITED = "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'audit' ORDER BY 1"

# A trigger's arguments say what it tells of: they are ended by a zero byte each.
_AGAIN = """
SELECT postern_audit_install(tgrelid::regclass::text, a[1], a[2], a[3], a[4], a[5], a[6])
FROM pg_trigger, string_to_array(encode(tgargs, 'escape'), '\\000') AS a
WHERE tgname = 'audit' AND tgrelid = CAST(:table AS regclass)
"""

# SQL for what an entry shows of a value, given by an expression of its column.
_EXPRESSION = """
CREATE OR REPLACE FUNCTION postern_audit_expression(kind text, plain bool, short bool, value text)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT CASE
  WHEN kind = 'secret' THEN format('CASE WHEN %s IS NOT NULL THEN ''***'' END', value)
  WHEN kind = 'hashed' AND plain THEN
    format('CASE WHEN %1$s IS NOT NULL THEN postern_audit_hash(%1$s, about) END', value)
  WHEN kind = 'hashed' THEN
    format('CASE WHEN %1$s IS NOT NULL THEN postern_audit_hash(to_jsonb(%1$s) #>> ''{}'', about) END', value)
  WHEN short THEN value
  WHEN plain THEN
    format('CASE WHEN length(%1$s) > 2000 THEN postern_audit_hash(%1$s, about) ELSE %1$s END', value)
  ELSE format('CASE WHEN length(%1$s::text) > 2000 THEN to_jsonb(postern_audit_hash(to_jsonb(%1$s) #>> ''{}'', about))'
    ' ELSE to_jsonb(%1$s) END', value)
END
$$
"""

# Arguments: the table, the type of the object, the columns of its id and of its owner, and the fields that are shown,
# that are secret, and that are hashed. An owner `table:column` is the one of the row that the column names.
#
# A function that names its columns takes less time than one that goes through the row as JSON. An empty list or object
# is not hashed when a row comes or goes: the hash would tell nothing.
_INSTALL = """
CREATE OR REPLACE FUNCTION postern_audit_install(
  of_table text, type text, key text, owner text, shown text, secret text, hashed text
) RETURNS void LANGUAGE plpgsql AS $install$
DECLARE
  function text := 'postern_audit_' || of_table;
  compared text := '';
  field record;
BEGIN
  FOR field IN
    SELECT f.kind, a.attname AS name, a.attlen > 0 AS short,
      a.atttypid IN ('text'::regtype, 'varchar'::regtype) AS plain,
      left(a.attname, 1) || substr(replace(initcap(replace(a.attname, '_', ' ')), ' ', ''), 2) AS title
    FROM (VALUES ('shown', shown), ('secret', secret), ('hashed', hashed)) AS f (kind, names)
    CROSS JOIN LATERAL unnest(string_to_array(f.names, ',')) AS name
    JOIN pg_attribute AS a ON a.attrelid = of_table::regclass AND a.attname = name
  LOOP
    compared := compared || format(
      E'\\n  IF OLD.%1$I IS DISTINCT FROM NEW.%1$I%2$s THEN'
      '\\n    changes := changes || jsonb_build_object(%3$L, jsonb_build_array(%4$s, %5$s));\\n  END IF;',
      field.name,
      CASE WHEN field.kind = 'hashed' AND NOT field.plain THEN format(
        ' AND (TG_OP = ''UPDATE'' OR COALESCE(NEW.%1$I, OLD.%1$I)::text NOT IN (''{}'', ''[]'', ''null'', ''empty''))',
        field.name) END,
      field.title, postern_audit_expression(field.kind, field.plain, field.short, format('OLD.%I', field.name)),
      postern_audit_expression(field.kind, field.plain, field.short, format('NEW.%I', field.name)));
  END LOOP;
  EXECUTE format($code$
CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  about jsonb := current_setting('postern.audit')::jsonb;
  changes jsonb := '{}';
BEGIN%2$s
  IF TG_OP = 'UPDATE' AND changes = '{}'%3$s THEN
    RETURN NULL;
  END IF;
  PERFORM postern_audit_entry(about, %4$s, %5$L, COALESCE(NEW.%6$I, OLD.%6$I)::text, changes);
  RETURN NULL;
END $body$
$code$, function, compared,
    -- Logins that end with something else are told by that: a password, a token, a user.
    CASE WHEN type = 'login' THEN
      ' OR changes ? ''revokedAt'' AND NEW.revoked_reason NOT IN (''logout'', ''refresh token reused'')' END,
    CASE
      WHEN owner = '' THEN 'NULL'
      WHEN owner = 'holder_id' THEN 'CASE WHEN COALESCE(NEW.scope, OLD.scope) = ''user'''
        ' THEN COALESCE(NEW.holder_id, OLD.holder_id)'
        ' ELSE (SELECT owner_id FROM accounts WHERE id = COALESCE(NEW.holder_id, OLD.holder_id)) END'
      WHEN owner LIKE '%:%' THEN format('(SELECT owner_id FROM %I WHERE id = COALESCE(NEW.%2$I, OLD.%2$I))',
        split_part(owner, ':', 1), split_part(owner, ':', 2))
      ELSE format('COALESCE(NEW.%1$I, OLD.%1$I)', owner)
    END, type, key);
  EXECUTE format('CREATE OR REPLACE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF %s ON %I FOR EACH ROW'
    ' WHEN (current_setting(''postern.audit'', true) <> '''') EXECUTE FUNCTION %I(%L, %L, %L, %L, %L, %L)',
    (SELECT string_agg(quote_ident(name), ', ') FROM unnest(string_to_array(concat_ws(',', shown, secret, hashed), ','))
      AS name WHERE name <> ''), of_table, function, type, key, owner, shown, secret, hashed);
END $install$
"""
