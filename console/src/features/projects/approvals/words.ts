/** A piece of a text, and whether the other text does not have it. */
export interface Piece {
  text: string;
  changed: boolean;
}

/** Beyond this number of comparisons, all between the first and the last difference counts as changed. */
const MOST = 400_000;

/** Returns two texts in pieces: words that only one of them has are marked as changed. */
export function wordsOf(old: string, now: string): { old: Piece[]; now: Piece[] } {
  const before = tokens(old);
  const after = tokens(now);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const kept = common(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const whole = (words: string[], middle: boolean[]) =>
    pieces(words, [...filled(start, false), ...middle, ...filled(end, false)]);
  return { old: whole(before, kept.old), now: whole(after, kept.now) };
}

function tokens(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu) ?? [];
}

/** Marks the words that are not in the longest sequence of words that both have. */
function common(old: string[], now: string[]): { old: boolean[]; now: boolean[] } {
  const marks = { old: filled(old.length, true), now: filled(now.length, true) };
  if (old.length * now.length > MOST) return marks;
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      longest[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  let row = 0;
  let column = 0;
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) {
      marks.old[row] = false;
      marks.now[column] = false;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return marks;
}

function filled(length: number, changed: boolean): boolean[] {
  return Array.from({ length }, () => changed);
}

function pieces(words: readonly string[], changed: readonly boolean[]): Piece[] {
  const made: Piece[] = [];
  words.forEach((text, index) => {
    const last = made.at(-1);
    const isChanged = changed[index] ?? false;
    if (last && last.changed === isChanged) last.text += text;
    else made.push({ text, changed: isChanged });
  });
  return made;
}
