const TYPED = /^(.*<)?\s*([^<>@\s]*)(?:@([^<>\s]*))?>?$/;

/** Returns the listed senders that contain what is typed, and the addresses that it may become. */
export function choicesFor(typed: string, listed: readonly string[], domains: readonly string[]): string[] {
  const text = typed.trim().toLowerCase();
  const matching = listed.filter((sender) => sender.toLowerCase().includes(text));
  return [...new Set([...matching, ...addressesFor(typed, domains)])];
}

/** Returns addresses that what is typed may become: its part before the @ in each of the domains, with its name. */
export function addressesFor(typed: string, domains: readonly string[]): string[] {
  const [, name = "", local = "", domain = ""] = TYPED.exec(typed.trim()) ?? [];
  if (!local) return [];
  return domains
    .filter((item) => item.startsWith(domain.toLowerCase()))
    .map((item) => `${name}${local}@${item}${name && ">"}`);
}
