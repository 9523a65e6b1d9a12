// urql: its Accept header names five types, among them text/event-stream, on every request.
import assert from 'node:assert/strict';
import { Client, cacheExchange, fetchExchange, gql } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';

const url = `${process.argv[2]}/graphql`;
const asked = [];
const answered = [];
const recording = async (target, options) => {
  asked.push({ method: options.method, headers: options.headers, url: String(target), body: options.body ?? '' });
  const answer = await fetch(target, options);
  answered.push(answer.headers.get('content-type'));
  return answer;
};
const fetchOptions = () => ({ headers: { authorization: `Bearer ${process.env.TOKEN}` } });
const made = (exchanges, preferGetMethod) =>
  new Client({ url, fetch: recording, fetchOptions, exchanges, preferGetMethod });

for (const preferGetMethod of [false, 'force']) {
  const client = made([cacheExchange, fetchExchange], preferGetMethod);

  const listed = await client.query(gql`
    query Messages($first: Int!) {
      messages(first: $first) { nodes { id uuid account { id balance } } pageInfo { hasNextPage } totalCount }
    }
  `, { first: 2 });
  assert.equal(listed.error, undefined, String(listed.error));
  assert.equal(listed.data.messages.nodes.length, 2);
  assert.ok(listed.data.messages.pageInfo.hasNextPage);
  assert.equal(asked.at(-1).method, preferGetMethod ? 'GET' : 'POST');
  const accept = asked.at(-1).headers.accept ?? asked.at(-1).headers.Accept;
  assert.ok(accept.includes('text/event-stream') && accept.includes('multipart/mixed'), accept);
  assert.equal(answered.at(-1).split(';')[0], 'application/graphql-response+json');

  const changed = await client.mutation(gql`
    mutation Rename($id: ID!, $name: String!) { updateAccount(id: $id, input: { name: $name }) { id name } }
  `, { id: listed.data.messages.nodes[0].account.id, name: `By ${asked.at(-1).method}` });
  assert.equal(changed.error, undefined, String(changed.error));
  assert.equal(asked.at(-1).method, 'POST');
  assert.match(changed.data.updateAccount.name, /^By /);

  const id = listed.data.messages.nodes[0].account.id;
  const missing = await client.query(gql`query Missing($id: ID!) { me { email } message(id: $id) { id } }`, { id });
  assert.equal(missing.error.graphQLErrors[0].extensions.code, 'bad_id');
  assert.equal(missing.error.networkError, undefined);
  assert.ok(missing.data.me.email);

  // Refused before it ran: 400, and urql still finds the errors in it.
  const refused = await client.query(gql`query { nowhere }`, {});
  assert.equal(refused.error.graphQLErrors[0].extensions.code, 'bad_request', String(refused.error));
  assert.equal(refused.data, undefined);
}

// Persisted: by hash, with the text once.
const document = gql(`query Accounts { a${Date.now()}: accounts(first: 1) { nodes { id } } }`);
for (const [get, count] of [[false, 2], [false, 1], [true, 1]]) {
  const exchange = persistedExchange({ preferGetForPersistedQueries: get });
  const before = asked.length;
  const { data, error } = await made([exchange, fetchExchange], false).query(document, {});
  assert.equal(error, undefined, String(error));
  assert.equal(Object.values(data)[0].nodes.length, 1);
  assert.equal(asked.length - before, count);
  assert.equal(asked[before].method, get ? 'GET' : 'POST');
}

console.log(JSON.stringify({ asked: asked.length }));
