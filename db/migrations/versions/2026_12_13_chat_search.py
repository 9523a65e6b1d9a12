"""Messages of chats are found by their words."""

from alembic import op

from db.migrations.indexes import build

revision = "0050"
down_revision = "0049"

# The parser would keep addresses and paths whole. So the marks within them part words, in texts and in searches.
_MARKS = r"""./\\:@-_#&=?+,;|~*'"()[]{}<>«»„“”‘’…–—·"""
_FUNCTIONS = (
    f"""
    CREATE OR REPLACE FUNCTION postern_words(body text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN to_tsvector('pg_catalog.simple'::regconfig, translate(left(body, 10000), $m${_MARKS}$m$, repeat(' ', 60)))
    """,
    """
    CREATE OR REPLACE FUNCTION postern_words_key(account uuid, at timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN right(account::text, 12) || lpad(to_hex(least(4095, greatest(0,
      floor(extract(epoch FROM at - timestamptz '2010-01-01 00:00Z') / (91 * 86400))))::int), 3, '0')
    """,
    """
    CREATE OR REPLACE FUNCTION postern_chat_words(account uuid, at timestamptz, body text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
    RETURN array_to_tsvector(ARRAY(
      SELECT postern_words_key(account, at) || left(lexeme, 64) FROM unnest(postern_words(body))
    ))
    """,
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    for function in _FUNCTIONS:
        op.get_bind().exec_driver_sql(function)
    build(
        "ix_messenger_messages_words",
        "messenger_messages USING gin (postern_chat_words(account_id, at, text)) WITH (fastupdate = off)",
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
