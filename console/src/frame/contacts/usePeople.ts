import { useLoaded } from "../api/useLoaded";
import { useViewer } from "../session";
import type { PersonFragment, ProjectChannel } from "../../gql/graphql";
import { FieldKeys, FindPeople } from "./documents";
import { isAddress, OF_EVERYBODY } from "./person";

const SHOWN = 20;
const NONE: readonly PersonFragment[] = [];

/** Whether contacts can be read here: the module is on, and the role allows it. */
export function useSeesContacts(): boolean {
  const { may, uses } = useViewer();
  return may("contacts:read") && uses("people");
}

/** The contacts that a channel reaches: those with this name or address, the newest without a text. */
export function usePeople(text: string, channel: ProjectChannel, pause = false) {
  const { ownerUuid } = useViewer();
  const sees = useSeesContacts();
  const where = {
    ownerId: { eq: ownerUuid },
    channel: { eq: channel },
    ...(text && (isAddress(text) ? { address: { eq: text } } : { name: { contains: text } })),
  };
  const { data, loading, problem } = useLoaded(FindPeople, { first: SHOWN, where }, pause || !sees);
  return { people: data?.contacts?.nodes ?? NONE, loading, problem };
}

export interface ContactVariable {
  name: string;
  label: string | null;
  /** whether it is a field that the owner has made */
  isField: boolean;
}

/** The variables that texts to contacts may have, with their names for people. */
export function useContactVariables(pause = false): ContactVariable[] {
  const sees = useSeesContacts();
  const { data } = useLoaded(FieldKeys, {}, pause || !sees);
  const fields = (data?.contactFields?.nodes ?? []).map(({ key, label }) => ({
    name: key,
    label: label ?? null,
    isField: true,
  }));
  return [...OF_EVERYBODY.map((name) => ({ name, label: null, isField: false })), ...fields];
}
