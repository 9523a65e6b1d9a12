-- Records that a second factor was added or removed in its user's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_second_factor_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE factor second_factors; happened text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    factor = OLD; happened = 'secondFactor.removed';
  ELSE
    factor = NEW; happened = 'secondFactor.added';
  END IF;
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = factor.user_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (factor.user_id, happened, 'secondFactor', factor.id, NULL, NULL, jsonb_build_object('uuid', factor.id,
      'kind', factor.kind, 'name', factor.name, 'createdAt', postern_utc(factor.created_at),
      'confirmedAt', postern_utc(factor.confirmed_at), 'lastUsedAt', postern_utc(factor.last_used_at)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_added AFTER UPDATE OF confirmed_at ON second_factors
  FOR EACH ROW WHEN (OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL)
  EXECUTE FUNCTION postern_second_factor_events();
CREATE OR REPLACE TRIGGER events_removed AFTER DELETE ON second_factors
  FOR EACH ROW WHEN (OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION postern_second_factor_events();
