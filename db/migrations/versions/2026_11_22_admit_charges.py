"""postern_admit_charges: decides about the charges of joined requests, one after the other.

It locks what it needs, and changes no row: the statement that calls it writes what it has admitted. It is a function
because each of its statements has a snapshot of its own: what another process committed while this one waited for the
lock of the account or of a key is seen.
"""

from alembic import op

revision = "0022"
down_revision = "0019"

# All arrays have one element a request, in the order of arrival. `refused`: the caller has another reason not to charge.
# `locks` are the advisory locks of the Idempotency-Keys; a request without a key has NULL there, in `keys`, and in
# `fingerprints`. A row is returned for each request: its position (from 1), what is decided, and for `replayed` either
# the stored answer or the position of the joined request that it repeats.
_FUNCTION = """
CREATE OR REPLACE FUNCTION postern_admit_charges(
  account uuid, amounts numeric[], refused boolean[],
  users uuid[], operations text[], keys text[], locks bigint[], fingerprints bytea[]
) RETURNS TABLE ("position" bigint, decision text, answer text, repeats integer) LANGUAGE plpgsql AS $$
DECLARE
  request record;
  available numeric;
  locked boolean[];
  admitted_keys text[] := '{}';
BEGIN
  -- For the rest of the transaction, so that no request waits longer for an account.
  PERFORM set_config('lock_timeout', '1s', true);
  locked := ARRAY(
    SELECT l.lock IS NULL OR pg_try_advisory_xact_lock(l.lock)
    FROM unnest(locks) WITH ORDINALITY AS l (lock, number) ORDER BY l.number
  );
  IF 0 < ANY (amounts) THEN
    SELECT a.balance INTO available FROM accounts AS a WHERE a.id = account FOR NO KEY UPDATE;
  END IF;
  FOR request IN
    SELECT r.*, k.fingerprint AS stored_fingerprint, k.answer AS stored_answer,
      CASE WHEN r.key IS NOT NULL THEN concat_ws(' ', r.user_id, r.operation, r.key) END AS whole_key
    FROM unnest(amounts, refused, users, operations, keys, fingerprints, locked) WITH ORDINALITY
      AS r (amount, refused, user_id, operation, key, fingerprint, locked, number)
    LEFT JOIN idempotency_keys AS k
      ON k.user_id = r.user_id AND k.operation = r.operation AND k.key = r.key AND k.expires_at > now()
    ORDER BY r.number
  LOOP
    "position" := request.number;
    answer := NULL;
    repeats := CASE WHEN request.key IS NOT NULL THEN array_position(admitted_keys, request.whole_key) END;
    IF NOT request.locked THEN
      decision := 'in_flight';
    ELSIF request.stored_fingerprint = request.fingerprint THEN
      decision := 'replayed';
      answer := request.stored_answer::text;
    ELSIF request.stored_fingerprint IS NOT NULL THEN
      decision := 'key_reused';
    ELSIF repeats IS NOT NULL THEN
      decision := CASE WHEN fingerprints[repeats] = request.fingerprint THEN 'replayed' ELSE 'key_reused' END;
    ELSIF request.refused THEN
      decision := 'refused';
    ELSIF request.amount > 0 AND (available IS NULL OR available < request.amount) THEN
      decision := 'unpaid';
    ELSE
      decision := 'admitted';
      available := available - request.amount;
    END IF;
    -- One element a request, so that an index in this array is a position.
    admitted_keys := array_append(admitted_keys, CASE WHEN decision = 'admitted' THEN request.whole_key END);
    RETURN NEXT;
  END LOOP;
END $$
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_FUNCTION)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
