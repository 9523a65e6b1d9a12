-- Decided which messages a joined request may pay for. Processes use postern_charge_messages now: nothing calls
-- these two.
CREATE OR REPLACE FUNCTION postern_admit_charges(
  account uuid, amounts numeric[], refused boolean[], users uuid[], operations text[], keys text[], locks bigint[],
  fingerprints bytea[]
) RETURNS TABLE("position" bigint, decision text, answer text, repeats integer)
LANGUAGE plpgsql AS $$
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
END $$;

CREATE OR REPLACE FUNCTION postern_admit_charges(
  waits boolean, accounts uuid[], amounts numeric[], refused boolean[], users uuid[], operations text[],
  keys text[], locks bigint[], fingerprints bytea[]
) RETURNS TABLE("position" bigint, decision text, answer text, repeats integer)
LANGUAGE plpgsql AS $$
DECLARE
  request record;
  payers uuid[] := ARRAY(
    SELECT DISTINCT c.account FROM unnest(accounts, amounts) AS c (account, amount) WHERE c.amount > 0
  );
  balances numeric[];
  payer integer;  -- the index of the request's account in both arrays
  locked boolean[];
  admitted_keys text[] := '{}';
BEGIN
  -- For each lock of the rest of the transaction. A statement that does not wait for accounts has messages of several
  -- accounts, and a lock that concerns one of them must not hold up the others for long.
  PERFORM set_config('lock_timeout', CASE WHEN waits THEN '1s' ELSE '300ms' END, true);
  locked := ARRAY(
    SELECT l.lock IS NULL OR pg_try_advisory_xact_lock(l.lock)
    FROM unnest(locks) WITH ORDINALITY AS l (lock, number) ORDER BY l.number
  );
  -- In the order of their ids, so that two transactions never wait for each other.
  IF payers = '{}' THEN
    NULL;
  ELSIF waits THEN
    SELECT array_agg(a.id), array_agg(a.balance) INTO payers, balances FROM (
      SELECT id, balance FROM accounts WHERE id = ANY(payers) ORDER BY id FOR NO KEY UPDATE
    ) AS a;
  ELSE
    SELECT array_agg(a.id), array_agg(a.balance) INTO payers, balances FROM (
      SELECT id, balance FROM accounts WHERE id = ANY(payers) FOR NO KEY UPDATE SKIP LOCKED
    ) AS a;
  END IF;
  FOR request IN
    SELECT r.*, k.fingerprint AS stored_fingerprint, k.answer AS stored_answer,
      CASE WHEN r.key IS NOT NULL THEN concat_ws(' ', r.user_id, r.operation, r.key) END AS whole_key
    FROM unnest(accounts, amounts, refused, users, operations, keys, fingerprints, locked) WITH ORDINALITY
      AS r (account, amount, refused, user_id, operation, key, fingerprint, locked, number)
    LEFT JOIN idempotency_keys AS k
      ON k.user_id = r.user_id AND k.operation = r.operation AND k.key = r.key AND k.expires_at > now()
    ORDER BY r.number
  LOOP
    "position" := request.number;
    answer := NULL;
    payer := CASE WHEN request.amount > 0 THEN array_position(payers, request.account) END;
    repeats := CASE WHEN request.key IS NOT NULL THEN array_position(admitted_keys, request.whole_key) END;
    IF NOT waits AND request.amount > 0 AND payer IS NULL THEN
      decision := 'busy';
    ELSIF NOT request.locked THEN
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
    ELSIF request.amount > 0 AND (payer IS NULL OR balances[payer] < request.amount) THEN
      decision := 'unpaid';
    ELSE
      decision := 'admitted';
      IF payer IS NOT NULL THEN
        balances[payer] := balances[payer] - request.amount;
      END IF;
    END IF;
    -- One element a request, so that an index in this array is a position.
    admitted_keys := array_append(admitted_keys, CASE WHEN decision = 'admitted' THEN request.whole_key END);
    RETURN NEXT;
  END LOOP;
END $$;
