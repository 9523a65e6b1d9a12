// Nothing here needs React: the script that runs first reads it.

/** An owner for whom this tab acts, and the person who does. Another tab may act for another owner. */
export interface Acting {
  owner: string;
  /** how the owner is called, also when the owner can't be asked for any more */
  name: string;
  person: string;
  email: string;
}

const ACTING = "postern-acting-for";
const ENDED = "postern-acting-ended";
const HOME = "/console/";

/** Codes which say that the person can't act for the owner that a request has named. */
const REFUSED = new Set(["not_a_member", "acting_needs_login", "bad_owner"]);

let chosen = parsed();

/** Returns for whom this tab acts; null: for the person who has logged in. It changes only when the page is read anew. */
export function acting(): Acting | null {
  return chosen;
}

/** The header that says for which owner a request is. Each request of the console has it, and so has the WebSocket. */
export function ownerHeader(): Record<string, string> {
  return chosen ? { "X-Postern-Owner": chosen.owner } : {};
}

/**
 * Acts for this owner from now on, null: for oneself. The page, or the one at another address, is read anew, so that
 * nothing of another owner is left.
 */
export function actFor(next: Acting | null, path = HOME): void {
  keep(ACTING, next && JSON.stringify(next));
  keep(ENDED, null);
  window.location.assign(path);
}

/** Goes back to one's own data, because the owner's are not open any more. The page that follows says so. */
export function endActing(): void {
  if (!chosen) return;
  keep(ACTING, null);
  keep(ENDED, chosen.name);
  window.location.assign(HOME);
}

/** Forgets the owner together with the login. */
export function forgetOwner(): void {
  chosen = null;
  keep(ACTING, null);
  keep(ENDED, null);
}

/** Returns the name of the owner whose data are not open any more, until `dismissEnded`; null: there is none. */
export function endedOwner(): string | null {
  return stored(ENDED);
}

export function dismissEnded(): void {
  keep(ENDED, null);
}

export function refusesActing(codes: readonly string[]): boolean {
  return codes.some((code) => REFUSED.has(code));
}

function parsed(): Acting | null {
  try {
    const value = JSON.parse(stored(ACTING) ?? "null") as Partial<Acting> | null;
    if (!value) return null;
    const { owner, name, person, email } = value;
    const texts = [owner, name, person, email].every((text) => typeof text === "string");
    return texts ? (value as Acting) : null;
  } catch {
    return null;
  }
}

function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // storage is blocked: everybody acts for themselves
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Storage is blocked.
  }
}
