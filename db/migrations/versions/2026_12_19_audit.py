"""Creates the audit: its table by months, what keeps it as it is, and the triggers that write it (decision 0057)."""

from alembic import op

revision = "0056"
down_revision = "0055"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS, here and below: what was committed before the triggers stays when those are broken off.
    for statement in (*_TABLES, *_FUNCTIONS, *_PARTITIONS, *_APPEND_ONLY):
        op.execute(statement)
    # One transaction each: nothing waits for one table while it has the lock of another. OR REPLACE, since DROP TRIGGER
    # would lock a table against reads, too.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for table, arguments, columns in _AUDITED:
            op.execute(
                f"CREATE OR REPLACE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF {columns} ON {table}"
                f" FOR EACH ROW WHEN ({_ON}) EXECUTE FUNCTION postern_audit({arguments})"
            )
        for event, transition in _MANY.items():
            op.execute(
                f"CREATE OR REPLACE TRIGGER audit_{event.lower()} AFTER {event} ON blocked_phones"
                f" REFERENCING {transition} FOR EACH STATEMENT WHEN ({_ON}) EXECUTE FUNCTION postern_audit_blocks()"
            )
        op.execute("RESET lock_timeout")


_TABLES = (
    """
CREATE TABLE IF NOT EXISTS audit_entries (
  id uuid NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), owner_id uuid, actor_id uuid,
  actor_kind text NOT NULL, token_id uuid, session_id uuid, operation text NOT NULL, object_type text NOT NULL,
  object_id text, result text NOT NULL CONSTRAINT ck_audit_entries_result CHECK (result IN ('done', 'refused')),
  code text, ip text, request_id text, changes jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT pk_audit_entries PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at)
""",
    "CREATE TABLE IF NOT EXISTS audit_entries_default PARTITION OF audit_entries DEFAULT",
    "CREATE INDEX IF NOT EXISTS ix_audit_entries_owner_id_id ON audit_entries (owner_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_audit_entries_actor_id_id ON audit_entries (actor_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_audit_entries_object_id_id ON audit_entries (object_id, id)",
    """
CREATE INDEX IF NOT EXISTS ix_audit_entries_refused ON audit_entries (owner_id, id) WHERE result = 'refused'
""",
    """
CREATE INDEX IF NOT EXISTS ix_audit_entries_token_id_id ON audit_entries (token_id, id) WHERE token_id IS NOT NULL
""",
    """
CREATE TABLE IF NOT EXISTS audit_keys (
  id uuid NOT NULL CONSTRAINT pk_audit_keys PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(),
  secret_encrypted bytea NOT NULL
)
""",
)

# engine/upkeep/partitions.py makes the months that follow.
_PARTITIONS = (
    """
DO $$
DECLARE month timestamptz; name text;
BEGIN
  FOR step IN 0..2 LOOP
    month := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
    month := (month AT TIME ZONE 'UTC' + make_interval(months => step)) AT TIME ZONE 'UTC';
    name := 'audit_entries_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
    IF to_regclass(name) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF audit_entries FOR VALUES FROM (%L) TO (%L)', name, month,
        (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC');
    END IF;
  END LOOP;
END $$
""",
)

_APPEND_ONLY = (
    """
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION postern_append_only()
""",
    """
DO $$
DECLARE name text;
BEGIN
  FOR name IN SELECT c.relname FROM pg_partition_tree('audit_entries') AS t JOIN pg_class AS c ON c.oid = t.relid LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER never_truncated BEFORE TRUNCATE ON %I'
      ' EXECUTE FUNCTION postern_append_only()', name);
  END LOOP;
END $$
""",
)

# `about` is what runtime/audit.py says of the caller: the transaction's setting `postern.audit`.
_FUNCTIONS = (
    """
CREATE OR REPLACE FUNCTION postern_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'entries of the audit can be added only: % of % is refused', TG_OP, TG_TABLE_NAME;
END $$
""",
    # RFC 9562: the time in milliseconds, the version, and random bits.
    """
CREATE OR REPLACE FUNCTION postern_uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
  substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1),
  'hex')::uuid
$$
""",
    # RFC 2104 with SHA-256, whose key comes as its two padded blocks. Without a key nothing of the text is told.
    """
CREATE OR REPLACE FUNCTION postern_audit_hash(value text, about jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT CASE WHEN about ->> 'inner' IS NULL THEN '***' ELSE 'hmac:' || left(encode(
  sha256(decode(about ->> 'outer', 'hex') || sha256(decode(about ->> 'inner', 'hex') || convert_to(value, 'UTF8'))),
  'hex'), 16) END
$$
""",
    """
CREATE OR REPLACE FUNCTION postern_audit_value(kind int, value jsonb, about jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF value = 'null' THEN
    RETURN value;
  ELSIF kind = 5 THEN
    RETURN '"***"';
  ELSIF kind = 6 OR length(value::text) > 2000 THEN
    RETURN to_jsonb(postern_audit_hash(value #>> '{}', about));
  END IF;
  RETURN value;
END $$
""",
    # The fields that differ, each with its value before and after. `argument` has the names of the fields that are
    # shown (4), secret (5) and hashed (6). PL/pgSQL keeps plans; a query would be planned each time.
    """
CREATE OR REPLACE FUNCTION postern_audit_changes(was jsonb, becomes jsonb, argument text[], about jsonb)
RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  changes jsonb;
  field text;
  before jsonb;
  after jsonb;
BEGIN
  FOR kind IN 4..6 LOOP
    FOREACH field IN ARRAY string_to_array(argument[kind], ',') LOOP
      before := COALESCE(was -> field, 'null');
      after := COALESCE(becomes -> field, 'null');
      IF before <> after THEN
        -- Most values are short and shown as they are: a call for each would take longer than all the rest.
        IF kind > 4 OR pg_column_size(before) > 500 OR pg_column_size(after) > 500 THEN
          before := postern_audit_value(kind, before, about);
          after := postern_audit_value(kind, after, about);
        END IF;
        IF strpos(field, '_') > 0 THEN
          field := left(field, 1) || substr(replace(initcap(replace(field, '_', ' ')), ' ', ''), 2);
        END IF;
        changes := COALESCE(changes, '{}') || jsonb_build_object(field, jsonb_build_array(before, after));
      END IF;
    END LOOP;
  END LOOP;
  RETURN changes;
END $$
""",
    """
CREATE OR REPLACE FUNCTION postern_audit_entry(about jsonb, owner uuid, type text, object text, changes jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (id, owner_id, actor_id, actor_kind, token_id, session_id, operation, object_type,
    object_id, result, code, ip, request_id, changes)
  VALUES (postern_uuid7(), owner,
    COALESCE((about ->> 'actor')::uuid, CASE WHEN about ? 'public' THEN owner END), about ->> 'kind',
    (about ->> 'token')::uuid, (about ->> 'session')::uuid, about ->> 'operation', type, object,
    COALESCE(about ->> 'result', 'done'), about ->> 'code', about ->> 'ip', about ->> 'request',
    COALESCE(changes, '{}'));
END $$
""",
    # Arguments: the type of the object, the columns of its id and of its owner, and the fields that are shown, that are
    # secret, and that are hashed. An owner `table:column` is the one of the row that the column names.
    """
CREATE OR REPLACE FUNCTION postern_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  about jsonb := current_setting('postern.audit')::jsonb;
  argument text[] := ARRAY[TG_ARGV[0], TG_ARGV[1], TG_ARGV[2], TG_ARGV[3], TG_ARGV[4], TG_ARGV[5]];
  was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  becomes jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  changes jsonb := postern_audit_changes(was, becomes, argument, about);
  of_row jsonb := COALESCE(becomes, was);
  owner uuid;
BEGIN
  IF changes IS NULL AND TG_OP = 'UPDATE' THEN
    RETURN NULL;
  END IF;
  -- Logins that end with something else are told by that: a password, a token, a user.
  IF argument[1] = 'login' AND changes ? 'revokedAt'
     AND of_row ->> 'revoked_reason' NOT IN ('logout', 'refresh token reused') THEN
    RETURN NULL;
  END IF;
  IF argument[3] = 'holder_id' AND of_row ->> 'scope' = 'user' THEN
    owner := (of_row ->> 'holder_id')::uuid;
  ELSIF argument[3] = 'holder_id' THEN
    SELECT owner_id INTO owner FROM accounts WHERE id = (of_row ->> 'holder_id')::uuid;
  ELSIF argument[3] LIKE '%:%' THEN
    EXECUTE format('SELECT owner_id FROM %I WHERE id = $1', split_part(argument[3], ':', 1))
      INTO owner USING (of_row ->> split_part(argument[3], ':', 2))::uuid;
  ELSIF argument[3] <> '' THEN
    owner := (of_row ->> argument[3])::uuid;
  END IF;
  PERFORM postern_audit_entry(about, owner, argument[1], of_row ->> argument[2], changes);
  RETURN NULL;
END $$
""",
    # Blocks come by the thousand: a statement that changes more than 20 leaves one entry for each owner.
    """
CREATE OR REPLACE FUNCTION postern_audit_blocks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  about jsonb := current_setting('postern.audit')::jsonb;
  argument text[] := ARRAY['block', 'id', 'owner_id', 'reason,scope', '', 'phone'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF (SELECT count(*) FROM (SELECT FROM came LIMIT 21) AS few) <= 20 THEN
      PERFORM postern_audit_entry(about, owner_id, 'block', id::text,
        postern_audit_changes(NULL, to_jsonb(came), argument, about)) FROM came;
    ELSE
      PERFORM postern_audit_entry(about, owner_id, 'block', NULL,
        jsonb_build_object('blocks', jsonb_build_array(0, count(*)))) FROM came GROUP BY owner_id;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF (SELECT count(*) FROM (SELECT FROM went LIMIT 21) AS few) <= 20 THEN
      PERFORM postern_audit_entry(about, owner_id, 'block', id::text,
        postern_audit_changes(to_jsonb(went), NULL, argument, about)) FROM went;
    ELSE
      PERFORM postern_audit_entry(about, owner_id, 'block', NULL,
        jsonb_build_object('blocks', jsonb_build_array(count(*), 0))) FROM went GROUP BY owner_id;
    END IF;
  ELSIF (SELECT count(*) FROM (SELECT FROM came LIMIT 21) AS few) <= 20 THEN
    PERFORM postern_audit_entry(about, c.owner_id, 'block', c.id::text, d.changes)
    FROM came AS c JOIN went AS w USING (id)
    CROSS JOIN LATERAL (SELECT postern_audit_changes(to_jsonb(w), to_jsonb(c), argument, about) AS changes) AS d
    WHERE d.changes IS NOT NULL;
  ELSE
    PERFORM postern_audit_entry(about, c.owner_id, 'block', NULL,
      jsonb_build_object('blocks', jsonb_build_array(count(*), count(*))))
    FROM came AS c JOIN went AS w USING (id)
    WHERE (w.reason, w.scope, w.phone) IS DISTINCT FROM (c.reason, c.scope, c.phone) GROUP BY c.owner_id;
  END IF;
  RETURN NULL;
END $$
""",
)

# Nobody pays for the audit but who changes something through an operation.
_ON = "current_setting('postern.audit', true) <> ''"
_MANY = {
    "INSERT": "NEW TABLE AS came",
    "UPDATE": "OLD TABLE AS went NEW TABLE AS came",
    "DELETE": "OLD TABLE AS went",
}


def _audited(
    table: str, type: str, owner: str, plain: str, secret: str = "", hashed: str = "", key: str = "id"
) -> tuple[str, str, str]:
    arguments = ", ".join(f"'{argument}'" for argument in (type, key, owner, plain, secret, hashed))
    columns = ", ".join(f'"{name}"' for name in f"{plain},{secret},{hashed}".split(",") if name)
    return table, arguments, columns


# Of which rows the changes are audited, and by which fields: others are not in the audit, or not even looked at. Texts,
# addresses and what may contain them are hashed.
_AUDITED = (
    _audited("users", "user", "id", "status,roles,locale,tariff_code,token_version",
             "password_hash,invitation_hash", "email,display_name"),
    _audited("api_tokens", "apiToken", "user_id",
             "name,created_by,scopes,networks,account_ids,spend_per_day,expires_at,revoked_at,revoked_reason",
             "token_hash"),
    _audited("sessions", "login", "user_id", "api_token_id,second_factor_at,revoked_at,revoked_reason"),
    _audited("second_factors", "secondFactor", "user_id", "kind,name,confirmed_at", "secret_encrypted"),
    _audited("accounts", "account", "owner_id", "owner_id,name,plan,currency,balance,low_balance"),
    _audited("canned_answers", "cannedAnswer", "owner_id", "shortcut", "", "text"),
    _audited("memberships", "member", "owner_id", "member_id,role,permissions,joined_at", "token_hash", "email"),
    _audited("messenger_labels", "chatLabel", "owner_id", "name,color"),
    _audited("messenger_notes", "chatNote", "messenger_accounts:account_id", "chat_id,author_id", "", "text"),
    _audited("messenger_accounts", "messengerAccount", "owner_id",
             "source,name,driver,wanted,clearing,deleted_at", "session_encrypted,credentials_encrypted,proxy_encrypted",
             "login,phone,proxy_shown"),
    _audited("messenger_configs", "messengerConfig", "messenger_accounts:account_id", "account_id,name", "", "config"),
    _audited("event_feeds", "eventFeed", "owner_id", "recording", key="owner_id"),
    _audited("export_links", "export", "owner_id",
             "source,format,status,columns,sending_project_uuid,total,done", "", "filters"),
    _audited("files", "file", "owner_id", "mime,size,sha256", "", "name"),
    _audited("recipient_imports", "import", "owner_id", "status,region,file_uuid,total,valid", "", "file_name,options"),
    _audited("hook_secrets", "hookSecret", "user_id", "kind,revoked_at", "value"),
    _audited("sending_projects", "project", "owner_id",
             "name,status,account_id,channel,category,account_uuids,start_at,start_within_seconds,speed,retry,"
             "on_missing_variable,stop_on_reply,attachment_uuids,repeatable_uuid,retried_to", "",
             "window,subject,html,text,variants,template,variable_labels"),
    _audited("repeatable_projects", "repeatable", "owner_id", "name,status,schedule,source,deleted_at", "", "template"),
    _audited("settings", "setting", "holder_id", "scope,holder_id", "", "value", key="key"),
    _audited("source_accounts", "sourceAccount", "owner_id", "source,name,status,messenger_account_uuid",
             "token_hash,token_encrypted", "login"),
    _audited("tariffs", "tariff", "",
             "name,public,max_concurrent_projects,max_recipients_per_project,messages_per_day,messages_per_minute,"
             "channels,prices", key="code"),
    _audited("webhooks", "webhook", "owner_id",
             "account_id,events,enabled,disabled_reason,sending_project_uuid,paying_account_id,messenger_account_uuid,"
             "paused,batch,query_roles,api_token_id,replay_to,replay_since,replay_until",
             "secret_encrypted,old_secret_encrypted", "url,query"),
)  # fmt: skip


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
