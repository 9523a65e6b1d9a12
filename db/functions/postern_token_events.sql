-- Records that an API token was made, changed, refused or revoked in its user's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_token_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.user_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (
      NEW.user_id,
      'apiToken.' || CASE
        WHEN TG_OP = 'INSERT' THEN 'created'
        WHEN NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL THEN 'revoked'
        WHEN NEW.last_refused_at IS DISTINCT FROM OLD.last_refused_at THEN 'refused'
        ELSE 'changed' END,
      'apiToken', NEW.id, NULL, NULL,
      jsonb_build_object('uuid', NEW.id, 'name', NEW.name, 'scopes', NEW.scopes, 'networks', NEW.networks,
        'accountIds', NEW.account_ids, 'spendPerDay', NEW.spend_per_day, 'messagesPerDay', NEW.messages_per_day,
        'approvalAbove', NEW.approval_above, 'expiresAt', postern_utc(NEW.expires_at),
        'revokedAt', postern_utc(NEW.revoked_at), 'createdAt', postern_utc(NEW.created_at),
        'lastUsedAt', postern_utc(NEW.last_used_at), 'lastUsedIp', NEW.last_used_ip,
        'lastRefusedAt', postern_utc(NEW.last_refused_at), 'lastRefusal', NEW.last_refusal));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON api_tokens
  FOR EACH ROW WHEN (true) EXECUTE FUNCTION postern_token_events();
CREATE OR REPLACE TRIGGER events_update_limits AFTER UPDATE OF name, scopes, networks, account_ids, spend_per_day,
  messages_per_day, approval_above, expires_at ON api_tokens
  FOR EACH ROW WHEN (NEW.name IS DISTINCT FROM OLD.name OR NEW.scopes IS DISTINCT FROM OLD.scopes
    OR NEW.networks IS DISTINCT FROM OLD.networks OR NEW.account_ids IS DISTINCT FROM OLD.account_ids
    OR NEW.spend_per_day IS DISTINCT FROM OLD.spend_per_day
    OR NEW.messages_per_day IS DISTINCT FROM OLD.messages_per_day
    OR NEW.approval_above IS DISTINCT FROM OLD.approval_above OR NEW.expires_at IS DISTINCT FROM OLD.expires_at)
  EXECUTE FUNCTION postern_token_events();
CREATE OR REPLACE TRIGGER events_update_refusal AFTER UPDATE OF last_refused_at ON api_tokens
  FOR EACH ROW WHEN (NEW.last_refused_at IS DISTINCT FROM OLD.last_refused_at)
  EXECUTE FUNCTION postern_token_events();
CREATE OR REPLACE TRIGGER events_update_revoked_at AFTER UPDATE OF revoked_at ON api_tokens
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION postern_token_events();
