import type { ApiTokenPatch, NewApiToken, TokenRowFragment } from "../../../gql/graphql";

export const LIVES = ["30", "90", "365", "never"] as const;
export type Life = (typeof LIVES)[number];

/** An API token, as its form has it. */
export interface Draft {
  name: string;
  /** whether it may everything that its user may, now and later */
  full: boolean;
  scopes: string[];
  /** one network a line */
  networks: string;
  /** the accounts that it may charge; none: all */
  accountIds: string[];
  /** the most that its messages may cost in a day; null: no limit */
  spendPerDay: number | null;
  /** how many messages it may send in a day; null: no limit */
  messagesPerDay: number | null;
  /** how many people it may reach in 24 hours without an approval; null: no limit */
  approvalAbove: number | null;
  /** how long it is valid from now on; null: as it is */
  life: Life | null;
}

export const EMPTY: Draft = {
  name: "",
  full: true,
  scopes: [],
  networks: "",
  accountIds: [],
  spendPerDay: null,
  messagesPerDay: null,
  approvalAbove: null,
  life: "90",
};

const DAY_MS = 86_400_000;

export function draftOf(token: TokenRowFragment): Draft {
  return {
    name: token.name,
    full: token.scopes === null,
    scopes: token.scopes ?? [],
    networks: (token.networks ?? []).join("\n"),
    accountIds: token.accountIds ?? [],
    spendPerDay: token.spendPerDay,
    messagesPerDay: token.messagesPerDay,
    approvalAbove: token.approvalAbove,
    life: null,
  };
}

export function inputOf(draft: Draft, now: number): NewApiToken {
  return { ...valuesOf(draft), expiresAt: endOf(draft.life, now) };
}

/** Returns only what was changed, so that an edit does not undo what somebody else has changed meanwhile. */
export function patchOf(before: Draft, after: Draft, now: number): ApiTokenPatch {
  const old: Record<string, unknown> = valuesOf(before);
  const changed = Object.entries(valuesOf(after)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return {
    ...Object.fromEntries(changed),
    ...(after.life !== null && { expiresAt: endOf(after.life, now) }),
  };
}

function valuesOf(draft: Draft) {
  return {
    name: draft.name.trim(),
    scopes: draft.full ? null : [...draft.scopes].sort(),
    networks: networksOf(draft.networks),
    accountIds: draft.accountIds.length > 0 ? [...draft.accountIds].sort() : null,
    spendPerDay: draft.spendPerDay,
    messagesPerDay: draft.messagesPerDay,
    approvalAbove: draft.approvalAbove,
  };
}

const PAID_LATER = ["projects:send", "projects:write", "recipients:write"];

/** Returns whether the token may start or extend projects, whose messages are charged later: then it has no such limits. */
export function paysLater(draft: Draft): boolean {
  return draft.full || draft.scopes.some((scope) => PAID_LATER.includes(scope));
}

/** Returns the time at which a token ends that is valid for so long; null: never. */
export function endOf(life: Life | null, now: number): string | null {
  return life === null || life === "never" ? null : new Date(now + Number(life) * DAY_MS).toISOString();
}

/** Returns the networks of a text, one a line; null if it has none: the token may be used from everywhere. */
function networksOf(text: string): string[] | null {
  const networks = text.split(/[\s,]+/).filter(Boolean);
  return networks.length > 0 ? networks : null;
}
