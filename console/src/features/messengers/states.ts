import type { AccountState, MessengerSource } from "../../gql/graphql";

/** What states have in common for somebody who looks at a list of accounts. The first ones need a person. */
export const GROUPS = {
  login: ["waitQr", "waitPhone", "waitCode", "waitPassword", "showCode"],
  down: ["failed", "loggedOut", "blocked"],
  moving: ["starting", "syncing", "reconnecting"],
  working: ["working"],
  stopped: ["stopped"],
} as const satisfies Record<string, readonly AccountState[]>;

export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

export const GROUP_COLORS: Record<Group, string> = {
  login: "orange",
  down: "red",
  moving: "blue",
  working: "teal",
  stopped: "gray",
};

export function groupOf(state: AccountState): Group {
  return GROUP_NAMES.find((group) => (GROUPS[group] as readonly string[]).includes(state)) ?? "moving";
}

/** Whether the account is switched off or has given up: only then it can be started, and its proxy changed. */
export function isInactive(state: AccountState): boolean {
  return state === "stopped" || groupOf(state) === "down";
}

/** What the reason for a state says about it. Other reasons belong to the step before, or say nothing new. */
export function explains(state: AccountState, code: string | null | undefined): code is string {
  return Boolean(code) && (groupOf(state) === "down" || state === "reconnecting");
}

interface Named {
  source: MessengerSource;
  phone?: string | null;
  connectedPhone?: string | null;
}

/** The phone of an account as people write it, or null. */
export function phoneOf({ connectedPhone, phone }: Named): string | null {
  const digits = connectedPhone ?? phone;
  return digits ? `+${digits.replace(/^\+/, "")}` : null;
}

/** Whether a new login asks for something that is entered on the phone, rather than here. */
export function pairs(source: MessengerSource): boolean {
  return source === "whatsapp";
}

/** Seconds that a code is still valid, by the server's clock when it sent the code. */
export function secondsLeft(
  code: { expiresAt?: string | null },
  at: string,
  receivedAt: number,
  now: number,
): number | null {
  if (!code.expiresAt) return null;
  const valid = new Date(code.expiresAt).getTime() - new Date(at).getTime();
  return Math.max(0, Math.ceil((valid - (now - receivedAt)) / 1000));
}
