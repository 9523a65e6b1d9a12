// Nothing here needs React: the script that runs first reads it.

/** What the browser remembers of a login, so that a page's data can be asked for before the server has said who asks. */
export interface LastLogin {
  isAdmin: boolean;
  locale: string | null;
  /** whether the installation had the feed of events */
  hasFeed: boolean;
}

const KEY = "postern-console-last-login";

/** Returns what is remembered, or null if nobody was logged in. It is only a guess: the login may have ended. */
export function lastLogin(): LastLogin | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<LastLogin> | null;
    if (!stored) return null;
    return {
      isAdmin: stored.isAdmin === true,
      locale: typeof stored.locale === "string" ? stored.locale : null,
      hasFeed: stored.hasFeed !== false,
    };
  } catch {
    return null;
  }
}

export function rememberLogin(login: LastLogin | null): void {
  try {
    if (login) localStorage.setItem(KEY, JSON.stringify(login));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: data is asked for a little later.
  }
}
