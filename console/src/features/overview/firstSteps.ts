import { graphql } from "../../gql";
import type { NewcomerQuery } from "../../gql/graphql";

/** What a user has done already; administrators see everybody's rows, so that each list says whose. */
export const Newcomer = graphql(`
  query Newcomer($me: String!) {
    messages(first: 20, where: { ownerId: { eq: $me }, direction: { eq: outbound } }) {
      nodes {
        uuid
        metadata
      }
    }
    delivered: messages(
      first: 20
      where: { ownerId: { eq: $me }, direction: { eq: outbound }, deliveryState: { eq: delivered } }
    ) {
      nodes {
        uuid
        metadata
      }
    }
    accepted: messages(
      first: 20
      where: { ownerId: { eq: $me }, direction: { eq: outbound }, deliveryState: { eq: sent } }
    ) {
      nodes {
        uuid
        channel
        metadata
      }
    }
    sendingProjects(first: 20, where: { ownerId: { eq: $me } }) {
      nodes {
        uuid
        channel
        counts {
          total
          sent
          delivered
          read
        }
      }
    }
    messengerAccounts(first: 1, where: { ownerId: { eq: $me } }) {
      nodes {
        uuid
      }
    }
    apiTokens(first: 1, where: { revoked: { eq: false } }) {
      nodes {
        uuid
      }
    }
  }
`);

const NONE: ReadonlySet<string> = new Set();

export interface Steps {
  send: boolean;
  campaign: boolean;
  phone: boolean;
  token: boolean;
}

/**
 * Returns which first steps are done; null before that is known, and once a message of this user has arrived: it was
 * delivered, or accepted on a channel that reports no delivery.
 */
export function firstSteps(
  data: NewcomerQuery | undefined,
  silent: ReadonlySet<string> = NONE,
): Steps | null {
  if (!data) return null;
  // The messages that a demo begins with were sent by nobody.
  const own = (list: NewcomerQuery["messages"]) =>
    (list?.nodes ?? []).filter(({ metadata }) => !isOfDemo(metadata)).length;
  const projects = data.sendingProjects?.nodes ?? [];
  const arrived =
    own(data.delivered) > 0 ||
    own({ nodes: (data.accepted?.nodes ?? []).filter(({ channel }) => silent.has(channel)) }) > 0 ||
    projects.some(
      ({ channel, counts }) => counts.delivered + counts.read + (silent.has(channel) ? counts.sent : 0) > 0,
    );
  if (arrived) return null;
  return {
    send: own(data.messages) > 0,
    campaign: projects.some(({ counts }) => counts.total > 0),
    phone: (data.messengerAccounts?.nodes.length ?? 0) > 0,
    token: (data.apiTokens?.nodes.length ?? 0) > 0,
  };
}

/** Returns whether the user has messages that a demo began with. */
export function hasExamples(data: NewcomerQuery | undefined): boolean {
  return (data?.messages?.nodes ?? []).some(({ metadata }) => isOfDemo(metadata));
}

function isOfDemo(metadata: unknown): boolean {
  return (metadata as Record<string, unknown> | null)?.demo === true;
}
