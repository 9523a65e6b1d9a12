/** The setting of an account that has its statements mailed to the owner. */
export const MAIL_SETTING = "statements.mail";

type Kind = "credit" | "charge" | "refund" | "free";

interface Line {
  kind: Kind;
  channel: string | null;
  country: string | null;
  route: string | null;
  sender: string | null;
  project: string | null;
  projectName: string | null;
  messages: number;
  parts: number;
  amount: string | null;
}

interface Document {
  account: { currency: string };
  balance: { opening: string; net: string; late: string; closing: string };
  totals: { kind: Kind; messages: number; parts: number; amount: string | null }[];
  groupedBy: string[];
  lines: Line[];
  late: { month: string; amount: string }[];
  differences: { counted: string; recorded: string }[];
}

/** One row of a table: what was charged less what was refunded, for one value. */
export interface Row {
  /** empty: the statement says nothing of it */
  value: string;
  /** of a project */
  uuid?: string;
  messages: number;
  parts: number;
  amount: number;
}

/** The ways in which the lines of a statement are added up. */
export const TABLES = ["channel", "country", "route", "sender", "project"] as const;
export type Table = (typeof TABLES)[number];

/** What the page shows of a document, which is JSON. Amounts are texts in it, with all their digits. */
export interface Facts {
  currency: string;
  opening: number;
  late: number;
  closing: number;
  totals: { kind: Kind; messages: number; parts: number; amount: number | null }[];
  differences: { counted: number; recorded: number }[];
  tables: Record<Table, Row[]>;
}

export function factsOf(json: unknown): Facts {
  const { account, balance, totals, groupedBy, lines, differences } = json as Document;
  return {
    currency: account.currency,
    opening: Number(balance.opening),
    late: Number(balance.late),
    closing: Number(balance.closing),
    totals: totals.map((total) => ({
      ...total,
      amount: total.amount === null ? null : Number(total.amount),
    })),
    differences: differences.map(({ counted, recorded }) => ({
      counted: Number(counted),
      recorded: Number(recorded),
    })),
    tables: Object.fromEntries(
      TABLES.map((table) => [table, groupedBy.includes(table) ? rowsOf(lines, table) : []]),
    ) as Facts["tables"],
  };
}

/** Adds up the lines by one value, the most expensive first; then by messages and by name. */
function rowsOf(lines: readonly Line[], table: Table): Row[] {
  const rows = new Map<string, Row>();
  for (const line of lines) {
    if (line.kind === "credit") continue;
    const key = line[table] ?? "";
    const value = table === "project" ? (line.projectName ?? key) : key;
    const row = rows.get(key) ?? { value, messages: 0, parts: 0, amount: 0 };
    if (table === "project" && key) row.uuid = key;
    const sign = line.kind === "refund" ? -1 : 1;
    row.messages += sign * line.messages;
    row.parts += sign * line.parts;
    row.amount += micros(line.amount);
    rows.set(key, row);
  }
  return [...rows.values()]
    .sort((a, b) => a.amount - b.amount || b.messages - a.messages || a.value.localeCompare(b.value))
    .map((row) => ({ ...row, amount: row.amount / 1e6 }));
}

/** Amounts have six decimals at most: millionths are whole numbers, which add up without an error. */
function micros(amount: string | null): number {
  return amount === null ? 0 : Math.round(Number(amount) * 1e6);
}

/** Returns the name of a month such as `2026-10` in a language. */
export function monthName(month: string, language: string): string {
  const names = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });
  return names.format(new Date(`${month}-01T00:00:00Z`));
}

/** Returns the address of the lines as CSV: the signed link to the page, in another format. */
export function csvUrl(pageUrl: string): string {
  return `${pageUrl}&format=csv`;
}
