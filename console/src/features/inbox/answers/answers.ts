import type { InboxAnswerFragment } from "../../../gql/graphql";

export type Answer = InboxAnswerFragment;

/** Returns what is typed after the `/` that begins a message, while it can still be a shortcut; null: something else. */
export function shortcutOf(text: string): string | null {
  return /^\/([^\s/]{0,50})$/.exec(text)?.[1] ?? null;
}

/** Fills in what the composer knows about the person. A name that is not known leaves no gap in the sentence. */
export function filledIn(text: string, name: string | null): string {
  if (name) return text.replace(/\{\{\s*name\s*\}\}/g, () => name);
  return text.replace(/,?[ \t]*\{\{\s*name\s*\}\}/g, "").replace(/^[ \t,]+/, "");
}

/** Puts answers whose shortcut begins with what was typed before the others. */
export function inOrder(answers: readonly Answer[], typed: string): Answer[] {
  const begins = (answer: Answer) => answer.shortcut.startsWith(typed.toLowerCase());
  return [...answers.filter(begins), ...answers.filter((answer) => !begins(answer))];
}
