import type { Client, CombinedError } from "urql";
import { SetMessengerPhone, StartMessenger, StopMessenger } from "../../documents";
import { isInactive } from "../../states";
import type { Account } from "../useAccount";

/**
 * Begins the login anew: by a code for a phone or, without one, by a QR code. The way counts from the next start.
 * Returns the error of the first step that failed.
 */
export async function beginLogin(
  client: Client,
  account: Account,
  phone: string | null,
): Promise<CombinedError | undefined> {
  const id = account.uuid;
  const { error } = await client.mutation(SetMessengerPhone, { id, phone }).toPromise();
  if (error) return error;
  if (!isInactive(account.state)) {
    const stopped = await client.mutation(StopMessenger, { id }).toPromise();
    if (stopped.error) return stopped.error;
  }
  return (await client.mutation(StartMessenger, { id }).toPromise()).error;
}
