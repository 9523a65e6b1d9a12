import { useCallback, useEffect, useRef } from "react";
import { useClient } from "urql";
import { InboxNotTyping, InboxTyping } from "../documents";

const SHOWN_SECONDS = 6;
const AGAIN_MS = 4_000;

/** Shows the other side that the account is typing. It is a courtesy, so its errors are not shown. */
export function useTyping(account: string, to: string | null) {
  const client = useClient();
  const shownAt = useRef(0);
  const begin = useCallback(() => {
    if (to === null || Date.now() - shownAt.current < AGAIN_MS) return;
    shownAt.current = Date.now();
    void client.mutation(InboxTyping, { account, input: { to, seconds: SHOWN_SECONDS } }).toPromise();
  }, [client, account, to]);
  /** `notify`: the server is informed; a message that was sent ends the typing without it */
  const stop = useCallback(
    (notify: boolean) => {
      if (notify && to !== null && Date.now() - shownAt.current < SHOWN_SECONDS * 1000) {
        void client.mutation(InboxNotTyping, { account, to }).toPromise();
      }
      shownAt.current = 0;
    },
    [client, account, to],
  );
  useEffect(() => () => stop(true), [stop]);
  return { begin, stop };
}
