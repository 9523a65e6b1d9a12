/**
 * Returns the path if it is one of the console's own, otherwise the start page.
 *
 * The address of the login page carries the page that was requested. Somebody may have written that address, so it
 * must not lead to another site.
 */
export function internalPath(target: string | null, home = "/"): string {
  if (!target?.startsWith("/")) return home;
  const base = "https://console.invalid";
  let url: URL;
  try {
    url = new URL(target, base);
  } catch {
    return home;
  }
  // Browsers read "//host", "/\host" and "/<tab>/host" as other sites; then the origin differs.
  if (url.origin !== base || url.pathname.startsWith("//")) return home;
  if (url.pathname === "/login" || url.pathname.startsWith("/login/")) return home;
  return url.pathname + url.search + url.hash;
}
