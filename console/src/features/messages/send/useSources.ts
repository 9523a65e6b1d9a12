import { useLoaded } from "../../../frame/api/useLoaded";
import { useViewer } from "../../../frame/session";
import type { MessengerSourcesQuery } from "../../../gql/graphql";
import { MessengerSources } from "./documents";
import type { Messenger } from "./draft";

export type Source = NonNullable<MessengerSourcesQuery["messengerAccounts"]>["nodes"][number];

const NONE: Record<Messenger, readonly Source[]> = { telegram: [], whatsapp: [] };

/** The messenger accounts that may send a message, by messenger, those that work first. */
export function useSources(): Record<Messenger, readonly Source[]> {
  const { may, uses, ownerUuid } = useViewer();
  const sends = uses("messengers") && may("messengers:read") && may("messengers:send");
  // An administrator sees the accounts of all users, and messages are sent through those of the owner.
  const { data } = useLoaded(MessengerSources, { where: { ownerId: { eq: ownerUuid } } }, !sends);
  const all = data?.messengerAccounts?.nodes;
  if (!all || !sends) return NONE;
  const sorted = [...all].sort((a, b) => Number(b.state === "working") - Number(a.state === "working"));
  return {
    telegram: sorted.filter(({ source }) => source === "telegram"),
    whatsapp: sorted.filter(({ source }) => source === "whatsapp"),
  };
}
