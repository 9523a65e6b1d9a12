// graphql-sse: a subscription over server-sent events (a connection for each) from its first word to its end, an error
// in one, a login that is none. `node graphql_sse.mjs URL PROJECT`, TOKEN in the environment.
import assert from 'node:assert/strict';
import { createClient } from 'graphql-sse';

const [http, project] = process.argv.slice(2);
const authorization = `Bearer ${process.env.TOKEN}`;
const PROGRESS = 'subscription Progress($id: ID) { sendingProjectProgress(id: $id) { uuid status } }';
const variables = { id: project };

async function press(mutation) {
  const answer = await fetch(`${http}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation($id: ID!) { ${mutation} }`, variables }),
  });
  assert.equal((await answer.json()).errors, undefined);
}

const made = (headers) => createClient({ url: `${http}/graphql/stream`, headers, retryAttempts: 0 });
const client = made(async () => ({ authorization }));

const next = {
  draft: 'startSendingProject(id: $id) { id }',
  running: 'stopSendingProject(id: $id) { id }',
  stopped: 'deleteSendingProject(id: $id)',
};
const seen = [];
for await (const { data, errors } of client.iterate({ query: PROGRESS, variables })) {
  assert.equal(errors, undefined, JSON.stringify(errors));
  const { status } = data.sendingProjectProgress;
  if (status === seen.at(-1)) continue; // its counts have changed
  seen.push(status);
  await press(next[status]);
}
assert.deepEqual(seen, ['draft', 'running', 'stopped']); // deleted: the subscription is complete

// What is wrong with the document is an event; then the stream is complete.
const wrong = [];
for await (const result of client.iterate({ query: PROGRESS, variables: { id: 'nobody' } })) wrong.push(result);
assert.equal(wrong.length, 1);
assert.equal(wrong[0].errors[0].extensions.code, 'bad_id');
client.dispose();

// Who is calling is answered before the stream.
const stranger = made({ authorization: 'Bearer nobody' }).iterate({ query: PROGRESS, variables });
await assert.rejects(stranger.next(), ({ response }) => response.status === 401);
