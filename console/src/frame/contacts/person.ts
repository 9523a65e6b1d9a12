import type { PersonFragment, ProjectChannel } from "../../gql/graphql";

/** Whose values a text has: a recipient of a project, or a contact. */
export interface Recipient {
  address: string;
  name: string | null;
  variables: Record<string, unknown>;
}

/** The variables that every contact has; its fields come beside them. */
export const OF_EVERYBODY = ["name", "locale", "externalId"] as const;

/** Returns the address that a project on this channel is sent to; null: the contact has none. */
export function addressOn({ addresses }: PersonFragment, channel: ProjectChannel): string | null {
  const fitting = addresses.filter((one) => one.channel === channel);
  return (fitting.find(({ primary }) => primary) ?? fitting[0])?.address ?? null;
}

/** Returns a contact as the server makes a recipient of it. */
export function recipientOf(person: PersonFragment, channel: ProjectChannel): Recipient {
  const { name, locale, externalId, fields } = person;
  return {
    address: addressOn(person, channel) ?? "",
    name: name || null,
    variables: {
      ...(locale && { locale }),
      ...(externalId && { externalId }),
      ...(fields as Record<string, unknown> | null),
    },
  };
}

/** Returns all variables of a recipient: its name is one of them. */
export function valuesOf({ name, variables }: Recipient): Record<string, unknown> {
  return { ...variables, ...(name && { name }) };
}

/** An address has an @ or looks like a phone; other text is a name. */
export function isAddress(text: string): boolean {
  return text.includes("@") || /^[+(]?\d[\d\s().-]{4,}$/.test(text);
}
