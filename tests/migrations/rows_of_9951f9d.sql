-- Rows as the code of commit 9951f9d left them, at revision 0004: some of every table that later migrations change.

INSERT INTO users (id, email, roles) VALUES ('00000000-0000-7000-8000-000000000001', 'ada@example.com', '{user}');
INSERT INTO accounts (id, owner_id, name, balance, currency) VALUES
  ('00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000001', 'Ada', 12.5, 'USD');
INSERT INTO blocked_phones (id, owner_id, phone, reason) VALUES
  ('00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000001', '+14155550100', 'optOut');

-- Direct messages: two states within a quarter of an hour, a failure, an answer, and one of which nothing is known.
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, failure_code, created_at, updated_at,
  sent_at, delivered_at, handed_at)
SELECT id::uuid, '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', direction, 'sms', state,
  '+14155550101', 'hi', failure_code, '2026-11-20 12:00Z', '2026-11-20 12:20Z', sent_at::timestamptz,
  delivered_at::timestamptz, sent_at::timestamptz
FROM (VALUES
  ('00000000-0000-7000-8000-000000000011', 'outbound', 'queued', NULL, NULL, NULL),
  ('00000000-0000-7000-8000-000000000012', 'outbound', 'delivered', NULL, '2026-11-20 12:01Z', '2026-11-20 12:16Z'),
  ('00000000-0000-7000-8000-000000000013', 'outbound', 'failed', 'invalid_recipient', NULL, NULL),
  ('00000000-0000-7000-8000-000000000014', 'outbound', 'unknown', 'timeout', NULL, NULL),
  ('00000000-0000-7000-8000-000000000015', 'inbound', 'delivered', NULL, NULL, '2026-11-20 12:00Z')
) AS m (id, direction, state, failure_code, sent_at, delivered_at);

-- A project with two variants, paused in the middle of a batch.
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, status_reason) VALUES
  ('00000000-0000-7000-8000-000000000004', '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002',
   'Winter', 'sms', 'paused', 'balance_used_up');
INSERT INTO project_contents (project_id, number, content) VALUES
  ('00000000-0000-7000-8000-000000000004', 1, '{"text": "hi"}');
INSERT INTO sending_units (id, project_id) VALUES
  ('00000000-0000-7000-8000-000000000005', '00000000-0000-7000-8000-000000000004');
INSERT INTO message_records (id, project_id, owner_id, unit_id, channel, "to", status, content, variant, failure_code, handed_at,
  replied_at)
SELECT id::uuid, '00000000-0000-7000-8000-000000000004', '00000000-0000-7000-8000-000000000001',
  '00000000-0000-7000-8000-000000000005', 'sms', '+14155550102', status, 1, variant, failure_code, handed_at::timestamptz,
  replied_at::timestamptz
FROM (VALUES
  ('00000000-0000-7000-8000-000000000021', 'queued', 0, NULL, NULL, NULL),
  ('00000000-0000-7000-8000-000000000022', 'delivered', 0, NULL, '2026-11-20 12:00Z', '2026-11-20 12:05Z'),
  ('00000000-0000-7000-8000-000000000023', 'failed', 1, 'invalid_recipient', '2026-11-20 12:00Z', NULL),
  ('00000000-0000-7000-8000-000000000024', 'unknown', 1, 'timeout', '2026-11-20 12:00Z', NULL),
  ('00000000-0000-7000-8000-000000000025', 'queued', NULL, NULL, NULL, NULL)
) AS m (id, status, variant, failure_code, handed_at, replied_at);

INSERT INTO files (id, owner_id, name, original_name, mime, size, sha256) VALUES
  ('00000000-0000-7000-8000-000000000006', '00000000-0000-7000-8000-000000000001', 'list.csv', 'list.csv', 'text/csv', 3,
   repeat('0', 64));
INSERT INTO recipient_imports (id, owner_id, status, file_uuid, region) VALUES
  ('00000000-0000-7000-8000-000000000007', '00000000-0000-7000-8000-000000000001', 'failed',
   '00000000-0000-7000-8000-000000000006', 'US');
INSERT INTO export_links (id, owner_id, source, sending_project_uuid) VALUES
  ('00000000-0000-7000-8000-000000000008', '00000000-0000-7000-8000-000000000001', 'messages',
   '00000000-0000-7000-8000-000000000004');

-- A messenger account with a chat.
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver) VALUES
  ('00000000-0000-7000-8000-000000000031', '00000000-0000-7000-8000-000000000001', 'telegram', '1', 'Ada', 'sandbox');
INSERT INTO source_accounts (id, owner_id, source, login, name, token_hash, token_encrypted, token_hint) VALUES
  ('00000000-0000-7000-8000-000000000032', '00000000-0000-7000-8000-000000000001', 'telegram', '1', 'Ada', 'x', 'x', '…');
INSERT INTO messenger_chats (id, account_id, thread) VALUES
  ('00000000-0000-7000-8000-000000000033', '00000000-0000-7000-8000-000000000031', '7');
INSERT INTO messenger_messages (id, account_id, chat_id, thread, provider_id, outgoing, text, status, at) VALUES
  ('00000000-0000-7000-8000-000000000034', '00000000-0000-7000-8000-000000000031', '00000000-0000-7000-8000-000000000033', '7',
   '70', false, 'hi', 'delivered', '2026-11-20 12:00Z');
