const LONGEST = 64;
const LATIN: Readonly<Record<string, string>> = {
  а: "a", б: "b", в: "v", г: "g", д: "d", е: "e", ё: "e", ж: "zh", з: "z", и: "i", й: "y", к: "k", л: "l", м: "m",
  н: "n", о: "o", п: "p", р: "r", с: "s", т: "t", у: "u", ф: "f", х: "kh", ц: "ts", ч: "ch", ш: "sh", щ: "shch",
  ъ: "", ы: "y", ь: "", э: "e", ю: "yu", я: "ya", ß: "ss", ø: "o", ł: "l",
}; // prettier-ignore

/** Returns the short name for programs that something with this name gets: “Our newsletter” is `our-newsletter`. */
export function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/\p{L}/gu, (letter) => LATIN[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LONGEST);
}
