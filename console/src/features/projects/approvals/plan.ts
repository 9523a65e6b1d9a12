import type { ReviewedApprovalQuery } from "../../../gql/graphql";
import type { SendingWindow } from "../new/schedule/window";

export type Review = NonNullable<ReviewedApprovalQuery["approvalReview"]>;
export type Difference = Review["differences"][number];

/** What a plan says will be sent, as docs/approval.md describes it. */
export interface Content {
  channel: string;
  category: string;
  subject: string | null;
  text: string | null;
  html: string | null;
  variants: Variant[] | null;
  template: Template | null;
  attachments: { name: string; bytes: number }[];
  from: string | null;
  sender: string | null;
  sourceAccounts: string[];
  startAt: string | null;
  startWithinSeconds: number;
  window: SendingWindow | null;
  speed: Speed | null;
}

export interface Variant {
  text: string;
  weight: number;
}

export interface Template {
  name: string;
  language: string;
  params: string[];
}

export interface Speed {
  perMinute?: number | null;
  perAccountPerMinute?: number | null;
}

export interface Limits {
  recipients: number;
  atMostRecipients: number;
  currency: string | null;
  spent: string;
  atMost: string | null;
}

export function documentOf(plan: { document: unknown }): { content: Content; limits: Limits } {
  return plan.document as { content: Content; limits: Limits };
}

/** Fields whose old and new value stand side by side. */
const TEXTS = new Set(["subject", "text", "html", "variants", "template"]);

/** Sorts differences: texts, and what is said in one line. What another line says already is left out. */
export function sorted(differences: readonly Difference[]): { texts: Difference[]; lines: Difference[] } {
  const by = new Map(differences.map((difference) => [difference.field, difference]));
  const texts = differences.filter(({ field }) => TEXTS.has(field));
  const people = by.get("atMostRecipients");
  const lines = differences.filter(
    ({ field, old, new: now }) =>
      !TEXTS.has(field) &&
      !(field === "recipients" && by.has("audience")) &&
      !(field === "recipients" && people?.old === old && people.new === now) &&
      !(field === "atMostRecipients" && isList(by.get("audience"))),
  );
  return { texts, lines };
}

/** Whether the audience was, and is, a list of recipients: its size is said with it. */
function isList(audience: Difference | undefined): boolean {
  return [audience?.old, audience?.new].every((value) => {
    const parsed = parse(value ?? null);
    return typeof parsed === "object" && parsed !== null && "recipients" in parsed;
  });
}

/** Returns the pairs of texts in which one field differs: those of variants one by one. */
export function pairsOf({ field, old, new: now }: Difference): { old: string; now: string }[] {
  if (field === "variants") {
    const before = (parse(old) as Variant[] | null) ?? [];
    const after = (parse(now) as Variant[] | null) ?? [];
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
      old: variantText(before[index]),
      now: variantText(after[index]),
    }));
  }
  if (field === "template") return [{ old: templateText(parse(old)), now: templateText(parse(now)) }];
  return [{ old: old ?? "", now: now ?? "" }];
}

function variantText(variant: Variant | undefined): string {
  return variant ? `${variant.text}\n\n× ${variant.weight}` : "";
}

function templateText(value: unknown): string {
  const template = value as Template | null;
  return template ? [`${template.name} (${template.language})`, ...template.params].join("\n") : "";
}

/** Returns the value of a field, which the server writes as a text, or as JSON. */
export function parse(value: string | null): unknown {
  if (value === null) return null;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Returns the differences that a refused start names; their values are not texts yet. */
export function differencesOf(details: Record<string, unknown> | undefined): Difference[] {
  const found = details?.differences;
  if (!Array.isArray(found)) return [];
  return (found as { field: string; old: unknown; new: unknown }[]).map(({ field, old, new: now }) => ({
    field,
    old: asText(old),
    new: asText(now),
  }));
}

function asText(value: unknown): string | null {
  return value === null || typeof value === "string" ? value : JSON.stringify(value);
}
