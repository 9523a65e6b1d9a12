import type { Node } from "prosemirror-model";
import { canonical } from "./canonical";
import { schema, type Letter } from "./schema";

/** The version of this format. A document of another one is not opened. */
const FORMAT = 1;
const DEEPEST = 12;

export interface Source {
  format: number;
  doc: Letter;
}

/** Returns what is stored of a letter. */
export function sourceOf(letter: Node | Letter): string {
  const doc = "toJSON" in letter ? (letter.toJSON() as Letter) : letter;
  return canonical({ format: FORMAT, doc } satisfies Source);
}

/** Returns the letter of a stored document; null: it is none that this builder can open. */
export function letterOf(source: string): Node | null {
  try {
    const stored = JSON.parse(source) as Partial<Source> | null;
    if (stored?.format !== FORMAT || depthOf(stored.doc) > DEEPEST) return null;
    const letter = schema.nodeFromJSON(stored.doc);
    letter.check();
    return letter.type === schema.topNodeType ? letter : null;
  } catch {
    return null;
  }
}

function depthOf(part: unknown, depth = 0): number {
  const inner = (part as Partial<Letter> | null)?.content;
  if (!Array.isArray(inner) || depth > DEEPEST) return depth;
  return Math.max(depth, ...inner.map((one) => depthOf(one, depth + 1)));
}
