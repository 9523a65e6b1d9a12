// A typed client of the REST door that @hey-api/openapi-ts made of the document that was released first.
import assert from 'node:assert/strict';
import { createClient } from './made/client/index.js';
import { messagesGet, messagesSend, sendingProjectsCreate } from './made/sdk.gen.js';
import type { Message, NewSendingProject } from './made/types.gen.js';

const client = createClient({
  baseUrl: process.argv[2] ?? '',
  headers: { authorization: `Bearer ${process.env.TOKEN}` },
});

const sent = await messagesSend({ client, body: { channel: 'email', to: 'typed@example.com', body: 'hello' } });
assert.ok(sent.data, JSON.stringify(sent.error));
const one = await messagesGet({ client, path: { id: sent.data.id } });
const message: Message | undefined = one.data;
assert.equal(message?.to, 'typed@example.com');

// What has a default need not be sent.
const project: NewSendingProject = { name: 'typed', channel: 'sms', text: 'hi' };
const made = await sendingProjectsCreate({ client, body: project });
assert.ok(made.data, JSON.stringify(made.error));

console.log(JSON.stringify({ id: sent.data.id }));
