import { forgetEarly } from "./api/early";
import { forgetOwner } from "./api/owner";

/** Things that pages keep while the user is elsewhere, such as a list and its position. The end of a login forgets them. */
const loaded = new Set<Map<string, unknown>>();
/** What was typed and not sent yet. It outlives a login that ends by itself, for the same user. */
const typed = new Set<Map<string, unknown>>();

export function drawer<T>(): Map<string, T> {
  return made<T>(loaded);
}

/** Returns a drawer for what a user has typed: whoever has to log in again does not type it again. */
export function typedDrawer<T>(): Map<string, T> {
  return made<T>(typed);
}

function made<T>(drawers: Set<Map<string, unknown>>): Map<string, T> {
  const map = new Map<string, T>();
  drawers.add(map);
  return map;
}

/** A login has ended by itself, and its user may come back. */
export function forgetLoaded(): void {
  for (const item of loaded) item.clear();
  forgetEarly();
}

/** The user has left, or another one has come. */
export function forgetAll(): void {
  forgetLoaded();
  forgetKept();
  forgetOwner();
  for (const item of typed) item.clear();
}

const PREFIX = "postern-kept:";
const OWNER = "postern-kept-owner";
/** The most characters of one value; what is longer is kept until the page is closed or read again. */
const LONGEST = 1_000_000;
/** The most values; the session has a few megabytes. */
const MOST = 50;

export interface Kept<T> {
  get: (key: string) => T | undefined;
  set: (key: string, value: T) => void;
  delete: (key: string) => void;
}

/**
 * Keeps what somebody has typed or pasted, as `typedDrawer` does, and also when the page is read again. It belongs to
 * the tab and to the user.
 */
export function kept<T>(name: string): Kept<T> {
  const memory = typedDrawer<T>();
  const stored = (key: string) => `${PREFIX}${name}:${key}`;
  return {
    get: (key) => memory.get(key) ?? (parsed(stored(key)) as T | undefined),
    set: (key, value) => {
      memory.set(key, value);
      store(stored(key), JSON.stringify(value));
    },
    delete: (key) => {
      memory.delete(key);
      quietly(() => sessionStorage.removeItem(stored(key)));
    },
  };
}

/** Says whose things are kept from now on, and for which owner. Those of others are forgotten. */
export function keepFor(user: string): void {
  quietly(() => {
    if (sessionStorage.getItem(OWNER) === user) return;
    forgetKept();
    sessionStorage.setItem(OWNER, user);
  });
}

/** Forgets what was typed and pasted. */
function forgetKept(): void {
  quietly(() => {
    for (const key of keptKeys()) sessionStorage.removeItem(key);
    sessionStorage.removeItem(OWNER);
  });
}

function keptKeys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
}

function parsed(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "") as unknown;
  } catch {
    return undefined;
  }
}

function store(key: string, text: string): void {
  quietly(() => {
    const room = sessionStorage.getItem(key) !== null || keptKeys().length < MOST;
    if (room && text.length <= LONGEST) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  });
}

/** Storage can be blocked or full: then everything stays until the page is closed. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing is lost before the page is closed.
  }
}
