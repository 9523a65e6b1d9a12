// Apollo Client 4: cache keys, a connection read to its end, mutations that the cache follows, errors, APQ, @defer.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { relayStylePagination } from '@apollo/client/utilities';
import { filter, firstValueFrom } from 'rxjs';

const uri = `${process.argv[2]}/graphql`;
const headers = { authorization: `Bearer ${process.env.TOKEN}` };
const client = new ApolloClient({
  link: new HttpLink({ uri, headers }),
  cache: new InMemoryCache({ typePolicies: { Query: { fields: { messages: relayStylePagination() } } } }),
});
const global = (kind, uuid) => Buffer.from(`${kind}:${uuid}`).toString('base64url');

// A list and its relation: each row is in the cache once, under its type and its id.
const MESSAGES = gql`
  query Messages($first: Int!, $after: String) {
    messages(first: $first, after: $after) {
      edges { cursor node { id uuid to deliveryState account { id name owner { id email } } } }
      pageInfo { hasNextPage endCursor }
      totalCount
    }
  }
`;
const watched = client.watchQuery({ query: MESSAGES, variables: { first: 3 } });
const subscription = watched.subscribe(() => {});
/** What a component sees, as soon as it is so. */
const shows = (so) => firstValueFrom(watched.pipe(filter(({ data, loading }) => !loading && so(data.messages.edges))));
const pages = [await shows(() => true)];
while (pages.at(-1).data.messages.pageInfo.hasNextPage) {
  const after = pages.at(-1).data.messages.pageInfo.endCursor;
  pages.push(await watched.fetchMore({ variables: { after } }));
}
assert.equal(pages.length, 3);
const { messages } = (await shows((edges) => edges.length > 6)).data;
const nodes = messages.edges.map(({ node }) => node);
assert.equal(nodes.length, messages.totalCount);
assert.equal(new Set(nodes.map(({ id }) => id)).size, nodes.length);
assert.equal(new Set(messages.edges.map(({ cursor }) => cursor)).size, nodes.length);
assert.equal(messages.pageInfo.hasNextPage, false);
const kept = client.cache.extract();
for (const { id, account } of nodes) {
  assert.equal(kept[`Message:${id}`].id, id);
  assert.deepEqual(kept[`Message:${id}`].account, { __ref: `Account:${account.id}` });
}
assert.equal(Object.keys(kept).filter((key) => key.startsWith('Account:')).length, 1);
assert.equal(Object.keys(kept).filter((key) => key.startsWith('User:')).length, 1);

// A mutation's answer: the cache changes by id, and whoever watches the list sees it without asking again.
const account = nodes[0].account;
const renamed = await client.mutate({
  mutation: gql`
    mutation Rename($id: ID!, $input: AccountPatch!) { updateAccount(id: $id, input: $input) { id name } }
  `,
  variables: { id: account.id, input: { name: 'Renamed' } },
});
assert.equal(renamed.data.updateAccount.id, account.id);
await shows((edges) => edges.every(({ node }) => node.account.name === 'Renamed'));
subscription.unsubscribe();

const sent = await client.mutate({
  mutation: gql`
    mutation Send($input: SendMessage!) { sendMessage(input: $input) { id uuid to } }
  `,
  variables: { input: { channel: 'email', to: 'apollo@example.com', body: 'hello' } },
});
const { id, uuid } = sent.data.sendMessage;
assert.equal(id, global('Message', uuid));

// Anything by its id: the row is the one that the cache has.
const again = await client.query({
  query: gql`
    query One($id: ID!) { node(id: $id) { id ... on Message { to } ... on Account { name } } }
  `,
  variables: { id },
});
assert.deepEqual(again.data.node, { __typename: 'Message', id, to: 'apollo@example.com' });
const unseen = await client.query({
  query: gql`query Nothing($id: ID!) { node(id: $id) { id } }`,
  variables: { id: global('Message', randomUUID()) },
});
assert.deepEqual(unseen.data, { node: null });

// What goes wrong: `data` beside it, the code in `extensions`.
const wrong = await client.query({
  query: gql`query Wrong($id: ID!) { me { email } message(id: $id) { id } }`,
  variables: { id: global('Message', randomUUID()) },
  errorPolicy: 'all',
});
assert.ok(CombinedGraphQLErrors.is(wrong.error));
assert.equal(wrong.error.errors[0].extensions.code, 'message_not_found');
assert.deepEqual(wrong.error.errors[0].path, ['message']);
assert.ok(wrong.data.me.email);
assert.equal(wrong.data.message, null);
const refused = await client.query({ query: gql`{ nowhere }`, errorPolicy: 'all' });
assert.ok(CombinedGraphQLErrors.is(refused.error), String(refused.error));
assert.equal(refused.error.errors[0].extensions.code, 'bad_request');

// Automatic persisted queries: by hash; the text once, when the server does not know it.
const asked = [];
const counted = (url, options) => {
  asked.push({ url: String(url), method: options.method, body: options.body ?? '' });
  return fetch(url, options);
};
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const automatic = (useGETForHashedQueries) => new ApolloClient({
  link: new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(
    new HttpLink({ uri, headers, fetch: counted }),
  ),
  cache: new InMemoryCache(),
  defaultOptions: { query: { fetchPolicy: 'network-only' } },
});
// The alias makes it a document that nobody else has sent.
const ACCOUNTS = gql(`query Accounts { a${Date.now()}: accounts(first: 1) { nodes { id balance } } }`);
for (const [get, count] of [[false, 2], [false, 1], [true, 1]]) {
  asked.length = 0;
  const { data } = await automatic(get).query({ query: ACCOUNTS });
  assert.equal(Object.values(data)[0].nodes[0].id, account.id);
  assert.equal(asked.length, count, JSON.stringify(asked));
  assert.equal(asked[0].method, get ? 'GET' : 'POST');
  assert.ok(!asked[0].body.includes('"query"') && !asked[0].url.includes('query='));
}

// @defer: what is there first, the rest when it comes; in one answer for who speaks only the older format.
const LATER = gql`
  query Later($id: ID!) {
    accounts(first: 1) { nodes { id name ... on Account @defer { owner { id email } } } }
    ... on Query @defer { message(id: $id) { id } statisticsTotal { projects } }
  }
`;
for (const [handler, more] of [[GraphQL17Alpha9Handler, true], [Defer20220824Handler, false]]) {
  const deferring = new ApolloClient({
    link: new HttpLink({ uri, headers }),
    cache: new InMemoryCache(),
    incrementalHandler: new handler(),
  });
  const seen = [];
  await new Promise((done) => {
    deferring.watchQuery({ query: LATER, variables: { id: global('Message', randomUUID()) }, errorPolicy: 'all' }).subscribe((result) => {
      seen.push(result);
      if (result.dataState === 'complete' || !result.loading) done();
    });
  });
  const last = seen.at(-1);
  assert.ok(last.data.accounts.nodes[0].owner.email);
  assert.equal(last.data.statisticsTotal.projects, 0);
  assert.equal(last.error.errors[0].extensions.code, 'message_not_found');
  const first = seen.find(({ data }) => data?.accounts);
  assert.equal(first.data.accounts.nodes[0].name, 'Renamed');
  assert.equal(first.dataState === 'streaming', more);
  assert.equal(first.data.accounts.nodes[0].owner === undefined, more);
}

console.log(JSON.stringify({ pages: pages.length, nodes: nodes.length, sent: uuid }));
