// relay-runtime with what relay-compiler made: its store merges the pages, and follows a row by its id.
import assert from 'node:assert/strict';
import runtime from 'relay-runtime';
import cardRefetch from './src/__generated__/overviewCardRefetchQuery.graphql.js';
import page from './src/__generated__/overviewMessagesPageQuery.graphql.js';
import messagesFragment from './src/__generated__/overview_messages.graphql.js';
import overview from './src/__generated__/overviewQuery.graphql.js';
import rename from './src/__generated__/overviewRenameMutation.graphql.js';

const { Environment, Network, RecordSource, Store, commitMutation, createOperationDescriptor, fetchQuery, getSelector } =
  runtime;
const network = Network.create(async ({ text }, variables) => {
  const answer = await fetch(`${process.argv[2]}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json',
      authorization: `Bearer ${process.env.TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: text, variables }),
  });
  return answer.json();
});
const environment = new Environment({ network, store: new Store(new RecordSource()) });

const first = await fetchQuery(environment, overview, { first: 3 }).toPromise();
const operation = createOperationDescriptor(overview, { first: 3 });
environment.retain(operation);
const shown = () => {
  const whole = environment.lookup(operation.fragment).data;
  return environment.lookup(getSelector(messagesFragment, whole)).data.messages;
};
let pages = 1;
while (shown().pageInfo.hasNextPage) {
  await fetchQuery(environment, page, { first: 3, after: shown().pageInfo.endCursor }).toPromise();
  pages += 1;
}
const ids = shown().edges.map(({ node }) => node.id);
assert.equal(new Set(ids).size, ids.length);

const id = environment.lookup(operation.fragment).data.me.accounts.nodes[0].__id;
const again = await fetchQuery(environment, cardRefetch, { id }).toPromise();
assert.equal(again.node.__id ?? again.node.id, id);
const record = () => environment.getStore().getSource().get(id);
assert.equal(record().__typename, 'Account');
await new Promise((resolve, reject) => {
  commitMutation(environment, {
    mutation: rename,
    variables: { id, input: { name: 'By Relay' } },
    onCompleted: (_, errors) => (errors ? reject(new Error(JSON.stringify(errors))) : resolve()),
    onError: reject,
  });
});
assert.equal(record().name, 'By Relay');
assert.ok(first.me.email);
console.log(JSON.stringify({ pages, rows: ids.length }));
