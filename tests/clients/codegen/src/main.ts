// Types of our documents by graphql-codegen's client preset. `tsc` holds every line against the schema; what it must
// refuse is marked, and is part of the test.
import assert from 'node:assert/strict';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type FragmentType, getFragmentData, graphql } from './gql/index.js';
import type { DeliveryState } from './gql/graphql.js';

export const Row = graphql(`
  fragment Row on Message { id uuid to deliveryState createdAt price metadata account { id name } }
`);

export const Messages = graphql(`
  query Messages($first: Int!, $after: String, $where: MessageWhere) {
    messages(first: $first, after: $after, where: $where) {
      edges { cursor node { ...Row } }
      nodes { id }
      pageInfo { hasNextPage endCursor }
      totalCount
    }
  }
`);

export const One = graphql(`
  query One($id: ID!) { node(id: $id) { __typename id ... on Account { balance } ... on Message { to } } }
`);

export const Send = graphql(`
  mutation Send($input: SendMessage!) { sendMessage(input: $input) { ...Row } }
`);

type Answer<Result> = { data?: Result; errors?: { message: string; extensions?: { code?: string } }[] };

/** By the document's hash alone: the server knows the documents of the manifest. */
async function ask<Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const { hash } = (document as unknown as { __meta__: { hash: string } }).__meta__;
  const answer = await fetch(`${process.argv[2]}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ documentId: hash, variables }),
  });
  const { data, errors } = (await answer.json()) as Answer<Result>;
  assert.ok(data, JSON.stringify(errors));
  return data;
}

function shown(row: FragmentType<typeof Row>): string {
  const message = getFragmentData(Row, row);
  const state: DeliveryState = message.deliveryState;
  const price: number = message.price;
  // @ts-expect-error: JSON is unknown until somebody looks at it
  const subject: string = message.metadata;
  void subject;
  return `${message.to} ${state} ${price.toFixed(2)} ${message.account?.name ?? 'nobody'}`;
}

const sent = await ask(Send, { input: { channel: 'email', to: 'codegen@example.com', body: 'hello' } });
assert.ok(sent.sendMessage);
assert.match(shown(sent.sendMessage), /^codegen@example\.com queued /);

const lines: string[] = [];
let after: string | null = null;
do {
  const page: Awaited<ReturnType<typeof load>> = await load(after);
  assert.ok(page.messages);
  lines.push(...page.messages.edges.map(({ node }) => shown(node)));
  const { hasNextPage, endCursor } = page.messages.pageInfo;
  after = hasNextPage ? (endCursor ?? null) : null;
} while (after);

function load(after: string | null) {
  return ask(Messages, { first: 3, after, where: { channel: { in: ['email'] } } });
}

const { node } = await ask(One, { id: getFragmentData(Row, sent.sendMessage).account!.id });
assert.equal(node?.__typename, 'Account');
if (node?.__typename === 'Account') {
  const balance: number = node.balance;
  assert.equal(typeof balance, 'number');
  // @ts-expect-error: that is a message's
  void node.to;
}

export const refusedByTypes = [
  // @ts-expect-error: there is no such channel
  () => ask(Send, { input: { channel: 'pigeon', to: 'x', body: 'x' } }),
  // @ts-expect-error: it must say how many
  () => ask(Messages, {}),
  // @ts-expect-error: a recipient is text
  () => ask(Send, { input: { channel: 'email', to: 7, body: 'x' } }),
];

console.log(JSON.stringify({ rows: lines.length }));
