// A typed client of the REST door: `openapi-typescript` made the types, `openapi-fetch` does the calls.
// Lines marked @ts-expect-error are part of the test: tsc must refuse what the service would refuse.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const client = createClient<paths>({
  baseUrl: process.argv[2] ?? '',
  headers: { authorization: `Bearer ${process.env.TOKEN}` },
});

type Message = components['schemas']['Message'];

const me = await client.GET('/auth/me');
assert.ok(me.data, JSON.stringify(me.error));
const email: string = me.data.email;
assert.match(email, /@example\.com$/);

const accounts = await client.GET('/accounts', { params: { query: { limit: 5 } } });
const account = accounts.data?.items[0];
assert.ok(account);
const balance: number = account.balance;
assert.equal(typeof balance, 'number');

const sent = await client.POST('/messages', {
  params: { header: { 'Idempotency-Key': 'typed' } },
  body: { accountId: account.id, channel: 'email', to: 'typed@example.com', body: 'hello' },
});
assert.equal(sent.response.status, 202);
assert.ok(sent.data);
const id: string = sent.data.id;

const again = await client.POST('/messages', {
  params: { header: { 'Idempotency-Key': 'typed' } },
  body: { accountId: account.id, channel: 'email', to: 'typed@example.com', body: 'hello' },
});
assert.equal(again.data?.id, id);
assert.equal(again.response.headers.get('idempotent-replayed'), 'true');

const one = await client.GET('/messages/{id}', { params: { path: { id } } });
const message: Message | undefined = one.data;
assert.equal(message?.to, 'typed@example.com');
const status: 'queued' | 'sent' | 'delivered' | 'failed' = message!.status;
assert.equal(status, 'queued');

const seen: string[] = [];
for (let page = 1, pages = 1; page <= pages; page += 1) {
  const { data, error } = await client.GET('/messages', { params: { query: { page, limit: 3 } } });
  assert.ok(data, JSON.stringify(error));
  seen.push(...data.items.map((item) => item.id));
  pages = data.meta.totalPages;
}
assert.ok(seen.length > 6 && new Set(seen).size === seen.length && seen.includes(id));

// What goes wrong is typed too.
const missing = await client.GET('/messages/{id}', { params: { path: { id: account.id } } });
assert.equal(missing.response.status, 404);
assert.ok(missing.error);
const code: string = missing.error.code;
assert.equal(code, 'message_not_found');
const refused = await client.POST('/messages', {
  // @ts-expect-error: there is no such channel
  body: { accountId: account.id, channel: 'pigeon', to: 'a@example.com', body: 'x' },
});
assert.equal(refused.error?.statusCode, 400);
assert.ok(Array.isArray(refused.error?.message));

// What has a default need not be sent.
const project: components['schemas']['NewSendingProject'] = { name: 'typed', channel: 'sms', text: 'hi' };
const topic: components['schemas']['NewTopic'] = { key: 'news', name: 'News' };
void [project, topic];

// @ts-expect-error: a code is sent to somebody
const short: components['schemas']['StartVerification'] = { channel: 'email' };
// @ts-expect-error: there is no such path
const nowhere = client.GET('/nowhere');
// @ts-expect-error: a page is a number
const odd = client.GET('/accounts', { params: { query: { page: 'first' } } });
await Promise.allSettled([nowhere, odd]);
void short;

console.log(JSON.stringify({ id, seen: seen.length }));
