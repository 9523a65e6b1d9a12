import { useEffect, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { WatchEvents } from "./documents";
import { Progress, withEvent, type Seen } from "./watch";

const RETRY_MS = 5_000;

/** Watches the feed from `after` on. While it pauses, events wait in the feed. After an error it begins again. */
export function useWatch(after: string, types: readonly string[], paused: boolean) {
  const client = useClient();
  const [list, setList] = useState<readonly Seen[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [progress] = useState(() => new Progress(after));
  const typeList = types.join(",");
  useEffect(() => {
    if (paused) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begun = client
      .subscription(WatchEvents, {
        after: progress.after(typeList),
        types: typeList ? typeList.split(",") : null,
      })
      .subscribe(({ data, error }) => {
        if (error) {
          setProblem(problemOf(error));
          clearTimeout(timer);
          timer = setTimeout(() => setAttempt((count) => count + 1), RETRY_MS);
        }
        const event = data?.events;
        if (!event) return;
        setProblem(null);
        if (progress.take(typeList, event)) setList((before) => withEvent(before, event));
      });
    return () => {
      clearTimeout(timer);
      begun.unsubscribe();
    };
  }, [client, progress, typeList, paused, attempt]);
  return { list, problem, clear: () => setList([]), retry: () => setAttempt((count) => count + 1) };
}
