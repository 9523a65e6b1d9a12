-- Refuses each change of an entry of the audit. Partitions that come later get the second trigger by
-- engine/upkeep/partitions.py.
CREATE OR REPLACE FUNCTION postern_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'entries of the audit can be added only: % of % is refused', TG_OP, TG_TABLE_NAME;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER append_only BEFORE DELETE OR UPDATE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION postern_append_only();
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT c.relname FROM pg_partition_tree('audit_entries') AS t JOIN pg_class AS c ON c.oid = t.relid LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER never_truncated BEFORE TRUNCATE ON %I'
      ' EXECUTE FUNCTION postern_append_only()', name);
  END LOOP;
END $$;
