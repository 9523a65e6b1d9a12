import { useState } from "react";
import { recipientOf, type Recipient } from "../../../../../frame/contacts/person";
import type { PersonFragment } from "../../../../../gql/graphql";
import type { DraftState } from "../../useDraft";
import { useAudience } from "./useAudience";
import { useListed } from "./useListed";

/**
 * Whose values the preview and the test have: a recipient of the list or of the project that is followed, or a contact of
 * the topics and segments.
 */
export function useRecipient(state: DraftState) {
  const { draft } = state;
  const [uuid, choose] = useState<string | null>(null);
  const [picked, pick] = useState<PersonFragment | null>(null);
  const audience = useAudience(draft);
  const { listed, own } = useListed(state);
  // Contacts become recipients when the project starts.
  const ofContacts = draft.audience !== null && !draft.audience.follows && listed.length === 0;
  const chosen = listed.find((row) => row.uuid === uuid) ?? listed[0] ?? null;
  const person = ofContacts ? (picked ?? audience.people[0] ?? null) : null;
  let values: Recipient | null = null;
  if (person) values = recipientOf(person, draft.channel);
  else if (chosen) {
    const { address, name, variables } = chosen;
    values = { address, name: name ?? null, variables: (variables ?? {}) as Recipient["variables"] };
  }
  return { listed, own, chosen, choose, ofContacts, people: audience.people, person, pick, values };
}
