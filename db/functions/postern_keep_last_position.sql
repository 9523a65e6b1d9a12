-- Keeps the last position of a feed when its last event is deleted, as by the erasure of a person: a position must
-- never be given again. Other deletions change nothing, so that they don't wait for the feed's lock.
CREATE OR REPLACE FUNCTION postern_keep_last_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_feeds AS f SET last_position = last.position
  FROM (SELECT owner_id, max(position + count - 1) AS position FROM deleted GROUP BY owner_id) AS last
  WHERE f.owner_id = last.owner_id AND f.last_position < last.position
    AND NOT EXISTS (SELECT FROM events AS e WHERE e.owner_id = last.owner_id AND e.position > last.position);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_deleted AFTER DELETE ON events
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION postern_keep_last_position();
