// graphql-ws: a subscription over graphql-transport-ws from its first word to its end, an error in one beside it, a
// login that is none. `node graphql_ws.mjs URL PROJECT`, TOKEN in the environment.
import assert from 'node:assert/strict';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [http, project] = process.argv.slice(2);
const authorization = `Bearer ${process.env.TOKEN}`;
const PROGRESS = 'subscription Progress($id: ID) { sendingProjectProgress(id: $id) { uuid status } }';
const variables = { id: project };

/** What a page does on the side: mutations go by POST. */
async function press(mutation) {
  const answer = await fetch(`${http}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation($id: ID!) { ${mutation} }`, variables }),
  });
  assert.equal((await answer.json()).errors, undefined);
}

const made = (connectionParams) =>
  createClient({ url: `${http.replace('http:', 'ws:')}/graphql`, webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 });
const client = made(async () => ({ Authorization: authorization }));

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
  if (seen.length === 1) {
    // One of several on the connection is no good; the others go on.
    const other = client.iterate({ query: PROGRESS, variables: { id: 'nobody' } });
    await assert.rejects(other.next(), ([error]) => error.extensions.code === 'bad_id');
  }
  await press(next[status]);
}
assert.deepEqual(seen, ['draft', 'running', 'stopped']); // deleted: the subscription is complete
await client.dispose();

const stranger = made({ Authorization: 'Bearer nobody' });
await assert.rejects(stranger.iterate({ query: PROGRESS, variables }).next(), ({ code }) => code === 4403);
