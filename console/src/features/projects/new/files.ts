export const MOST_FILES = 10;

/** Bytes of one attachment that a message can carry. */
export const LARGEST = 25 * 1024 * 1024;

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Writes a size with the largest unit of which it has at least one: "1.5 MB". */
export function fileSize(bytes: number, language: string): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: UNITS[power],
    unitDisplay: "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1024 ** power);
}
