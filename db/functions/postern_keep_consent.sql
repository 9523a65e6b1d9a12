-- Refuses changes of what proves consent, but for merges and erasures.
CREATE OR REPLACE FUNCTION postern_keep_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A contact that is merged into another one takes its entries along.
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'contact_id' = to_jsonb(OLD) - 'contact_id' THEN
    RETURN NEW;
  END IF;
  -- Of a person who is erased the columns that tell who it was are emptied; that something happened stays.
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'consent_entries' AND current_setting('postern.erasure', true) = 'on'
    AND to_jsonb(NEW) - '{ip,user_agent,evidence}'::text[] = to_jsonb(OLD) - '{ip,user_agent,evidence}'::text[]
    AND COALESCE(to_jsonb(NEW) ->> 'ip', to_jsonb(NEW) ->> 'user_agent', to_jsonb(NEW) ->> 'evidence') IS NULL THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'proof of consent can be added only: % of % is refused', TG_OP, TG_TABLE_NAME;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER append_only BEFORE DELETE OR UPDATE ON consent_entries
  FOR EACH ROW EXECUTE FUNCTION postern_keep_consent();
CREATE OR REPLACE TRIGGER append_only BEFORE DELETE OR UPDATE ON consent_texts
  FOR EACH ROW EXECUTE FUNCTION postern_keep_consent();
