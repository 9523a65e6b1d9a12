import { useEffect, useRef } from "react";
import { Store, useStore } from "../store";
import { waitOrOnline } from "./waitOrOnline";

export type Live = "idle" | "connecting" | "live" | "lost";

export interface Connection {
  /** whether requests are answered */
  reachable: boolean;
  live: Live;
  /** when the server last sent an answer or an event; milliseconds */
  freshAt: number;
  /** grows each time that the connection has healed; pages load their data again */
  healed: number;
}

export const connection = new Store<Connection>({
  reachable: true,
  live: "idle",
  freshAt: Date.now(),
  healed: 0,
});

export function answered(): void {
  const now = connection.get();
  connection.set({
    ...now,
    reachable: true,
    freshAt: Date.now(),
    healed: now.reachable ? now.healed : now.healed + 1,
  });
}

export function unanswered(): void {
  const now = connection.get();
  if (!now.reachable) return;
  connection.set({ ...now, reachable: false });
  void askUntilAnswered();
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Asks whether the server is up, so that a page without requests of its own heals, too. */
async function askUntilAnswered(): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !connection.get().reachable; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await waitOrOnline(wait);
    const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) answered();
  }
}

export function setLive(live: Live): void {
  const now = connection.get();
  const healed = now.live === "lost" && live === "live" ? now.healed + 1 : now.healed;
  connection.set({ ...now, live, healed, freshAt: live === "live" ? Date.now() : now.freshAt });
}

export function useConnection(): Connection {
  return useStore(connection);
}

/** Calls `again` when the connection was lost and has come back. */
export function useHealed(again: () => void): void {
  const { healed } = useConnection();
  const handled = useRef(healed);
  useEffect(() => {
    if (handled.current === healed) return;
    handled.current = healed;
    again();
  }, [healed, again]);
}
