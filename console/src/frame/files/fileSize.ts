const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Writes a number of bytes with the largest unit of which there is at least one: "1.5 MB". A kilobyte has 1,000 bytes. */
export function fileSize(bytes: number, language: string): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: UNITS[power],
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}
