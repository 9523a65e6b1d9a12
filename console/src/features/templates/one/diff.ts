/** A line of a difference in unified format. */
export interface DiffLine {
  kind: "added" | "removed" | "same" | "hunk";
  text: string;
}

/** Returns the lines of a difference as the server makes it: with no names of files. */
export function linesOf(difference: string): DiffLine[] {
  return difference.split("\n").map((line) => {
    if (line.startsWith("@@")) return { kind: "hunk", text: line };
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
    return { kind, text: line.slice(1) };
  });
}
