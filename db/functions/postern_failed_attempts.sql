-- Returns the failed attempts of a message with one more; the oldest is dropped when there are more than 20.
CREATE OR REPLACE FUNCTION postern_failed_attempts(
  earlier jsonb, at timestamptz, code text, reason text, provider text
) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_array_length(a.attempts) > 20 THEN a.attempts - 0 ELSE a.attempts END
  FROM (SELECT COALESCE(earlier, '[]') || jsonb_build_array(jsonb_build_object(
    'at', at, 'code', code, 'reason', reason, 'provider', provider)) AS attempts) AS a
$$;
