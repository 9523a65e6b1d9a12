/** Returns the countries of a line such as `DE, at`. */
export function countriesOf(line: string): string[] {
  return [...new Set(line.toUpperCase().match(/[^\s,;]+/g) ?? [])];
}
