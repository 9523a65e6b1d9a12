import type { NewcomerQuery } from "../../gql/graphql";

export interface Steps {
  send: boolean;
  campaign: boolean;
  phone: boolean;
  token: boolean;
}

/** Returns which first steps are done; null once a message of this user was delivered, and before that is known. */
export function firstSteps(data: NewcomerQuery | undefined): Steps | null {
  if (!data) return null;
  // The messages that a demo begins with were sent by nobody.
  const own = (list: NewcomerQuery["messages"]) =>
    (list?.nodes ?? []).filter(({ metadata }) => !isOfDemo(metadata)).length;
  const projects = data.sendingProjects?.nodes ?? [];
  const arrived =
    own(data.delivered) > 0 || projects.some(({ counts }) => counts.delivered + counts.read > 0);
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
