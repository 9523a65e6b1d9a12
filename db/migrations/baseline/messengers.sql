-- Messenger accounts, their chats and settings.

-- A Telegram or WhatsApp account. `wanted` is the owner's request, `state` what the driver last reported.
CREATE TABLE messenger_accounts (
  owner_id uuid NOT NULL,
  source text NOT NULL,
  login text NOT NULL,
  name text NOT NULL,
  driver text NOT NULL,
  wanted boolean NOT NULL DEFAULT false,
  clearing boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'stopped',
  reason text,
  reason_code text,
  until timestamptz,
  attempts_left smallint,
  state_at timestamptz,
  checked_at timestamptz,
  phone text,
  connected_phone text,
  me jsonb,
  session_encrypted bytea,
  credentials_encrypted bytea,
  proxy_encrypted bytea,
  proxy_shown text,
  cursor jsonb NOT NULL DEFAULT '{}',
  deleted_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_messenger_accounts PRIMARY KEY (id),
  CONSTRAINT fk_messenger_accounts_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_messenger_accounts_driver CHECK (driver IN ('telegram', 'whatsapp', 'whatsapp-cloud', 'sandbox')),
  CONSTRAINT ck_messenger_accounts_source CHECK (source IN ('telegram', 'whatsapp')),
  CONSTRAINT ck_messenger_accounts_state CHECK (state IN ('stopped', 'starting', 'waitQr', 'waitPhone', 'waitCode',
    'waitPassword', 'showCode', 'syncing', 'working', 'reconnecting', 'failed', 'loggedOut', 'blocked'))
);
CREATE INDEX ix_messenger_accounts_owner_id_id ON messenger_accounts (owner_id, id);
CREATE INDEX ix_messenger_accounts_owner_id_name_id ON messenger_accounts (owner_id, name, id);
CREATE INDEX ix_messenger_accounts_waits ON messenger_accounts (id)
  WHERE clearing OR wanted OR state IN ('starting', 'waitQr', 'waitPhone', 'waitCode', 'waitPassword', 'showCode',
  'syncing', 'working', 'reconnecting');
CREATE UNIQUE INDEX uq_messenger_accounts_living ON messenger_accounts (owner_id, source, login)
  WHERE deleted_at IS NULL;

-- Names the process that runs the connection of an account. `fence` grows with every new holder.
CREATE TABLE messenger_holds (
  account_id uuid NOT NULL,
  holder uuid NOT NULL,
  fence bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT pk_messenger_holds PRIMARY KEY (account_id),
  CONSTRAINT fk_messenger_holds_account_id FOREIGN KEY (account_id)
    REFERENCES messenger_accounts (id) ON DELETE CASCADE
) WITH (fillfactor = 50);
CREATE INDEX ix_messenger_holds_holder ON messenger_holds (holder);

-- A state that an account has entered, and why. The newest ones are kept: engine/messengers/state_history.py.
CREATE TABLE messenger_state_changes (
  account_id uuid NOT NULL,
  state text NOT NULL,
  reason text,
  reason_code text,
  until timestamptz,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_messenger_state_changes PRIMARY KEY (id),
  CONSTRAINT fk_messenger_state_changes_account_id FOREIGN KEY (account_id)
    REFERENCES messenger_accounts (id) ON DELETE CASCADE
);
CREATE INDEX ix_messenger_state_changes_account_id_id ON messenger_state_changes (account_id, id);

-- A sender identity. Its token is encrypted; its hash distinguishes two with the same login.
CREATE TABLE source_accounts (
  owner_id uuid NOT NULL,
  source text NOT NULL,
  login text NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'connected',
  status_at timestamptz,
  messenger_account_uuid uuid,
  token_hash bytea NOT NULL,
  token_encrypted bytea NOT NULL,
  token_hint text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_source_accounts PRIMARY KEY (id),
  CONSTRAINT uq_source_accounts_owner_id_source_login_token_hash UNIQUE (owner_id, source, login, token_hash),
  CONSTRAINT fk_source_accounts_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_source_accounts_status CHECK (status IN ('connected', 'disconnected', 'blocked', 'deleted'))
);
CREATE INDEX ix_source_accounts_messenger_account_uuid ON source_accounts (messenger_account_uuid)
  WHERE messenger_account_uuid IS NOT NULL;
CREATE INDEX ix_source_accounts_owner_id_id ON source_accounts (owner_id, id);
CREATE INDEX ix_source_accounts_owner_id_name_id ON source_accounts (owner_id, name, id);

-- A conversation of a messenger account. `thread` is the messenger's id of it, unique within the account.
CREATE TABLE messenger_chats (
  account_id uuid NOT NULL,
  thread text NOT NULL,
  kind text NOT NULL DEFAULT 'user',
  name text,
  phone text,
  username text,
  unread integer NOT NULL DEFAULT 0,
  last_at timestamptz,
  last_item uuid,
  whole boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  CONSTRAINT pk_messenger_chats PRIMARY KEY (id),
  CONSTRAINT uq_messenger_chats_account_id_thread UNIQUE (account_id, thread),
  CONSTRAINT fk_messenger_chats_account_id FOREIGN KEY (account_id)
    REFERENCES messenger_accounts (id) ON DELETE CASCADE
);
CREATE INDEX ix_messenger_chats_closed ON messenger_chats (account_id, last_at, id) WHERE closed_at IS NOT NULL;
CREATE INDEX ix_messenger_chats_open ON messenger_chats (account_id, last_at, id) WHERE closed_at IS NULL;
CREATE INDEX ix_messenger_chats_phone ON messenger_chats (account_id, phone) WHERE phone IS NOT NULL;
CREATE INDEX ix_messenger_chats_recent ON messenger_chats (account_id, last_at, id);
CREATE INDEX ix_messenger_chats_username ON messenger_chats (account_id, lower(username))
  WHERE username IS NOT NULL;

-- An event of a message that is not stored yet: a status, a read receipt "up to here", a reaction.
CREATE TABLE messenger_early (
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  account_id uuid NOT NULL,
  thread text NOT NULL,
  provider_id text NOT NULL,
  event jsonb NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_messenger_early PRIMARY KEY (id),
  CONSTRAINT fk_messenger_early_account_id FOREIGN KEY (account_id)
    REFERENCES messenger_accounts (id) ON DELETE CASCADE
);
CREATE INDEX ix_messenger_early_key ON messenger_early (account_id, thread, provider_id);
CREATE INDEX ix_messenger_early_received_at ON messenger_early (received_at);

-- A message in a chat, of either direction. Its id is the `item` of Area C.
CREATE TABLE messenger_messages (
  seq bigint GENERATED BY DEFAULT AS IDENTITY,
  account_id uuid NOT NULL,
  chat_id uuid,
  thread text,
  provider_id text,
  key text,
  request_hash text,
  record_id uuid,
  outgoing boolean NOT NULL,
  sender text,
  recipient text,
  name text,
  text text NOT NULL DEFAULT '',
  content jsonb NOT NULL DEFAULT '[]',
  reply_to text,
  reactions jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'pending',
  failure_code text,
  failure_reason text,
  at timestamptz NOT NULL,
  asked_at timestamptz,
  edited_at timestamptz,
  deleted_at timestamptz,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  past boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_messenger_messages PRIMARY KEY (id),
  CONSTRAINT fk_messenger_messages_account_id FOREIGN KEY (account_id)
    REFERENCES messenger_accounts (id) ON DELETE CASCADE,
  CONSTRAINT fk_messenger_messages_chat_id FOREIGN KEY (chat_id) REFERENCES messenger_chats (id) ON DELETE CASCADE,
  CONSTRAINT ck_messenger_messages_status CHECK (status IN ('pending', 'server', 'delivered', 'has_seen',
    'errored'))
);
CREATE INDEX ix_messenger_messages_chat ON messenger_messages (chat_id, at, seq);
CREATE INDEX ix_messenger_messages_pending ON messenger_messages (created_at) WHERE outgoing AND status = 'pending';
CREATE INDEX ix_messenger_messages_short_id ON messenger_messages (account_id, provider_id)
  WHERE length(provider_id) <= 10;
CREATE INDEX ix_messenger_messages_unseen ON messenger_messages (chat_id, at, seq)
  WHERE outgoing AND provider_id IS NOT NULL AND status IN ('server', 'delivered');
CREATE INDEX ix_messenger_messages_words ON messenger_messages USING gin (postern_chat_words(account_id, at,
  text)) WITH (fastupdate = off);
CREATE UNIQUE INDEX uq_messenger_messages_key ON messenger_messages (account_id, key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX uq_messenger_messages_provider_id ON messenger_messages (account_id, thread, provider_id);

-- A further part of an outgoing message that the messenger shows as several messages.
CREATE TABLE messenger_parts (
  account_id uuid NOT NULL,
  thread text NOT NULL,
  provider_id text NOT NULL,
  message_id uuid NOT NULL,
  CONSTRAINT pk_messenger_parts PRIMARY KEY (account_id, thread, provider_id),
  CONSTRAINT fk_messenger_parts_account_id FOREIGN KEY (account_id)
    REFERENCES messenger_accounts (id) ON DELETE CASCADE,
  CONSTRAINT fk_messenger_parts_message_id FOREIGN KEY (message_id)
    REFERENCES messenger_messages (id) ON DELETE CASCADE
);
CREATE INDEX ix_messenger_parts_message_id ON messenger_parts (message_id);

-- A label of one owner, which any of the owner's chats can have.
CREATE TABLE messenger_labels (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  name text NOT NULL,
  color text NOT NULL DEFAULT 'gray',
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_messenger_labels PRIMARY KEY (id),
  CONSTRAINT fk_messenger_labels_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_messenger_labels_ck_messenger_labels_color CHECK (color IN ('gray', 'red', 'orange', 'yellow',
    'green', 'teal', 'blue', 'violet', 'pink'))
);
CREATE UNIQUE INDEX uq_messenger_labels_name ON messenger_labels (owner_id, lower(name));

-- Says that a chat has a label.
CREATE TABLE messenger_chat_labels (
  chat_id uuid NOT NULL,
  label_id uuid NOT NULL,
  CONSTRAINT pk_messenger_chat_labels PRIMARY KEY (chat_id, label_id),
  CONSTRAINT fk_messenger_chat_labels_chat_id FOREIGN KEY (chat_id)
    REFERENCES messenger_chats (id) ON DELETE CASCADE,
  CONSTRAINT fk_messenger_chat_labels_label_id FOREIGN KEY (label_id)
    REFERENCES messenger_labels (id) ON DELETE CASCADE
);
CREATE INDEX ix_messenger_chat_labels_label_id_chat_id ON messenger_chat_labels (label_id, chat_id);

-- A note about a chat. The account tells whose it is; `author_id` is who wrote it, perhaps an administrator.
CREATE TABLE messenger_notes (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  chat_id uuid NOT NULL,
  author_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_messenger_notes PRIMARY KEY (id),
  CONSTRAINT fk_messenger_notes_account_id FOREIGN KEY (account_id)
    REFERENCES messenger_accounts (id) ON DELETE CASCADE,
  CONSTRAINT fk_messenger_notes_author_id FOREIGN KEY (author_id) REFERENCES users (id),
  CONSTRAINT fk_messenger_notes_chat_id FOREIGN KEY (chat_id) REFERENCES messenger_chats (id) ON DELETE CASCADE
);
CREATE INDEX ix_messenger_notes_account_id ON messenger_notes (account_id);
CREATE INDEX ix_messenger_notes_chat_id_id ON messenger_notes (chat_id, id);

-- A text for answers in the inbox. The shortcut is in lower case.
CREATE TABLE canned_answers (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  shortcut text NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_canned_answers PRIMARY KEY (id),
  CONSTRAINT fk_canned_answers_owner_id FOREIGN KEY (owner_id) REFERENCES users (id)
);
CREATE INDEX ix_canned_answers_list ON canned_answers (owner_id, shortcut, id);
CREATE UNIQUE INDEX uq_canned_answers_shortcut ON canned_answers (owner_id, shortcut);

-- A named JSON document of a messenger account; the service itself reads the one named `default`.
CREATE TABLE messenger_configs (
  account_id uuid NOT NULL,
  name text NOT NULL,
  config jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_messenger_configs PRIMARY KEY (id),
  CONSTRAINT uq_messenger_configs_account_id_name UNIQUE (account_id, name),
  CONSTRAINT fk_messenger_configs_account_id FOREIGN KEY (account_id)
    REFERENCES messenger_accounts (id) ON DELETE CASCADE
);

-- Counts the requests that a user has sent to the language model on a day.
CREATE TABLE ai_usage (
  user_id uuid NOT NULL,
  day date NOT NULL,
  requests integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_ai_usage PRIMARY KEY (user_id, day)
);
