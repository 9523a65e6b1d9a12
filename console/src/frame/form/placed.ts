import { elsewhere, type Problem } from "../api/errors";

export interface Placed {
  /** the server's sentences by the form's fields */
  errors: Record<string, string>;
  /** the problem, unless each of its sentences is at a field */
  elsewhere: Problem | null;
}

/**
 * Sorts the sentences of a problem: those about `fields` of a form stand there, the rest in a notice. `names` has the form's
 * names of fields that the API calls otherwise.
 */
export function placed(
  problem: Problem,
  fields: readonly string[],
  names: Readonly<Record<string, string>> = {},
): Placed {
  const errors: Record<string, string> = {};
  const here: string[] = [];
  for (const [asked, sentence] of Object.entries(problem.fields)) {
    const name = names[asked] ?? asked;
    if (!fields.includes(name)) continue;
    here.push(asked);
    errors[name] = errors[name] ? `${errors[name]} ${sentence}` : sentence;
  }
  return { errors, elsewhere: elsewhere(problem, here) };
}
