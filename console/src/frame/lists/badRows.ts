export interface BadRow {
  line: number;
  error?: { code: string; message: string } | null;
}

/** Writes the rows that could not be read as CSV, which a spreadsheet opens. */
export function badRowsCsv(rows: readonly BadRow[], head: readonly string[]): string {
  const lines = [
    head,
    ...rows.map(({ line, error }) => [String(line), error?.message ?? "", error?.code ?? ""]),
  ];
  return "\uFEFF" + lines.map((cells) => cells.map(cellOf).join(",")).join("\r\n") + "\r\n";
}

/** A cell that begins like a formula would be run by a spreadsheet, so it gets an apostrophe. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
