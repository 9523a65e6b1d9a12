/** A piece of a Liquid text, for its light highlighting. */
export interface Piece {
  kind: "text" | "output" | "tag" | "broken";
  text: string;
}

const START = /\{\{|\{%/g;

/** Cuts a text into its plain parts, its outputs `{{ … }}` and its tags `{% … %}`; one that is not closed is broken. */
export function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  while (offset < source.length) {
    START.lastIndex = offset;
    const start = START.exec(source);
    if (!start) break;
    if (start.index > offset) pieces.push({ kind: "text", text: source.slice(offset, start.index) });
    const output = start[0] === "{{";
    const end = source.indexOf(output ? "}}" : "%}", start.index + 2);
    const line = source.indexOf("\n\n", start.index);
    if (end < 0 || (line >= 0 && line < end)) {
      pieces.push({ kind: "broken", text: source.slice(start.index, start.index + 2) });
      offset = start.index + 2;
    } else {
      pieces.push({ kind: output ? "output" : "tag", text: source.slice(start.index, end + 2) });
      offset = end + 2;
    }
  }
  if (offset < source.length) pieces.push({ kind: "text", text: source.slice(offset) });
  return pieces;
}

export interface Insertion {
  text: string;
  /** where the cursor is afterwards */
  cursor: number;
}

/** Puts a variable in place of what is selected. */
export function inserted(text: string, variable: string, start: number, end: number): Insertion {
  const output = `{{ ${variable} }}`;
  return { text: text.slice(0, start) + output + text.slice(end), cursor: start + output.length };
}

/** Returns the variables that these recipients have, in the order of their first occurrence. */
export function variablesOf(recipients: readonly { name?: string | null; variables: unknown }[]): string[] {
  const names = new Set<string>();
  if (recipients.length === 0 || recipients.some(({ name }) => name)) names.add("name");
  for (const { variables } of recipients) {
    for (const name of Object.keys(variables ?? {})) names.add(name);
  }
  return [...names];
}
