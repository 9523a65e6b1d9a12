import type { AccountState } from "../../../gql/graphql";

export const STATES = [
  "starting",
  "waitQr",
  "waitPhone",
  "waitCode",
  "waitPassword",
  "showCode",
  "syncing",
  "working",
  "reconnecting",
  "failed",
  "loggedOut",
  "blocked",
  "stopped",
] as const satisfies readonly AccountState[];

export const QUIET = [
  "ignoreGroups",
  "ignoreChannels",
  "ignoreOutgoing",
  "ignoreStatuses",
  "ignoreReactions",
] as const;

export const MOST_ATTEMPTS = 1000;

/** How an account behaves: the document `default` of its configuration, with what it leaves out. */
export interface Behaviour {
  autoRead: boolean;
  takeover: boolean;
  reconnect: boolean;
  /** failed attempts in a row after which it gives up; null: it never does */
  maxAttempts: number | null;
  /** what is stored, but not sent to webhooks */
  quiet: (typeof QUIET)[number][];
  /** the states that webhooks report */
  states: AccountState[];
}

/** Reads the document. What it leaves out is as the server has it. */
export function behaviourOf(document: unknown): Behaviour {
  const config = objectOf(document);
  const reconnect = objectOf(config.reconnect);
  const quiet = objectOf(config.quiet);
  const { stateWebhooks } = config;
  const states = objectOf(stateWebhooks);
  return {
    autoRead: config.autoRead === true,
    takeover: config.takeover === true,
    reconnect: reconnect.enabled !== false,
    maxAttempts: typeof reconnect.maxAttempts === "number" ? reconnect.maxAttempts : null,
    quiet: QUIET.filter((name) => quiet[name] === true),
    states: stateWebhooks === false ? [] : STATES.filter((name) => states[name] !== false),
  };
}

/** Writes the document, without what is as the server has it. */
export function documentOf(behaviour: Behaviour): Record<string, unknown> {
  const { autoRead, takeover, reconnect, maxAttempts, quiet, states } = behaviour;
  const silent = STATES.filter((name) => !states.includes(name));
  const attempts = {
    ...(!reconnect && { enabled: false }),
    ...(maxAttempts !== null && { maxAttempts }),
  };
  return {
    ...(autoRead && { autoRead }),
    ...(takeover && { takeover }),
    ...(Object.keys(attempts).length > 0 && { reconnect: attempts }),
    ...(quiet.length > 0 && { quiet: Object.fromEntries(quiet.map((name) => [name, true])) }),
    ...(silent.length > 0 && {
      stateWebhooks:
        silent.length === STATES.length ? false : Object.fromEntries(silent.map((name) => [name, false])),
    }),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
