-- Decides which of several requests for messages may pay, in the order of their arrival, and charges their
-- accounts. Decisions 0033 and 0086 have the reasons. `waits`: the call waits for accounts that others have locked;
-- else it says `busy`. `tokens`, `limits`: the API token of a request, if that may spend so much a day (in UTC) of
-- each of the `currencies`; a token's limit of messages a day stands in its row. It is one statement for db/ledger.py.
CREATE OR REPLACE FUNCTION postern_admit_messages(
  waits boolean, accounts uuid[], amounts numeric[], refused boolean[], users uuid[], operations text[],
  keys text[], locks bigint[], fingerprints bytea[], tokens uuid[], limits numeric[], currencies text[]
) RETURNS TABLE("position" bigint, decision text, answer text, repeats integer)
LANGUAGE plpgsql AS $$
DECLARE
  request record;
  wanted uuid;
  found_account record;
  payers uuid[] := '{}';
  places tid[] := '{}';
  balances numeric[] := '{}';
  charges numeric[] := '{}';
  payer integer;  -- the index of the request's account in these arrays
  today date := (now() AT TIME ZONE 'UTC')::date;
  spender record;
  spent_before record;
  spenders text[] := '{}';
  sums numeric[] := '{}';  -- what each spender has spent today
  is_more boolean[] := '{}';  -- whether that is more than before
  spending integer;  -- the index of the request's token and currency in these arrays
  counter record;
  counted_before record;
  counted uuid[] := '{}';  -- tokens that have a limit of messages a day
  counts integer[] := '{}';  -- how many messages each has sent today
  most integer[] := '{}';  -- the limit of each
  counts_before integer[];
  counting integer;  -- the index of the request's token in these arrays
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
  FOR wanted IN
    SELECT DISTINCT c.account FROM unnest(accounts, amounts) AS c (account, amount) WHERE c.amount > 0 ORDER BY 1
  LOOP
    SELECT b.place, b.balance INTO found_account FROM postern_lock_balance(wanted, waits) AS b;
    IF FOUND THEN
      payers := payers || wanted;
      places := places || found_account.place;
      balances := balances || found_account.balance;
      charges := charges || 0::numeric;
    END IF;
  END LOOP;
  -- After the accounts, so that whoever has locked one of these rows waits for no account.
  FOR spender IN
    SELECT DISTINCT s.token, s.currency
    FROM unnest(tokens, amounts, currencies, limits) AS s (token, amount, currency, spend_limit)
    WHERE s.token IS NOT NULL AND s.spend_limit IS NOT NULL AND s.amount > 0 ORDER BY 1, 2
  LOOP
    INSERT INTO api_token_spend (token_id, currency, day, spent)
    VALUES (spender.token, spender.currency, today, 0) ON CONFLICT (token_id, currency) DO NOTHING;
    SELECT s.day, s.spent INTO spent_before FROM api_token_spend AS s
    WHERE s.token_id = spender.token AND s.currency = spender.currency FOR NO KEY UPDATE;
    spenders := spenders || concat_ws(' ', spender.token, spender.currency);
    sums := sums || CASE WHEN spent_before.day < today THEN 0 ELSE spent_before.spent END;
    is_more := is_more || false;
  END LOOP;
  IF cardinality(array_remove(tokens, NULL)) > 0 THEN
    FOR counter IN
      SELECT t.id, t.messages_per_day FROM api_tokens AS t
      WHERE t.id = ANY (tokens) AND t.messages_per_day IS NOT NULL ORDER BY t.id
    LOOP
      INSERT INTO api_token_messages (token_id, day, messages)
      VALUES (counter.id, today, 0) ON CONFLICT (token_id) DO NOTHING;
      SELECT m.day, m.messages INTO counted_before FROM api_token_messages AS m
      WHERE m.token_id = counter.id FOR NO KEY UPDATE;
      counted := counted || counter.id;
      most := most || counter.messages_per_day;
      counts := counts || CASE WHEN counted_before.day < today THEN 0 ELSE counted_before.messages END;
    END LOOP;
    counts_before := counts;
  END IF;
  FOR request IN
    SELECT r.*, k.fingerprint AS stored_fingerprint, k.answer AS stored_answer,
      CASE WHEN r.key IS NOT NULL THEN concat_ws(' ', r.user_id, r.operation, r.key) END AS whole_key
    FROM unnest(
      accounts, amounts, refused, users, operations, keys, fingerprints, locked, tokens, limits, currencies
    ) WITH ORDINALITY AS r (
      account, amount, refused, user_id, operation, key, fingerprint, locked, token, spend_limit, currency, number
    )
    LEFT JOIN idempotency_keys AS k
      ON k.user_id = r.user_id AND k.operation = r.operation AND k.key = r.key AND k.expires_at > now()
    ORDER BY r.number
  LOOP
    "position" := request.number;
    answer := NULL;
    payer := CASE WHEN request.amount > 0 THEN array_position(payers, request.account) END;
    spending := CASE WHEN request.amount > 0 AND request.token IS NOT NULL
      THEN array_position(spenders, concat_ws(' ', request.token, request.currency)) END;
    counting := array_position(counted, request.token);
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
    ELSIF request.amount > 0 AND (payer IS NULL OR balances[payer] - charges[payer] < request.amount) THEN
      decision := 'unpaid';
    ELSIF sums[spending] + request.amount > request.spend_limit THEN
      decision := 'overspent';
    ELSIF counts[counting] >= most[counting] THEN
      decision := 'overcounted';
    ELSE
      decision := 'admitted';
      IF spending IS NOT NULL THEN
        sums[spending] := sums[spending] + request.amount;
        is_more[spending] := true;
      END IF;
      IF counting IS NOT NULL THEN
        counts[counting] := counts[counting] + 1;
      END IF;
      IF payer IS NOT NULL THEN
        charges[payer] := charges[payer] + request.amount;
      END IF;
    END IF;
    -- One element a request, so that an index in this array is a position.
    admitted_keys := array_append(admitted_keys, CASE WHEN decision = 'admitted' THEN request.whole_key END);
    RETURN NEXT;
  END LOOP;
  UPDATE api_token_spend AS s SET spent = p.spent, day = greatest(s.day, today)
  FROM unnest(spenders, sums, is_more) AS p (spender, spent, is_more)
  WHERE p.is_more AND concat_ws(' ', s.token_id, s.currency) = p.spender AND s.token_id = ANY (tokens);
  IF counts <> counts_before THEN
    UPDATE api_token_messages AS m SET messages = c.messages, day = greatest(m.day, today)
    FROM unnest(counted, counts, counts_before) AS c (token, messages, before)
    WHERE m.token_id = c.token AND c.messages > c.before;
  END IF;
  FOR payer IN 1 .. cardinality(payers) LOOP
    IF charges[payer] > 0 THEN
      UPDATE accounts AS a SET balance = a.balance - charges[payer], updated_at = now(),
        period = (extract(epoch FROM now()) / 2)::bigint
      WHERE a.ctid = places[payer];
    END IF;
  END LOOP;
END $$;
