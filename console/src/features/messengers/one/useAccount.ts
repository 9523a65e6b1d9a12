import { useState } from "react";
import { useSubscription } from "urql";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useViewer } from "../../../frame/session";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import type { MessengerAccountMovedSubscription, OneMessengerAccountQuery } from "../../../gql/graphql";
import { MessengerAccountMoved, OneMessengerAccount } from "../documents";

export type Account = NonNullable<OneMessengerAccountQuery["messengerAccount"]>;
type Event = MessengerAccountMovedSubscription["messengerAccountChanged"];

/** A QR or pairing code, with the time at which the server sent it, and the time at which the browser received it. */
export interface LoginCode {
  kind: "qr" | "pairing";
  value: string;
  expiresAt?: string | null;
  png?: string;
  at: string;
  receivedAt: number;
}

const POLL_MS = 30_000;

/** One account as it is now, with the code that its login shows. Everything changes by itself. */
export function useAccount(uuid: string) {
  const admin = useViewer().isAdmin;
  const loaded = useLoaded(OneMessengerAccount, { id: uuid, admin });
  const [code, setCode] = useState<LoginCode | null>(null);
  const [moved] = useSubscription(
    { query: MessengerAccountMoved, variables: { id: uuid } },
    (_before, event) => {
      setCode(codeOf(event.messengerAccountChanged));
      return event;
    },
  );
  useVisibleInterval(loaded.reload, POLL_MS);
  const account = loaded.data?.messengerAccount;
  const live = moved.data?.messengerAccountChanged.account;
  const newest: Account | null | undefined =
    account && live && Date.parse(live.updatedAt) >= Date.parse(account.updatedAt)
      ? { ...account, ...live }
      : account;
  return { account: newest, code, problem: loaded.problem, loading: loaded.loading, reload: loaded.reload };
}

function codeOf({ qrCode, pairingCode, at }: Event): LoginCode | null {
  const receivedAt = Date.now();
  if (qrCode) return { kind: "qr", ...qrCode, at, receivedAt };
  return pairingCode ? { kind: "pairing", ...pairingCode, at, receivedAt } : null;
}
