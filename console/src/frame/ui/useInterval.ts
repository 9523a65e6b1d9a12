import { useEffect, useRef } from "react";

/** Calls `run` every so many milliseconds while somebody looks at the page, and once when somebody looks again. */
export function useVisibleInterval(run: () => void, milliseconds: number): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  }, [run]);
  useEffect(() => {
    let last = Date.now();
    const tick = () => {
      if (document.hidden || Date.now() - last < milliseconds / 2) return;
      last = Date.now();
      latest.current();
    };
    const timer = setInterval(tick, milliseconds);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [milliseconds]);
}

/** Returns a function that runs `run` at most once in so many milliseconds, also after the last call. */
export function useThrottled(run: () => void, milliseconds: number): () => void {
  const latest = useRef(run);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = run;
  }, [run]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const throttled = useRef(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, milliseconds);
  });
  return throttled.current;
}
