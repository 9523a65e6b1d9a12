import { useState } from "react";

/** The token of the link that opened the page: the part behind the `#`, which no server is sent. */
export function useLinkToken(): string {
  const [token] = useState(() => {
    const behind = window.location.hash.slice(1);
    // Whoever looks at this browser's history later does not see it.
    if (behind) window.history.replaceState(null, "", window.location.pathname);
    return behind;
  });
  return token;
}
