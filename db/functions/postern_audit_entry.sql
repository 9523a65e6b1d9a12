-- Adds an entry to the audit. `about` is what runtime/audit.py says of the caller: the transaction's setting
-- `postern.audit`.
CREATE OR REPLACE FUNCTION postern_audit_entry(
  about jsonb, owner uuid, type text, object text, changes jsonb
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (id, owner_id, actor_id, actor_kind, token_id, session_id, operation, object_type,
    object_id, result, code, ip, request_id, changes)
  VALUES (postern_uuid7(), owner,
    COALESCE((about ->> 'actor')::uuid, CASE WHEN about ? 'public' THEN owner END), about ->> 'kind',
    (about ->> 'token')::uuid, (about ->> 'session')::uuid, about ->> 'operation', type, object,
    COALESCE(about ->> 'result', 'done'), about ->> 'code', about ->> 'ip', about ->> 'request',
    COALESCE(changes, '{}'));
END $$;
