-- Lets a contact whose subscription becomes active enter the series of that topic, and stops the series of a contact
-- whose subscription ends, in the transaction that changes the subscription: so neither is ever missed. The shared lock
-- is that of the start of a series, which waits for subscriptions that are being changed, and they for it.
CREATE OR REPLACE FUNCTION postern_enter_series() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('series:' || topic_id, 0))
  FROM (SELECT DISTINCT topic_id FROM changed ORDER BY topic_id) AS topics;
  INSERT INTO series_entries (id, owner_id, series_id, contact_id, due_at)
  SELECT postern_uuid7(), s.owner_id, s.id, c.contact_id, now() + s.first_delay * interval '1 second'
  FROM changed AS c JOIN series AS s ON s.topic_id = c.topic_id AND s.channel = c.channel
  WHERE c.state = 'active' AND s.segment_id IS NULL AND s.status IN ('running', 'paused')
  ORDER BY c.contact_id, s.id
  ON CONFLICT (series_id, contact_id) DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION postern_enter_series_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('series:' || topic_id, 0))
  FROM (SELECT DISTINCT topic_id FROM changed ORDER BY topic_id) AS topics;
  INSERT INTO series_entries (id, owner_id, series_id, contact_id, due_at)
  SELECT postern_uuid7(), s.owner_id, s.id, c.contact_id, now() + s.first_delay * interval '1 second'
  FROM changed AS c JOIN before AS b ON b.id = c.id
  JOIN series AS s ON s.topic_id = c.topic_id AND s.channel = c.channel
  WHERE c.state = 'active' AND b.state <> 'active' AND s.segment_id IS NULL AND s.status IN ('running', 'paused')
  ORDER BY c.contact_id, s.id
  ON CONFLICT (series_id, contact_id) DO NOTHING;
  UPDATE series_entries AS e SET state = 'stopped', stop_reason = 'withdrawn', due_at = NULL, ended_at = now(),
    updated_at = now()
  FROM changed AS c JOIN series AS s ON s.topic_id = c.topic_id AND s.channel = c.channel
  WHERE c.state <> 'active' AND e.series_id = s.id AND e.contact_id = c.contact_id AND e.state = 'waiting';
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER enter_series AFTER INSERT ON topic_subscriptions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION postern_enter_series();
CREATE OR REPLACE TRIGGER enter_series_again AFTER UPDATE ON topic_subscriptions
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION postern_enter_series_again();
