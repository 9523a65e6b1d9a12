import type { HookFragment, NewEventWebhook, WebhookPatch } from "../../../gql/graphql";

/** The settings of a webhook of the event feed, as its form has them. */
export interface Draft {
  url: string;
  types: string[];
  batch: number;
  query: string;
  project: string | null;
  payer: string | null;
  messenger: string | null;
}

export const EMPTY: Draft = {
  url: "",
  types: [],
  batch: 1,
  query: "",
  project: null,
  payer: null,
  messenger: null,
};

export function draftOf(hook: HookFragment): Draft {
  return {
    url: hook.url,
    types: hook.types ?? [],
    batch: hook.batch,
    query: hook.query ?? "",
    project: hook.sendingProjectUuid ?? null,
    payer: hook.payingAccountId ?? null,
    messenger: hook.messengerAccountUuid ?? null,
  };
}

export function inputOf(draft: Draft): NewEventWebhook {
  return {
    url: draft.url.trim(),
    types: draft.types,
    batch: draft.batch,
    query: draft.query.trim() || null,
    sendingProjectUuid: draft.project,
    payingAccountId: draft.payer,
    messengerAccountUuid: draft.messenger,
  };
}

/** Returns only what was changed, so that an edit does not undo what somebody else has changed meanwhile. */
export function patchOf(before: Draft, after: Draft): WebhookPatch {
  const old = inputOf(before) as unknown as Record<string, unknown>;
  const changed = Object.entries(inputOf(after)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}
