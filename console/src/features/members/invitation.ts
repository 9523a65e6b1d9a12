// The token of an invitation stays in this tab while its person logs in. It is never part of an address that a server is
// sent.
const KEY = "postern-invitation-to-join";

/** Takes the token from the address, or else returns the one that was kept; "": there is none. */
export function takeToken(): string {
  const behind = window.location.hash.slice(1);
  // Whoever looks at this browser's history later does not see it.
  if (behind) window.history.replaceState(window.history.state, "", window.location.pathname);
  try {
    if (behind) sessionStorage.setItem(KEY, behind);
    return behind || (sessionStorage.getItem(KEY) ?? "");
  } catch {
    return behind; // storage is blocked: after a login the token is typed
  }
}

export function forgetToken(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked.
  }
}
