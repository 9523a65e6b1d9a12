import type { Problem } from "../../frame/api/errors";
import type { CredentialKind, MemberRemoval } from "../../gql/graphql";

/** A credential that a member has made, that would end, and that was used lately. */
export interface InUse {
  kind: CredentialKind;
  credentialUuid: string;
  name: string;
  lastUsedAt: string | null;
}

export type Keep = NonNullable<MemberRemoval>;
export type Choice = "keepTokens" | "keepWebhooks" | "keepHookSecrets";

const CHOICES: Partial<Record<CredentialKind, Choice>> = {
  api_token: "keepTokens",
  webhook: "keepWebhooks",
  messenger_webhook: "keepWebhooks",
  event_sink: "keepWebhooks",
  hook_secret: "keepHookSecrets",
  hook_key: "keepHookSecrets",
};

/** Returns the credentials that the server asks about; none for any other problem. */
export function inUseOf(problem: Problem | null): InUse[] {
  if (problem?.code !== "credentials_in_use") return [];
  return (problem.details?.credentials ?? []) as InUse[];
}

/** Returns the choices that there are for these credentials, in the order of the credentials. */
export function choicesOf(credentials: readonly InUse[]): Choice[] {
  return [...new Set(credentials.map(({ kind }) => CHOICES[kind]))].filter((choice) => choice !== undefined);
}

/** Returns that nothing is kept: what the dialog begins with when it asks. */
export function nothingKept(credentials: readonly InUse[]): Keep {
  return Object.fromEntries(choicesOf(credentials).map((choice) => [choice, false]));
}
