-- Keeps the audit of tables whose rows an operation changes (decision 0057): each has a trigger function of its
-- own, which postern_audit_install writes. A function that names its columns takes less time than one that goes
-- through the row as JSON.

-- Returns SQL for what an entry shows of a value, given by an expression of its column.
CREATE OR REPLACE FUNCTION postern_audit_expression(
  kind text, plain boolean, short boolean, value text
) RETURNS text
LANGUAGE sql IMMUTABLE AS $_$
SELECT CASE
  WHEN kind = 'secret' THEN format('CASE WHEN %s IS NOT NULL THEN ''***'' END', value)
  WHEN kind = 'hashed' AND plain THEN
    format('CASE WHEN %1$s IS NOT NULL THEN postern_audit_hash(%1$s, about) END', value)
  WHEN kind = 'hashed' THEN
    format('CASE WHEN %1$s IS NOT NULL THEN postern_audit_hash(to_jsonb(%1$s) #>> ''{}'', about) END', value)
  WHEN short THEN value
  WHEN plain THEN
    format('CASE WHEN length(%1$s) > 2000 THEN postern_audit_hash(%1$s, about) ELSE %1$s END', value)
  ELSE format('CASE WHEN length(%1$s::text) > 2000 THEN to_jsonb(postern_audit_hash(to_jsonb(%1$s) #>> ''{}'', about))'
    ' ELSE to_jsonb(%1$s) END', value)
END
$_$;

-- Gives a table its function and its trigger. Arguments: the table, the type of the object, the columns of its id
-- and of its owner, and the fields that are shown, that are secret, and that are hashed. An owner `table:column` is
-- the one of the row that the column names. An empty list or object is not hashed when a row comes or goes: the
-- hash would tell nothing. A trigger that is there with these arguments stays as it is, so that a new table locks
-- no other.
CREATE OR REPLACE FUNCTION postern_audit_install(
  of_table text, type text, key text, owner text, shown text, secret text, hashed text
) RETURNS void
LANGUAGE plpgsql AS $_$
DECLARE
  function text := 'postern_audit_' || of_table;
  compared text := '';
  field record;
BEGIN
  FOR field IN
    SELECT f.kind, a.attname AS name, a.attlen > 0 AS short,
      a.atttypid IN ('text'::regtype, 'varchar'::regtype) AS plain,
      left(a.attname, 1) || substr(replace(initcap(replace(a.attname, '_', ' ')), ' ', ''), 2) AS title
    FROM (VALUES ('shown', shown), ('secret', secret), ('hashed', hashed)) AS f (kind, names)
    CROSS JOIN LATERAL unnest(string_to_array(f.names, ',')) WITH ORDINALITY AS n (name, number)
    JOIN pg_attribute AS a ON a.attrelid = of_table::regclass AND a.attname = n.name
    ORDER BY f.kind DESC, n.number -- the same text whatever plan the server chooses
  LOOP
    compared := compared || format(
      E'\n  IF OLD.%1$I IS DISTINCT FROM NEW.%1$I%2$s THEN'
      '\n    changes := changes || jsonb_build_object(%3$L, jsonb_build_array(%4$s, %5$s));\n  END IF;',
      field.name,
      CASE WHEN field.kind = 'hashed' AND NOT field.plain THEN format(
        ' AND (TG_OP = ''UPDATE'' OR COALESCE(NEW.%1$I, OLD.%1$I)::text NOT IN (''{}'', ''[]'', ''null'', ''empty''))',
        field.name) END,
      field.title, postern_audit_expression(field.kind, field.plain, field.short, format('OLD.%I', field.name)),
      postern_audit_expression(field.kind, field.plain, field.short, format('NEW.%I', field.name)));
  END LOOP;
  EXECUTE format($code$
CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  about jsonb := current_setting('postern.audit')::jsonb;
  changes jsonb := '{}';
BEGIN%2$s
  IF TG_OP = 'UPDATE' AND changes = '{}'%3$s THEN
    RETURN NULL;
  END IF;
  PERFORM postern_audit_entry(about, %4$s, %5$L, COALESCE(NEW.%6$I, OLD.%6$I)::text, changes);
  RETURN NULL;
END $body$
$code$, function, compared,
    -- Logins that end with something else are told by that: a password, a token, a user.
    CASE WHEN type = 'login' THEN
      ' OR changes ? ''revokedAt'' AND NEW.revoked_reason NOT IN (''logout'', ''refresh token reused'')' END,
    CASE
      WHEN owner = '' THEN 'NULL'
      WHEN owner = 'holder_id' THEN 'CASE WHEN COALESCE(NEW.scope, OLD.scope) = ''user'''
        ' THEN COALESCE(NEW.holder_id, OLD.holder_id)'
        ' ELSE (SELECT owner_id FROM accounts WHERE id = COALESCE(NEW.holder_id, OLD.holder_id)) END'
      WHEN owner LIKE '%:%' THEN format('(SELECT owner_id FROM %I WHERE id = COALESCE(NEW.%2$I, OLD.%2$I))',
        split_part(owner, ':', 1), split_part(owner, ':', 2))
      ELSE format('COALESCE(NEW.%1$I, OLD.%1$I)', owner)
    END, type, key);
  IF NOT EXISTS (
    SELECT FROM pg_trigger AS t WHERE t.tgrelid = of_table::regclass AND t.tgname = 'audit' AND t.tgargs = (
      SELECT string_agg(convert_to(a.argument, 'UTF8') || '\x00', '' ORDER BY a.number)
      FROM unnest(ARRAY[type, key, owner, shown, secret, hashed]) WITH ORDINALITY AS a (argument, number))
  ) THEN
    EXECUTE format('CREATE OR REPLACE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF %s ON %I FOR EACH ROW'
      ' WHEN (current_setting(''postern.audit'', true) <> '''') EXECUTE FUNCTION %I(%L, %L, %L, %L, %L, %L)',
      (SELECT string_agg(quote_ident(name), ', ')
        FROM unnest(string_to_array(concat_ws(',', shown, secret, hashed), ','))
        AS name WHERE name <> ''), of_table, function, type, key, owner, shown, secret, hashed);
  END IF;
END $_$;

-- Other tables' changes are not in the audit, and other columns' are not even looked at. Texts, addresses and what
-- may contain them are hashed: the audit outlives the person.
SELECT postern_audit_install('accounts', 'account', 'id', 'owner_id',
  'owner_id,name,plan,currency,balance,low_balance', '', '');
SELECT postern_audit_install('api_tokens', 'apiToken', 'id', 'user_id',
  'name,created_by,scopes,networks,account_ids,spend_per_day,messages_per_day,approval_above,expires_at,revoked_at,'
  'revoked_reason', 'token_hash', '');
SELECT postern_audit_install('approval_rules', 'approvalRule', 'owner_id', 'owner_id',
  'mode,above_recipients,above_amount,channels,categories,self_approval', '', '');
SELECT postern_audit_install('brand_domains', 'brandDomain', 'id', 'owner_id', 'name,status', '', '');
SELECT postern_audit_install('brands', 'brand', 'owner_id', 'owner_id',
  'name,logo_uuid,colors,dark_colors,font,links,track_clicks', '', 'address,imprint,footers,reply_address');
SELECT postern_audit_install('callback_secrets', 'callbackSecret', 'id', 'owner_id', '',
  'secret_encrypted,old_secret_encrypted', '');
SELECT postern_audit_install('canned_answers', 'cannedAnswer', 'id', 'owner_id', 'shortcut', '', 'text');
SELECT postern_audit_install('contact_addresses', 'contactAddress', 'id', 'owner_id',
  'contact_id,channel,primary,verified_at', '', 'address');
SELECT postern_audit_install('contact_fields', 'contactField', 'id', 'owner_id', 'key,type,label,pattern', '', '');
SELECT postern_audit_install('contacts', 'contact', 'id', 'owner_id',
  'locale,timezone', '', 'external_id,name,fields');
SELECT postern_audit_install('country_rules', 'countryRule', 'id', 'owner_id',
  'allow,deny,per_hour,per_day', '', '');
SELECT postern_audit_install('dkim_keys', 'dkimKey', 'id', 'owner_id',
  'domain,selector,algorithm,state', 'key_encrypted', '');
SELECT postern_audit_install('domains', 'domain', 'id', 'owner_id', 'name,status', '', '');
SELECT postern_audit_install('erasures', 'erasure', 'id', 'owner_id', 'state,contact_id,address_hash', '', '');
SELECT postern_audit_install('event_feeds', 'eventFeed', 'owner_id', 'owner_id', 'recording', '', '');
SELECT postern_audit_install('event_sinks', 'eventSink', 'id', 'owner_id',
  'name,kind,url_visible,stream,subject,make_stream,replicas,duplicate_window_seconds,types,enabled,'
  'disabled_reason,saved_by,api_token_id',
  'url_encrypted',
  'query');
SELECT postern_audit_install('export_links', 'export', 'id', 'owner_id',
  'source,format,status,columns,sending_project_uuid,total,done', '', 'filters');
SELECT postern_audit_install('files', 'file', 'id', 'owner_id', 'mime,size,sha256', '', 'name');
SELECT postern_audit_install('hook_secrets', 'hookSecret', 'id', 'user_id',
  'kind,revoked_at,created_by,api_token_id', 'value', '');
SELECT postern_audit_install('media', 'picture', 'id', 'owner_id',
  'public_name,mime,width,height,frames,size,sha256', '', 'name');
SELECT postern_audit_install('memberships', 'member', 'id', 'owner_id',
  'member_id,role,permissions,approval_above,joined_at', 'token_hash', 'email');
SELECT postern_audit_install('messenger_accounts', 'messengerAccount', 'id', 'owner_id',
  'source,name,driver,wanted,clearing,restriction,deleted_at',
  'session_encrypted,credentials_encrypted,proxy_encrypted',
  'login,phone,proxy_shown');
SELECT postern_audit_install('messenger_configs', 'messengerConfig', 'id', 'messenger_accounts:account_id',
  'account_id,name', '', 'config');
SELECT postern_audit_install('messenger_labels', 'chatLabel', 'id', 'owner_id', 'name,color', '', '');
SELECT postern_audit_install('messenger_notes', 'chatNote', 'id', 'messenger_accounts:account_id',
  'chat_id,author_id', '', 'text');
SELECT postern_audit_install('price_list_versions', 'priceListVersion', 'id', '',
  'list_id,number,valid_from,size', '', '');
SELECT postern_audit_install('price_lists', 'priceList', 'id', '', 'name,currency,is_strict', '', '');
SELECT postern_audit_install('project_approvals', 'approval', 'id', 'owner_id',
  'project_id,plan_id,state,asked_by,decided_by,reason,voided_by', '', 'note');
SELECT postern_audit_install('project_plans', 'plan', 'id', 'owner_id',
  'project_id,number,hash,at_most,at_most_recipients,made_by', '', '');
SELECT postern_audit_install('provider_invoices', 'providerInvoice', 'id', 'owner_id',
  'route,channel,file_uuid,period_from,period_to,currency', '', 'options');
SELECT postern_audit_install('receiver_pauses', 'receiverPause', 'id', 'owner_id',
  'domain,provider_class,until,times', '', 'answer');
SELECT postern_audit_install('receiver_rules', 'receiverRule', 'id', '',
  'domain,provider_class,in_flight,per_minute,warm_up_from,warm_up,pauses', '', '');
SELECT postern_audit_install('recipient_imports', 'import', 'id', 'owner_id',
  'status,region,file_uuid,total,valid', '', 'file_name,options');
SELECT postern_audit_install('repeatable_projects', 'repeatable', 'id', 'owner_id',
  'name,status,schedule,source,deleted_at', '', 'template');
SELECT postern_audit_install('route_costs', 'routeCost', 'route', '', 'list_id,valid_from', '', '');
SELECT postern_audit_install('route_rules', 'routeRule', 'id', 'owner_id',
  'prefix,route,category,owner_id,priority,weight,fallback', '', '');
SELECT postern_audit_install('routes', 'route', 'id', '', 'name,enabled,ignores_receipts', 'dsn_encrypted', '');
SELECT postern_audit_install('second_factors', 'secondFactor', 'id', 'user_id',
  'kind,name,confirmed_at', 'secret_encrypted', '');
SELECT postern_audit_install('segments', 'segment', 'id', 'owner_id', 'name', '', 'filter');
SELECT postern_audit_install('senders', 'sender', 'id', 'owner_id',
  'channel,kind,value,countries,state,reason,decided_by', '', '');
SELECT postern_audit_install('sending_projects', 'project', 'id', 'owner_id',
  'name,status,account_id,channel,category,account_uuids,start_at,start_within_seconds,speed,retry,'
  'on_missing_variable,stop_on_reply,track_clicks,attachment_uuids,repeatable_uuid,retried_to,'
  'template_id,template_version,template_locale',
  '',
  'window,subject,html,text,variants,template,variable_labels,languages');
SELECT postern_audit_install('series', 'series', 'id', 'owner_id',
  'name,status,account_id,category,topic_id,segment_id,existing,stop_on_reply,stop_on_leave,on_missing_variable,'
  'max_entries,project_ids',
  '',
  'window,steps');
SELECT postern_audit_install('sessions', 'login', 'id', 'user_id',
  'api_token_id,second_factor_at,revoked_at,revoked_reason', '', '');
SELECT postern_audit_install('settings', 'setting', 'key', 'holder_id', 'scope,holder_id', '', 'value');
SELECT postern_audit_install('signup_forms', 'signupForm', 'id', 'owner_id',
  'name,topic_uuids,from_address,redirect_url,enabled', '', 'text');
SELECT postern_audit_install('source_accounts', 'sourceAccount', 'id', 'owner_id',
  'source,name,status,messenger_account_uuid', 'token_hash,token_encrypted', 'login');
SELECT postern_audit_install('tariffs', 'tariff', 'code', '',
  'name,public,max_concurrent_projects,max_recipients_per_project,messages_per_day,messages_per_minute,'
  'channels,prices',
  '',
  '');
SELECT postern_audit_install('template_versions', 'templateVersion', 'id', 'owner_id',
  'template_id,number,locales,default_locale,layout_key,name,attachment_uuids,published_at,updated_at', '',
  'test_data');
SELECT postern_audit_install('templates', 'template', 'id', 'owner_id',
  'key,name,category,version,archived_at', '', '');
SELECT postern_audit_install('topics', 'topic', 'id', 'owner_id',
  'key,name,description,category,opt_in,public,position', '', '');
SELECT postern_audit_install('users', 'user', 'id', 'id',
  'status,roles,locale,self_service,tariff_code,token_version',
  'password_hash,invitation_hash',
  'email,display_name');
SELECT postern_audit_install('verification_protections', 'verificationProtection', 'owner_id', 'owner_id',
  'enabled,allowed_prefixes', '', '');
SELECT postern_audit_install('webhooks', 'webhook', 'id', 'owner_id',
  'account_id,is_callback,events,enabled,disabled_reason,sending_project_uuid,paying_account_id,'
  'messenger_account_uuid,paused,batch,query_roles,saved_by,api_token_id,replay_to,replay_since,'
  'replay_until',
  'secret_encrypted,old_secret_encrypted',
  'url,query');
