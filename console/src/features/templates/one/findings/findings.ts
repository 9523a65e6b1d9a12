import { hasUnsubscribe } from "../../../../frame/liquid/unsubscribe";
import type { MessageCategory } from "../../../../gql/graphql";
import { isLayered, type TextDraft, type VersionDraft } from "../draft";

/** What a preview has rendered. */
export interface Rendered {
  html: string | null;
  variables: readonly string[];
  missing: readonly string[];
}

export type Finding =
  | { kind: "missing"; names: readonly string[] }
  | { kind: "subject" }
  | { kind: "alt"; count: number }
  | { kind: "examples"; links: readonly string[] }
  | { kind: "links"; links: readonly string[] }
  | { kind: "size"; bytes: number }
  | { kind: "unsubscribe" };

/** Gmail shows the first 102 kB of an email, and cuts off the rest. */
const GMAIL_CUTS = 102 * 1024;
const MOST_LINKS = 5;
const ATTRIBUTES = `(?:"[^"]*"|'[^']*'|[^'"<>])*`;
const IMAGE = new RegExp(`<img\\b${ATTRIBUTES}>`, "gi");
const LINK = /<a\b[^<>]*?\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;
const PLAIN_LINK = /\bhttp:\/\/[^\s<>"')]+/gi;
/** What starter letters lead to until their author changes it: example.com, and the account of an example. */
const EXAMPLE = /^https?:\/\/(?:(?:[\w-]+\.)*example\.(?:com|net|org)(?![\w.-])|[\w.-]+\/@?example\/?$)/i;
/** Links that need no https: others that a mail client opens, and what a variable or a part of the page is. */
const FINE = /^(?:https:|mailto:|tel:|sms:|#|\{\{|\{%)/i;

/** Returns what a reader, or the program that shows the message, will stumble over. `rendered` null: no preview is there. */
export function findingsOf(
  category: MessageCategory,
  draft: VersionDraft,
  text: TextDraft,
  rendered: Rendered | null,
): Finding[] {
  const findings: Finding[] = [];
  const isEmail = Boolean(text.html.trim() || text.subject.trim());
  if (rendered && rendered.missing.length > 0) findings.push({ kind: "missing", names: rendered.missing });
  if (text.html.trim() && !text.subject.trim()) findings.push({ kind: "subject" });
  const bare = (text.html.match(IMAGE) ?? []).filter((tag) => !/\salt\s*=/i.test(tag)).length;
  if (bare > 0) findings.push({ kind: "alt", count: bare });
  const examples = linksOf(text.html).filter((link) => EXAMPLE.test(link));
  if (examples.length > 0) findings.push({ kind: "examples", links: examples.slice(0, MOST_LINKS) });
  const links = insecureLinks(text);
  if (links.length > 0) findings.push({ kind: "links", links: links.slice(0, MOST_LINKS) });
  const bytes = new TextEncoder().encode(rendered?.html ?? text.html).length;
  if (bytes > GMAIL_CUTS) findings.push({ kind: "size", bytes });
  if (category === "promotional" && isEmail && !canLeave(draft, text, rendered)) {
    findings.push({ kind: "unsubscribe" });
  }
  return findings;
}

const PRINTED = /\{\{-?\s*([\w.-]+)\s*((?:\|[^{}]*)?)-?\}\}/g;

/** Returns the variables that a text prints without another value for readers who have none. */
export function printedBare({ subject, preheader, html, text }: TextDraft): string[] {
  const outputs = [...[subject, preheader, html, text].join("\n").matchAll(PRINTED)];
  const bare = outputs.filter(([, , filters = ""]) => !/\|\s*default\b/.test(filters));
  return [...new Set(bare.map(([, name = ""]) => name))];
}

/** Whether readers of each part of an email see a way to unsubscribe; a layout or a partial may have it. */
function canLeave(draft: VersionDraft, text: TextDraft, rendered: Rendered | null): boolean {
  const parts = [text.html, text.text].filter((part) => part.trim() !== "");
  if (parts.every(hasUnsubscribe)) return true;
  if (!isLayered(draft, text)) return false;
  // Without a preview nobody knows what the layout has.
  return (
    !rendered || ["unsubscribe_url", "preferences_url"].some((name) => rendered.variables.includes(name))
  );
}

/** Returns where the links of HTML lead, each once. */
function linksOf(html: string): string[] {
  const all = [...html.matchAll(LINK)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
  return [...new Set(all.map((link) => link.trim()).filter((link) => link !== ""))];
}

function insecureLinks({ html, text }: TextDraft): string[] {
  const ofHtml = linksOf(html).filter((link) => !FINE.test(link));
  return [...new Set([...ofHtml, ...(text.match(PLAIN_LINK) ?? [])])];
}
