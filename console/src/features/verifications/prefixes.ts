/** Returns the prefixes of a text, one a line or between commas, each once. */
export function prefixesOf(text: string): string[] {
  const parts = text.split(/[\n,;]+/).map((part) => part.replace(/[\s\u00a0()-]/g, ""));
  return [...new Set(parts.filter(Boolean).map((part) => (part.startsWith("+") ? part : `+${part}`)))];
}

const PREFIX = /^\+[1-9]\d{0,14}$/;

/** Returns the first part that is no beginning of a number; null: each is one. */
export function wrongPrefix(text: string): string | null {
  return prefixesOf(text).find((prefix) => !PREFIX.test(prefix)) ?? null;
}
