/** A part of a text, and whether it is one of the words that were looked for. */
export interface Part {
  text: string;
  found: boolean;
}

const BEFORE = 30; // characters that are shown before the first word that was found
const LENGTH = 140;

/** Returns the part of a message's text around the first word that was found, on one line, with the words marked. */
export function snippetOf(text: string, asked: string): Part[] {
  const line = text.replace(/\s+/g, " ").trim();
  const words = asked.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const last = words.length - 1;
  const found = [...line.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].filter(([word]) =>
    words.some((wanted, index) =>
      // The last word may be the beginning of one, as the server finds it.
      index === last ? word.toLowerCase().startsWith(wanted) : word.toLowerCase() === wanted,
    ),
  );
  const first = found[0]?.index ?? 0;
  let begin = first > BEFORE ? line.lastIndexOf(" ", first - BEFORE) + 1 : 0;
  if (first - begin > 2 * BEFORE) begin = first;
  const end = Math.min(line.length, begin + LENGTH);
  const parts: Part[] = [];
  let at = begin;
  for (const match of found) {
    if (match.index < at || match.index >= end) continue;
    if (match.index > at) parts.push({ text: line.slice(at, match.index), found: false });
    parts.push({ text: match[0].slice(0, end - match.index), found: true });
    at = Math.min(end, match.index + match[0].length);
  }
  if (at < end) parts.push({ text: line.slice(at, end), found: false });
  if (begin > 0) parts.unshift({ text: "… ", found: false });
  if (end < line.length) parts.push({ text: " …", found: false });
  return parts;
}
