import { SetMessengerPhone, StartMessenger, StopMessenger } from "../../documents";
import { isInactive } from "../../states";
import { useAct } from "../useAct";
import type { Account } from "../useAccount";

/** Begins the login anew: by a code for a phone or, without one, by a QR code. The way counts from the next start. */
export function useLogin(account: Account) {
  const { act, busy, problem, forget } = useAct();
  const id = account.uuid;
  async function login(phone: string | null) {
    if (!(await act(SetMessengerPhone, { id, phone }))) return;
    if (!isInactive(account.state) && !(await act(StopMessenger, { id }))) return;
    await act(StartMessenger, { id });
  }
  return { login, busy, problem, forget };
}
