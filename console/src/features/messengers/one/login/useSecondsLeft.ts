import { useEffect, useState } from "react";
import { secondsLeft } from "../../states";
import type { LoginCode } from "../useAccount";

/** How many seconds a code is still valid, counted down; null if the messenger does not say. */
export function useSecondsLeft(code: LoginCode | null): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return code && secondsLeft(code, code.at, code.receivedAt, Math.max(now, code.receivedAt));
}
