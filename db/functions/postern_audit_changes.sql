-- Returns the fields that differ, each with its value before and after; NULL if none does. `argument` has the names
-- of the fields that are shown (4), secret (5) and hashed (6). PL/pgSQL keeps plans; a query would be planned each
-- time.
CREATE OR REPLACE FUNCTION postern_audit_changes(
  was jsonb, becomes jsonb, argument text[], about jsonb
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  changes jsonb;
  field text;
  before jsonb;
  after jsonb;
BEGIN
  FOR kind IN 4..6 LOOP
    FOREACH field IN ARRAY string_to_array(argument[kind], ',') LOOP
      before := COALESCE(was -> field, 'null');
      after := COALESCE(becomes -> field, 'null');
      IF before <> after THEN
        -- Most values are short and shown as they are: a call for each would take longer than all the rest.
        IF kind > 4 OR pg_column_size(before) > 500 OR pg_column_size(after) > 500 THEN
          before := postern_audit_value(kind, before, about);
          after := postern_audit_value(kind, after, about);
        END IF;
        IF strpos(field, '_') > 0 THEN
          field := left(field, 1) || substr(replace(initcap(replace(field, '_', ' ')), ' ', ''), 2);
        END IF;
        changes := COALESCE(changes, '{}') || jsonb_build_object(field, jsonb_build_array(before, after));
      END IF;
    END LOOP;
  END LOOP;
  RETURN changes;
END $$;
