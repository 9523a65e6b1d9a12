const TYPED = /^(.*<)?\s*([^<>@\s]*)(?:@([^<>\s]*))?>?$/;

/** Returns addresses that what is typed may become: its part before the @ in each of the domains, with its name. */
export function addressesFor(typed: string, domains: readonly string[]): string[] {
  const [, name = "", local = "", domain = ""] = TYPED.exec(typed.trim()) ?? [];
  if (!local) return [];
  return domains
    .filter((item) => item.startsWith(domain.toLowerCase()))
    .map((item) => `${name}${local}@${item}${name && ">"}`);
}
