import { useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { WatchEvents } from "./documents";
import { withEvent, type Seen } from "./watch";

/** Watches the feed from `after` on. `after` null: not yet. While it pauses, events wait in the feed. */
export function useWatch(after: string | null, types: readonly string[], paused: boolean) {
  const client = useClient();
  const [list, setList] = useState<readonly Seen[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const last = useRef<string | null>(null);
  const wanted = types.join(",");
  useEffect(() => {
    if (after === null || paused) return;
    const begun = client
      .subscription(WatchEvents, { after: last.current ?? after, types: wanted ? wanted.split(",") : null })
      .subscribe(({ data, error }) => {
        if (error) setProblem(problemOf(error));
        const event = data?.events;
        if (!event) return;
        last.current = event.cursor;
        setProblem(null);
        setList((before) => withEvent(before, event));
      });
    return () => begun.unsubscribe();
  }, [client, after, wanted, paused]);
  return { list, problem, clear: () => setList([]) };
}
