-- Returns the mailbox provider of a well-known domain; NULL for others, which mail_domains may have. National names
-- end in two letters, or in co or com and two letters.
CREATE OR REPLACE FUNCTION postern_known_provider(domain text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $_$
SELECT CASE
  WHEN domain IN ('gmail.com', 'googlemail.com') THEN 'gmail'
  WHEN domain ~ '^(outlook|hotmail|live|msn|windowslive)\.(com|[a-z]{2}|com?\.[a-z]{2})$' THEN 'microsoft'
  WHEN domain ~ '^(yahoo|ymail|rocketmail|myyahoo|aol)\.(com|[a-z]{2}|com?\.[a-z]{2})$'
    OR domain IN ('aim.com', 'verizon.net')
    THEN 'yahoo'
  WHEN domain IN ('icloud.com', 'me.com', 'mac.com', 'privaterelay.appleid.com') THEN 'apple'
  WHEN domain = 'ya.ru' OR domain ~ '^(yandex|narod)\.(com|[a-z]{2}|com?\.[a-z]{2})$' THEN 'yandex'
  WHEN domain IN ('mail.ru', 'bk.ru', 'list.ru', 'inbox.ru', 'internet.ru', 'xmail.ru') THEN 'mailru'
END
$_$;
