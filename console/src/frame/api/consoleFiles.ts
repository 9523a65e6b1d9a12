import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import { connection, unanswered } from "./connection";
import { checkVersion, NewVersion } from "./newVersion";

type Load<T> = () => Promise<T>;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const MOST_FAILURES = 3; // although the server answers
const IDLE_MS = 3_000;

/**
 * Imports a file of the console, again and again until the server answers.
 *
 * Throws NewVersion if the server has another version by now, and the import's error if it fails for another reason.
 */
export async function loadFile<T>(load: Load<T>): Promise<T> {
  let failures = 0;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await load();
    } catch (error) {
      const isNew = await checkVersion();
      if (isNew === null) unanswered();
      else if (isNew) throw new NewVersion("a new version was installed", { cause: error });
      else if (++failures === MOST_FAILURES) throw error;
      await pause(wait);
    }
  }
}

/**
 * Removes links whose files did not come. Vite takes a style whose link is there for loaded, so that a page that is
 * imported again would be shown without it.
 */
export function removeFailedLinks(): void {
  document.addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLLinkElement) target.remove();
    },
    true,
  );
}

// A page's component may have any properties, as for `lazy` itself.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyComponent = ComponentType<any>;

const ahead: Load<unknown>[] = [];

/** React's `lazy` for a file of the console: the import is repeated, and done ahead when the browser is idle. */
export function lazyFile<T extends AnyComponent>(load: Load<{ default: T }>): LazyExoticComponent<T> {
  ahead.push(load);
  return lazy(() => loadFile(load));
}

/** Imports the console's files one after another while the browser is idle, unless the connection is slow. */
export function loadAhead(): () => void {
  let stopped = false;
  const timer = setTimeout(() => void run(), IDLE_MS);
  async function run(): Promise<void> {
    for (let load; !stopped && (load = ahead.shift());) {
      await idle();
      if (isSlow() || !connection.get().reachable) {
        ahead.unshift(load);
        return;
      }
      await load().catch(() => undefined); // the page itself tries again
    }
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Waits, but not longer than until the server is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    const ignore = connection.subscribe(() => {
      if (connection.get().reachable) done();
    });
    function done(): void {
      clearTimeout(timer);
      ignore();
      resolve();
    }
  });
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(() => resolve(), { timeout: IDLE_MS });
    else setTimeout(resolve, IDLE_MS);
  });
}

/** What only some browsers tell (https://wicg.github.io/netinfo/). */
interface NetworkInformation {
  saveData?: boolean;
  effectiveType?: string;
}

function isSlow(): boolean {
  const { connection: line } = navigator as Navigator & { connection?: NetworkInformation };
  return line?.saveData === true || (line?.effectiveType !== undefined && line.effectiveType !== "4g");
}
