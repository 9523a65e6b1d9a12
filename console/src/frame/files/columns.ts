const VARIABLE = "variables.";

/** Returns whether a column only shows how the values of recipients are named: "variables.city". */
export function isExample(column: { name: string }): boolean {
  return column.name.startsWith(VARIABLE);
}

/** Returns the columns of the values whose names somebody has typed, with commas between them. */
export function valueColumns(typed: string): string[] {
  const names = typed
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  return [...new Set(names)].map((name) => VARIABLE + name);
}
