import type { Draft, Edits } from "../draft";

type Variants = Draft["variants"];

export function letterOf(index: number): string {
  return String.fromCharCode(65 + index);
}

/** Returns the share of recipients that get a variant. */
export function shareOf(variants: Variants, index: number): number {
  const total = variants.reduce((sum, { weight = 1 }) => sum + weight, 0);
  return total > 0 ? (variants[index]?.weight ?? 1) / total : 0;
}

/** Adds a variant. The first time, the text that is there becomes the first of two. */
export function withVariant(draft: Draft): Edits {
  const { variants, text } = draft;
  if (variants.length > 0) return { variants: [...variants, { text: "", weight: 1 }] };
  return {
    variants: [
      { text, weight: 1 },
      { text, weight: 1 },
    ],
  };
}

/** Removes a variant. If one is left, it becomes the project's text again. */
export function withoutVariant(draft: Draft, index: number): Edits {
  const left = draft.variants.filter((_one, position) => position !== index);
  if (left.length > 1) return { variants: left };
  return { variants: [], text: left[0]?.text ?? draft.text };
}
