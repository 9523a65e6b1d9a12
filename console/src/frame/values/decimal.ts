// Amounts of money are added as whole millionths: floating-point numbers would be off by a fraction.
const DIGITS = 6;

/**
 * Returns what was typed as a decimal number with a point, or null if it is none. Spaces between digits and a decimal
 * comma are fine. A comma that may separate thousands is not: "25,503" could be twenty-five thousand or twenty-five.
 */
export function parseDecimal(text: string): string | null {
  const typed = text.replace(/[\s\u00a0\u202f]/g, "");
  if (/^[1-9]\d*,\d{3}$/.test(typed)) return null;
  const plain = typed.replace(",", ".");
  return /^\d{1,12}(\.\d{1,6})?$/.test(plain) ? plain : null;
}

/** Returns the sum of a number that the server gave and a decimal number, exactly. */
export function addDecimal(value: number, decimal: string): number {
  return Number(textOf(millionths(value.toFixed(DIGITS)) + millionths(decimal)));
}

function millionths(decimal: string): bigint {
  const negative = decimal.startsWith("-");
  const [whole = "0", fraction = ""] = decimal.replace("-", "").split(".");
  const value = BigInt(whole + fraction.padEnd(DIGITS, "0"));
  return negative ? -value : value;
}

function textOf(value: bigint): string {
  const sign = value < 0n ? "-" : "";
  const digits = String(value < 0n ? -value : value).padStart(DIGITS + 1, "0");
  return `${sign}${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`;
}
