-- Records that a member was invited, joined, changed or was removed in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_member_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE member memberships; happened text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    member = OLD; happened = 'member.removed';
  ELSIF TG_OP = 'INSERT' THEN
    member = NEW; happened = 'member.invited';
  ELSE
    member = NEW;
    happened = CASE
      WHEN OLD.member_id IS NULL AND NEW.member_id IS NOT NULL THEN 'member.joined' ELSE 'member.changed' END;
  END IF;
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = member.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (member.owner_id, happened, 'member', member.id, NULL, NULL, jsonb_build_object('uuid', member.id,
      'email', member.email, 'userUuid', member.member_id, 'role', member.role, 'permissions', member.permissions,
      'approvalAbove', member.approval_above,
      'createdAt', postern_utc(member.created_at), 'joinedAt', postern_utc(member.joined_at)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_delete AFTER DELETE ON memberships
  FOR EACH ROW EXECUTE FUNCTION postern_member_events();
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON memberships
  FOR EACH ROW EXECUTE FUNCTION postern_member_events();
CREATE OR REPLACE TRIGGER events_update AFTER UPDATE OF member_id, role, permissions, approval_above ON memberships
  FOR EACH ROW WHEN (OLD.member_id IS DISTINCT FROM NEW.member_id OR OLD.role IS DISTINCT FROM NEW.role
    OR OLD.permissions IS DISTINCT FROM NEW.permissions
    OR OLD.approval_above IS DISTINCT FROM NEW.approval_above)
  EXECUTE FUNCTION postern_member_events();
